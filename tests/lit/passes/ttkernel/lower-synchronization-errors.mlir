// RUN: ttl-opt %s --ttl-lower-synchronization --split-input-file --verify-diagnostics

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
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @t on compute (%a) : !cb
}
func.func @t(%a: !cb) {
  %c0 = arith.constant 0 : index
  %blk = ttl.cb_wait %a : !block
  // expected-error @+1 {{'ttl.get_tile' op still uses the result of 'ttl.cb_wait': run ttl-lower-compute and ttl-lower-data-movement first}}
  %0 = ttl.get_tile %blk[%c0] {dst_idx = 0 : i32} : !block -> !t
  ttl.cb_pop %blk : !block
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
  ttl.thread @t on riscv_1 (%x) : !tensor
}
func.func @t(%x: !tensor) {
  // expected-error @+1 {{'ttl.tensor_accessor' op still uses a resource of its thread: run ttl-lower-compute and ttl-lower-data-movement first}}
  %acc = ttl.tensor_accessor %x : !tensor -> !accessor
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
  // expected-error @+1 {{'ttl.create_semaphore' op has neither semaphore_id nor address: run ttl-infer-pipe-semaphores and ttl-allocate-circular-buffers first}}
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  ttl.thread @t on riscv_1 (%s) : !ttl.semaphore
}
func.func @t(%s: !ttl.semaphore) {
  %v = ttl.semaphore_value %s : !ttl.semaphore
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
  %s = builtin.unrealized_conversion_cast to !ttl.semaphore
  // expected-error @+1 {{'ttl.semaphore_value' op cannot use a semaphore that is no resource of its thread}}
  %v = ttl.semaphore_value %s : !ttl.semaphore
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
  %s = ttl.create_semaphore "s" {semaphore_id = 0 : i32} : !ttl.semaphore
  ttl.thread @t on riscv_1 (%s) : !ttl.semaphore
}
func.func @t(%s: !ttl.semaphore) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %far = ttl.get_remote_semaphore %s[%c0, %c0] : !ttl.semaphore -> !ttl.semaphore<true>
  // expected-error @+1 {{'ttl.semaphore_set' op has no scratch word to send: run ttl-infer-pipe-semaphores first}}
  ttl.semaphore_set %far, %one : !ttl.semaphore<true>
  return
}
