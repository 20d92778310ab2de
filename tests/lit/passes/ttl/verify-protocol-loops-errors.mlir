// RUN: ttl-opt %s --ttl-verify-protocol --split-input-file --verify-diagnostics

// Blocks and handles that loops and branches carry, or must not carry.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @released_in_loop(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    // expected-error @+1 {{a block of 'a_dfb' is acquired before the loop in line 30 and released inside it: write pop() after the loop}}
    %a = ttl.cb_wait %a_dfb : !block
    scf.for %i = %c0 to %c4 step %c1 {
      %e = ttl.block_exp %a : (!block) -> !e
      // expected-note @+1 {{the block is released here in every iteration}}
      ttl.cb_pop %a : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @held_by_iteration(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-error @+1 {{a block of 'a_dfb' is still held at the end of the iteration that acquires it: write pop() on every path}}
      %a = ttl.cb_wait %a_dfb : !block
      %e = ttl.block_exp %a : (!block) -> !e
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @carried_block(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    %b = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %a) -> (!block) {
      scf.yield %c : !block
    }
    // expected-error @+1 {{cannot push a block of 'a_dfb': it was passed into the loop in line 92; after the loop, use the loop's result}}
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @carried_in_compute() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = ttl.cb_reserve %a_dfb : !block
    // expected-error @+1 {{a compute thread cannot pass a block through a loop or branch: acquire and release it on the same path and in the same iteration, or write a loop over a range of at most 64 items known at compile time}}
    %b = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %a) -> (!block) {
      scf.yield %c : !block
    }
    ttl.cb_push %b : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @carried_out_of_order(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %a_dfb : !block
    // expected-note @+1 {{the block is acquired here}}
    %b = ttl.cb_reserve %a_dfb : !block
    // expected-error @+1 {{the blocks held at the end of every iteration must be in the order in which they were acquired, but a block of 'a_dfb' and a block of 'a_dfb' are swapped: do not exchange the variables that hold them}}
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %a, %d = %b) -> (!block, !block) {
      scf.yield %d, %c : !block, !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// An iteration neither releases a block nor carries it to the next one.
ttl.kernel @carried_and_lost(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error @+1 {{a block of 'a_dfb' is still held at the end of the iteration that acquires it: write push() on every path}}
    %a = ttl.cb_reserve %a_dfb : !block
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %a) -> (!block) {
      %d = ttl.cb_reserve %a_dfb : !block
      scf.yield %d : !block
    }
    ttl.cb_push %r : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @carried_handle(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = scf.if %true -> !ttl.xf {
      // expected-note @+1 {{the copy starts here}}
      %x1 = ttl.copy %s, %a : !slice, !block
      scf.yield %x1 : !ttl.xf
    } else {
      // expected-note @+1 {{the copy starts here}}
      %x2 = ttl.copy %s, %a : !slice, !block
      scf.yield %x2 : !ttl.xf
    }
    ttl.wait %xa
    // expected-error @+1 {{this waits a second time for the same copy}}
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
}

// -----

// The loop has already waited for the copy whose handle it returns.
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @handed_on(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.compute_thread "producer" {
    %p = ttl.cb_reserve %a_dfb : !block
    %e = arith.constant 0.0 : f32
    %f = ttl.block_fill %e : tensor<1x1x!ttcore.tile<32x32, f32>>
    ttl.block_store %p, %f : !block, tensor<1x1x!ttcore.tile<32x32, f32>>
    ttl.cb_push %p : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_wait %a_dfb : !block
    %x0 = ttl.copy %a, %s : !block, !slice
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %x0) -> (!ttl.xf) {
      %x1 = ttl.copy %a, %s : !block, !slice
      ttl.wait %old
      scf.yield %x1 : !ttl.xf
    }
    // expected-error @+1 {{this waits for a copy whose handle was passed into the loop in line 229; after the loop, use the loop's result}}
    ttl.wait %x0
    ttl.cb_pop %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @in_while(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.compute_thread "producer" {
    %p = ttl.cb_reserve %a_dfb : !block
    %e = arith.constant 0.0 : f32
    %f = ttl.block_fill %e : tensor<1x1x!ttcore.tile<32x32, f32>>
    ttl.block_store %p, %f : !block, tensor<1x1x!ttcore.tile<32x32, f32>>
    ttl.cb_push %p : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_wait %a_dfb : !block
    %x0 = ttl.copy %a, %s : !block, !slice
    %last = scf.while (%old = %x0) : (!ttl.xf) -> !ttl.xf {
      scf.condition(%true) %old : !ttl.xf
    } do {
    ^bb0(%old: !ttl.xf):
      scf.yield %old : !ttl.xf
    }
    // expected-error @+1 {{waits for a copy whose handle was passed into the loop in line 265; after the loop, use the loop's result}}
    ttl.wait %x0
    ttl.cb_pop %a : !block
  }
}
