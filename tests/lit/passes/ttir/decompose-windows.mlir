// RUN: ttl-opt %s --ttir-decompose --split-input-file | FileCheck %s

// A convolution becomes one product of the slices at all places of the windows. Floats are summed in f32.
// CHECK-LABEL: @convolution
// CHECK-DAG: %[[X:.*]] = "ttir.typecast"(%arg0) : (tensor<1x5x6x4xbf16>) -> tensor<1x5x6x4xf32>
// CHECK-DAG: "ttir.permute"(%{{.*}}) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<8x4x1x2xf32>) -> tensor<8x1x2x4xf32>
// CHECK: %[[P:.*]] = "ttir.pad"(%[[X]]) <{padding = [0 : i32, 0 : i32, 1 : i32, 3 : i32, 2 : i32, 4 : i32, 0 : i32, 0 : i32]
// CHECK: %[[A:.*]] = "ttir.slice_static"(%[[P]]) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 9 : i32, 9 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}>
// CHECK: %[[B:.*]] = "ttir.slice_static"(%[[P]]) <{begins = [0 : i32, 0 : i32, 3 : i32, 0 : i32], ends = [1 : i32, 9 : i32, 12 : i32, 4 : i32]
// CHECK: %[[C:.*]] = "ttir.concat"(%[[A]], %[[B]]) <{dim = 3 : si32}>
// CHECK: "ttir.slice_static"(%[[C]]) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 9 : i32, 9 : i32, 8 : i32], step = [1 : i32, 2 : i32, 1 : i32, 1 : i32]}>
// CHECK: "ttir.matmul"(%{{.*}}, %{{.*}}) <{transpose_b = true}> : (tensor<45x8xf32>, tensor<8x8xf32>) -> tensor<45x8xf32>
// CHECK: "ttir.add"(%{{.*}}, %{{.*}}) : (tensor<1x5x9x8xf32>, tensor<1x1x1x8xf32>) -> tensor<1x5x9x8xf32>
// CHECK: %[[R:.*]] = "ttir.typecast"(%{{.*}}) : (tensor<1x5x9x8xf32>) -> tensor<1x5x9x8xbf16>
// CHECK: return %[[R]]
func.func @convolution(%x: tensor<1x5x6x4xbf16>, %w: tensor<8x4x1x2xbf16>, %b: tensor<1x1x1x8xbf16>) -> tensor<1x5x9x8xbf16> {
  %0 = "ttir.conv2d"(%x, %w, %b) <{stride = array<i32: 2, 1>, padding = array<i32: 1, 2, 3, 4>, dilation = array<i32: 1, 3>, groups = 1 : i32}> : (tensor<1x5x6x4xbf16>, tensor<8x4x1x2xbf16>, tensor<1x1x1x8xbf16>) -> tensor<1x5x9x8xbf16>
  return %0 : tensor<1x5x9x8xbf16>
}

// -----

// Each group is one matrix of a batched product.
// CHECK-LABEL: @groups
// CHECK: "ttir.permute"(%{{.*}}) <{permutation = array<i64: 2, 0, 1, 3>}> : (tensor<20x2x2x2xf32>) -> tensor<2x20x2x2xf32>
// CHECK: "ttir.matmul"(%{{.*}}, %{{.*}}) <{transpose_b = true}> : (tensor<2x20x4xf32>, tensor<2x3x4xf32>) -> tensor<2x20x3xf32>
// CHECK-NOT: "ttir.matmul"
// CHECK: return
func.func @groups(%x: tensor<1x5x5x4xf32>, %w: tensor<6x2x2x1xf32>) -> tensor<1x4x5x6xf32> {
  %0 = "ttir.conv2d"(%x, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 2 : i32}> : (tensor<1x5x5x4xf32>, tensor<6x2x2x1xf32>) -> tensor<1x4x5x6xf32>
  return %0 : tensor<1x4x5x6xf32>
}

// -----

// CHECK-LABEL: @depthwise
// CHECK: "ttir.repeat_interleave"(%arg0) <{dim = 3 : si32, repeats = 2 : si32}>
// CHECK: "ttir.concat"(%{{.*}}, %{{.*}}) <{dim = 0 : si32}> : (tensor<1x4x5x6xf32>, tensor<1x4x5x6xf32>) -> tensor<2x4x5x6xf32>
// CHECK: "ttir.multiply"(%{{.*}}, %{{.*}}) : (tensor<2x4x5x6xf32>, tensor<2x1x1x6xf32>) -> tensor<2x4x5x6xf32>
// CHECK: "ttir.sum"(%{{.*}}) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<2x4x5x6xf32>) -> tensor<1x4x5x6xf32>
// CHECK-NOT: "ttir.matmul"
// CHECK: return
func.func @depthwise(%x: tensor<1x5x5x3xf32>, %w: tensor<6x1x2x1xf32>) -> tensor<1x4x5x6xf32> {
  %0 = "ttir.conv2d"(%x, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 3 : i32}> : (tensor<1x5x5x3xf32>, tensor<6x1x2x1xf32>) -> tensor<1x4x5x6xf32>
  return %0 : tensor<1x4x5x6xf32>
}

// -----

