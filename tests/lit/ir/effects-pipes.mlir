// RUN: ttl-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: ttl-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: ttl-opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK,DCE

// How upstream passes may change pipes. Ops that describe pipes and their ends are pure. Ops that move
// data, or that take memory on the nodes, must stay.

!cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !cb>
!landing = !ttl.landing<[2, 1], !ttcore.tile<32x32, f32>, 3>
!slot = !ttl.slot<[2, 1], !ttcore.tile<32x32, f32>>

// CHECK-LABEL: ttl.kernel @user
ttl.kernel @user() attributes {grid = #ttcore.grid<4x2>} {
  // DCE: ttl.create_pipe src = [0, 0], dst = [1, 0]
  // DCE-NOT: ttl.create_pipe src = [1, 0], dst = [0, 0]
  // CSE: ttl.create_pipe src = [0, 0], dst = [1, 0]
  // CSE-NOT: ttl.create_pipe src = [0, 0], dst = [1, 0]
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %same = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %dead = ttl.create_pipe src = [1, 0], dst = [0, 0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p, %same : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  %cb = ttl.create_cb "cb" : !cb
  // CHECK: ttl.datamovement_thread
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = ttl.core_linear : index
    // LICM: ttl.is_pipe_src
    // CHECK: scf.for
    // CSE: ttl.is_pipe_src
    // CSE-NOT: ttl.is_pipe_src
    scf.for %i = %c0 to %n step %c1 {
      %here = ttl.is_pipe_src %net : !ttl.pipenet
      %again = ttl.is_pipe_src %net : !ttl.pipenet
      // CHECK: scf.if
      scf.if %here {
        scf.if %again {
          // CHECK: ttl.if_pipe_src
          ttl.if_pipe_src %net {
          ^bb0(%pipe: !ttl.pipe):
            // DCE-NOT: ttl.pipe_destination
            %x, %y = ttl.pipe_destination %pipe : !ttl.pipe -> index, index
            %blk = ttl.cb_wait %cb : !block
            // CHECK: ttl.copy
            // CHECK: ttl.copy
            %xf = ttl.copy %blk, %pipe : !block, !ttl.pipe
            %xf2 = ttl.copy %blk, %pipe : !block, !ttl.pipe
            // CHECK: ttl.wait
            ttl.wait %xf
            ttl.wait %xf2
            ttl.cb_pop %blk : !block
          }
        }
      }
    }
    // A callback without effects is erased; one with effects is called each time.
    // DCE-NOT: ttl.if_pipe_dst
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %x, %y = ttl.pipe_source %pipe : !ttl.pipe -> index, index
    }
  }
}

// CHECK-LABEL: ttl.kernel @lowered
ttl.kernel @lowered() attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  // CHECK: ttl.create_landing
  %landing = ttl.create_landing "net" : !landing
  // CHECK: ttl.create_landing "unused"
  %unused = ttl.create_landing "unused" : !landing
  // CHECK: ttl.create_counters
  %words = ttl.create_counters "net" : !ttl.counters<4>
  // CHECK: ttl.create_node_table
  %table = ttl.create_node_table "net" dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32> : !ttl.node_table
  // CHECK: ttl.datamovement_thread
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %k = ttl.core_linear : index
    // DCE-NOT: ttl.counter %{{.+}} {dead}
    %dead = ttl.counter %words[%c1] {dead} : !ttl.counters<4> -> !ttl.semaphore
    %blk = ttl.cb_reserve %cb : !block
    // LICM: ttl.node_value
    // LICM: ttl.counter
    // LICM: ttl.landing_slot
    // LICM: ttl.buffer_slot
    // CHECK: scf.for
    // CSE: ttl.node_value
    // CSE-NOT: ttl.node_value
    scf.for %i = %c0 to %k step %c1 {
      %n = ttl.node_value %table[%c0]
      %m = ttl.node_value %table[%c0]
      %word = ttl.counter %words[%n] : !ttl.counters<4> -> !ttl.semaphore
      %slot = ttl.landing_slot %landing[%m] : !landing -> !slot
      %direct = ttl.buffer_slot %cb[%n] : !cb -> !slot
      // CHECK: ttl.receive
      // CHECK-NEXT: ttl.receive
      %in = ttl.receive %slot, %blk : !slot, !block
      %in2 = ttl.receive %slot, %blk : !slot, !block
      // CHECK-NEXT: ttl.wait
      // CHECK-NEXT: ttl.wait
      ttl.wait %in
      ttl.wait %in2
      // CHECK-NEXT: ttl.send %
      // CHECK-NEXT: ttl.send %
      %out = ttl.send %blk, %direct to core(%n, %c0) : !block, !slot
      %out2 = ttl.send %blk, %direct to core(%n, %c0) : !block, !slot
      // CHECK-NEXT: ttl.send_multicast
      // CHECK-NEXT: ttl.send_multicast
      %cast = ttl.send_multicast %blk, %slot to cores(%c0, %c0) to (%n, %c0) dests %n : !block, !slot
      %cast2 = ttl.send_multicast %blk, %slot to cores(%c0, %c0) to (%n, %c0) dests %n : !block, !slot
      // CHECK-NEXT: ttl.semaphore_wait_min
      // CHECK-NEXT: ttl.semaphore_wait_min
      ttl.semaphore_wait_min %word, %one : !ttl.semaphore
      ttl.semaphore_wait_min %word, %one : !ttl.semaphore
    }
  }
}
