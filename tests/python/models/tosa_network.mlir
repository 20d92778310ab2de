// A convolution, a pool and a product. Tests replace RESOURCE by the bytes of the weights.

func.func @main(%x: tensor<1x8x8x1xf32>) -> tensor<1x10xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense_resource<weights> : tensor<4x3x3x1xf32>}> : () -> tensor<4x3x3x1xf32>
  %b = "tosa.const"() <{values = dense<[0.0, 0.5, -0.5, 1.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32} : (tensor<1x8x8x1xf32>, tensor<4x3x3x1xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x4xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = tosa.max_pool2d %1 {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  %flat = tosa.const_shape {values = dense<[1, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %3 = tosa.reshape %2, %flat : (tensor<1x4x4x4xf32>, !tosa.shape<3>) -> tensor<1x1x64xf32>
  %m = "tosa.const"() <{values = dense<0.125> : tensor<1x64x10xf32>}> : () -> tensor<1x64x10xf32>
  %4 = tosa.matmul %3, %m, %zero, %zero : (tensor<1x1x64xf32>, tensor<1x64x10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x10xf32>
  %rows = tosa.const_shape {values = dense<[1, 10]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %5 = tosa.reshape %4, %rows : (tensor<1x1x10xf32>, !tosa.shape<2>) -> tensor<1x10xf32>
  return %5 : tensor<1x10xf32>
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x04000000RESOURCE"
    }
  }
#-}