// Channels are the first dimension.
// CHECK-LABEL: @order
// CHECK: "ttir.permute"(%arg0) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x3x5x6xf32>) -> tensor<1x5x6x3xf32>
// CHECK: %[[R:.*]] = "ttir.permute"(%{{.*}}) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x5x6x4xf32>) -> tensor<1x4x5x6xf32>
// CHECK-NEXT: return %[[R]]
func.func @order(%x: tensor<1x3x5x6xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x5x6xf32> {
  %0 = "ttir.conv2d"(%x, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, batch_dim = 0 : i64, channel_dim = 1 : i64, height_dim = 2 : i64, width_dim = 3 : i64}> : (tensor<1x3x5x6xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x5x6xf32>
  return %0 : tensor<1x4x5x6xf32>
}

// -----

// A transposed convolution is a convolution of an image with zeros between its elements.
// CHECK-LABEL: @transposed
// CHECK: "ttir.pad"(%{{.*}}) <{padding = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32]
// CHECK: "ttir.reverse"(%{{.*}}) <{dimensions = array<i64: 1, 2>}> : (tensor<5x3x3x4xf32>)
// CHECK: "ttir.pad"(%{{.*}}) <{padding = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], value = 0.000000e+00 : f64}> : (tensor<1x6x8x4xf32>) -> tensor<1x8x10x4xf32>
// CHECK: "ttir.matmul"(%{{.*}}, %{{.*}}) <{transpose_b = true}> : (tensor<48x36xf32>, tensor<5x36xf32>) -> tensor<48x5xf32>
func.func @transposed(%x: tensor<1x3x4x4xf32>, %w: tensor<4x5x3x3xf32>) -> tensor<1x6x8x5xf32> {
  %0 = "ttir.conv_transpose2d"(%x, %w) <{stride = 2 : i32, padding = 1 : i32, output_padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x3x4x4xf32>, tensor<4x5x3x3xf32>) -> tensor<1x6x8x5xf32>
  return %0 : tensor<1x6x8x5xf32>
}

// -----

// The rows of the windows are combined first, then their columns.
// CHECK-LABEL: @maximum
// CHECK: "ttir.pad"(%arg0) <{padding = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32], value = 0xFFF0000000000000 : f64}> : (tensor<1x5x4x2xf32>) -> tensor<1x5x5x2xf32>
// CHECK: "ttir.maximum"(%{{.*}}, %{{.*}}) : (tensor<1x2x5x2xf32>, tensor<1x2x5x2xf32>)
// CHECK: "ttir.maximum"(%{{.*}}, %{{.*}}) : (tensor<1x2x5x2xf32>, tensor<1x2x5x2xf32>)
// CHECK: "ttir.maximum"(%{{.*}}, %{{.*}}) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>)
// CHECK: "ttir.maximum"(%{{.*}}, %{{.*}}) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>)
// CHECK-NOT: "ttir.maximum"
func.func @maximum(%x: tensor<1x5x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %0 = "ttir.max_pool2d"(%x) <{kernel = 3 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = true}> : (tensor<1x5x4x2xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

// -----

// A window's sum is divided by the number of its elements.
// CHECK-LABEL: @mean
// CHECK-DAG: "ttir.constant"() <{value = dense<{{.*}}1.000000e+00], [2.000000e+00], [2.000000e+00], [1.000000e+00]{{.*}}> : tensor<1x1x4x1xf32>}>
// CHECK-DAG: "ttir.add"
// CHECK: "ttir.div"
// CHECK-LABEL: @counted
// CHECK: "ttir.full"() <{fill_value = 2.000000e+00 : f64
// CHECK: "ttir.div"
func.func @mean(%x: tensor<1x1x3x2xf32>) -> tensor<1x1x4x2xf32> {
  %0 = "ttir.avg_pool2d"(%x) <{kernel = array<i32: 1, 2>, stride = 1 : i32, dilation = 1 : i32, padding = array<i32: 0, 1>, ceil_mode = false, count_include_pad = false}> : (tensor<1x1x3x2xf32>) -> tensor<1x1x4x2xf32>
  return %0 : tensor<1x1x4x2xf32>
}
func.func @counted(%x: tensor<1x1x3x2xf32>) -> tensor<1x1x4x2xf32> {
  %0 = "ttir.avg_pool2d"(%x) <{kernel = array<i32: 1, 2>, stride = 1 : i32, dilation = 1 : i32, padding = array<i32: 0, 1>, ceil_mode = false}> : (tensor<1x1x3x2xf32>) -> tensor<1x1x4x2xf32>
  return %0 : tensor<1x1x4x2xf32>
}

// -----

// CHECK-LABEL: @global
// CHECK: "ttir.typecast"(%arg0) : (tensor<2x5x4x3xbf16>) -> tensor<2x5x4x3xf32>
// CHECK: "ttir.mean"(%{{.*}}) <{dim_arg = [1 : i32, 2 : i32], keep_dim = true}> : (tensor<2x5x4x3xf32>) -> tensor<2x1x1x3xf32>
// CHECK: "ttir.typecast"(%{{.*}}) : (tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xbf16>
func.func @global(%x: tensor<2x5x4x3xbf16>) -> tensor<2x1x1x3xbf16> {
  %0 = "ttir.global_avg_pool2d"(%x) : (tensor<2x5x4x3xbf16>) -> tensor<2x1x1x3xbf16>
  return %0 : tensor<2x1x1x3xbf16>
}

// -----

// CHECK-LABEL: @resource
// CHECK: "ttir.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}>
func.func @resource() -> tensor<2xf32> {
  %0 = "ttir.constant"() <{value = dense_resource<two> : tensor<2xf32>}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

{-# dialect_resources: { builtin: { two: "0x040000000000803F00000040" } } #-}
