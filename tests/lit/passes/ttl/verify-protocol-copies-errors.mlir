// RUN: ttl-opt %s --ttl-verify-protocol --split-input-file --verify-diagnostics

// Blocks that are used while a copy of them is in flight.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// A block is released before the wait for its copy.
ttl.kernel @push_in_flight(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
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
    // expected-note @+1 {{the copy starts here}}
    %xa = ttl.copy %s, %a : !slice, !block
    // expected-error @+1 {{copy lock error: cannot push a block of 'a_dfb' while a copy into it is in flight: wait for the copy first}}
    ttl.cb_push %a : !block
    ttl.wait %xa
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @write_in_flight(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
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
    // expected-note @+1 {{the copy starts here}}
    %xa = ttl.copy %s, %a : !slice, !block
    // expected-error @+1 {{copy lock error: cannot copy into a block of 'a_dfb' while a copy into it is in flight: wait for the copy first}}
    %xb = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.wait %xb
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @read_in_flight(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
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
    // expected-note @+1 {{the copy starts here}}
    %xa = ttl.copy %s, %a : !slice, !block
    // expected-error @+1 {{copy lock error: cannot copy from a block of 'a_dfb' while a copy into it is in flight: wait for the copy first}}
    %xb = ttl.copy %a, %s : !block, !slice
    ttl.wait %xa
    ttl.wait %xb
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @wait_twice(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
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
    // expected-note @+1 {{the copy starts here}}
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    // expected-error @+1 {{this waits a second time for the same copy}}
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
}

// -----

// The copy that the loop carries last is still in flight.
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @last_in_flight(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
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
    // expected-note @+1 {{the copy starts here}}
    %x0 = ttl.copy %a, %s : !block, !slice
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %x0) -> (!ttl.xf) {
      %x1 = ttl.copy %a, %s : !block, !slice
      ttl.wait %old
      scf.yield %x1 : !ttl.xf
    }
    // expected-error @+1 {{copy lock error: cannot pop a block of 'a_dfb' while a copy out of it is in flight: wait for the copy first}}
    ttl.cb_pop %a : !block
  }
}

// -----

// While copies out of a block are in flight, reads are allowed, but writes are not.
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @overwritten(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
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
    // expected-note @+1 {{the copy starts here}}
    %x0 = ttl.copy %a, %s : !block, !slice
    %x1 = ttl.copy %a, %s : !block, !slice
    ttl.wait %x1
    // expected-error @+1 {{copy lock error: cannot copy into a block of 'a_dfb' while a copy out of it is in flight: wait for the copy first}}
    %x2 = ttl.copy %s, %a : !slice, !block
    ttl.wait %x0
    ttl.wait %x2
    ttl.cb_pop %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// A barrier of the other direction does not complete this copy.
ttl.kernel @wrong_barrier(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    // expected-note @+1 {{the copy starts here}}
    %x = ttl.copy %s, %a : !slice, !block
    ttl.dma_barrier writes
    // expected-error @+1 {{copy lock error: cannot push a block of 'a_dfb' while a copy into it is in flight: wait for the copy first}}
    ttl.cb_push %a : !block
    ttl.wait %x
  }
}
