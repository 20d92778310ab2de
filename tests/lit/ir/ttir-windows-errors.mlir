// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Convolutions, pools, and constants with elements in a resource, that the verifiers refuse.

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op lacks the attribute 'stride': an integer or integers, such as 1 : i32 or array<i32: 1, 1>}}
  "ttir.conv2d"(%0, %1) <{padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op has an unknown attribute: 'strides'; did you mean stride?}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, strides = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op attribute 'dilation' must be an integer or integers, such as 1 : i32 or array<i32: 1, 1>, found "1"}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = "1", groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op the number of operands must be 2 to 3, found 1}}
  "ttir.conv2d"(%0) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op needs an image of 4 dimensions, found 5x6x4}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op needs weights of 4 dimensions, found 8x4x3}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x0x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op needs an image with elements, found 1x0x6x4}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x0x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x0x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op needs weights with elements, found 8x4x0x2}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x0x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xi32>) {
  // expected-error @+1 {{'ttir.conv2d' op operands have elements of different types: 'f32' and 'i32'}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xi32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op attribute 'stride' needs 1 or 2 integers from 1 to 2^30, found array<i32: 1, 0>}}
  "ttir.conv2d"(%0, %1) <{stride = array<i32: 1, 0>, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op attribute 'stride' needs 1 or 2 integers from 1 to 2^30, found array<i32: 1, 1, 1>}}
  "ttir.conv2d"(%0, %1) <{stride = array<i32: 1, 1, 1>, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op attribute 'dilation' needs 1 or 2 integers from 1 to 2^30, found 9223372036854775807 : i64}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 9223372036854775807 : i64, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op attribute 'padding' needs 1, 2 or 4 integers from 0 to 2^30, found array<i32: 1, 1, 1>}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = array<i32: 1, 1, 1>, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op attribute 'padding' needs 1, 2 or 4 integers from 0 to 2^30, found -1 : i32}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = -1 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op attribute 'groups' must be from 1 to 2^30, found 0}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 0 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op has 3 groups, which do not divide 4 and 8 channels}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 3 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op needs weights of shape 8x2x3x2, found 8x4x3x2}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 2 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>, %2: tensor<1x1x1x4xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op needs a bias of shape 1x1x1x8, found 1x1x1x4}}
  "ttir.conv2d"(%0, %1, %2) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>, tensor<1x1x1x4xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op has a kernel of 7 rows, but the padded image has 5}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = array<i32: 3, 1>, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op has a kernel of 8 columns, but the padded image has 6}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = array<i32: 1, 7>, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x128x64xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op has a kernel of 128x64 elements: at most 4096 are supported}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x128x64xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op the result has the shape 1x3x5x8, found 1x3x5x4}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op batch_dim, height_dim, width_dim and channel_dim must be 0, 1, 2 and 3 in any order, found 0, 1, 2 and 1}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, channel_dim = 1 : i64}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv2d' op needs a tensor of shape 1x1073741827x1073741829x6x4 for its windows, which has more than 2^31 elements}}
  "ttir.conv2d"(%0, %1) <{stride = 1 : i32, padding = 536870912 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x3x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<8x4x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv_transpose2d' op needs weights of shape 4x4x3x2, found 8x4x3x2}}
  "ttir.conv_transpose2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x5x6x4xf32>, tensor<8x4x3x2xf32>) -> tensor<1x7x7x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<4x8x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv_transpose2d' op attribute 'output_padding' needs 1 or 2 integers from 0 to 2^30, found -1 : i32}}
  "ttir.conv_transpose2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = -1 : i32}> : (tensor<1x5x6x4xf32>, tensor<4x8x3x2xf32>) -> tensor<1x7x7x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<4x8x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv_transpose2d' op makes 7 rows, and the padding cuts off all of them}}
  "ttir.conv_transpose2d"(%0, %1) <{stride = 1 : i32, padding = array<i32: 4, 0>, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x5x6x4xf32>, tensor<4x8x3x2xf32>) -> tensor<1x7x7x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<4x8x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv_transpose2d' op the result has the shape 1x7x7x8, found 1x7x8x8}}
  "ttir.conv_transpose2d"(%0, %1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x5x6x4xf32>, tensor<4x8x3x2xf32>) -> tensor<1x7x8x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<4x8x3x2xf32>) {
  // expected-error @+1 {{'ttir.conv_transpose2d' op needs a tensor of shape 1x671088625x9x6x4 for its windows, which has more than 2^31 elements}}
  "ttir.conv_transpose2d"(%0, %1) <{stride = array<i32: 134217725, 1>, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x5x6x4xf32>, tensor<4x8x3x2xf32>) -> tensor<1x7x8x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>) {
  // expected-error @+1 {{'ttir.max_pool2d' op lacks the attribute 'ceil_mode': true or false}}
  "ttir.max_pool2d"(%0) <{kernel = 2 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32}> : (tensor<1x5x6x4xf32>) -> tensor<1x4x5x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>) {
  // expected-error @+1 {{'ttir.max_pool2d' op has an unknown attribute: 'count_include_pad'; expected}}
  "ttir.max_pool2d"(%0) <{kernel = 2 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false, count_include_pad = true}> : (tensor<1x5x6x4xf32>) -> tensor<1x4x5x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>, %1: tensor<1x5x6x4xf32>) {
  // expected-error @+1 {{'ttir.max_pool2d' op the number of operands must be 1, found 2}}
  "ttir.max_pool2d"(%0, %1) <{kernel = 2 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x5x6x4xf32>, tensor<1x5x6x4xf32>) -> tensor<1x4x5x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>) {
  // expected-error @+1 {{'ttir.max_pool2d' op attribute 'kernel' needs 1 or 2 integers from 1 to 2^30, found 0 : i32}}
  "ttir.max_pool2d"(%0) <{kernel = 0 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x5x6x4xf32>) -> tensor<1x4x5x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>) {
  // expected-error @+1 {{'ttir.max_pool2d' op has a kernel of 9 rows, but the padded image has 5}}
  "ttir.max_pool2d"(%0) <{kernel = 9 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x5x6x4xf32>) -> tensor<1x4x5x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>) {
  // expected-error @+1 {{'ttir.max_pool2d' op the result has the shape 1x4x5x4, found 1x4x5x8}}
  "ttir.max_pool2d"(%0) <{kernel = 2 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x5x6x4xf32>) -> tensor<1x4x5x8xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xi32>) {
  // expected-error @+1 {{'ttir.avg_pool2d' op works on floats, found 'i32'}}
  "ttir.avg_pool2d"(%0) <{kernel = 2 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x5x6x4xi32>) -> tensor<1x4x5x4xi32>
  return
}

