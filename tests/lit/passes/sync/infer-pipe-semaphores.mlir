// RUN: ttl-opt %s --ttl-infer-pipe-semaphores -canonicalize -cse | FileCheck %s
// RUN: ttl-opt %s --ttl-infer-pipe-semaphores="share-slots=false land-directly=false" -canonicalize -cse | FileCheck %s --check-prefix=OWN

// The protocol of a net: tables, landing slots, counters (valid, received, credit, sent),
// and loops over a node's pipes. The IR is canonicalized, so that constants are folded.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// Every node sends before it receives, so the slot is free from the start. A send waits for
// credit for its earlier sends. A receive gives credit when the data are in its block.
// CHECK-LABEL: ttl.kernel @both_ways()
// OWN-LABEL: ttl.kernel @both_ways()
// CHECK-DAG: %[[PARTS:.+]] = ttl.create_node_table "net.parts" dense<{{\[\[}}1], [0{{]]}}> : tensor<2x1xi32>
// CHECK-DAG: %[[LANDING:.+]] = ttl.create_landing "net" : <[1, 1], !ttcore.tile<32x32, f32>, 1>
// CHECK-DAG: %[[WORDS:.+]] = ttl.create_counters "net" {deliveries = 1 : i32, peers = array<i32: 3, 0, -1, -1, 3, 0, -1, -1>, roles = ["data of pipe 1 of 'net' from node (1,)", "data of pipe 0 of 'net' from node (0,)", "pipe 1 of 'net' from node (1,) to node (0,)", "pipe 0 of 'net' from node (0,) to node (1,)", "room for pipe 0 of 'net' at node (1,)", "room for pipe 1 of 'net' at node (0,)", "", ""], semaphore_id = 0 : i32} : <4>
// CHECK-DAG: %[[C1:.+]] = arith.constant 1 : index
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : i32
// CHECK:     %[[OUT:.+]] = ttl.cb_wait
// CHECK:     %[[SENT:.+]] = ttl.counter %[[WORDS]][%c3]
// CHECK:     %[[BEFORE:.+]] = ttl.semaphore_value %[[SENT]]
// CHECK:     %[[COUNT:.+]] = arith.addi %[[BEFORE]], %[[ONE]]
// CHECK:     %[[CREDIT:.+]] = ttl.counter %[[WORDS]][%c2]
// CHECK:     ttl.semaphore_wait_min %[[CREDIT]], %[[BEFORE]]
// CHECK:     ttl.semaphore_set %[[SENT]], %[[COUNT]]
// CHECK:     %[[SLOT:.+]] = ttl.landing_slot %[[LANDING]][%[[C0]]]
// CHECK:     %[[VALID:.+]] = ttl.counter %[[WORDS]][%[[C0]]]
// CHECK:     %[[X:.+]] = ttl.node_value %[[PARTS]][%[[C0]]]
// CHECK:     ttl.send %[[OUT]], %[[SLOT]] to core(%[[X]], %[[C0]])
// CHECK:     %[[FLAG:.+]] = ttl.get_remote_semaphore %[[VALID]][%[[X]], %[[C0]]] {cores}
// CHECK:     ttl.semaphore_set %[[FLAG]], %[[COUNT]] through %[[SENT]] : !ttl.semaphore from_scratch
// CHECK:     ttl.dma_barrier writes
// CHECK:     ttl.cb_pop %[[OUT]]
// CHECK:     %[[IN:.+]] = ttl.cb_reserve
// CHECK:     %[[RECEIVED:.+]] = ttl.counter %[[WORDS]][%[[C1]]]
// CHECK:     %[[DONE:.+]] = ttl.semaphore_value %[[RECEIVED]]
// CHECK:     %[[NEXT:.+]] = arith.addi %[[DONE]], %[[ONE]]
// CHECK:     ttl.semaphore_wait_min %[[VALID]], %[[NEXT]]
// CHECK:     ttl.receive %[[SLOT]], %[[IN]]
// CHECK:     ttl.dma_barrier reads
// CHECK:     ttl.semaphore_set %[[RECEIVED]], %[[NEXT]]
// CHECK:     %[[FROM:.+]] = ttl.node_value
// CHECK:     %[[SOURCE:.+]] = ttl.get_remote_semaphore %[[CREDIT]][%[[FROM]], %[[C0]]] {cores}
// CHECK:     ttl.semaphore_inc %[[SOURCE]], %[[ONE]]
// CHECK:     ttl.cb_push %[[IN]]
ttl.kernel @both_ways() attributes {grid = #ttcore.grid<2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [1], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// Nodes that send receive nothing, so a send may wait for its receive. The pipes that end at node 0
// share a slot, and a receive gives credit when it begins. The table has a row for each pipe of a node:
// the number of rows, then the columns that differ (slot and first part; x of the part;
// slot and x of the source).
// CHECK-LABEL: ttl.kernel @gather()
// OWN-LABEL: ttl.kernel @gather()
// CHECK-DAG: %[[SOURCES:.+]] = ttl.create_node_table "net.sources" dense<{{\[\[}}0, 0], [1, 1], [1, 0], [0, 0{{]]}}>
// CHECK-DAG: ttl.create_node_table "net.parts" dense<{{\[\[}}0], [1], [1], [0{{]]}}>
// CHECK-DAG: %[[DESTS:.+]] = ttl.create_node_table "net.destinations" dense<{{\[\[}}2, 0, 2, 1, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0{{]]}}>
// CHECK-DAG: %[[LANDING:.+]] = ttl.create_landing "net" : <[1, 1], !ttcore.tile<32x32, f32>, 1>
// CHECK-DAG: ttl.create_counters "net" {{.*}} : <6>
// CHECK:     %[[PIPES:.+]] = ttl.node_value %[[SOURCES]][%c0]
// CHECK:     scf.for %{{.+}} = %c0 to %[[PIPES]] step %c1 {
// CHECK:       %[[COUNT:.+]] = arith.addi %{{.+}}, %c1_i32
// CHECK:       ttl.semaphore_wait_min %{{.+}}, %[[COUNT]]
// CHECK:       ttl.landing_slot %[[LANDING]][%c0]
// CHECK:       ttl.send
// CHECK:     }
// CHECK:     %[[PIPES:.+]] = ttl.node_value %[[DESTS]][%c0]
// CHECK:     scf.for %[[I:.+]] = %c0 to %[[PIPES]] step %c1 {
// CHECK:       %[[IN:.+]] = ttl.cb_reserve
// CHECK:       %[[ROW:.+]] = arith.muli %[[I]], %c2
// CHECK:       %[[AT:.+]] = arith.addi %[[ROW]], %c1
// CHECK:       %[[SLOT:.+]] = ttl.node_value %[[DESTS]][%[[AT]]]
// CHECK:       ttl.semaphore_inc
// CHECK:       %[[VALID:.+]] = ttl.counter %{{.+}}[%[[SLOT]]]
// CHECK:       ttl.semaphore_wait_min %[[VALID]]
// CHECK:       %[[SHARED:.+]] = ttl.landing_slot %[[LANDING]][%c0]
// CHECK:       ttl.receive %[[SHARED]], %[[IN]]
// CHECK-NOT:   ttl.semaphore_inc
// CHECK:       ttl.cb_push %[[IN]]
//
// If this cannot be proved, each pipe has its own slot, and a receive gives credit at its end.
// OWN:         %[[LANDING:.+]] = ttl.create_landing "net" : <[1, 1], !ttcore.tile<32x32, f32>, 2>
// OWN:         ttl.semaphore_wait_min
// OWN:         %[[NUMBER:.+]] = ttl.node_value
// OWN:         ttl.landing_slot %[[LANDING]][%[[NUMBER]]]
// OWN:         ttl.send
// OWN:         ttl.cb_reserve
// OWN:         %[[NUMBER:.+]] = ttl.node_value
// OWN:         ttl.semaphore_wait_min
// OWN:         %[[SLOT:.+]] = ttl.landing_slot %[[LANDING]][%[[NUMBER]]]
// OWN:         ttl.receive %[[SLOT]]
// OWN:         ttl.semaphore_inc
// OWN:         ttl.cb_push
ttl.kernel @gather() attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [2], dst = [0] : !ttl.pipe
  %p1 = ttl.create_pipe src = [1], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// One pipe ends at each receiver, in the only block that the receiver reserves. Data arrive in this block,
// whose position in the ring follows from the number of earlier transfers.
// CHECK-LABEL: ttl.kernel @scatter()
// OWN-LABEL: ttl.kernel @scatter()
// CHECK-NOT: ttl.create_landing
// CHECK:     %[[BEFORE:.+]] = ttl.semaphore_value
// CHECK:     ttl.semaphore_wait_min
// CHECK:     %[[TURN:.+]] = arith.index_cast %[[BEFORE]] : i32 to index
// CHECK:     %[[SLOT:.+]] = ttl.buffer_slot %{{.+}}[%[[TURN]]] : !cb
// CHECK:     ttl.send %{{.+}}, %[[SLOT]] to core
// CHECK:     %[[IN:.+]] = ttl.cb_reserve
// CHECK:     ttl.semaphore_inc
// CHECK:     ttl.semaphore_wait_min
// CHECK-NOT: ttl.receive
// CHECK:     ttl.cb_push %[[IN]]
// OWN:       ttl.create_landing "net" : <[1, 1], !ttcore.tile<32x32, f32>, 1>
// OWN:       ttl.landing_slot
// OWN:       ttl.receive
ttl.kernel @scatter() attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// A rectangle of nodes needs one NoC operation, which waits until all four nodes have given credit.
// CHECK-LABEL: ttl.kernel @multicast()
// OWN-LABEL: ttl.kernel @multicast()
// CHECK: %[[COUNT:.+]] = arith.addi %{{.+}}, %c1_i32
// CHECK: %[[NEEDED:.+]] = arith.muli %[[COUNT]], %c4_i32
// CHECK: ttl.semaphore_wait_min %{{.+}}, %[[NEEDED]]
// CHECK: ttl.send_multicast %{{.+}}, %{{.+}} to cores(%c1, %c0) to(%c2, %c1) dests %c4 : !block
// CHECK: %[[FLAG:.+]] = ttl.get_remote_multicast_semaphore %{{.+}} cores(%c1, %c0, %c2, %c1, %c4) : !ttl.semaphore
// CHECK: ttl.semaphore_set %[[FLAG]], %[[COUNT]] through
// CHECK: ttl.dma_barrier writes
// OWN: %[[BEFORE:.+]] = ttl.semaphore_value
// OWN: %[[NEEDED:.+]] = arith.muli %[[BEFORE]], %c4_i32
// OWN: ttl.semaphore_wait_min %{{.+}}, %[[NEEDED]]
// OWN: ttl.send_multicast
ttl.kernel @multicast() attributes {grid = #ttcore.grid<3x2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0, 0], dst_range = [#ttl.slice<1, 3, 1>, #ttl.slice<0, 2, 1>] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0 : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// The sender is in its own rectangle. It receives the data and is counted, but must not wait for its
// own receive.
// CHECK-LABEL: ttl.kernel @loopback()
// OWN-LABEL: ttl.kernel @loopback()
// CHECK: ttl.create_landing "net" : <[1, 1], !ttcore.tile<32x32, f32>, 1>
// CHECK: ttl.send_multicast %{{.+}}, %{{.+}} to cores(%c0, %c0) to(%c1, %c1) dests %c4 loopback : !block
// CHECK: ttl.get_remote_multicast_semaphore %{{.+}} cores(%c0, %c0, %c1, %c1, %c4) loopback : !ttl.semaphore
// CHECK: ttl.receive
// CHECK: ttl.semaphore_inc
// OWN: loopback
ttl.kernel @loopback() attributes {grid = #ttcore.grid<3x2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [1, 1], dst_range = [#ttl.slice<0, 2, 1>, #ttl.slice<0, 2, 1>] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0 : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// A range that is not a rectangle: unicasts one after the other, each with its flag, and one barrier.
// CHECK-LABEL: ttl.kernel @strided()
// OWN-LABEL: ttl.kernel @strided()
// CHECK: %[[PARTS:.+]] = ttl.create_node_table "net.parts" dense<{{\[\[}}3, 1, 4, 7],
// CHECK: ttl.semaphore_wait_min
// CHECK: scf.for %[[PART:.+]] = %c0 to %c3 step %c1 {
// CHECK:   %[[AT:.+]] = arith.addi %[[PART]], %c1
// CHECK:   %[[X:.+]] = ttl.node_value %[[PARTS]][%[[AT]]]
// CHECK:   ttl.send %{{.+}}, %{{.+}} to core(%[[X]], %c0)
// CHECK:   ttl.semaphore_set
// CHECK: }
// CHECK: ttl.dma_barrier writes
// OWN: ttl.dma_barrier writes
ttl.kernel @strided() attributes {grid = #ttcore.grid<8>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst_range = [#ttl.slice<1, 8, 3>] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0 : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// One net has two kinds of pipes: the table says of which kind a pipe is.
// CHECK-LABEL: ttl.kernel @kinds()
// OWN-LABEL: ttl.kernel @kinds()
// CHECK: ttl.landing_slot
// CHECK: %[[KIND:.+]] = ttl.node_value
// CHECK: %[[UNICAST:.+]] = arith.cmpi eq, %[[KIND]], %c0
// CHECK: scf.if %[[UNICAST]] {
// CHECK:   ttl.send %
// CHECK: }
// CHECK: %[[MULTICAST:.+]] = arith.cmpi eq, %[[KIND]], %c1
// CHECK: scf.if %[[MULTICAST]] {
// CHECK:   ttl.send_multicast
// CHECK-NOT: loopback
// CHECK: ttl.dma_barrier writes
// OWN: ttl.dma_barrier writes
ttl.kernel @kinds() attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst_range = [#ttl.slice<1, 4, 1>] : !ttl.pipe
  %p1 = ttl.create_pipe src = [1], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

