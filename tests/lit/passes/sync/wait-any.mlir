// RUN: ttl-opt %s --ttl-infer-pipe-semaphores -canonicalize -cse | FileCheck %s

// The copy of a wait_any's receive stores the value that received[r] will have when the receive is complete.
// wait_any waits until valid[r] of an incomplete receive has reached this value,
// and completes this receive. A later wait completes a receive that is still incomplete.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// CHECK-LABEL: ttl.kernel @choose
// CHECK-DAG: %[[NEVER:.+]] = arith.constant -1 : i32
// CHECK-DAG: %[[A:.+]] = ttl.create_counters "a"
// CHECK-DAG: %[[B:.+]] = ttl.create_counters "b"
// CHECK-NOT: unrealized_conversion_cast
// CHECK:     %[[A_BLK:.+]] = ttl.cb_reserve
// CHECK:     %[[A_RECEIVED:.+]] = ttl.counter %[[A]][%{{.+}}]
// CHECK:     %[[A_BEFORE:.+]] = ttl.semaphore_value %[[A_RECEIVED]]
// CHECK:     %[[A_TURN:.+]] = arith.addi %[[A_BEFORE]]
// CHECK:     %[[B_BLK:.+]] = ttl.cb_reserve
// CHECK:     %[[B_RECEIVED:.+]] = ttl.counter %[[B]][%{{.+}}]
// CHECK:     %[[B_BEFORE:.+]] = ttl.semaphore_value %[[B_RECEIVED]]
// CHECK:     %[[B_TURN:.+]] = arith.addi %[[B_BEFORE]]
// CHECK:     %[[A_NOW:.+]] = ttl.semaphore_value %[[A_RECEIVED]]
// CHECK:     %[[A_PENDING:.+]] = arith.cmpi slt, %[[A_NOW]], %[[A_TURN]]
// CHECK:     %[[A_NEEDED:.+]] = arith.select %[[A_PENDING]], %[[A_TURN]], %[[NEVER]]
// CHECK:     %[[B_NEEDED:.+]] = arith.select %{{.+}}, %[[B_TURN]], %[[NEVER]]
// CHECK:     %[[WHICH:.+]] = ttl.semaphore_wait_any(%{{.+}}, %{{.+}}) at_least(%[[A_NEEDED]], %[[B_NEEDED]])
// CHECK:     %[[FIRST:.+]] = arith.cmpi eq, %[[WHICH]]
// CHECK:     scf.if %[[FIRST]] {
// CHECK:       scf.if
// CHECK:         ttl.receive %{{.+}}, %[[A_BLK]]
// CHECK:     %[[SECOND:.+]] = arith.cmpi eq, %[[WHICH]]
// CHECK:     scf.if %[[SECOND]] {
// CHECK:         ttl.receive %{{.+}}, %[[B_BLK]]
// CHECK:     %[[STILL:.+]] = arith.cmpi slt, %{{.+}}, %[[B_TURN]]
// CHECK:     scf.if %[[STILL]] {
// CHECK:       ttl.receive %{{.+}}, %[[B_BLK]]
ttl.kernel @choose() attributes {grid = #ttcore.grid<3>} {
  %out_cb = ttl.create_cb "out" : !cb
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  %p = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %q = ttl.create_pipe src = [1], dst = [2] : !ttl.pipe
  %a = ttl.create_pipenet "a" %p : !ttl.pipe -> !ttl.pipenet
  %b = ttl.create_pipenet "b" %q : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %a {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.if_pipe_src %b {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %a {
    ^bb0(%from_a: !ttl.pipe):
      %a_blk = ttl.cb_reserve %a_cb : !block
      %a_xf = ttl.copy %from_a, %a_blk : !ttl.pipe, !block
      ttl.if_pipe_dst %b {
      ^bb1(%from_b: !ttl.pipe):
        %b_blk = ttl.cb_reserve %b_cb : !block
        %b_xf = ttl.copy %from_b, %b_blk : !ttl.pipe, !block
        %which = ttl.wait_any %a_xf, %b_xf start %c0
        ttl.wait %b_xf
        ttl.cb_push %b_blk : !block
      }
      ttl.wait %a_xf
      ttl.cb_push %a_blk : !block
    }
  }
}
