// RUN: ttl-opt %s --ttl-lower-data-movement --split-input-file --verify-diagnostics

// Errors for IR of other stages.

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'ttl.create_cb' op has no buffer_index: run ttl-allocate-circular-buffers first}}
  %a = ttl.create_cb "a" : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a, %x) : !cb, !tensor
}
func.func @t(%a: !cb, %x: !tensor) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %blk = ttl.cb_reserve %a : !block
  %b = scf.for %i = %c0 to %c1 step %c1 iter_args(%c = %blk) -> (!block) {
    // expected-error @+1 {{'scf.yield' op uses a block whose wait or reserve is not known here: run ttl-name-held-blocks first}}
    scf.yield %c : !block
  }
  ttl.cb_push %b : !block
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a, %x) : !cb, !tensor
}
func.func @t(%a: !cb, %x: !tensor) {
  %c0 = arith.constant 0 : index
  %y = builtin.unrealized_conversion_cast to !tensor
  // expected-error @+1 {{'ttl.tensor_accessor' op cannot take a tensor that is no argument of the thread function}}
  %acc = ttl.tensor_accessor %y : !tensor -> !accessor
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a, %x) : !cb, !tensor
}
func.func @t(%a: !cb, %x: !tensor) {
  %c0 = arith.constant 0 : index
  %acc = builtin.unrealized_conversion_cast to !accessor
  // expected-error @+1 {{'ttl.index_accessor' op needs an accessor that 'ttl.tensor_accessor' makes in this function}}
  %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  %blk = ttl.cb_wait %a : !block
  %pipe = builtin.unrealized_conversion_cast to !ttl.pipe
  // expected-error @+1 {{'ttl.copy' op goes through a pipe: run ttl-infer-pipe-semaphores first}}
  %xf = ttl.copy %blk, %pipe : !block, !ttl.pipe
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  %blk = ttl.cb_reserve %a : !block
  %s = builtin.unrealized_conversion_cast to !slice
  // expected-error @+1 {{'ttl.copy' op needs a part of a tensor that 'ttl.index_accessor' makes in this function}}
  %xf = ttl.copy %s, %blk : !slice, !block
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !bare) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !ttl.cb<[32, 32], f32, 2>
  ttl.thread @t on riscv_1 (%a, %x) : !ttl.cb<[32, 32], f32, 2>, !bare
}
func.func @t(%a: !ttl.cb<[32, 32], f32, 2>, %x: !bare) {
  %c0 = arith.constant 0 : index
  %acc = ttl.tensor_accessor %x : !bare -> !ttl.accessor<!bare>
  %blk = ttl.cb_reserve %a : !ttl.block<tensor<32x32xf32>, !ttl.cb<[32, 32], f32, 2>>
  %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!bare> -> !ttl.tensor_slice<[32, 32], !bare>
  // expected-error @+1 {{'ttl.copy' op moves a tensor without a ttl.tensor_encoding: run ttl-verify-layouts first}}
  %xf = ttl.copy %s, %blk : !ttl.tensor_slice<[32, 32], !bare>, !ttl.block<tensor<32x32xf32>, !ttl.cb<[32, 32], f32, 2>>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a, %x) : !cb, !tensor
}
func.func @t(%a: !cb, %x: !tensor) {
  %c0 = arith.constant 0 : index
  %acc = ttl.tensor_accessor %x : !tensor -> !accessor
  %blk = ttl.cb_reserve %a : !block
  %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
  // expected-error @+1 {{'ttl.copy' op cannot move 3 pages in one transfer, because they are not all of its innermost dimensions: let ttl-coalesce-dma choose the number}}
  %xf = ttl.copy %s, %blk {ttl.pages_together = 3 : i32} : !slice, !block
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a, %x) : !cb, !tensor
}
func.func @t(%a: !cb, %x: !tensor) {
  %c0 = arith.constant 0 : index
  %acc = ttl.tensor_accessor %x : !tensor -> !accessor
  %blk = ttl.cb_reserve %a : !block
  %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
  %c1 = arith.constant 1 : index
  %xf = ttl.copy %s, %blk : !slice, !block
  %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%h = %xf) -> !ttl.xf {
    scf.yield %h : !ttl.xf
  }
  // expected-error @+1 {{'ttl.wait' op waits for a transfer that is no ttl.copy of this function: run ttl-insert-synchronization and ttl-assign-transfer-ids first}}
  ttl.wait %last
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a, %x) : !cb, !tensor
}
func.func @t(%a: !cb, %x: !tensor) {
  %c0 = arith.constant 0 : index
  %acc = ttl.tensor_accessor %x : !tensor -> !accessor
  %blk = ttl.cb_reserve %a : !block
  %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
  %c1 = arith.constant 1 : index
  %xf = ttl.copy %s, %blk : !slice, !block
  // expected-error @+1 {{'scf.for' op still uses the result of 'ttl.copy': run the passes of the stages up to buffers first}}
  %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%h = %xf) -> !ttl.xf {
    scf.yield %h : !ttl.xf
  }
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  %c0 = arith.constant 0 : index
  %blk = ttl.cb_wait %a : !block
  %slot = builtin.unrealized_conversion_cast to !slot
  // expected-error @+1 {{'ttl.send' op needs a slot that 'ttl.landing_slot' or 'ttl.buffer_slot' makes in this function}}
  %h = ttl.send %blk, %slot to core(%c0, %c0) : !block, !slot
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'ttl.create_landing' op has no address: run ttl-allocate-circular-buffers first}}
  %l = ttl.create_landing "l" : !landing
  ttl.thread @t on riscv_1 (%l) : !landing
}
func.func @t(%l: !landing) {
  %c0 = arith.constant 0 : index
  %slot = ttl.landing_slot %l[%c0] : !landing -> !slot
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

!shards = tensor<64x32xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 1x1, shard = 64x32>>>

ttl.program @k(%x: !shards) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" in(%x : !shards) {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'ttl.buffer_slot' op cannot name a slot of 'a': a tensor backs it, so its address is not known here}}
  %slot = ttl.buffer_slot %a[%c0] : !cb -> !slot
  return
}

// -----

!cb = !ttl.cb<[2, 5], f32, 2>
!block = !ttl.block<tensor<2x5xf32>, !cb>
!tensor = tensor<8x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
!slice = !ttl.tensor_slice<[2, 5], !tensor>

ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on riscv_1 (%a, %x) : !cb, !tensor
}
func.func @t(%a: !cb, %x: !tensor) {
  %c0 = arith.constant 0 : index
  %acc = ttl.tensor_accessor %x : !tensor -> !ttl.accessor<!tensor>
  %blk = ttl.cb_reserve %a : !block
  %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
  // expected-error @+1 {{'ttl.copy' op moves parts of rows, which do not move together}}
  %xf = ttl.copy %s, %blk {ttl.pages_together = 2 : i32} : !slice, !block
  return
}
