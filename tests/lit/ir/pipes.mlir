// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

// Pipes, semaphores, and the ops to which they are lowered, are printed and read again.

!cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !cb>
!landing = !ttl.landing<[2, 1], !ttcore.tile<32x32, f32>, 3>
!slot = !ttl.slot<[2, 1], !ttcore.tile<32x32, f32>>

// CHECK-LABEL: ttl.kernel @user
ttl.kernel @user() attributes {grid = #ttcore.grid<4x2>} {
  %cb = ttl.create_cb "cb" : !cb
  // CHECK: %[[P0:.+]] = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %p0 = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  // CHECK: %[[P1:.+]] = ttl.create_pipe src = [0, 0], dst_range = [#ttl.slice<start = 1, stop = 4, step = 2>, #ttl.slice<start = 1, stop = 2, step = 1>] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0, 0], dst_range = [#ttl.slice<1, 4, 2>, 1] : !ttl.pipe
  // CHECK: ttl.create_pipe src = [7], dst = [3] : <[7], dst = [3]>
  %p2 = ttl.create_pipe src = [7], dst = [3] : !ttl.pipe<[7], dst = [3]>
  // CHECK: : <[7], range = [<start = 0, stop = 4, step = 1>]>
  %p3 = ttl.create_pipe src = [7], dst_range = [#ttl.slice<0, 4, 1>] : !ttl.pipe<[7], range = [<0, 4, 1>]>
  // CHECK: %[[NET:.+]] = ttl.create_pipenet "net" %[[P0]], %[[P1]] : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  // CHECK: ttl.create_pipenet "none" : -> !ttl.pipenet
  %none = ttl.create_pipenet "none" : -> !ttl.pipenet
  // CHECK: %[[SEM:.+]] = ttl.create_semaphore "ready" {initial_value = 1 : i32} : !ttl.semaphore
  %sem = ttl.create_semaphore "ready" {initial_value = 1 : i32} : !ttl.semaphore
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    // CHECK: ttl.if_pipe_src %[[NET]] {
    // CHECK-NEXT: ^bb0(%[[PIPE:.+]]: !ttl.pipe):
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // CHECK: ttl.pipe_destination %[[PIPE]] : !ttl.pipe -> index, index
      %x, %y = ttl.pipe_destination %pipe : !ttl.pipe -> index, index
      %blk = ttl.cb_wait %cb : !block
      // CHECK: ttl.copy %{{.+}}, %[[PIPE]] : !block, !ttl.pipe
      %xf = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
    // CHECK: ttl.if_pipe_dst %[[NET]] {
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      // CHECK: ttl.pipe_source %{{.+}} : !ttl.pipe -> index, index
      %x, %y = ttl.pipe_source %pipe : !ttl.pipe -> index, index
      // CHECK: ttl.is_pipe_src %{{.+}} : !ttl.pipe
      %here = ttl.is_pipe_src %pipe : !ttl.pipe
      %blk = ttl.cb_reserve %cb : !block
      // CHECK: ttl.copy %{{.+}}, %{{.+}} : !ttl.pipe, !block
      %xf = ttl.copy %pipe, %blk : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
    // CHECK: ttl.semaphore_wait_eq %[[SEM]], %{{.+}} : !ttl.semaphore
    ttl.semaphore_wait_eq %sem, %c1 : !ttl.semaphore
    // CHECK: ttl.semaphore_wait_min %[[SEM]], %{{.+}} : !ttl.semaphore
    ttl.semaphore_wait_min %sem, %c1 : !ttl.semaphore
    // CHECK: ttl.semaphore_set %[[SEM]], %{{.+}} : !ttl.semaphore
    ttl.semaphore_set %sem, %c1 : !ttl.semaphore
    // CHECK: %[[FAR:.+]] = ttl.get_remote_semaphore %[[SEM]][%{{.+}}, %{{.+}}] : !ttl.semaphore -> <true>
    %far = ttl.get_remote_semaphore %sem[%c0, %c0] : !ttl.semaphore -> !ttl.semaphore<true>
    // CHECK: ttl.semaphore_inc %[[FAR]], %{{.+}} : <true>
    ttl.semaphore_inc %far, %c1 : !ttl.semaphore<true>
    // CHECK: ttl.get_remote_multicast_semaphore %[[SEM]] : !ttl.semaphore -> <true>
    %all = ttl.get_remote_multicast_semaphore %sem : !ttl.semaphore -> !ttl.semaphore<true>
    ttl.semaphore_set %all, %c1 : !ttl.semaphore<true>
    // CHECK: ttl.get_remote_multicast_semaphore %[[SEM]] range [#ttl.slice<start = 1, stop = 3, step = 1>, #ttl.slice<start = 0, stop = 1, step = 1>] :
    %some = ttl.get_remote_multicast_semaphore %sem range [#ttl.slice<1, 3, 1>, 0] : !ttl.semaphore -> !ttl.semaphore<true>
    ttl.semaphore_set %some, %c1 : !ttl.semaphore<true>
    // CHECK: ttl.semaphore_value %[[SEM]] : !ttl.semaphore
    %value = ttl.semaphore_value %sem : !ttl.semaphore
  }
  ttl.compute_thread "compute" {
    // CHECK: ttl.is_pipe_dst %[[NET]] : !ttl.pipenet
    %dst = ttl.is_pipe_dst %net : !ttl.pipenet
    // CHECK: ttl.is_pipe_active %[[NET]] : !ttl.pipenet
    %active = ttl.is_pipe_active %net : !ttl.pipenet
  }
}

// CHECK-LABEL: ttl.kernel @lowered
ttl.kernel @lowered() attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  // CHECK: ttl.create_landing "net" {address = 4096 : i64} : <[2, 1], !ttcore.tile<32x32, f32>, 3>
  %landing = ttl.create_landing "net" {address = 4096 : i64} : !landing
  // CHECK: ttl.create_counters "net" {semaphore_id = 2 : i32} : <4>
  %words = ttl.create_counters "net" {semaphore_id = 2 : i32} : !ttl.counters<4>
  // CHECK: ttl.create_node_table "net" dense<{{.+}}> : tensor<2x3xi32> : !ttl.node_table
  %table = ttl.create_node_table "net" dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32> : !ttl.node_table
  // CHECK: ttl.create_node_table "s" dense<{{.+}}> : tensor<1x1xi32> {ttl.common_number = f32} : !ttl.node_table
  %common = ttl.create_node_table "s" dense<[[1065353216]]> : tensor<1x1xi32> {ttl.common_number = f32} : !ttl.node_table
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    // CHECK: ttl.node_value %{{.+}}[%{{.+}}]
    %n = ttl.node_value %table[%c0]
    // CHECK: ttl.counter %{{.+}}[%{{.+}}] : <4> -> !ttl.semaphore
    %word = ttl.counter %words[%n] : !ttl.counters<4> -> !ttl.semaphore
    // CHECK: %[[SLOT:.+]] = ttl.landing_slot %{{.+}}[%{{.+}}] : <[2, 1], !ttcore.tile<32x32, f32>, 3> -> <[2, 1], !ttcore.tile<32x32, f32>>
    %slot = ttl.landing_slot %landing[%n] : !landing -> !slot
    // CHECK: ttl.buffer_slot %{{.+}}[%{{.+}}] : !cb -> <[2, 1], !ttcore.tile<32x32, f32>>
    %direct = ttl.buffer_slot %cb[%n] : !cb -> !slot
    %blk = ttl.cb_reserve %cb : !block
    // CHECK: ttl.receive %[[SLOT]], %{{.+}} {transfer_id = 3 : i32} : <{{.+}}>, !block
    %in = ttl.receive %slot, %blk {transfer_id = 3 : i32} : !slot, !block
    ttl.wait %in
    // CHECK: ttl.send %{{.+}}, %[[SLOT]] to core(%{{.+}}, %{{.+}}) : !block, <
    %out = ttl.send %blk, %slot to core(%n, %c0) : !block, !slot
    // CHECK: ttl.send_multicast %{{.+}}, %[[SLOT]] to cores(%{{.+}}, %{{.+}}) to(%{{.+}}, %{{.+}}) dests %{{.+}} loopback : !block, <
    %cast = ttl.send_multicast %blk, %slot to cores(%c0, %c0) to (%n, %c0) dests %n loopback : !block, !slot
    ttl.wait %out
    ttl.wait %cast
    // CHECK: ttl.wait_any %{{.+}}, %{{.+}} start %{{.+}}
    %first = ttl.wait_any %in, %out start %n
    // CHECK: ttl.semaphore_wait_any(%{{.+}}, %{{.+}}) at_least(%{{.+}}, %{{.+}}) start %{{.+}} : !ttl.semaphore, !ttl.semaphore
    %which = ttl.semaphore_wait_any (%word, %word) at_least (%one, %one) start %first : !ttl.semaphore, !ttl.semaphore
    ttl.cb_push %blk : !block
    // CHECK: %[[FAR:.+]] = ttl.get_remote_semaphore %{{.+}}[%{{.+}}, %{{.+}}] {cores} : !ttl.semaphore -> <true>
    %far = ttl.get_remote_semaphore %word[%n, %c0] {cores} : !ttl.semaphore -> !ttl.semaphore<true>
    // CHECK: ttl.semaphore_set %[[FAR]], %{{.+}} through %{{.+}} : !ttl.semaphore : <true>
    ttl.semaphore_set %far, %one through %word : !ttl.semaphore : !ttl.semaphore<true>
    // CHECK: ttl.get_remote_multicast_semaphore %{{.+}} cores(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) loopback : !ttl.semaphore -> <true>
    %all = ttl.get_remote_multicast_semaphore %word cores(%c0, %c0, %n, %c0, %n) loopback : !ttl.semaphore -> !ttl.semaphore<true>
    // CHECK: ttl.semaphore_set %{{.+}}, %{{.+}} through %{{.+}} : !ttl.semaphore from_scratch : <true>
    ttl.semaphore_set %all, %one through %word : !ttl.semaphore from_scratch : !ttl.semaphore<true>
  }
}

