// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Wrong statements about tensors, ranges of cores, buffers and windows of tensors.

// expected-error @+1 {{a range of cores must begin at 0 or more and end at or after its start, found 3 to 1}}
func.func private @f() attributes {r = #ttcore.core_range<(0, 3), (0, 1)>}

// -----

// expected-error @+1 {{a range of cores must begin at 0 or more and end at or after its start, found -1 to 1}}
func.func private @f() attributes {r = #ttcore.core_range<(-1), (1)>}

// -----

// expected-error @+1 {{both corners of a range of cores must have the same rank, at least 1; found ranks 2 and 1}}
func.func private @f() attributes {r = #ttcore.core_range<(0, 3), (5)>}

// -----

// expected-error @+1 {{all ranges of a set must have the same rank, found 2 and 1}}
func.func private @f() attributes {r = #ttcore.core_range_set<[<(0, 0), (1, 1)>, <(0), (1)>]>}

// -----

// expected-error @+1 {{the ranges of a set must not overlap, found #ttcore.core_range<(0, 0), (1, 1)> and #ttcore.core_range<(1, 1), (2, 2)>}}
func.func private @f() attributes {r = #ttcore.core_range_set<[<(0, 0), (1, 1)>, <(1, 1), (2, 2)>]>}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
// expected-error @+1 {{'ttl.kernel' op has block_factors for 2 tensors, but the number of its tensors is 1}}
ttl.kernel @k(%t: !tensor) attributes {grid = #ttcore.grid<1x1>, block_factors = [[1, 1], [1, 1]]} {
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
// expected-error @+1 {{'ttl.kernel' op block_factors of argument 0 must be positive numbers, one per dimension of 'tensor<64x64xf32, #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>>', found [1, 0]}}
ttl.kernel @k(%t: !tensor) attributes {grid = #ttcore.grid<1x1>, block_factors = [[1, 0]]} {
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
// expected-error @+1 {{'ttl.kernel' op has memory_space l1, but argument 0 is in dram}}
ttl.kernel @k(%t: !tensor) attributes {grid = #ttcore.grid<1x1>, memory_space = #ttcore.memory_space<l1>} {
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
// expected-error @+1 {{'ttl.kernel' op has tiled = false, but argument 0 is stored as tiles}}
ttl.kernel @k(%t: !tensor) attributes {grid = #ttcore.grid<1x1>, tiled = false} {
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
// expected-error @+1 {{'ttl.kernel' op has tiled = true, but argument 0 is not stored as tiles}}
ttl.kernel @k(%t: !tensor) attributes {grid = #ttcore.grid<1x1>, tiled = true} {
}

// -----

// expected-error @+1 {{'ttl.kernel' op must not have results, found ('i32'): a kernel writes its results into tensors that are its arguments}}
"ttl.kernel"() <{sym_name = "k", function_type = () -> i32, grid = #ttcore.grid<1x1>}> ({
^bb0:
}) : () -> ()

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<4x4>} {
  // expected-error @+1 {{'ttl.create_cb' op core_ranges have rank 1, but the grid is (4, 4)}}
  %a = ttl.create_cb "a" {core_ranges = #ttcore.core_range_set<[<(0), (1)>]>} : !ttl.cb<[1], f32, 2>
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<4x4>} {
  // expected-error @+1 {{'ttl.create_cb' op core_ranges end at (3, 4), outside the grid (4, 4)}}
  %a = ttl.create_cb "a" {core_ranges = #ttcore.core_range_set<[<(0, 0), (3, 4)>]>} : !ttl.cb<[1], f32, 2>
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<4x4>} {
  // expected-error @+1 {{'ttl.create_cb' op page_size is 8, but every row of a buffer with padding begins at a multiple of 16 bytes: write 16, or leave page_size out}}
  %a = ttl.create_cb "a" {page_size = 8 : i64} : !ttl.cb<[1], f32, 2>
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<4x4>} {
  // expected-error @+1 {{'ttl.create_cb' op page_size is 4100, but every tile of a buffer with padding begins at a multiple of 16 bytes: write 4112, or leave page_size out}}
  %a = ttl.create_cb "a" {page_size = 4100 : i64} : !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<4x4>} {
  // expected-error @+1 {{'ttl.create_cb' op page_size is 2048, but a tile of '!ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>' has 4096 bytes, and the next one begins page_size bytes behind its start, so they would overlap: leave page_size out}}
  %a = ttl.create_cb "a" {page_size = 2048 : i64} : !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<4x4>} {
  // expected-error @+1 {{'ttl.create_cb' op page_size is -32, but a row of '!ttl.cb<[2, 8], f32, 2>' has 32 bytes, and the next one begins page_size bytes behind its start, so they would overlap: leave page_size out}}
  %a = ttl.create_cb "a" {page_size = -32 : i64} : !ttl.cb<[2, 8], f32, 2>
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<4x4>} {
  // expected-error @+1 {{'ttl.create_cb' op page_size is 2147483648, but no chip has so much L1: leave page_size out}}
  %a = ttl.create_cb "a" {page_size = 2147483648 : i64} : !ttl.cb<[2, 8], f32, 2>
}

// -----

!t = tensor<64x32xf32, #ttl.tensor_encoding<l1, #ttl.layout<sharded, tile = 32x32, grid = 1x1, shard = 64x32>>>
ttl.kernel @k(%t: !t) attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.create_cb' op page_size is 8192, but a tensor backs the buffer, and the pages of its shard, which have 4096 bytes, follow each other without gaps: leave page_size out}}
  %a = ttl.create_cb "a" in(%t : !t) {page_size = 8192 : i64} : !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<4x4>} {
  // expected-error @+1 {{'ttl.create_cb' op address must not be negative, found -4}}
  %a = ttl.create_cb "a" {address = -4 : i64} : !ttl.cb<[1], f32, 2>
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
func.func @f(%a: !ttl.accessor<!tensor>) {
  // expected-error @+1 {{'ttl.grid_slice' op has 1 block factors, but the tensor has rank 2}}
  %w = ttl.grid_slice %a {block_factors = array<i64: 2>} : !ttl.accessor<!tensor>
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
func.func @f(%a: !ttl.accessor<!tensor>) {
  // expected-error @+1 {{'ttl.grid_slice' op block factors must be at least 1, found 0}}
  %w = ttl.grid_slice %a {block_factors = array<i64: 2, 0>} : !ttl.accessor<!tensor>
  return
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.create_cb' op buffer_index must not be negative, found -1}}
  %a = ttl.create_cb "a" {buffer_index = -1 : i32} : !ttl.cb<[1], f32, 2>
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<4x4>} {
  // expected-error @+1 {{'ttl.create_cb' op has a byte_offset, but no tensor}}
  %a = ttl.create_cb "a" {byte_offset = 4 : i64} : !ttl.cb<[1], f32, 2>
}

// -----

ttl.kernel @k(%t: tensor<8xf32>) attributes {grid = #ttcore.grid<4x4>} {
  // expected-error @+1 {{'ttl.create_cb' op is backed by a tensor, so it must have no address}}
  %a = ttl.create_cb "a" in(%t : tensor<8xf32>) {address = 200000 : i64} : !ttl.cb<[1], f32, 2>
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<4x4>} {
  %t = arith.constant dense<0.0> : tensor<8xf32>
  // expected-error @+1 {{'ttl.create_cb' op expected an argument of the kernel as tensor}}
  %a = ttl.create_cb "a" in(%t : tensor<8xf32>) : !ttl.cb<[1], f32, 2>
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
  // expected-error @+1 {{'ttl.core' op dims must be at least 1, found 0}}
  "ttl.core"() {dims = 0 : i64} : () -> ()
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
  // expected-error @+1 {{'ttl.grid_size' op has 1 result, but dims = 2}}
  %x = ttl.grid_size : index
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

func.func @f(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{'ttl.tensor_accessor' op the result is an accessor of 'tensor<64x64xf32, #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>>', but the operand is 'tensor<8x8xf32>'}}
  %acc = ttl.tensor_accessor %x : tensor<8x8xf32> -> !accessor
  return
}
