// RUN: ttl-opt %s --ttl-insert-releases --verify-diagnostics | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// CHECK-LABEL: ttl.kernel @last_use
ttl.kernel @last_use(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  // CHECK: ttl.compute_thread
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // A block is released after the last use of the expression that reads it; in a
    // loop, at the end of the iteration.
    // CHECK: scf.for
    scf.for %i = %c0 to %c4 step %c1 {
      // CHECK: %[[A:.+]] = ttl.cb_wait
      // expected-warning @+1 {{a block of 'a_dfb' is never released; the compiler releases it after its last use in line 31: write pop() there, or acquire it in a 'with'}}
      %a = ttl.cb_wait %a_dfb : !block
      // CHECK: %[[Y:.+]] = ttl.cb_reserve
      // expected-warning @+1 {{a block of 'y_dfb' is never released; the compiler releases it after its last use in line 31: write push() there, or acquire it in a 'with'}}
      %y = ttl.cb_reserve %y_dfb : !block
      %e = ttl.block_exp %a : (!block) -> !e
      %f = ttl.block_abs %e : (!e) -> !e
      // CHECK: ttl.block_store
      ttl.block_store %y, %f : !block, !e
      // CHECK-NEXT: ttl.cb_push %[[Y]]
      // CHECK-NEXT: ttl.cb_pop %[[A]]
      // CHECK-NEXT: }
    }
    // A block is never released before an older block of the same buffer.
    // CHECK: %[[OLD:.+]] = ttl.cb_wait
    // CHECK: %[[NEW:.+]] = ttl.cb_wait
    // CHECK: %[[Z:.+]] = ttl.cb_reserve
    // expected-warning @+1 {{a block of 'a_dfb' is never released; the compiler releases it after its last use in line 51: write pop() there, or acquire it in a 'with'}}
    %old = ttl.cb_wait %a_dfb : !block
    // expected-warning @+1 {{a block of 'a_dfb' is never released; the compiler releases it after its last use in line 46: write pop() there, or acquire it in a 'with'}}
    %new = ttl.cb_wait %a_dfb : !block
    %z = ttl.cb_reserve %y_dfb : !block
    // CHECK: ttl.block_store %[[Z]], %[[NEW]]
    ttl.block_store %z, %new : !block, !block
    // CHECK-NEXT: ttl.cb_push %[[Z]]
    ttl.cb_push %z : !block
    // CHECK: %[[Z2:.+]] = ttl.cb_reserve
    %z2 = ttl.cb_reserve %y_dfb : !block
    ttl.block_store %z2, %old : !block, !block
    // CHECK: ttl.block_store %[[Z2]], %[[OLD]]
    // CHECK-NEXT: ttl.cb_pop %[[OLD]]
    // CHECK-NEXT: ttl.cb_pop %[[NEW]]
    // CHECK-NEXT: ttl.cb_push %[[Z2]]
    ttl.cb_push %z2 : !block
  }
  // A copy's handle is a use of the block. A use in a branch counts as a use where the
  // branches meet.
  // CHECK: ttl.datamovement_thread "writer"
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    // CHECK: %[[B:.+]] = ttl.cb_wait
    // expected-warning @+1 {{a block of 'y_dfb' is never released; the compiler releases it after its last use in line 70: write pop() there, or acquire it in a 'with'}}
    %b = ttl.cb_wait %y_dfb : !block
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %b, %s : !block, !slice
    scf.if %true {
      ttl.wait %xf
      // CHECK: ttl.wait
      // CHECK-NEXT: }
      // CHECK-NEXT: ttl.cb_pop %[[B]]
    }
  }
}

// If the user releases a block anywhere, the pass does not release it.
// CHECK-LABEL: ttl.kernel @explicit
ttl.kernel @explicit() attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.compute_thread "compute" {
    %true = arith.constant true
    %a = ttl.cb_wait %dfb : !block
    // CHECK: scf.if
    scf.if %true {
      // CHECK-NEXT: ttl.cb_pop
      ttl.cb_pop %a : !block
    }
    // CHECK-NOT: ttl.cb_pop
  }
}

// A branch replaces the handle of a copy: this copy is completed before the other copy into the
// block starts.
// CHECK-LABEL: ttl.kernel @replaced_handle
ttl.kernel @replaced_handle(%t: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x, %y = ttl.core : index, index
    %is = arith.cmpi eq, %x, %c1 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %dfb : !block
    // CHECK: %[[FIRST:.+]] = ttl.copy
    // expected-warning @+1 {{the handle of this copy is replaced in the branch in line 115 before anything waits for it, so the copy is completed there: wait for it before the assignment}}
    %first = ttl.copy %s, %a : !slice, !block
    // CHECK: %[[BOTH:.+]] = scf.if
    %both = scf.if %is -> (!ttl.xf) {
      // CHECK-NEXT: ttl.wait %[[FIRST]]
      // CHECK-NEXT: %[[SECOND:.+]] = ttl.copy
      %second = ttl.copy %s, %a : !slice, !block
      // CHECK-NEXT: scf.yield %[[SECOND]]
      scf.yield %second : !ttl.xf
    } else {
      // CHECK: else
      // CHECK-NEXT: scf.yield %[[FIRST]]
      scf.yield %first : !ttl.xf
    }
    // CHECK: ttl.wait %[[BOTH]]
    ttl.wait %both
    ttl.cb_push %a : !block
  }
}
