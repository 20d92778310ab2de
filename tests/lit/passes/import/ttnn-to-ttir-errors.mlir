// RUN: ttl-opt %s --ttnn-to-ttir --split-input-file --verify-diagnostics

func.func @unknown(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{'ttnn.absolute' op has no counterpart in ttir; }}
  %0 = "ttnn.absolute"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @attribute(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{has the attribute 'scaled', which ttir.abs does not have}}
  %0 = "ttnn.abs"(%a) {scaled = 2 : i32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @activation(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{has an activation without a counterpart in ttir: 'swoosh'}}
  %0 = "ttnn.matmul"(%a, %a) <{activation = "swoosh"}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @device() -> !ttnn.device {
  %0 = "ttnn.get_device"() : () -> !ttnn.device
  // expected-error @+1 {{cannot use the result of ttnn.get_device}}
  return %0 : !ttnn.device
}

// -----

func.func @operand(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{needs one tensor and the attribute 'rhs', a number}}
  %0 = "ttnn.pow_scalar"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @result(%a: tensor<2x2xf32>) {
  // expected-error @+1 {{needs a result}}
  "ttnn.add"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  return
}

// -----

func.func @no_tensor() -> tensor<2x2xf32> {
  // expected-error @+1 {{needs one tensor}}
  %0 = "ttnn.to_layout"() : () -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @factors(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{needs the attribute 'repeat_dims', such as #ttnn.shape<2x1>}}
  %0 = "ttnn.repeat"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @segments(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{needs a tensor and the attribute 'operandSegmentSizes'}}
  %0 = "ttnn.rms_norm"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @attention(%q: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{needs query, key, value and at most a mask, of 4 dimensions, without a sink or a sliding window}}
  %0 = "ttnn.scaled_dot_product_attention"(%q, %q, %q) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @sink(%q: tensor<1x1x4x4xf32>, %s: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  // expected-error @+1 {{without a sink or a sliding window}}
  %0 = "ttnn.scaled_dot_product_attention"(%q, %q, %q, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}
