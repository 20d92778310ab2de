// RUN: ttl-opt %s --ttl-verify-protocol --verify-diagnostics

// Programs that follow the rules, or that may follow them at run time.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @accepted(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // Two blocks of one buffer are released in order, with both copies in flight.
    %a = ttl.cb_reserve %a_dfb : !block
    %b = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    %xb = ttl.copy %s, %b : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
    ttl.wait %xb
    ttl.cb_push %b : !block
    // The block is released on both branches.
    %c = ttl.cb_reserve %a_dfb : !block
    %xc = ttl.copy %s, %c : !slice, !block
    ttl.wait %xc
    scf.if %true {
      ttl.cb_push %c : !block
    } else {
      ttl.cb_push %c : !block
    }
    // The block is written on one branch only: the check of the push is at run time.
    %d = ttl.cb_reserve %a_dfb : !block
    scf.if %true {
      %xd = ttl.copy %s, %d : !slice, !block
      ttl.wait %xd
    }
    ttl.cb_push %d : !block
    // A copy without a wait is completed before the push.
    %e = ttl.cb_reserve %a_dfb : !block
    %xe = ttl.copy %s, %e : !slice, !block
    ttl.cb_push %e : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %flag = arith.constant 1 : i32
    // Each iteration reads one block and adds to another one.
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    scf.for %i = %c0 to %c4 step %c1 {
      %x = ttl.block_exp %a : (!block) -> !e
      ttl.block_store %y, %x accumulate %flag : !block, !e
    }
    ttl.cb_pop %a : !block
    ttl.cb_push %y : !block
    // Each iteration acquires a block and releases it.
    %r = scf.while (%n = %c0) : (index) -> index {
      %more = arith.cmpi slt, %n, %c4 : index
      scf.condition(%more) %n : index
    } do {
    ^bb0(%n: index):
      %b = ttl.cb_wait %a_dfb : !block
      %z = ttl.cb_reserve %y_dfb : !block
      ttl.block_store %z, %b : !block, !block
      ttl.cb_push %z : !block
      ttl.cb_pop %b : !block
      %next = arith.addi %n, %c1 : index
      scf.yield %next : index
    }
    // expected-note @+2 {{the block is acquired here}}
    // expected-warning @+2 {{this pops a block of 'a_dfb', but nobody has read it}}
    %u = ttl.cb_wait %a_dfb : !block
    ttl.cb_pop %u : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // Several copies out of one block may be in flight at a time.
    %y = ttl.cb_wait %y_dfb : !block
    %x1 = ttl.copy %y, %s : !block, !slice
    %x2 = ttl.copy %y, %s : !block, !slice
    ttl.wait %x2
    ttl.wait %x1
    ttl.cb_pop %y : !block
    // A barrier completes the copies; a wait for them is still allowed.
    %z = ttl.cb_wait %y_dfb : !block
    %x3 = ttl.copy %z, %s : !block, !slice
    ttl.dma_barrier writes
    ttl.cb_pop %z : !block
    ttl.wait %x3
  }
}

// Loops and branches may carry handles of copies. A barrier completes these copies, too,
// and a later wait for one of them is allowed.
ttl.kernel @handles(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.compute_thread "producer" {
    %value = arith.constant 0.0 : f32
    %p = ttl.cb_reserve %a_dfb : !block
    %f = ttl.block_fill %value : !e
    ttl.block_store %p, %f : !block, !e
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
    ttl.wait %last
    %x2 = scf.if %true -> (!ttl.xf) {
      %x3 = ttl.copy %a, %s : !block, !slice
      scf.yield %x3 : !ttl.xf
    } else {
      %x4 = ttl.copy %a, %s : !block, !slice
      scf.yield %x4 : !ttl.xf
    }
    ttl.wait %x2
    %x5 = ttl.copy %a, %s : !block, !slice
    ttl.dma_barrier writes
    ttl.wait %x5
    ttl.cb_pop %a : !block
  }
}
