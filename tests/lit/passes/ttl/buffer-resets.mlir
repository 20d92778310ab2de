// RUN: ttl-opt %s --ttl-split-unified-threads --ttl-insert-copy-waits --ttl-insert-releases --ttl-verify-protocol | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Every thread with work executes the reset, inside the same loop.

// CHECK-LABEL: ttl.kernel @unified
ttl.kernel @unified(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  %e = ttl.create_cb "e" : !cb
  ttl.unified_thread "body" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c2 step %c1 {
      %s = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
      %b = ttl.cb_reserve %d : !block
      %x = ttl.copy %s, %b : !slice, !block
      %w = ttl.cb_wait %d : !block
      %exp = ttl.block_exp %w : (!block) -> !value
      %o = ttl.cb_reserve %e : !block
      ttl.block_store %o, %exp : !block, !value
      %r = ttl.cb_wait %e : !block
      %t = ttl.index_accessor %y_acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
      %z = ttl.copy %r, %t : !block, !slice
      ttl.cb_reset 0 "ttl.reset_dataflow_buffers" %d, %e : !cb, !cb
    }
  }
}
// CHECK: ttl.datamovement_thread "reader"
// CHECK: scf.for
// CHECK: ttl.cb_push
// CHECK-NEXT: ttl.cb_reset 0 "ttl.reset_dataflow_buffers"
// CHECK: ttl.compute_thread "compute"
// CHECK: scf.for
// CHECK: ttl.cb_pop
// CHECK-NEXT: ttl.cb_reset 0 "ttl.reset_dataflow_buffers"
// CHECK: ttl.datamovement_thread "writer"
// CHECK: scf.for
// CHECK: ttl.cb_pop
// CHECK-NEXT: ttl.cb_reset 0 "ttl.reset_dataflow_buffers"

// A reserved block that no op uses is not pushed, because the reset drops it.

// CHECK-LABEL: ttl.kernel @unused
ttl.kernel @unused() attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  ttl.datamovement_thread "r" {
    // CHECK: ttl.cb_reserve
    // CHECK-NEXT: ttl.cb_reset
    %b = ttl.cb_reserve %d : !block
    ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
  }
}

// After a reset, the end of a `with` statement releases nothing.

// CHECK-LABEL: ttl.kernel @with
ttl.kernel @with() attributes {grid = #ttcore.grid<2x1>} {
  %d = ttl.create_cb "d" : !cb
  ttl.compute_thread "c" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1.0 : f32
    %v = ttl.block_fill %c1 : !value
    %b = ttl.cb_reserve %d : !block
    ttl.block_store %b, %v : !block, !value
    %x, %y = ttl.core : index, index
    %first = arith.cmpi eq, %x, %c0 : index
    // CHECK: scf.if
    // CHECK-NEXT: ttl.cb_reset
    // CHECK: else
    // CHECK-NEXT: ttl.cb_push
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    scf.if %first {
      ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
    }
    ttl.cb_push %b {ttl.ends_with} : !block
  }
}
