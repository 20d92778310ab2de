// A transformer block as tt-mlir's TTIR: attention of 4 heads, a layer norm, an MLP, a layer norm. The
// sequence has 128 elements of width 256. transformer_block.py runs it.

// Float32.
func.func @f32(%x: tensor<128x256xf32>, %wq: tensor<256x256xf32>, %wk: tensor<256x256xf32>, %wv: tensor<256x256xf32>, %wo: tensor<256x256xf32>,
    %w1: tensor<256x512xf32>, %b1: tensor<512xf32>, %w2: tensor<512x256xf32>, %b2: tensor<256xf32>, %g1: tensor<256xf32>, %s1: tensor<256xf32>, %g2: tensor<256xf32>, %s2: tensor<256xf32>)
    -> tensor<128x256xf32> {
  // Queries, keys and values of 4 heads.
  %0 = "ttir.matmul"(%x, %wq) : (tensor<128x256xf32>, tensor<256x256xf32>) -> tensor<128x256xf32>
  %1 = "ttir.reshape"(%0) <{shape = [128 : i32, 4 : i32, 64 : i32]}> : (tensor<128x256xf32>) -> tensor<128x4x64xf32>
  %2 = "ttir.permute"(%1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<128x4x64xf32>) -> tensor<4x128x64xf32>
  %3 = "ttir.matmul"(%x, %wk) : (tensor<128x256xf32>, tensor<256x256xf32>) -> tensor<128x256xf32>
  %4 = "ttir.reshape"(%3) <{shape = [128 : i32, 4 : i32, 64 : i32]}> : (tensor<128x256xf32>) -> tensor<128x4x64xf32>
  %5 = "ttir.permute"(%4) <{permutation = array<i64: 1, 0, 2>}> : (tensor<128x4x64xf32>) -> tensor<4x128x64xf32>
  %6 = "ttir.matmul"(%x, %wv) : (tensor<128x256xf32>, tensor<256x256xf32>) -> tensor<128x256xf32>
  %7 = "ttir.reshape"(%6) <{shape = [128 : i32, 4 : i32, 64 : i32]}> : (tensor<128x256xf32>) -> tensor<128x4x64xf32>
  %8 = "ttir.permute"(%7) <{permutation = array<i64: 1, 0, 2>}> : (tensor<128x4x64xf32>) -> tensor<4x128x64xf32>
  // Attention.
  %9 = "ttir.matmul"(%2, %5) <{transpose_a = false, transpose_b = true}> : (tensor<4x128x64xf32>, tensor<4x128x64xf32>) -> tensor<4x128x128xf32>
  %10 = "ttir.full"() <{shape = array<i32: 1, 1, 1>, fill_value = 0.125 : f32}> : () -> tensor<1x1x1xf32>
  %11 = "ttir.multiply"(%9, %10) : (tensor<4x128x128xf32>, tensor<1x1x1xf32>) -> tensor<4x128x128xf32>
  %12 = "ttir.softmax"(%11) <{dimension = 2 : si32, numericStable = true}> : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %13 = "ttir.matmul"(%12, %8) : (tensor<4x128x128xf32>, tensor<4x128x64xf32>) -> tensor<4x128x64xf32>
  %14 = "ttir.permute"(%13) <{permutation = array<i64: 1, 0, 2>}> : (tensor<4x128x64xf32>) -> tensor<128x4x64xf32>
  %15 = "ttir.reshape"(%14) <{shape = [128 : i32, 256 : i32]}> : (tensor<128x4x64xf32>) -> tensor<128x256xf32>
  %16 = "ttir.matmul"(%15, %wo) : (tensor<128x256xf32>, tensor<256x256xf32>) -> tensor<128x256xf32>
  // Residual and norm.
  %17 = "ttir.add"(%x, %16) : (tensor<128x256xf32>, tensor<128x256xf32>) -> tensor<128x256xf32>
  %18 = "ttir.layer_norm"(%17, %g1, %s1) <{normalized_shape = array<i64: 256>, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<128x256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<128x256xf32>
  // Two linear layers.
  %19 = "ttir.linear"(%18, %w1, %b1) : (tensor<128x256xf32>, tensor<256x512xf32>, tensor<512xf32>) -> tensor<128x512xf32>
  %20 = "ttir.gelu"(%19) : (tensor<128x512xf32>) -> tensor<128x512xf32>
  %21 = "ttir.linear"(%20, %w2, %b2) : (tensor<128x512xf32>, tensor<512x256xf32>, tensor<256xf32>) -> tensor<128x256xf32>
  %22 = "ttir.add"(%18, %21) : (tensor<128x256xf32>, tensor<128x256xf32>) -> tensor<128x256xf32>
  %23 = "ttir.layer_norm"(%22, %g2, %s2) <{normalized_shape = array<i64: 256>, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<128x256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<128x256xf32>
  return %23 : tensor<128x256xf32>
}

// The same in bfloat16.
func.func @bf16(%x: tensor<128x256xbf16>, %wq: tensor<256x256xbf16>, %wk: tensor<256x256xbf16>, %wv: tensor<256x256xbf16>, %wo: tensor<256x256xbf16>,
    %w1: tensor<256x512xbf16>, %b1: tensor<512xbf16>, %w2: tensor<512x256xbf16>, %b2: tensor<256xbf16>, %g1: tensor<256xbf16>, %s1: tensor<256xbf16>, %g2: tensor<256xbf16>, %s2: tensor<256xbf16>)
    -> tensor<128x256xbf16> {
  // Queries, keys and values of 4 heads.
  %0 = "ttir.matmul"(%x, %wq) : (tensor<128x256xbf16>, tensor<256x256xbf16>) -> tensor<128x256xbf16>
  %1 = "ttir.reshape"(%0) <{shape = [128 : i32, 4 : i32, 64 : i32]}> : (tensor<128x256xbf16>) -> tensor<128x4x64xbf16>
  %2 = "ttir.permute"(%1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<128x4x64xbf16>) -> tensor<4x128x64xbf16>
  %3 = "ttir.matmul"(%x, %wk) : (tensor<128x256xbf16>, tensor<256x256xbf16>) -> tensor<128x256xbf16>
  %4 = "ttir.reshape"(%3) <{shape = [128 : i32, 4 : i32, 64 : i32]}> : (tensor<128x256xbf16>) -> tensor<128x4x64xbf16>
  %5 = "ttir.permute"(%4) <{permutation = array<i64: 1, 0, 2>}> : (tensor<128x4x64xbf16>) -> tensor<4x128x64xbf16>
  %6 = "ttir.matmul"(%x, %wv) : (tensor<128x256xbf16>, tensor<256x256xbf16>) -> tensor<128x256xbf16>
  %7 = "ttir.reshape"(%6) <{shape = [128 : i32, 4 : i32, 64 : i32]}> : (tensor<128x256xbf16>) -> tensor<128x4x64xbf16>
  %8 = "ttir.permute"(%7) <{permutation = array<i64: 1, 0, 2>}> : (tensor<128x4x64xbf16>) -> tensor<4x128x64xbf16>
  // Attention.
  %9 = "ttir.matmul"(%2, %5) <{transpose_a = false, transpose_b = true}> : (tensor<4x128x64xbf16>, tensor<4x128x64xbf16>) -> tensor<4x128x128xbf16>
  %10 = "ttir.full"() <{shape = array<i32: 1, 1, 1>, fill_value = 0.125 : f32}> : () -> tensor<1x1x1xbf16>
  %11 = "ttir.multiply"(%9, %10) : (tensor<4x128x128xbf16>, tensor<1x1x1xbf16>) -> tensor<4x128x128xbf16>
  %12 = "ttir.softmax"(%11) <{dimension = 2 : si32, numericStable = true}> : (tensor<4x128x128xbf16>) -> tensor<4x128x128xbf16>
  %13 = "ttir.matmul"(%12, %8) : (tensor<4x128x128xbf16>, tensor<4x128x64xbf16>) -> tensor<4x128x64xbf16>
  %14 = "ttir.permute"(%13) <{permutation = array<i64: 1, 0, 2>}> : (tensor<4x128x64xbf16>) -> tensor<128x4x64xbf16>
  %15 = "ttir.reshape"(%14) <{shape = [128 : i32, 256 : i32]}> : (tensor<128x4x64xbf16>) -> tensor<128x256xbf16>
  %16 = "ttir.matmul"(%15, %wo) : (tensor<128x256xbf16>, tensor<256x256xbf16>) -> tensor<128x256xbf16>
  // Residual and norm.
  %17 = "ttir.add"(%x, %16) : (tensor<128x256xbf16>, tensor<128x256xbf16>) -> tensor<128x256xbf16>
  %18 = "ttir.layer_norm"(%17, %g1, %s1) <{normalized_shape = array<i64: 256>, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<128x256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<128x256xbf16>
  // Two linear layers.
  %19 = "ttir.linear"(%18, %w1, %b1) : (tensor<128x256xbf16>, tensor<256x512xbf16>, tensor<512xbf16>) -> tensor<128x512xbf16>
  %20 = "ttir.gelu"(%19) : (tensor<128x512xbf16>) -> tensor<128x512xbf16>
  %21 = "ttir.linear"(%20, %w2, %b2) : (tensor<128x512xbf16>, tensor<512x256xbf16>, tensor<256xbf16>) -> tensor<128x256xbf16>
  %22 = "ttir.add"(%18, %21) : (tensor<128x256xbf16>, tensor<128x256xbf16>) -> tensor<128x256xbf16>
  %23 = "ttir.layer_norm"(%22, %g2, %s2) <{normalized_shape = array<i64: 256>, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<128x256xbf16>, tensor<256xbf16>, tensor<256xbf16>) -> tensor<128x256xbf16>
  return %23 : tensor<128x256xbf16>
}
