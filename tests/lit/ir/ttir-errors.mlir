// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Ops of ttir that the verifiers refuse.

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.sum' op has an unknown attribute: 'dim_args'; expected dim_arg or keep_dim}}
  "ttir.sum"(%a) <{dim_args = [0 : i32], keep_dim = true}> : (tensor<4x4xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.exp' op takes no attributes, found 'dim'}}
  "ttir.exp"(%a) {dim = 0 : i32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.sum' op attribute 'keep_dim' must be true or false, found 1 : i32}}
  "ttir.sum"(%a) <{keep_dim = 1 : i32}> : (tensor<4x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.permute' op lacks the attribute 'permutation': integers, such as array<i64: 0, 1> or [0 : i32, 1 : i32]}}
  "ttir.permute"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{expected attributes in braces, such as <{dim = 1 : si32}>}}
  "ttir.exp"(%a) <1 : i32> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.add' op the number of operands must be 2, found 1}}
  "ttir.add"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.linear' op the number of operands must be 2 to 3, found 1}}
  "ttir.linear"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.topk' op the number of results must be 2, found 1}}
  "ttir.topk"(%a) <{k = 1 : i32}> : (tensor<4x4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @f(%a: tensor<?x4xf32>) {
  // expected-error @+1 {{'ttir.exp' op operand 0 must be a tensor whose extents are known, found 'tensor<?x4xf32>'}}
  "ttir.exp"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%a: tensor<1x1xf32>) {
  // expected-error @+1 {{'ttir.broadcast' op the result has more than 2^31 elements: 'tensor<65536x65536xf32>'}}
  "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 65536, 65536>}> : (tensor<1x1xf32>) -> tensor<65536x65536xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xi4>) {
  // expected-error @+1 {{'ttir.abs' op elements of type 'i4' are not supported: they may be f16, bf16, f32, f64, i1, or integers of 8, 16, 32 or 64 bits}}
  "ttir.abs"(%a) : (tensor<4x4xi4>) -> tensor<4x4xi4>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xbf16>) {
  // expected-error @+1 {{'ttir.add' op operands have elements of different types: 'f32' and 'bf16'}}
  "ttir.add"(%a, %b) : (tensor<4x4xf32>, tensor<4x4xbf16>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xsi32>) {
  // expected-error @+1 {{'ttir.exp' op works on floats, found 'si32'}}
  "ttir.exp"(%a) : (tensor<4x4xsi32>) -> tensor<4x4xsi32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.bitwise_not' op works on integers, found 'f32'}}
  "ttir.bitwise_not"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.sum' op operands have elements of type 'f32', but the result has 'bf16'}}
  "ttir.sum"(%a) <{keep_dim = true}> : (tensor<4x4xf32>) -> tensor<1x1xbf16>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttir.constant' op has elements of type 'f32', but the result has 'bf16'}}
  "ttir.constant"() <{value = dense<1.0> : tensor<4xf32>}> : () -> tensor<4xbf16>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'ttir.add' op operand 1 of shape 3x4 does not broadcast with 4x4}}
  "ttir.add"(%a, %b) : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.exp' op the result has the shape 4x4, found 4x5}}
  "ttir.exp"(%a) : (tensor<4x4xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.sum' op dim_arg = 2, but the tensor has 2 dimensions}}
  "ttir.sum"(%a) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.sum' op dim_arg has a dimension twice}}
  "ttir.sum"(%a) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true}> : (tensor<4x4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @f(%a: tensor<4x0xf32>) {
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x0xf32>) -> tensor<4x1xf32>
  // expected-error @+1 {{'ttir.reduce_or' op a tensor of shape 4x0 has no elements along a reduced dimension: only sum, prod and mean have a result then}}
  "ttir.reduce_or"(%a) <{dim_arg = [0 : i32, 1 : i32], keep_dim = true}> : (tensor<4x0xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.broadcast' op broadcast_dimensions needs 2 factors, found 1}}
  "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.broadcast' op a dimension of 4 cannot be repeated 2 times: only dimensions of 1 can}}
  "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.repeat' op repeat_dimensions needs 2 factors from 1 to 2^31}}
  "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x0xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.repeat_interleave' op repeats must be from 1 to 2^31}}
  "ttir.repeat_interleave"(%a) <{repeats = 0 : ui32, dim = 0 : si32}> : (tensor<4x4xf32>) -> tensor<0x4xf32>
  return
}

// -----

func.func @f(%a: tensor<f32>) {
  // expected-error @+1 {{'ttir.matmul' op cannot multiply a scalar}}
  "ttir.matmul"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{'ttir.matmul' op multiplies 4x8 and 4x8: the sums are over 8 and 4 elements}}
  "ttir.matmul"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4x4xf32>, %b: tensor<3x4x4xf32>) {
  // expected-error @+1 {{'ttir.matmul' op the leading dimensions of 2x4x4 and 3x4x4 do not broadcast}}
  "ttir.matmul"(%a, %b) : (tensor<2x4x4xf32>, tensor<3x4x4xf32>) -> tensor<2x4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'ttir.linear' op the bias of shape 3 does not broadcast with the product of shape 4x4}}
  "ttir.linear"(%a, %a, %b) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<3xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.dot_general' op dimensions must be counted from the front}}
  "ttir.dot_general"(%a, %a) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: -1>, contract_dims_rhs = array<i64: 0>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.dot_general' op operand 0 has a dimension twice}}
  "ttir.dot_general"(%a, %a) <{batch_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64: 1>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<5x4xf32>) {
  // expected-error @+1 {{'ttir.dot_general' op the batch and contracted dimensions of 4x4 and 5x4 must agree}}
  "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>}> : (tensor<4x4xf32>, tensor<5x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.permute' op permutation must have each of the 2 dimensions once}}
  "ttir.permute"(%a) <{permutation = array<i64: 0, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.reshape' op cannot give 16 elements of 4x4 the shape 3x5}}
  "ttir.reshape"(%a) <{shape = [3 : i32, 5 : i32]}> : (tensor<4x4xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.reshape' op shape has the extent -2: one may be -1, others not negative}}
  "ttir.reshape"(%a) <{shape = [-2 : i32, -8 : i32]}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.squeeze' op dimension 1 has the extent 4, not 1}}
  "ttir.squeeze"(%a) <{dim = -1 : si32}> : (tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'ttir.slice_static' op begins, ends and step need one integer for each of the 2 dimensions}}
  "ttir.slice_static"(%a) <{begins = [0 : i32], ends = [4 : i32], step = [1 : i32]}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.slice_static' op cannot take elements 0 to 5 by steps of 1 from a dimension of 4}}
  "ttir.slice_static"(%a) <{begins = [0 : i32], ends = [5 : i32], step = [1 : i32]}> : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.index_select' op cannot take 5 elements, the first number 0, from a dimension of 4}}
  "ttir.index_select"(%a) <{dim = 0 : si32, begin = 0 : si32, length = 5 : si32}> : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a: tensor<4x4xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'ttir.concat' op operand 1 has the shape 3x4, which does not fit 4x4}}
  "ttir.concat"(%a, %b) <{dim = 1 : si32}> : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttir.concat' op the number of operands must be 1 or more, found 0}}
  "ttir.concat"() <{dim = 1 : si32}> : () -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.pad' op padding needs 2 integers, found 1}}
  "ttir.pad"(%a) <{padding = array<i32: 1>, value = 0.0 : f32}> : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.pad' op padding removes more elements than dimension 0 has}}
  "ttir.pad"(%a) <{padding = array<i32: -3, -2>, value = 0.0 : f32}> : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.reverse' op dimensions has a dimension twice}}
  "ttir.reverse"(%a) <{dimensions = array<i64: 0, 0>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'ttir.rearrange' op expected a pattern of the 2 dimensions, such as "b h s d -> b s (h d)"}}
  "ttir.rearrange"(%a) <{pattern = "a b -> (b"}> : (tensor<2x3xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'ttir.concatenate_heads' op expected a tensor of 4 dimensions, found 2x3}}
  "ttir.concatenate_heads"(%a) : (tensor<2x3xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @f(%i: tensor<2xsi32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.embedding' op expected indices of at most 2 dimensions and a matrix with rows, found 2 and 4}}
  "ttir.embedding"(%i, %w) : (tensor<2xsi32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%i: tensor<2xsi32>, %w: tensor<0x4xf32>) {
  // expected-error @+1 {{'ttir.embedding' op expected indices of at most 2 dimensions and a matrix with rows, found 2 and 0x4}}
  "ttir.embedding"(%i, %w) : (tensor<2xsi32>, tensor<0x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4xf32>) {
  // expected-error @+1 {{'ttir.rms_norm' op normalized_shape must be the last dimensions of 2x4}}
  "ttir.rms_norm"(%a) <{normalized_shape = array<i64: 2>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4xf32>) {
  // expected-error @+1 {{'ttir.rms_norm' op operandSegmentSizes must say which of input, weight and bias there are}}
  "ttir.rms_norm"(%a) <{normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<2x4xf32>, %w: tensor<2xf32>) {
  // expected-error @+1 {{'ttir.layer_norm' op operand 1 must have the shape 4, found 2}}
  "ttir.layer_norm"(%a, %w) <{normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.topk' op k = 5, but the dimension has 4 elements}}
  "ttir.topk"(%a) <{k = 5 : i32}> : (tensor<4xf32>) -> (tensor<5xf32>, tensor<5xsi32>)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttir.arange' op cannot go from 0 to 4 by steps of -1}}
  "ttir.arange"() <{start = 0 : si64, end = 4 : si64, step = -1 : si64, arange_dimension = 0 : i64}> : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  %0 = ttir.empty() : tensor<4xbf16>
  // expected-error @+1 {{'ttir.to_layout' op the second operand must have the type of the result}}
  %1 = ttir.to_layout %a, %0 : tensor<4xf32> into tensor<4xbf16> -> tensor<4xf16>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.cumsum' op attribute 'dim' must be an integer, such as 1 : i32, found 1.000000e+00 : f32}}
  "ttir.cumsum"(%a) <{dim = 1.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.leaky_relu' op attribute 'parameter' must be a number, such as 0.5 : f32 or 1 : i32, found "x"}}
  "ttir.leaky_relu"(%a) <{parameter = "x"}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttir.constant' op attribute 'value' must be elements, such as dense<1.0> : tensor<2x2xf32>, found 1 : i32}}
  "ttir.constant"() <{value = 1 : i32}> : () -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  %0 = ttir.empty() : tensor<5xf32>
  // expected-error @+1 {{'ttir.to_layout' op cannot store a tensor of shape 4 as one of shape 5}}
  %1 = ttir.to_layout %a, %0 : tensor<4xf32> into tensor<5xf32> -> tensor<5xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xi16> {
  // expected-error @+1 {{'ttir.bitcast_convert' op needs elements of equal size, found 'f32' and 'i16'}}
  %0 = "ttir.bitcast_convert"(%a) : (tensor<4x8xf32>) -> tensor<4x8xi16>
  return %0 : tensor<4x8xi16>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<5x2xi32>) -> tensor<5x2xf32> {
  // expected-error @+1 {{'ttir.gather' op the indices of shape 5x2 exceed the tensor of shape 4x8: they may have more elements along dimension 1 only}}
  %0 = "ttir.gather"(%a, %b) <{dim = 1 : i32}> : (tensor<4x8xf32>, tensor<5x2xi32>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x2xi32>) -> tensor<4x2xbf16> {
  // expected-error @+1 {{'ttir.gather' op the result must have elements of type 'f32', found 'bf16'}}
  %0 = "ttir.gather"(%a, %b) <{dim = 1 : i32}> : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x2xbf16>
  return %0 : tensor<4x2xbf16>
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'ttir.gather' op operand 1 must have integers, found 'f32'}}
  %0 = "ttir.gather"(%a, %b) <{dim = 1 : i32}> : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xbf16> {
  // expected-error @+1 {{'ttir.sort' op the first result must have elements of type 'f32', found 'bf16'}}
  %0, %1 = "ttir.sort"(%a) : (tensor<4x8xf32>) -> (tensor<4x8xbf16>, tensor<4x8xi32>)
  return %0 : tensor<4x8xbf16>
}

// -----

func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'ttir.sort' op the second result must have integers, found 'f32'}}
  %0, %1 = "ttir.sort"(%a) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %0 : tensor<4x8xf32>
}

// -----

func.func @f(%a: tensor<4x0xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'ttir.max' op a tensor of shape 4x0 has no elements along a reduced dimension: only sum, prod and mean have a result then}}
  %0 = "ttir.max"(%a) <{dim_arg = [1 : i32]}> : (tensor<4x0xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error @+1 {{'ttir.arange' op cannot go from 0 to -9223372036854775808 by steps of -1}}
  %0 = "ttir.arange"() <{start = 0 : si64, end = -9223372036854775808 : si64, step = -1 : si64, arange_dimension = 0 : i64}> : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The product of the extents and the factors has more than 64 bits.
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'ttir.repeat' op repeat_dimensions needs 1 factors from 1 to 2^31}}
  %0 = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 4611686018427387905>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'ttir.pad' op padding adds more than 2^31 elements to dimension 0}}
  %0 = "ttir.pad"(%a) <{padding = array<i64: 9223372036854775807, 1>, value = 0.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%a: tensor<4xi8>) -> tensor<6xi8> {
  // expected-error @+1 {{'ttir.pad' op value = 2.000000e+02 : f32, but elements of type 'i8' have no such number}}
  %0 = "ttir.pad"(%a) <{padding = array<i64: 1, 1>, value = 200.0 : f32}> : (tensor<4xi8>) -> tensor<6xi8>
  return %0 : tensor<6xi8>
}

// -----

func.func @f(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'ttir.clamp_scalar' op min = 0x7FC00000 : f32, but elements of type 'i32' have no such number}}
  %0 = "ttir.clamp_scalar"(%a) <{min = 0x7FC00000 : f32, max = 1.0 : f32}> : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @main(%a: tensor<3x0xf32>, %b: tensor<3x2xi32>) {
  // expected-error @+1 {{'ttir.gather' op a tensor of shape 3x0 has no elements along dimension 1 to choose from}}
  %0 = "ttir.gather"(%a, %b) <{dim = 1 : i32}> : (tensor<3x0xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @main(%a: tensor<4x8xf32>, %b: tensor<5x2xi32>, %c: tensor<5x2xf32>) {
  // expected-error @+1 {{'ttir.scatter' op the indices of shape 5x2 exceed the tensor of shape 4x8: they may have more elements along dimension 1 only}}
  %0 = "ttir.scatter"(%a, %b, %c) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<4x8xf32>, tensor<5x2xi32>, tensor<5x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x2xi32>, %c: tensor<4x3xf32>) {
  // expected-error @+1 {{'ttir.scatter' op the indices of shape 4x2 and the elements of shape 4x3 must have one shape}}
  %0 = "ttir.scatter"(%a, %b, %c) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<4x8xf32>, tensor<4x2xi32>, tensor<4x3xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x2xi32>, %c: tensor<4x2xbf16>) {
  // expected-error @+1 {{'ttir.scatter' op operand 2 must have elements of type 'f32', found 'bf16'}}
  %0 = "ttir.scatter"(%a, %b, %c) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<4x8xf32>, tensor<4x2xi32>, tensor<4x2xbf16>) -> tensor<4x8xf32>
  return
}

// -----

func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x2xi32>, %c: tensor<4x2xf32>) {
  // expected-error @+1 {{'ttir.scatter' op attribute 'scatter_reduce_type' must be #ttcore.reduce_type<invalid>, or one with sum, prod, min or max, found #ttcore.reduce_type<mean>}}
  %0 = "ttir.scatter"(%a, %b, %c) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<mean>}> : (tensor<4x8xf32>, tensor<4x2xi32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}