// -----

func.func @main(%0: tensor<5x6xf32>) {
  // expected-error @+1 {{'ttir.avg_pool2d' op needs an image of 4 dimensions, found 5x6}}
  "ttir.avg_pool2d"(%0) <{kernel = 2 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<5x6xf32>) -> tensor<1x4x5x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>) {
  // expected-error @+1 {{'ttir.max_pool2d' op needs a tensor of shape 1x1073741830x7x4 for its windows, which has more than 2^31 elements}}
  "ttir.max_pool2d"(%0) <{kernel = 2 : i32, stride = 1 : i32, dilation = 1 : i32, padding = array<i32: 536870912, 0>, ceil_mode = false}> : (tensor<1x5x6x4xf32>) -> tensor<1x4x5x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>) {
  // expected-error @+1 {{'ttir.global_avg_pool2d' op takes no attributes, found 'kernel'}}
  "ttir.global_avg_pool2d"(%0) <{kernel = 1 : i32}> : (tensor<1x5x6x4xf32>) -> tensor<1x1x1x4xf32>
  return
}

// -----

func.func @main(%0: tensor<5x6x4xf32>) {
  // expected-error @+1 {{'ttir.global_avg_pool2d' op needs an image of 4 dimensions, found 5x6x4}}
  "ttir.global_avg_pool2d"(%0) : (tensor<5x6x4xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x0x6x4xf32>) {
  // expected-error @+1 {{'ttir.global_avg_pool2d' op needs an image with elements, found 1x0x6x4}}
  "ttir.global_avg_pool2d"(%0) : (tensor<1x0x6x4xf32>) -> tensor<1x1x1x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x5x6x4xf32>) {
  // expected-error @+1 {{'ttir.global_avg_pool2d' op the result has the shape 1x1x1x4, found 1x5x1x4}}
  "ttir.global_avg_pool2d"(%0) : (tensor<1x5x6x4xf32>) -> tensor<1x5x1x4xf32>
  return
}

// -----

func.func @main(%0: tensor<1x1x30x4xf32>) {
  // expected-error @+1 {{#ttir.flattened_compat is not supported: an image must have the dimensions batch, height, width and channels; take the module from before the pass that flattens images}}
  "ttir.max_pool2d"(%0) <{kernel = 2 : i32, stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 5, input_width = 6>}> : (tensor<1x1x30x4xf32>) -> tensor<1x1x20x4xf32>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{attributes of ttir are not supported, and this one has no name}}
  return {a.b = #ttir<"x">}
}

// -----

func.func @main() {
  // expected-error @+1 {{#ttir.cpu_hoisted_call is not supported}}
  return {a.b = #ttir.cpu_hoisted_call}
}

// -----

func.func @main() {
  // expected-error @+1 {{'ttir.constant' op needs the bytes of 'tensor<4xf32>' in the resource 'absent' of the module, found no such resource}}
  "ttir.constant"() <{value = dense_resource<absent> : tensor<4xf32>}> : () -> tensor<4xf32>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{'ttir.constant' op needs the bytes of 'tensor<4xf32>' in the resource 'short' of the module, found 8 bytes}}
  "ttir.constant"() <{value = dense_resource<short> : tensor<4xf32>}> : () -> tensor<4xf32>
  return
}

{-# dialect_resources: { builtin: { short: "0x040000000000803F00000040" } } #-}

// -----

func.func @main() {
  // expected-error @+1 {{'ttir.constant' op needs the bytes of 'tensor<4xf32>' in the resource 'one' of the module, found 4 bytes}}
  "ttir.constant"() <{value = dense_resource<one> : tensor<4xf32>}> : () -> tensor<4xf32>
  return
}

{-# dialect_resources: { builtin: { one: "0x040000000000803F" } } #-}

// -----

func.func @main() {
  // expected-error @+1 {{'ttir.constant' op has elements of type 'f32', but the result has 'i32'}}
  "ttir.constant"() <{value = dense_resource<two> : tensor<2xf32>}> : () -> tensor<2xi32>
  return
}

{-# dialect_resources: { builtin: { two: "0x040000000000803F00000040" } } #-}
