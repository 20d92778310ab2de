// RUN: ttl-opt %s --ttl-insert-synchronization --verify-diagnostics | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// CHECK-LABEL: ttl.kernel @never_waited_for
ttl.kernel @never_waited_for(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %dfb : !block
    // A barrier is added before each release that may be reached.
    // CHECK: %[[XF:.+]] = ttl.copy
    // expected-warning @+1 {{this copy is never waited for; it is completed before a block of 'dfb' is released in line 25: write wait() where the data is needed}}
    %xf = ttl.copy %s, %a : !slice, !block
    // CHECK: scf.if
    scf.if %true {
      // CHECK-NEXT: ttl.wait %[[XF]]
      // CHECK-NEXT: ttl.cb_push
      ttl.cb_push %a : !block
    } else {
      // CHECK: ttl.wait %[[XF]]
      // CHECK-NEXT: ttl.cb_push
      ttl.cb_push %a : !block
    }
    // If the handle does not reach the release, the copy is completed at the end of its branch.
    %b = ttl.cb_reserve %dfb : !block
    // CHECK: scf.if
    scf.if %true {
      // CHECK-NEXT: %[[XF1:.+]] = ttl.copy
      // expected-warning @+1 {{this copy is never waited for; it is completed at the end of the branch: write wait() where the data is needed}}
      %xf1 = ttl.copy %s, %b : !slice, !block
      // CHECK-NEXT: ttl.wait %[[XF1]]
      // CHECK-NEXT: }
    }
    // CHECK-NEXT: ttl.cb_push
    ttl.cb_push %b : !block
    // If the thread counts its blocks, the copy is completed at once: any release may be that of its block.
    %oldest = ttl.held_block %dfb[0] {reserved} : !block
    %counted = ttl.block_at %oldest[%c0] : !block
    // CHECK: %[[AT_ONCE:.+]] = ttl.copy
    // CHECK-NEXT: ttl.wait %[[AT_ONCE]]
    // expected-warning @+1 {{this copy is never waited for; it is completed at once: write wait() where the data is needed}}
    %at_once = ttl.copy %s, %counted : !slice, !block
    // A wait that the user wrote stays as it is.
    %c = ttl.cb_reserve %dfb : !block
    // CHECK: ttl.copy
    %xf2 = ttl.copy %s, %c : !slice, !block
    // CHECK-NEXT: ttl.wait
    ttl.wait %xf2
    // CHECK-NEXT: ttl.cb_push
    ttl.cb_push %c : !block
  }
}

// If no op releases the block, the copy is completed at the end of the iteration or of the thread.
// CHECK-LABEL: ttl.kernel @never_released
ttl.kernel @never_released(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %dfb : !block
    // CHECK: scf.for
    scf.for %i = %c0 to %c1 step %c1 {
      // CHECK: %[[XF:.+]] = ttl.copy
      // expected-warning @+1 {{this copy is never waited for; it is completed at the end of the iteration: write wait() where the data is needed}}
      %xf = ttl.copy %s, %a : !slice, !block
      // CHECK-NEXT: ttl.wait %[[XF]]
    }
    // CHECK: %[[XF1:.+]] = ttl.copy
    // expected-warning @+1 {{this copy is never waited for; it is completed at the end of the thread: write wait() where the data is needed}}
    %xf1 = ttl.copy %s, %a : !slice, !block
    // CHECK-NEXT: ttl.wait %[[XF1]]
  }
}

