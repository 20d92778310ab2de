// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Wrong starts and transaction ids of copies.

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%s: !ttl.tensor_slice<[1, 1], !tensor>, %b: !block) {
  // expected-error @+1 {{'ttl.copy' op src_coords must be coordinates in a tensor or an accessor, but the source is '!ttl.tensor_slice<[1, 1], tensor<64x64xf32, #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>>>'}}
  %x = ttl.copy %s, %b {src_coords = [0, 0]} : !ttl.tensor_slice<[1, 1], !tensor>, !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%p: !ttl.pipe, %b: !block) {
  // expected-error @+1 {{'ttl.copy' op dst_coords must be coordinates in a tensor or an accessor, but the destination is '!ttl.pipe'}}
  %x = ttl.copy %b, %p {dst_coords = [0, 0]} : !block, !ttl.pipe
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%a: !ttl.accessor<!tensor>, %b: !block) {
  // expected-error @+1 {{'ttl.copy_buffer' op dst_coords must be coordinates in a tensor or an accessor, found '!ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, <[1, 1], !ttcore.tile<32x32, f32>, 2>>'}}
  %x = ttl.copy %a, %b {dst_coords = [0, 0]} : !ttl.accessor<!tensor>, !block
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%a: !ttl.accessor<!tensor>, %b: !block) {
  // expected-error @+1 {{'ttl.copy_buffer' op src_coords has 1 coordinate, but the tensor has rank 2}}
  %x = ttl.copy %a, %b {src_coords = [0]} : !ttl.accessor<!tensor>, !block
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
func.func @f(%t: !tensor, %i: index, %b: !cb) {
  %s = ttl.tensor_slice %t[%i, %i] : !tensor -> !tensor
  // expected-error @+1 {{'ttl.copy_buffer' op src_coords and ttl.tensor_slice both give the start of the part: leave one of them out}}
  %x = ttl.copy %s, %b {src_coords = [0, 1]} : !tensor, !cb
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%s: !ttl.tensor_slice<[1, 1], !tensor>, %b: !block) {
  // expected-error @+1 {{'ttl.copy' op the transfer id must be 0 to 15, found 16}}
  %x = ttl.copy %s, %b {transfer_id = 16 : i32} : !ttl.tensor_slice<[1, 1], !tensor>, !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slot = !ttl.slot<[1, 1], !ttcore.tile<32x32, f32>>
func.func @f(%s: !slot, %b: !block) {
  // expected-error @+1 {{'ttl.receive' op the transfer id must be 0 to 15, found -1}}
  %x = ttl.receive %s, %b {transfer_id = -1 : i32} : !slot, !block
  return
}

// -----

// A tensor's layout must be an attribute that says how elements form pages.
// expected-error @+1 {{expected a layout, such as #ttl.layout<interleaved, tile = 32x32>, found #ttcore.grid<8x8>}}
func.func private @f(tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttcore.grid<8x8>>>)

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

func.func @f(%x: !accessor) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'ttl.index_accessor' op has indices for 1 dimension and 2 extents, but the tensor has rank 2}}
  %s = ttl.index_accessor %x[%c0] : !accessor -> !slice
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

func.func @f(%x: !accessor) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'ttl.index_accessor' op the result is a part of 'tensor<8x8xf32>', but the accessor is one of 'tensor<64x64xf32, #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>>'}}
  %s = ttl.index_accessor %x[%c0, %c0] : !accessor -> !ttl.tensor_slice<[1, 2], tensor<8x8xf32>>
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
  // expected-error @+1 {{'ttl.copy' op must copy between a block and a tensor slice or pipe}}
  %x = ttl.copy %a, %a : !block, !block
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

func.func @f(%s: !slice, %b: !tall_block) {
  // expected-error @+1 {{'ttl.copy' op source and destination must have the same shape, found (1, 2) and (2, 1)}}
  %x = ttl.copy %s, %b : !slice, !tall_block
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

func.func @f(%s: !ttl.tensor_slice<[1, 2], tensor<64x64xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>>, %a: !block) {
  // expected-error @+1 {{'ttl.copy' op source and destination must have the same format, found 'bf16' and '!ttcore.tile<32x32, f32>'}}
  %x = ttl.copy %s, %a : !ttl.tensor_slice<[1, 2], tensor<64x64xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>>, !block
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
func.func @large_part(%s: !ttl.tensor_slice<[2, 1], !tensor>, %b: !block, %i: index) {
  // expected-error @+1 {{'ttl.copy' op a part of shape (2, 1) is larger than the block, which has shape (1, 2)}}
  %x = ttl.copy %s, %b part %i : !ttl.tensor_slice<[2, 1], !tensor>, !block
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
func.func @part_to_pipe(%p: !ttl.pipe, %b: !block, %i: index) {
  // expected-error @+1 {{'ttl.copy' op must copy a whole block to or from a pipe, found a part of one}}
  %x = ttl.copy %b, %p part %i : !block, !ttl.pipe
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
!cb = !ttl.cb<[2, 32], f32, 2>
!block = !ttl.block<tensor<2x32xf32>, !cb>
func.func @part_of_scalars(%s: !ttl.tensor_slice<[1, 32], !tensor>, %b: !block, %i: index) {
  // expected-error @+1 {{'ttl.copy' op copies a part of a block, which must consist of tiles; found a block of 'f32'}}
  %x = ttl.copy %s, %b part %i : !ttl.tensor_slice<[1, 32], !tensor>, !block
  return
}
