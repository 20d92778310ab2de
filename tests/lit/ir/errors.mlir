// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// What types, attributes and ops refuse.

// expected-error @+1 {{the hardware has no 32x8 tiles (heights 1, 2, 4, 8, 16, 32; widths 16, 32)}}
func.func private @f(!ttcore.tile<32x8, f32>)

// -----

// expected-error @+1 {{a tile has two dimensions, found 1}}
func.func private @f(!ttcore.tile<32, f32>)

// -----

// expected-error @+1 {{unknown tile format 'f31'}}
func.func private @f(!ttcore.tile<32x32, f31>)

// -----

// expected-error @+1 {{a grid has at least one dimension}}
func.func private @f() attributes {grid = #ttcore.grid<>}

// -----

// expected-error @+1 {{a grid's extents are at least 1, found 0}}
func.func private @f() attributes {grid = #ttcore.grid<0x2>}

// -----

// expected-error @+1 {{a circular buffer's block has at least one dimension}}
func.func private @f(!ttl.cb<[], f32, 2>)

// -----

// expected-error @+1 {{extents of a block are at least 1, found 0}}
func.func private @f(!ttl.cb<[1, 0], f32, 2>)

// -----

// expected-error @+1 {{a circular buffer has 1 to 32 blocks, found 33}}
func.func private @f(!ttl.cb<[1, 1], f32, 33>)

// -----

// expected-error @+1 {{a circular buffer holds tiles or scalars the device can store, found 'i7'}}
func.func private @f(!ttl.cb<[1, 1], i7, 2>)

// -----

// expected-error @+1 {{a block has its buffer's shape and element, found}}
func.func private @f(!ttl.block<tensor<1x1xf32>, !ttl.cb<[1, 2], f32, 2>>)

// -----

// expected-error @+1 {{a slice's step is not 0}}
func.func private @f() attributes {s = #ttl.slice<0, 4, 0>}

// -----

// expected-error @+1 {{slice from 4 to 0 runs against its step 1}}
func.func private @f() attributes {s = #ttl.slice<4, 0, 1>}

// -----

// expected-error @+1 {{unknown memory layout 'scattered'}}
func.func private @f() attributes {s = #ttl.layout<scattered>}

// -----

// expected-error @+1 {{expected 'tile', 'grid' or 'shard', found 'page'}}
func.func private @f() attributes {s = #ttl.layout<interleaved, page = 2x2>}

// -----

// expected-error @+1 {{a tile has two dimensions, found 1}}
func.func private @f() attributes {s = #ttl.layout<interleaved, tile = 32>}

// -----

// expected-error @+1 {{the hardware has no 8x8 tiles (heights 1, 2, 4, 8, 16, 32; widths 16, 32)}}
func.func private @f() attributes {s = #ttl.layout<interleaved, tile = 8x8>}

// -----

// expected-error @+1 {{'grid' and 'shard' belong to sharded layouts}}
func.func private @f() attributes {s = #ttl.layout<interleaved, grid = 2x2>}

// -----

// expected-error @+1 {{a tensor does not stand in DST registers}}
func.func private @f() attributes {s = #ttl.tensor_encoding<dst, #ttl.layout<interleaved>>}

// -----

// expected-error @+1 {{'ttl.kernel' op unknown architecture 'grayskull'}}
ttl.kernel @k() attributes {arch = "grayskull", grid = #ttcore.grid<1x1>} {
  ttl.compute_thread "a" {
  }
}

// -----

// expected-error @+1 {{'ttl.kernel' op has more than two data movement threads}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "a" {
  }
  ttl.datamovement_thread "b" {
  }
  ttl.datamovement_thread "c" {
  }
}

// -----

// expected-error @+1 {{'ttl.kernel' op has more than one compute thread}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.compute_thread "a" {
  }
  ttl.compute_thread "b" {
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.compute_thread "a" {
    // expected-error @+1 {{op moves data inside a compute thread}}
    ttl.dma_barrier
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "a" {
    %f = arith.constant 0.0 : f32
    // expected-error @+1 {{op computes on blocks inside a data movement thread}}
    %e = ttl.block_fill %f : tensor<1x1x!ttcore.tile<32x32, f32>>
  }
}

// -----

// expected-error @+1 {{'ttl.compute_thread' op expects parent op 'ttl.kernel'}}
ttl.compute_thread "a" {
}

// -----

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{op names no function: @missing}}
  ttl.thread @missing on compute ()
}

// -----

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{op binds () to @f, which takes ('i32')}}
  ttl.thread @f on compute ()
}
func.func private @f(i32)

// -----

func.func @main() {
  // expected-error @+1 {{op names no kernel or program: @missing}}
  ttl.launch @missing()
  return
}

// -----

ttl.program @p(%t: tensor<1xf32>) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !ttl.cb<[1], f32, 2>
}
func.func @main() {
  // expected-error @+1 {{op passes () to @p, which takes ('tensor<1xf32>')}}
  ttl.launch @p()
  return
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{op buffer_index is not negative, found -1}}
  %a = ttl.create_cb "a" {buffer_index = -1 : i32} : !ttl.cb<[1], f32, 2>
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
  // expected-error @+1 {{op dims is at least 1, found 0}}
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
  // expected-error @+1 {{op has 1 results for dims = 2}}
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
  // expected-error @+1 {{op result addresses}}
  %acc = ttl.tensor_accessor %x : tensor<8x8xf32> -> !accessor
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
  // expected-error @+1 {{op shapes differ: operand (2, 1), result (1, 2)}}
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
  // expected-error @+1 {{op shapes differ: operand (2, 1), result (1, 2)}}
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
  // expected-error @+1 {{op inner extents differ: (1, 2) @ (1, 2)}}
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
  // expected-error @+1 {{op result of (1, 2) @ (2, 1) is (1, 1), found (1, 2)}}
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
  // expected-error @+1 {{op accumulator is (1, 2), result (2, 2)}}
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
  // expected-error @+1 {{op multiplies blocks of rank 2, found}}
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
  // expected-error @+1 {{op stores (2, 1) into (1, 2)}}
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
  // expected-error @+1 {{op stores tiles into a block of scalars}}
  ttl.block_store %c, %e : !ttl.block<tensor<1x2xf32>, !ttl.cb<[1, 2], f32, 2>>, !e
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
  // expected-error @+1 {{op has 1 indexing maps for 2 operands}}
  ttl.compute ins(%a : !block) outs(%a : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t, %y: !t):
    ttl.yield %x : !t
  }
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
  // expected-error @+1 {{op indexing map 0 takes 2 iterators to 2 indices; expected 1 to 2}}
  ttl.compute ins() outs(%a : !block) attributes {indexing_maps = [#id], iterator_types = [#p]} {
  ^bb0(%y: !t):
    ttl.yield %y : !t
  }
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
  // expected-error @+1 {{op iterator 1 has extents 2 and 1}}
  ttl.compute ins(%b : !tall_block) outs(%a : !block) attributes {indexing_maps = [#id, #id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t, %y: !t):
    ttl.yield %x : !t
  }
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
  // expected-error @+1 {{op body has 1 arguments for 2 operands}}
  ttl.compute ins(%a : !block) outs(%a : !block) attributes {indexing_maps = [#id, #id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t):
    ttl.yield %x : !t
  }
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
  // expected-error @+1 {{op body argument is '!ttcore.tile<32x32, bf16>', the operand holds '!ttcore.tile<32x32, f32>'}}
  ttl.compute ins() outs(%a : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%x: !ttcore.tile<32x32, bf16>):
    ttl.yield %x : !ttcore.tile<32x32, bf16>
  }
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
  // expected-error @+1 {{op yields 2 values for 1 outputs}}
  ttl.compute ins() outs(%a : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t):
    ttl.yield %x, %x : !t, !t
  }
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
  %flag = arith.constant 1 : i32
  // expected-error @+1 {{op has 2 accumulate flags for 1 outputs}}
  ttl.compute ins() outs(%a : !block) accumulate(%flag, %flag) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t):
    ttl.yield %x : !t
  }
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
  // expected-error @+1 {{op has 1 indices and 2 extents for a tensor of rank 2}}
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
  // expected-error @+1 {{op result is part of}}
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
  // expected-error @+1 {{op copies between a tensor slice or a pipe and a block}}
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
  // expected-error @+1 {{op shapes differ: (1, 2) to (2, 1)}}
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
  // expected-error @+1 {{op formats differ:}}
  %x = ttl.copy %s, %a : !ttl.tensor_slice<[1, 2], tensor<64x64xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>>, !block
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block) {
  // expected-error @+1 {{'ttl.compute' op has no output}}
  "ttl.compute"() <{indexing_maps = [], iterator_types = [#p, #p], operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
    "ttl.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %i: index) {
  // expected-error @+1 {{'ttl.compute' op has offsets without a window}}
  "ttl.compute"(%a, %i, %i) <{indexing_maps = [#id], iterator_types = [#p, #p], operandSegmentSizes = array<i32: 0, 1, 0, 2>}> ({
  ^bb0(%x: !t):
    "ttl.yield"(%x) : (!t) -> ()
  }) : (!block, index, index) -> ()
  return
}

// -----

// expected-error @+1 {{a pipe ends at one node or at a range of nodes}}
func.func private @f(!ttl.pipe<[0, 0], dst = []>)
