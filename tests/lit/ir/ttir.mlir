// RUN: ttl-opt %s | ttl-opt | FileCheck %s

// Ops of tt-mlir's dialect TTIR are read, and printed as tt-mlir prints them.

// CHECK-LABEL: @elementwise
func.func @elementwise(%a: tensor<2x33x128xf32>, %b: tensor<128xf32>, %i: tensor<4x4xsi32>) -> tensor<2x33x128xbf16> {
  // CHECK: "ttir.exp"(%{{.*}}) : (tensor<2x33x128xf32>) -> tensor<2x33x128xf32>
  %0 = "ttir.exp"(%a) : (tensor<2x33x128xf32>) -> tensor<2x33x128xf32>
  // CHECK: "ttir.add"(%{{.*}}, %{{.*}}) : (tensor<2x33x128xf32>, tensor<128xf32>) -> tensor<2x33x128xf32>
  %1 = "ttir.add"(%0, %b) : (tensor<2x33x128xf32>, tensor<128xf32>) -> tensor<2x33x128xf32>
  // CHECK: "ttir.gt"(%{{.*}}) : (tensor<2x33x128xf32>, tensor<2x33x128xf32>) -> tensor<2x33x128xi1>
  %2 = "ttir.gt"(%1, %a) : (tensor<2x33x128xf32>, tensor<2x33x128xf32>) -> tensor<2x33x128xi1>
  // CHECK: "ttir.where"
  %3 = "ttir.where"(%2, %0, %1) : (tensor<2x33x128xi1>, tensor<2x33x128xf32>, tensor<2x33x128xf32>) -> tensor<2x33x128xf32>
  // CHECK: "ttir.clamp_scalar"(%{{.*}}) <{max = 1.000000e+00 : f32, min = 0.000000e+00 : f32}>
  %4 = "ttir.clamp_scalar"(%3) <{min = 0.0 : f32, max = 1.0 : f32}> : (tensor<2x33x128xf32>) -> tensor<2x33x128xf32>
  // CHECK: "ttir.right_shift"
  %5 = "ttir.right_shift"(%i, %i) : (tensor<4x4xsi32>, tensor<4x4xsi32>) -> tensor<4x4xsi32>
  // CHECK: "ttir.typecast"(%{{.*}}) {ttir.note = "kept"}
  %6 = "ttir.typecast"(%4) {ttir.note = "kept"} : (tensor<2x33x128xf32>) -> tensor<2x33x128xbf16>
  return %6 : tensor<2x33x128xbf16>
}

// Attributes without a dot become properties wherever the text has them. In older text, the last operand
// is a tensor for the result.
// CHECK-LABEL: @reductions
func.func @reductions(%a: tensor<4x64xf32>) -> (tensor<4x1xf32>, tensor<f32>, tensor<4xsi32>) {
  // CHECK: "ttir.sum"(%{{.*}}) <{dim_arg = [-1 : i32], keep_dim = true}>
  %0 = "ttir.sum"(%a) {dim_arg = [-1 : i32], keep_dim = true} : (tensor<4x64xf32>) -> tensor<4x1xf32>
  // CHECK: ttir.empty() : tensor<f32>
  %1 = ttir.empty() : tensor<f32>
  // CHECK: "ttir.max"(%{{.*}}, %{{.*}}) <{keep_dim = false}>
  %2 = "ttir.max"(%a, %1) <{keep_dim = false}> : (tensor<4x64xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: "ttir.argmax"
  %3 = "ttir.argmax"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x64xf32>) -> tensor<4xsi32>
  return %0, %2, %3 : tensor<4x1xf32>, tensor<f32>, tensor<4xsi32>
}

// CHECK-LABEL: @products
func.func @products(%a: tensor<2x8x16xbf16>, %b: tensor<32x16xbf16>, %c: tensor<32xbf16>) -> tensor<2x8x32xbf16> {
  // CHECK: "ttir.matmul"(%{{.*}}, %{{.*}}) <{transpose_a = false, transpose_b = true}>
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = false, transpose_b = true}> : (tensor<2x8x16xbf16>, tensor<32x16xbf16>) -> tensor<2x8x32xbf16>
  // CHECK: "ttir.linear"
  %1 = "ttir.linear"(%a, %b, %c) <{transpose_b = true}> : (tensor<2x8x16xbf16>, tensor<32x16xbf16>, tensor<32xbf16>) -> tensor<2x8x32xbf16>
  // CHECK: "ttir.dot_general"
  %2 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 1>}> : (tensor<2x8x16xbf16>, tensor<32x16xbf16>) -> tensor<2x8x32xbf16>
  %3 = "ttir.add"(%1, %2) : (tensor<2x8x32xbf16>, tensor<2x8x32xbf16>) -> tensor<2x8x32xbf16>
  return %3 : tensor<2x8x32xbf16>
}

