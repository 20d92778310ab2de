// RUN: ttl-opt %s --tosa-to-ttir --split-input-file --verify-diagnostics

func.func @unsupported(%a: tensor<2x2xi32>) -> tensor<2x2xi32> {
  // expected-error @+1 {{'tosa.clz' op has no counterpart in ttir; expected abs, add,}}
  %0 = tosa.clz %a : (tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

func.func @dynamic(%a: tensor<?x2xf32>) -> tensor<?x2xf32> {
  // expected-error @+1 {{needs tensors whose extents are known, found 'tensor<?x2xf32>'}}
  %0 = tosa.abs %a : (tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

func.func @nan_mode(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{is supported with nan_mode = PROPAGATE only}}
  %0 = tosa.maximum %a, %a {nan_mode = IGNORE} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @shift(%a: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %shift = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{a shift of a product must be 0, found 3}}
  %0 = tosa.mul %a, %a, %shift : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

func.func @zero_point(%a: tensor<1x4x16xf32>, %zero: tensor<1xf32>) -> tensor<1x4x4xf32> {
  %b = "tosa.const"() <{values = dense<0.0> : tensor<1x16x4xf32>}> : () -> tensor<1x16x4xf32>
  // expected-error @+1 {{needs a constant of one element as operand 2}}
  %0 = tosa.matmul %a, %b, %zero, %zero : (tensor<1x4x16xf32>, tensor<1x16x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  return %0 : tensor<1x4x4xf32>
}

// -----

func.func @shape(%a: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %shape = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.add_shape' op has no counterpart in ttir;}}
  %twice = tosa.add_shape %shape, %shape : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  %0 = tosa.tile %a, %twice : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @elements() -> tensor<4xf32> {
  // expected-error @+1 {{needs its elements in the text of the module, such as dense<1.0>, found}}
  %0 = "tosa.const"() <{values = dense_resource<absent> : tensor<4xf32>}> : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @branch(%c: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<4xf32> {
    // expected-error @+1 {{must be in a function of one block, not in a branch or a loop}}
    %1 = tosa.abs %a : (tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  } else {
    tosa.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @pool(%a: tensor<1x4x4x1xi8>) -> tensor<1x2x2x1xi8> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{is supported for floats only: integers need a rescale, found 'i8'}}
  %0 = tosa.avg_pool2d %a, %zero, %zero {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, acc_type = i32} : (tensor<1x4x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi8>
  return %0 : tensor<1x2x2x1xi8>
}

// -----

func.func @negate(%a: tensor<4xi8>) -> tensor<4xi8> {
  %one = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{the zero point must be 0, found 1}}
  %0 = tosa.negate %a, %one, %one : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
