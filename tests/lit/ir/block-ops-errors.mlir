// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// What expressions of blocks refuse.

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.block_add' op shapes differ: operand (2, 1), result (1, 2)}}
  %s = ttl.block_add %a, %b : (!block, !tall_block) -> !e
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.block_exp' op shapes differ: operand (2, 1), result (1, 2)}}
  %s = ttl.block_exp %b : (!tall_block) -> !e
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.block_matmul' op inner extents differ: (1, 2) @ (1, 2)}}
  %s = ttl.block_matmul %a, %a : (!block, !block) -> !e
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.block_matmul' op result of (1, 2) @ (2, 1) is (1, 1), found (1, 2)}}
  %s = ttl.block_matmul %a, %b : (!block, !tall_block) -> !e
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block, %e: !e) {
  // expected-error @+1 {{'ttl.block_matmul' op accumulator is (1, 2), result (2, 2)}}
  %s = ttl.block_matmul %b, %a acc %e : (!tall_block, !block, !e) -> tensor<2x2x!t>
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%x: tensor<2x!t>) {
  // expected-error @+1 {{'ttl.block_matmul' op multiplies blocks of rank 2 or more, found (2,) and (2,)}}
  %s = ttl.block_matmul %x, %x : (tensor<2x!t>, tensor<2x!t>) -> tensor<2x!t>
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.block_store' op stores (2, 1) into (1, 2)}}
  ttl.block_store %a, %b : !block, !tall_block
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%c: !ttl.block<tensor<1x2xf32>, !ttl.cb<[1, 2], f32, 2>>, %e: !e) {
  // expected-error @+1 {{'ttl.block_store' op stores tiles into a block of scalars}}
  ttl.block_store %c, %e : !ttl.block<tensor<1x2xf32>, !ttl.cb<[1, 2], f32, 2>>, !e
  return
}
