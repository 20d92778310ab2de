// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Block expressions that the verifiers refuse.

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
  // expected-error @+1 {{'ttl.block_add' op operands and result must have the same shape: operand has (2, 1), result has (1, 2)}}
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
  // expected-error @+1 {{'ttl.block_exp' op operands and result must have the same shape: operand has (2, 1), result has (1, 2)}}
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
  // expected-error @+1 {{'ttl.block_matmul' op the inner extents of a matrix product must be equal, found (1, 2) @ (1, 2)}}
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
  // expected-error @+1 {{'ttl.block_matmul' op the result of (1, 2) @ (2, 1) must have shape (1, 1), found (1, 2)}}
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
  // expected-error @+1 {{'ttl.block_matmul' op the accumulator has shape (1, 2), but the result has shape (2, 2)}}
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
  // expected-error @+1 {{'ttl.block_matmul' op the operands of a matrix product must have rank 2 or more, found shapes (2,) and (2,)}}
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
  // expected-error @+1 {{'ttl.block_store' op cannot store a value of shape (2, 1) into a block of shape (1, 2)}}
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
  // expected-error @+1 {{'ttl.block_store' op cannot store tiles into a block of scalars}}
  ttl.block_store %c, %e : !ttl.block<tensor<1x2xf32>, !ttl.cb<[1, 2], f32, 2>>, !e
  return
}