// CHECK-LABEL: func.func @noc
func.func @noc() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i = arith.constant 0 : i32
  // CHECK: ttkernel.convert_logical_x_to_translated(%{{.+}}) : (i32) -> i32
  %x = ttkernel.convert_logical_x_to_translated(%i) : (i32) -> i32
  // CHECK: ttkernel.convert_logical_y_to_translated(%{{.+}}) : (i32) -> i32
  %y = ttkernel.convert_logical_y_to_translated(%i) : (i32) -> i32
  // CHECK: ttkernel.get_semaphore(%{{.+}}) : (i32) -> i32
  %s = ttkernel.get_semaphore(%i) : (i32) -> i32
  // CHECK: ttkernel.get_noc_addr(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> !ttkernel.noc_addr
  %n = ttkernel.get_noc_addr(%x, %y, %s) : (i32, i32, i32) -> !ttkernel.noc_addr
  // CHECK: ttkernel.get_noc_multicast_addr(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32, i32, i32) -> !ttkernel.noc_addr
  %m = ttkernel.get_noc_multicast_addr(%x, %y, %x, %y, %s) : (i32, i32, i32, i32, i32) -> !ttkernel.noc_addr
  // CHECK: ttkernel.noc_async_read(%{{.+}}, %{{.+}}, %{{.+}}) : (!ttkernel.noc_addr, i32, i32) -> ()
  ttkernel.noc_async_read(%n, %s, %i) : (!ttkernel.noc_addr, i32, i32) -> ()
  // CHECK: ttkernel.noc_async_write(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, !ttkernel.noc_addr, i32) -> ()
  ttkernel.noc_async_write(%s, %n, %i) : (i32, !ttkernel.noc_addr, i32) -> ()
  // CHECK: ttkernel.noc_async_write_multicast(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) : (i32, !ttkernel.noc_addr, i32, i32) -> ()
  ttkernel.noc_async_write_multicast(%s, %m, %i, %i) : (i32, !ttkernel.noc_addr, i32, i32) -> ()
  // CHECK: ttkernel.noc_async_write_multicast_loopback_src(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) : (i32, !ttkernel.noc_addr, i32, i32) -> ()
  ttkernel.noc_async_write_multicast_loopback_src(%s, %m, %i, %i) : (i32, !ttkernel.noc_addr, i32, i32) -> ()
  // CHECK: ttkernel.load_from_l1(%{{.+}}) : (i32) -> i32
  %v = ttkernel.load_from_l1(%s) : (i32) -> i32
  // CHECK: ttkernel.noc_semaphore_set(%{{.+}}, %{{.+}}) : (i32, i32) -> ()
  ttkernel.noc_semaphore_set(%s, %v) : (i32, i32) -> ()
  // CHECK: ttkernel.noc_semaphore_wait(%{{.+}}, %{{.+}}) : (i32, i32) -> ()
  ttkernel.noc_semaphore_wait(%s, %v) : (i32, i32) -> ()
  // CHECK: ttkernel.noc_semaphore_wait_min(%{{.+}}, %{{.+}}) : (i32, i32) -> ()
  ttkernel.noc_semaphore_wait_min(%s, %v) : (i32, i32) -> ()
  // CHECK: ttkernel.semaphore_wait_any(%{{.+}}, %{{.+}} at_least %{{.+}}, %{{.+}} start %{{.+}}) : (i32, i32, i32, i32, i32) -> i32
  %first = ttkernel.semaphore_wait_any(%s, %s at_least %v, %v start %i) : (i32, i32, i32, i32, i32) -> i32
  // CHECK: ttkernel.noc_semaphore_inc(%{{.+}}, %{{.+}}) : (!ttkernel.noc_addr, i32) -> ()
  ttkernel.noc_semaphore_inc(%n, %i) : (!ttkernel.noc_addr, i32) -> ()
  // CHECK: ttkernel.noc_async_atomic_barrier() : () -> ()
  ttkernel.noc_async_atomic_barrier() : () -> ()
  // CHECK: ttkernel.noc_semaphore_set_remote(%{{.+}}, %{{.+}}) : (i32, !ttkernel.noc_addr) -> ()
  ttkernel.noc_semaphore_set_remote(%s, %n) : (i32, !ttkernel.noc_addr) -> ()
  // CHECK: ttkernel.noc_semaphore_set_multicast(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, !ttkernel.noc_addr, i32) -> ()
  ttkernel.noc_semaphore_set_multicast(%s, %m, %i) : (i32, !ttkernel.noc_addr, i32) -> ()
  // CHECK: ttkernel.noc_semaphore_set_multicast_loopback_src(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, !ttkernel.noc_addr, i32) -> ()
  ttkernel.noc_semaphore_set_multicast_loopback_src(%s, %m, %i) : (i32, !ttkernel.noc_addr, i32) -> ()
  return
}
