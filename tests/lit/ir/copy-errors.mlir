// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Where a copy starts, and which id it has.

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%s: !ttl.tensor_slice<[1, 1], !tensor>, %b: !block) {
  // expected-error @+1 {{'ttl.copy' op src_coords are coordinates in a tensor or an accessor, the source is '!ttl.tensor_slice<[1, 1], tensor<64x64xf32, #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>>>'}}
  %x = ttl.copy %s, %b {src_coords = [0, 0]} : !ttl.tensor_slice<[1, 1], !tensor>, !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%p: !ttl.pipe, %b: !block) {
  // expected-error @+1 {{'ttl.copy' op dst_coords are coordinates in a tensor or an accessor, the destination is '!ttl.pipe'}}
  %x = ttl.copy %b, %p {dst_coords = [0, 0]} : !block, !ttl.pipe
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%a: !ttl.accessor<!tensor>, %b: !block) {
  // expected-error @+1 {{'ttl.copy_buffer' op dst_coords are coordinates in a tensor or an accessor, found '!ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, <[1, 1], !ttcore.tile<32x32, f32>, 2>>'}}
  %x = ttl.copy %a, %b {dst_coords = [0, 0]} : !ttl.accessor<!tensor>, !block
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%a: !ttl.accessor<!tensor>, %b: !block) {
  // expected-error @+1 {{'ttl.copy_buffer' op src_coords has 1 coordinates for a tensor of rank 2}}
  %x = ttl.copy %a, %b {src_coords = [0]} : !ttl.accessor<!tensor>, !block
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
func.func @f(%t: !tensor, %i: index, %b: !cb) {
  %s = ttl.tensor_slice %t[%i, %i] : !tensor -> !tensor
  // expected-error @+1 {{'ttl.copy_buffer' op src_coords and ttl.tensor_slice both say where the part starts}}
  %x = ttl.copy %s, %b {src_coords = [0, 1]} : !tensor, !cb
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%s: !ttl.tensor_slice<[1, 1], !tensor>, %b: !block) {
  // expected-error @+1 {{'ttl.copy' op transfer ids are 0 to 15, found 16}}
  %x = ttl.copy %s, %b {transfer_id = 16 : i32} : !ttl.tensor_slice<[1, 1], !tensor>, !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slot = !ttl.slot<[1, 1], !ttcore.tile<32x32, f32>>
func.func @f(%s: !slot, %b: !block) {
  // expected-error @+1 {{'ttl.receive' op transfer ids are 0 to 15, found -1}}
  %x = ttl.receive %s, %b {transfer_id = -1 : i32} : !slot, !block
  return
}

// -----

// Layouts are attributes that say how elements form pages.
// expected-error @+1 {{expected a layout, found #ttcore.grid<8x8>}}
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
  // expected-error @+1 {{'ttl.index_accessor' op has 1 indices and 2 extents for a tensor of rank 2}}
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
  // expected-error @+1 {{'ttl.index_accessor' op result is part of 'tensor<8x8xf32>', the accessor addresses 'tensor<64x64xf32, #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>>'}}
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
  // expected-error @+1 {{'ttl.copy' op copies between a tensor slice or a pipe and a block}}
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
  // expected-error @+1 {{'ttl.copy' op shapes differ: (1, 2) to (2, 1)}}
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
  // expected-error @+1 {{'ttl.copy' op formats differ: 'bf16' to '!ttcore.tile<32x32, f32>'}}
  %x = ttl.copy %s, %a : !ttl.tensor_slice<[1, 2], tensor<64x64xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>>, !block
  return
}
