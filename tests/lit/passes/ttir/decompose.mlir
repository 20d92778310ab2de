// RUN: ttl-opt %s --ttir-decompose | FileCheck %s

// CHECK-LABEL: @destination
// CHECK: "ttir.abs"(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @destination(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ttir.empty() : tensor<4x4xf32>
  %1 = "ttir.abs"(%a, %0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// CHECK-LABEL: @shapes
// CHECK: "ttir.permute"(%arg0) <{permutation = array<i64: 0, 2, 1>}>
// CHECK: "ttir.slice_static"(%{{.*}}) <{begins = [0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 8 : i32, 3 : i32], step = [1 : i32, 1 : i32, 1 : i32]}>
// CHECK: "ttir.reshape"(%{{.*}}) <{shape = [8 : i32, 2 : i32]}>
func.func @shapes(%a: tensor<1x4x8xf32>) -> tensor<8x2xf32> {
  %0 = "ttir.transpose"(%a) <{dim0 = -1 : si32, dim1 = 1 : si32}> : (tensor<1x4x8xf32>) -> tensor<1x8x4xf32>
  %1 = "ttir.index"(%0) <{dim = 2 : i32, begin = 1 : i32, end = 3 : i32, step = 1 : i32}> : (tensor<1x8x4xf32>) -> tensor<1x8x2xf32>
  %2 = "ttir.squeeze"(%1) <{dim = 0 : si32}> : (tensor<1x8x2xf32>) -> tensor<8x2xf32>
  return %2 : tensor<8x2xf32>
}

// CHECK-LABEL: @heads
// CHECK: "ttir.permute"(%arg0) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK: "ttir.reshape"(%{{.*}}) <{shape = [1 : i32, 8 : i32, 8 : i32]}>
// CHECK: "ttir.permute"
// CHECK: "ttir.reshape"
func.func @heads(%a: tensor<1x4x8x2xf32>) -> (tensor<1x8x8xf32>, tensor<1x8x8xf32>) {
  %0 = "ttir.concatenate_heads"(%a) : (tensor<1x4x8x2xf32>) -> tensor<1x8x8xf32>
  %1 = "ttir.rearrange"(%a) <{pattern = "b h s d -> b s (h d)"}> : (tensor<1x4x8x2xf32>) -> tensor<1x8x8xf32>
  return %0, %1 : tensor<1x8x8xf32>, tensor<1x8x8xf32>
}

// CHECK-LABEL: @reductions
// CHECK: "ttir.sum"(%arg0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
// CHECK: "ttir.reshape"
// CHECK: "ttir.ne"
// CHECK: "ttir.max"(%{{.*}}) <{dim_arg = [0 : i32, 1 : i32], keep_dim = true}>
// CHECK: "ttir.typecast"
func.func @reductions(%a: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<i1>) {
  %0 = "ttir.sum"(%a) <{dim_arg = [-1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  %1 = "ttir.reduce_or"(%a) <{keep_dim = false}> : (tensor<4x8xf32>) -> tensor<i1>
  return %0, %1 : tensor<4xf32>, tensor<i1>
}

// CHECK-LABEL: @products
// CHECK: "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}>
// CHECK: "ttir.add"
// CHECK: "ttir.reshape"(%arg2) <{shape = [16 : i32, 1 : i32]}>
// CHECK: "ttir.matmul"
// CHECK: "ttir.permute"
// CHECK: "ttir.matmul"
func.func @products(%a: tensor<8x16xf32>, %b: tensor<4x16xf32>, %c: tensor<16xf32>, %d: tensor<4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<8x4xf32>) {
  %0 = "ttir.linear"(%a, %b, %d) <{transpose_b = true}> : (tensor<8x16xf32>, tensor<4x16xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %1 = "ttir.matmul"(%a, %c) : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8xf32>
  %2 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 1>}> : (tensor<8x16xf32>, tensor<4x16xf32>) -> tensor<8x4xf32>
  return %0, %1, %2 : tensor<8x4xf32>, tensor<8xf32>, tensor<8x4xf32>
}

// A softmax and a norm of bf16 are computed in f32.
// CHECK-LABEL: @wide
// CHECK: "ttir.typecast"(%arg0) : (tensor<8x16xbf16>) -> tensor<8x16xf32>
// CHECK: "ttir.max"
// CHECK: "ttir.subtract"
// CHECK: "ttir.exp"
// CHECK: "ttir.sum"
// CHECK: "ttir.div"
// CHECK: "ttir.typecast"(%{{.*}}) : (tensor<8x16xf32>) -> tensor<8x16xbf16>
// CHECK: "ttir.mean"
// CHECK: "ttir.square"
// CHECK: "ttir.mean"
// CHECK: "ttir.rsqrt"
func.func @wide(%a: tensor<8x16xbf16>) -> tensor<8x16xbf16> {
  %0 = "ttir.softmax"(%a) <{dimension = 1 : si32}> : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
  %1 = "ttir.layer_norm"(%0) <{normalized_shape = array<i64: 16>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
  return %1 : tensor<8x16xbf16>
}

// A tensor without elements is not computed.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: "ttir.zeros"() <{shape = array<i64: 4, 0>}> : () -> tensor<4x0xf32>
// CHECK-NEXT: return
func.func @nothing(%a: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %0 = "ttir.softmax"(%a) <{dimension = 1 : si32}> : (tensor<4x0xf32>) -> tensor<4x0xf32>
  return %0 : tensor<4x0xf32>
}

// CHECK-LABEL: func.func @greatest
// CHECK: "ttir.max"(%arg0) <{dim_arg = [1 : i32], keep_dim = true}>
// CHECK: "ttir.ge"
// CHECK: "ttir.ne"(%arg0, %arg0)
// CHECK: "ttir.arange"
// CHECK: "ttir.where"
// CHECK: "ttir.min"
// CHECK: "ttir.typecast"
func.func @greatest(%a: tensor<4x8xf32>) -> tensor<4x1xi32> {
  %0 = "ttir.argmax"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<4x1xi32>
  return %0 : tensor<4x1xi32>
}