// Consecutive waits become one barrier if nothing else of their direction is in
// flight. The barrier is at their place.
// CHECK-LABEL: ttl.kernel @together
ttl.kernel @together(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  %out = ttl.create_cb "out" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %dfb : !block
    %b = ttl.cb_reserve %dfb : !block
    %o = ttl.cb_wait %out : !block
    // CHECK-COUNT-3: ttl.copy
    %x0 = ttl.copy %s, %a : !slice, !block
    %x1 = ttl.copy %s, %b : !slice, !block
    %x2 = ttl.copy %o, %s : !block, !slice
    // CHECK-NEXT: ttl.dma_barrier reads
    // CHECK-NEXT: arith.addi
    // CHECK-NEXT: ttl.wait
    ttl.wait %x0
    %c5 = arith.addi %c4, %c1 : index
    ttl.wait %x2
    ttl.wait %x1
    // CHECK-NEXT: ttl.cb_push
    ttl.cb_push %a : !block
    ttl.cb_push %b : !block
    ttl.cb_pop %o : !block
    // One copy that stays in flight keeps its own wait, so the other copies do so, too.
    %c = ttl.cb_reserve %dfb : !block
    %d = ttl.cb_reserve %dfb : !block
    %e = ttl.cb_reserve %dfb : !block
    // CHECK-COUNT-3: ttl.copy
    %x3 = ttl.copy %s, %c : !slice, !block
    %x4 = ttl.copy %s, %d : !slice, !block
    %x5 = ttl.copy %s, %e : !slice, !block
    // CHECK-NEXT: ttl.wait
    // CHECK-NEXT: ttl.wait
    // CHECK-NEXT: ttl.cb_push
    ttl.wait %x3
    ttl.wait %x4
    ttl.cb_push %c : !block
    ttl.cb_push %d : !block
    // CHECK: ttl.wait
    ttl.wait %x5
    ttl.cb_push %e : !block
    // A loop's copies count as in flight wherever they may be.
    // CHECK: scf.for
    scf.for %i = %c0 to %c4 step %c1 {
      %f = ttl.cb_reserve %dfb : !block
      %g = ttl.cb_reserve %dfb : !block
      %x6 = ttl.copy %s, %f : !slice, !block
      %x7 = ttl.copy %s, %g : !slice, !block
      // CHECK: ttl.dma_barrier reads
      // CHECK-NEXT: ttl.cb_push
      ttl.wait %x6
      ttl.wait %x7
      ttl.cb_push %f : !block
      ttl.cb_push %g : !block
    }
  }
}

// A wait is erased if nothing can be in flight.
// CHECK-LABEL: ttl.kernel @redundant
ttl.kernel @redundant(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // CHECK: ttl.cb_reserve
    // CHECK-NEXT: ttl.copy
    ttl.dma_barrier
    %a = ttl.cb_reserve %dfb : !block
    %x0 = ttl.copy %s, %a : !slice, !block
    // CHECK-NEXT: ttl.dma_barrier
    // CHECK-NEXT: ttl.cb_push
    ttl.dma_barrier
    ttl.wait %x0
    ttl.cb_push %a : !block
    // The user's barrier completes the copy, so no other wait is needed.
    // CHECK-NEXT: ttl.cb_reserve
    // CHECK-NEXT: ttl.copy
    // CHECK-NEXT: ttl.dma_barrier
    // CHECK-NEXT: ttl.cb_push
    %b = ttl.cb_reserve %dfb : !block
    %x1 = ttl.copy %s, %b : !slice, !block
    ttl.dma_barrier
    ttl.cb_push %b : !block
    // The barrier is on one path only, so the wait stays.
    // CHECK: scf.if
    // CHECK-NEXT: ttl.dma_barrier
    // CHECK: }
    // CHECK-NEXT: ttl.wait
    %c = ttl.cb_reserve %dfb : !block
    %x2 = ttl.copy %s, %c : !slice, !block
    scf.if %true {
      ttl.dma_barrier
    }
    ttl.wait %x2
    ttl.cb_push %c : !block
  }
}

// A wait is for this iteration's copy. The barrier also completes copies of earlier iterations.
// CHECK-LABEL: ttl.kernel @started_again
ttl.kernel @started_again(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %dfb : !block
    scf.for %i = %c0 to %c4 step %c1 {
      // CHECK: %[[XF:.+]] = ttl.copy
      %xf = ttl.copy %s, %a : !slice, !block
      %last = arith.cmpi eq, %i, %c4 : index
      // CHECK: scf.if
      // CHECK-NEXT: ttl.wait %[[XF]]
      // CHECK-NEXT: ttl.dma_barrier
      scf.if %last {
        ttl.wait %xf
        ttl.dma_barrier
      }
    }
    ttl.cb_push %a : !block
  }
}