// CHECK-LABEL: @shapes
func.func @shapes(%a: tensor<1x4x8x16xf32>) -> tensor<8x64xf32> {
  // CHECK: "ttir.permute"(%{{.*}}) <{permutation = array<i64: 0, 2, 1, 3>}>
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x8x16xf32>) -> tensor<1x8x4x16xf32>
  // CHECK: "ttir.reshape"(%{{.*}}) <{shape = [8 : i32, 64 : i32]}>
  %1 = "ttir.reshape"(%0) <{shape = [8 : i32, 64 : i32]}> : (tensor<1x8x4x16xf32>) -> tensor<8x64xf32>
  // CHECK: "ttir.slice_static"
  %2 = "ttir.slice_static"(%1) <{begins = [-4 : i32, 0 : i32], ends = [8 : i32, 64 : i32], step = [1 : i32, 1 : i32]}> : (tensor<8x64xf32>) -> tensor<4x64xf32>
  // CHECK: "ttir.concat"(%{{.*}}, %{{.*}}) <{dim = 0 : si32}>
  %3 = "ttir.concat"(%2, %2) <{dim = 0 : si32}> : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<8x64xf32>
  // CHECK: "ttir.concatenate_heads"
  %4 = "ttir.concatenate_heads"(%a) : (tensor<1x4x8x16xf32>) -> tensor<1x8x64xf32>
  // CHECK: "ttir.rearrange"(%{{.*}}) <{pattern = "b h s d -> b s (h d)"}>
  %5 = "ttir.rearrange"(%a) <{pattern = "b h s d -> b s (h d)"}> : (tensor<1x4x8x16xf32>) -> tensor<1x8x64xf32>
  // CHECK: "ttir.broadcast"
  %6 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 2, 1, 1, 1>}> : (tensor<1x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %3 : tensor<8x64xf32>
}

// CHECK-LABEL: @creation
func.func @creation(%w: tensor<10x4xf32>, %i: tensor<2x3xsi32>) -> (tensor<2x3x4xf32>, tensor<10x2xf32>, tensor<10x2xui16>) {
  // CHECK: "ttir.constant"() <{value = dense<[1, 2]> : tensor<2xsi32>}>
  %0 = "ttir.constant"() <{value = dense<[1, 2]> : tensor<2xsi32>}> : () -> tensor<2xsi32>
  // CHECK: "ttir.full"() <{fill_value = 1.000000e+00 : f32, shape = array<i32>}> : () -> tensor<f32>
  %1 = "ttir.full"() <{shape = array<i32>, fill_value = 1.0 : f32}> : () -> tensor<f32>
  // CHECK: "ttir.arange"
  %2 = "ttir.arange"() <{start = 0 : si64, end = 10 : si64, step = 3 : si64, arange_dimension = 0 : i64}> : () -> tensor<4xsi32>
  // CHECK: "ttir.embedding"
  %3 = "ttir.embedding"(%i, %w) : (tensor<2x3xsi32>, tensor<10x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: "ttir.topk"
  %4:2 = "ttir.topk"(%w) <{k = 2 : i32, dim = -1 : i32, largest = true, sorted = false}> : (tensor<10x4xf32>) -> (tensor<10x2xf32>, tensor<10x2xui16>)
  // CHECK: %[[E:.*]] = ttir.empty() : tensor<10x4xbf16>
  %5 = ttir.empty() : tensor<10x4xbf16>
  // CHECK: ttir.to_layout %{{.*}}, %[[E]] : tensor<10x4xf32> into tensor<10x4xbf16> -> tensor<10x4xbf16>
  %6 = ttir.to_layout %w, %5 : tensor<10x4xf32> into tensor<10x4xbf16> -> tensor<10x4xbf16>
  return %3, %4#0, %4#1 : tensor<2x3x4xf32>, tensor<10x2xf32>, tensor<10x2xui16>
}
