// RUN: ttl-opt %s --tosa-to-ttir | FileCheck %s

// CHECK-LABEL: @elementwise
// CHECK: "ttir.add"(%arg0, %arg1) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
// CHECK: "ttir.multiply"
// CHECK: "ttir.gt"(%{{.*}}) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
// CHECK: "ttir.where"
// CHECK: "ttir.clamp_scalar"(%{{.*}}) <{max = 6.000000e+00 : f32, min = 0.000000e+00 : f32}>
// CHECK-NOT: tosa
func.func @elementwise(%a: tensor<4x8xf32>, %b: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.add %a, %b : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %1 = tosa.mul %0, %a, %shift : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi8>) -> tensor<4x8xf32>
  %2 = tosa.greater %1, %a : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %3 = tosa.select %2, %1, %a : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = tosa.clamp %3 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// CHECK-LABEL: @shapes
// CHECK: "ttir.reshape"(%arg0) <{shape = [8 : i32, 4 : i32]}>
// CHECK: "ttir.permute"(%{{.*}}) <{permutation = array<i64: 1, 0>}>
// CHECK: "ttir.slice_static"(%{{.*}}) <{begins = [1 : i32, 2 : i32], ends = [3 : i32, 6 : i32], step = [1 : i32, 1 : i32]}>
// CHECK: "ttir.concat"(%{{.*}}) <{dim = 1 : si32}>
// CHECK: "ttir.pad"(%{{.*}}) <{padding = [0 : i32, 1 : i32, 2 : i32, 0 : i32], value = 5.000000e-01 : f64}>
func.func @shapes(%a: tensor<4x8xf32>) -> tensor<3x10xf32> {
  %shape = tosa.const_shape {values = dense<[8, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %start = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %padding = tosa.const_shape {values = dense<[0, 1, 2, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %with = "tosa.const"() <{values = dense<0.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.reshape %a, %shape : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<8x4xf32>
  %1 = tosa.transpose %0 {perms = array<i32: 1, 0>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %2 = tosa.slice %1, %start, %size : (tensor<4x8xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x4xf32>
  %3 = tosa.concat %2, %2 {axis = 1 : i32} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  %4 = tosa.pad %3, %padding, %with : (tensor<2x8xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x10xf32>
  return %4 : tensor<3x10xf32>
}

// CHECK-LABEL: @products
// CHECK: "ttir.matmul"(%arg0, %arg1)
// CHECK: "ttir.sum"(%{{.*}}) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<1x4x8xf32>) -> tensor<1x4x1xf32>
func.func @products(%a: tensor<1x4x16xf32>, %b: tensor<1x16x8xf32>) -> tensor<1x4x1xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %zero, %zero : (tensor<1x4x16xf32>, tensor<1x16x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x8xf32>
  %1 = tosa.reduce_sum %0 {axis = 2 : i32} : (tensor<1x4x8xf32>) -> tensor<1x4x1xf32>
  return %1 : tensor<1x4x1xf32>
}
