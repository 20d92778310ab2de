// RUN: ttl-opt %s --ttl-insert-synchronization | FileCheck %s

// Barriers and waits on the paths through loops, branches and while loops.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// A while loop ends after its condition, whose copy may still be in flight. Only the
// barrier after the loop completes this copy.
// CHECK-LABEL: ttl.kernel @while_ends_in_its_condition
ttl.kernel @while_ends_in_its_condition(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    %a = ttl.cb_reserve %dfb : !block
    // CHECK: scf.while
    scf.while : () -> () {
      // CHECK: ttl.copy
      %x = ttl.copy %s, %a : !slice, !block
      // CHECK-NEXT: scf.if
      // CHECK-NEXT: ttl.wait
      scf.if %cond {
        ttl.wait %x
      }
      scf.condition(%cond)
    } do {
      // CHECK: ttl.dma_barrier
      ttl.dma_barrier
      scf.yield
    }
    // CHECK: ttl.dma_barrier
    // CHECK-NEXT: ttl.cb_push
    ttl.dma_barrier
    ttl.cb_push %a : !block
  }
}

// On all its paths, the condition waits for the copy, so nothing is in flight after the loop.
// CHECK-LABEL: ttl.kernel @while_waits
ttl.kernel @while_waits(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    %a = ttl.cb_reserve %dfb : !block
    // CHECK: scf.while
    scf.while : () -> () {
      // CHECK: ttl.copy
      // CHECK-NEXT: ttl.wait
      %x = ttl.copy %s, %a : !slice, !block
      ttl.wait %x
      scf.condition(%cond)
    } do {
      // CHECK: do
      // CHECK-NEXT: scf.yield
      ttl.dma_barrier
      scf.yield
    }
    // CHECK: }
    // CHECK-NEXT: ttl.cb_push
    ttl.dma_barrier
    ttl.cb_push %a : !block
  }
}

// The inner loop's copy is still in flight in the next iteration of the outer loop.
// CHECK-LABEL: ttl.kernel @nested_loops
ttl.kernel @nested_loops(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    %a = ttl.cb_reserve %dfb : !block
    // CHECK: scf.for
    scf.for %i = %c0 to %n step %c1 {
      // CHECK-NEXT: ttl.dma_barrier
      ttl.dma_barrier
      // CHECK-NEXT: scf.for
      scf.for %j = %c0 to %m step %c1 {
        // CHECK-NEXT: ttl.copy
        %x = ttl.copy %s, %a : !slice, !block
        // CHECK-NEXT: scf.if
        scf.if %cond {
          // CHECK-NEXT: ttl.wait
          ttl.wait %x
        }
      }
    }
    // CHECK: ttl.dma_barrier
    // CHECK-NEXT: ttl.cb_push
    ttl.dma_barrier
    ttl.cb_push %a : !block
  }
}

// Each branch in the loop's body completes its own copy, in its own way.
// CHECK-LABEL: ttl.kernel @branch_in_loop
ttl.kernel @branch_in_loop(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    // CHECK: scf.for
    scf.for %i = %c0 to %n step %c1 {
      %a = ttl.cb_reserve %dfb : !block
      // CHECK: ttl.copy
      %x = ttl.copy %s, %a : !slice, !block
      // CHECK-NEXT: scf.if
      scf.if %cond {
        // CHECK-NEXT: ttl.wait
        ttl.wait %x
      } else {
        // CHECK: ttl.dma_barrier reads
        ttl.dma_barrier reads
      }
      // CHECK: }
      // CHECK-NEXT: ttl.cb_push
      ttl.dma_barrier
      ttl.wait %x
      ttl.cb_push %a : !block
    }
  }
}

// If the loop does not run, nothing is in flight; otherwise its last copy is.
// CHECK-LABEL: ttl.kernel @loop_in_branch
ttl.kernel @loop_in_branch(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    %a = ttl.cb_reserve %dfb : !block
    // CHECK: scf.if
    scf.if %cond {
      // CHECK-NEXT: scf.for
      scf.for %i = %c0 to %n step %c1 {
        // CHECK-NEXT: ttl.dma_barrier writes
        ttl.dma_barrier writes
        // CHECK-NEXT: ttl.copy
        %w = ttl.copy %a, %s : !block, !slice
        scf.if %cond {
          ttl.wait %w
        }
      }
    }
    // CHECK: ttl.dma_barrier writes
    // CHECK-NEXT: ttl.cb_push
    ttl.dma_barrier reads
    ttl.dma_barrier writes
    ttl.dma_barrier
    ttl.cb_push %a : !block
  }
}

// A barrier on every path completes a copy that no op waits for, wherever the barrier is.
// CHECK-LABEL: ttl.kernel @completed_later
ttl.kernel @completed_later(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    %a = ttl.cb_reserve %dfb : !block
    // CHECK: scf.if
    scf.if %cond {
      // CHECK-NEXT: ttl.copy
      // CHECK-NEXT: }
      %x = ttl.copy %s, %a : !slice, !block
    }
    // CHECK-NEXT: ttl.dma_barrier
    // CHECK-NEXT: ttl.cb_push
    ttl.dma_barrier
    ttl.cb_push %a : !block
  }
}
