// C++ of sends, receives and semaphores: resources that the host must provide,
// names of words and columns, data before flags, numbers of receivers, barriers.
// RUN: rm -rf %t && ttl-jit run %s --emit=%t
// RUN: FileCheck %s --match-full-lines --strict-whitespace --check-prefix=SWAP --input-file=%t/swap_net.cpp
// RUN: FileCheck %s --match-full-lines --strict-whitespace --check-prefix=SPREAD --input-file=%t/spread_net.cpp
// RUN: FileCheck %s --match-full-lines --strict-whitespace --check-prefix=LOOP --input-file=%t/loopback_net.cpp
// RUN: FileCheck %s --match-full-lines --strict-whitespace --check-prefix=TURNS --input-file=%t/turns_player.cpp
// RUN: python3 %S/Inputs/check-cpp.py %t/swap_net.cpp %t/swap_io.cpp %t/spread_net.cpp %t/loopback_net.cpp %t/turns_player.cpp

!tensor = tensor<64x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.tensor_slice<[1, 1], !tensor>

// Both nodes send first and then receive: a landing slot, unicasts, a row of the table for the node.
ttl.kernel @swap(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %q = ttl.create_pipe src = [1], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p, %q : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "io" {
    %c0 = arith.constant 0 : index
    %n = ttl.core_linear : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %out = ttl.cb_reserve %out_cb : !block
    %from = ttl.index_accessor %a_acc[%n, %c0] : !ttl.accessor<!tensor> -> !part
    %read = ttl.copy %from, %out : !part, !block
    ttl.wait %read
    ttl.cb_push %out : !block
    %in = ttl.cb_wait %in_cb : !block
    %to = ttl.index_accessor %y_acc[%n, %c0] : !ttl.accessor<!tensor> -> !part
    %write = ttl.copy %in, %to : !block, !part
    ttl.wait %write
    ttl.cb_pop %in : !block
  }
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

// One node sends to a rectangle without itself, and data arrive in the block itself. Another one sends to a
// rectangle that contains it.
ttl.kernel @spread(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<2x2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p = ttl.create_pipe src = [0, 0], dst_range = [1, #ttl.slice<0, 2, 1>] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "io" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %out = ttl.cb_reserve %out_cb : !block
    %from = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !part
    %read = ttl.copy %from, %out : !part, !block
    ttl.wait %read
    ttl.cb_push %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %x, %y_coord = ttl.core : index, index
      %in = ttl.cb_wait %in_cb : !block
      %to = ttl.index_accessor %y_acc[%y_coord, %c0] : !ttl.accessor<!tensor> -> !part
      %write = ttl.copy %in, %to : !block, !part
      ttl.wait %write
      ttl.cb_pop %in : !block
    }
  }
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

ttl.kernel @loopback(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p = ttl.create_pipe src = [1, 0], dst_range = [#ttl.slice<0, 2, 1>, 0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "io" {
    %c0 = arith.constant 0 : index
    %n = ttl.core_linear : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %out = ttl.cb_reserve %out_cb : !block
    %from = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !part
    %read = ttl.copy %from, %out : !part, !block
    ttl.wait %read
    ttl.cb_push %out : !block
    %in = ttl.cb_wait %in_cb : !block
    %to = ttl.index_accessor %y_acc[%n, %c0] : !ttl.accessor<!tensor> -> !part
    %write = ttl.copy %in, %to : !block, !part
    ttl.wait %write
    ttl.cb_pop %in : !block
  }
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

// Semaphores of the user. One of them is set on all nodes.
ttl.kernel @turns() attributes {grid = #ttcore.grid<2x2>} {
  %done = ttl.create_semaphore "done" {initial_value = 10 : i32} : !ttl.semaphore
  %go = ttl.create_semaphore "go" : !ttl.semaphore
  ttl.datamovement_thread "player" {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %all = arith.constant 14 : i32
    %seven = arith.constant 7 : i32
    %n = ttl.core_linear : index
    %first = ttl.get_remote_semaphore %done[%c0, %c0] : !ttl.semaphore -> !ttl.semaphore<true>
    ttl.semaphore_inc %first, %one : !ttl.semaphore<true>
    %is_first = arith.cmpi eq, %n, %c0 : index
    scf.if %is_first {
      ttl.semaphore_wait_eq %done, %all : !ttl.semaphore
      %others = ttl.get_remote_multicast_semaphore %go : !ttl.semaphore -> !ttl.semaphore<true>
      ttl.semaphore_set %others, %seven : !ttl.semaphore<true>
    }
    ttl.semaphore_wait_min %go, %seven : !ttl.semaphore
    ttl.semaphore_set %go, %one : !ttl.semaphore
  }
}

func.func @main() {
  %a = ttltest.random 7 : !tensor
  %y = ttltest.full 0.0 : !tensor
  ttl.launch @swap(%a, %y) : !tensor, !tensor
  ttl.launch @spread(%a, %y) : !tensor, !tensor
  ttl.launch @loopback(%a, %y) : !tensor, !tensor
  ttl.launch @turns()
  return
}

//      SWAP:// Thread 'net' of kernel 'swap', pipes.mlir:38.
// SWAP-NEXT:// Made by ttl-jit.
// SWAP-NEXT:// The host provides for each core:
// SWAP-NEXT://   run-time argument 0: its row of 'net.parts'
// SWAP-NEXT://   run-time argument 1: its row of 'net.destinations'
// SWAP-NEXT://   circular buffer 2 ('net_slots'), 4096 bytes: where data of 'net' land
// SWAP-NEXT://   semaphores 0 to 3, zero at the start: words of 'net'
// SWAP-EMPTY:
// SWAP-NEXT:#include <cstdint>
// SWAP-EMPTY:
// SWAP-NEXT:#include "api/dataflow/dataflow_api.h"
// SWAP-EMPTY:
// SWAP-NEXT:inline int32_t load_l1_word(uint32_t address) {
// SWAP-NEXT:  return *reinterpret_cast<volatile tt_l1_ptr uint32_t *>(address);
// SWAP-NEXT:}
// SWAP-EMPTY:
// SWAP-NEXT:inline volatile tt_l1_ptr uint32_t *ttl_l1_word(uint32_t address) {
// SWAP-NEXT:  return reinterpret_cast<volatile tt_l1_ptr uint32_t *>(address);
// SWAP-NEXT:}
// SWAP-EMPTY:
// SWAP-NEXT:// NoC coordinate of a column of the compute grid.
// SWAP-NEXT:inline uint32_t ttl_virtual_x(uint32_t column) {
// SWAP-NEXT:  return worker_logical_col_to_virtual_col[column];
// SWAP-NEXT:}
// SWAP-EMPTY:
// SWAP-NEXT:// NoC coordinate of a row of the compute grid.
// SWAP-NEXT:inline uint32_t ttl_virtual_y(uint32_t row) {
// SWAP-NEXT:  return worker_logical_row_to_virtual_row[row];
// SWAP-NEXT:}
// SWAP-EMPTY:
// SWAP-NEXT:void kernel_main() {
// SWAP-NEXT:  constexpr uint32_t out = get_compile_time_arg_val(0);
// SWAP-NEXT:  constexpr uint32_t in = get_compile_time_arg_val(1);
// SWAP-NEXT:  constexpr uint32_t net_slots = get_compile_time_arg_val(2);
// SWAP-NEXT:  constexpr uint32_t transfer_bytes = 4096;
// SWAP-EMPTY:
// SWAP-NEXT:  uint32_t net_slots_ptr = get_write_ptr(net_slots);
// SWAP-NEXT:  // pipes.mlir:39: %out = ttl.cb_wait %out_cb : !block
// SWAP-NEXT:  cb_wait_front(out, 1);
// SWAP-NEXT:  // pipes.mlir:42: %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
// SWAP-NEXT:  uint32_t sent = get_semaphore(3);
// SWAP-NEXT:  int32_t count = load_l1_word(sent);
// SWAP-NEXT:  uint32_t credit = get_semaphore(2);
// SWAP-NEXT:  noc_semaphore_wait_min(ttl_l1_word(credit), count);
// SWAP-NEXT:  noc_semaphore_set(ttl_l1_word(sent), count + 1);
// SWAP-NEXT:  int32_t x0 = get_arg_val<uint32_t>(0);
// SWAP-NEXT:  uint32_t out_ptr = get_read_ptr(out);
// SWAP-NEXT:  int32_t y = ttl_virtual_y(0);
// SWAP-NEXT:  uint64_t to = get_noc_addr(ttl_virtual_x(x0), y, net_slots_ptr);
// SWAP-NEXT:  noc_async_write(out_ptr, to, transfer_bytes);
// SWAP-NEXT:  uint32_t valid = get_semaphore(0);
// SWAP-NEXT:  uint64_t flag = get_noc_addr(ttl_virtual_x(x0), y, valid);
// SWAP-NEXT:  noc_semaphore_set_remote(sent, flag);
// SWAP-NEXT:  // pipes.mlir:43: ttl.wait %sent
// SWAP-NEXT:  noc_async_write_barrier();
// SWAP-NEXT:  // pipes.mlir:45: ttl.cb_pop %out : !block
// SWAP-NEXT:  cb_pop_front(out, 1);
// SWAP-NEXT:  // pipes.mlir:48: %in = ttl.cb_reserve %in_cb : !block
// SWAP-NEXT:  cb_reserve_back(in, 1);
// SWAP-NEXT:  // pipes.mlir:49: %received = ttl.copy %pipe, %in : !ttl.pipe, !block
// SWAP-NEXT:  uint32_t received = get_semaphore(1);
// SWAP-NEXT:  int32_t count2 = load_l1_word(received);
// SWAP-NEXT:  int32_t next = count2 + 1;
// SWAP-NEXT:  uint32_t valid2 = get_semaphore(0);
// SWAP-NEXT:  noc_semaphore_wait_min(ttl_l1_word(valid2), next);
// SWAP-NEXT:  int32_t core_x = get_absolute_logical_x();
// SWAP-NEXT:  int32_t core_y = get_absolute_logical_y();
// SWAP-NEXT:  uint64_t from = get_noc_addr(ttl_virtual_x(core_x), ttl_virtual_y(core_y), net_slots_ptr);
// SWAP-NEXT:  uint32_t in_ptr = get_write_ptr(in);
// SWAP-NEXT:  noc_async_read(from, in_ptr, transfer_bytes);
// SWAP-NEXT:  noc_async_read_barrier();
// SWAP-NEXT:  noc_semaphore_set(ttl_l1_word(received), next);
// SWAP-NEXT:  int32_t source_x = get_arg_val<uint32_t>(1);
// SWAP-NEXT:  uint32_t credit2 = get_semaphore(2);
// SWAP-NEXT:  uint64_t counter = get_noc_addr(ttl_virtual_x(source_x), ttl_virtual_y(0), credit2);
// SWAP-NEXT:  noc_semaphore_inc(counter, 1);
// SWAP-NEXT:  // pipes.mlir:51: ttl.cb_push %in : !block
// SWAP-NEXT:  cb_push_back(in, 1);
// SWAP-NEXT:  // pipes.mlir:38: ttl.datamovement_thread "net" {
// SWAP-NEXT:  noc_async_write_barrier();
// SWAP-NEXT:  noc_async_atomic_barrier();
// SWAP-NEXT:}

//      SPREAD:  int32_t num_pipes = get_arg_val<uint32_t>(0);
// SPREAD-NEXT:  for (int32_t i = 0; i < num_pipes; ++i) {
// SPREAD-NEXT:    // pipes.mlir:86: %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
// SPREAD-NEXT:    uint32_t sent = get_semaphore(i + 3);
// SPREAD-NEXT:    int32_t count = load_l1_word(sent);
// SPREAD-NEXT:    int32_t next = count + 1;
// SPREAD-NEXT:    uint32_t credit = get_semaphore(i + 2);
// SPREAD-NEXT:    noc_semaphore_wait_min(ttl_l1_word(credit), next * 2);
// SPREAD-NEXT:    noc_semaphore_set(ttl_l1_word(sent), next);
// SPREAD-NEXT:    uint32_t out_ptr = get_read_ptr(out);
// SPREAD-NEXT:    int32_t x1 = ttl_virtual_x(1);
// SPREAD-NEXT:    int32_t y0 = ttl_virtual_y(0);
// SPREAD-NEXT:    int32_t y1 = ttl_virtual_y(1);
// SPREAD-NEXT:    noc_async_write_multicast(out_ptr, ttl_multicast_addr(x1, y0, x1, y1, in_ptr + count % 2 * 4096), transfer_bytes, 2);
// SPREAD-NEXT:    uint32_t valid = get_semaphore(0);
// SPREAD-NEXT:    noc_semaphore_set_multicast(sent, ttl_multicast_addr(x1, y0, x1, y1, valid), 2);
// SPREAD-NEXT:    // pipes.mlir:87: ttl.wait %sent
// SPREAD-NEXT:    noc_async_write_barrier();

//      LOOP:    noc_async_write_multicast_loopback_src(out_ptr, ttl_multicast_addr(x0, y1, x1, y1, net_slots_ptr), transfer_bytes, 2);
// LOOP-NEXT:    uint32_t valid = get_semaphore(0);
// LOOP-NEXT:    noc_semaphore_set_multicast_loopback_src(sent, ttl_multicast_addr(x0, y1, x1, y1, valid), 2);

//      TURNS:// The host provides for each core:
// TURNS-NEXT://   semaphore 0, 10 at the start: 'done'
// TURNS-NEXT://   semaphore 1, 0 at the start: 'go'
// TURNS-NEXT://   semaphore 2, zero at the start: word of 'player.scratch'
// TURNS-EMPTY:
// TURNS-NEXT:#include <cstdint>
// TURNS-EMPTY:
// TURNS-NEXT:#include "api/dataflow/dataflow_api.h"
// TURNS-EMPTY:
// TURNS-NEXT:inline volatile tt_l1_ptr uint32_t *ttl_l1_word(uint32_t address) {
// TURNS-NEXT:  return reinterpret_cast<volatile tt_l1_ptr uint32_t *>(address);
// TURNS-NEXT:}
// TURNS-EMPTY:
// TURNS-NEXT:// NOC_1 goes the other way: its rectangles begin at the far corner.
// TURNS-NEXT:inline uint64_t ttl_multicast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
// TURNS-NEXT:                                   uint32_t address) {
// TURNS-NEXT:  return noc_index == 0 ? get_noc_multicast_addr(x0, y0, x1, y1, address)
// TURNS-NEXT:                        : get_noc_multicast_addr(x1, y1, x0, y0, address);
// TURNS-NEXT:}
// TURNS-EMPTY:
// TURNS-NEXT:// NoC coordinate of a column of the compute grid.
// TURNS-NEXT:inline uint32_t ttl_virtual_x(uint32_t column) {
// TURNS-NEXT:  return worker_logical_col_to_virtual_col[column];
// TURNS-NEXT:}
// TURNS-EMPTY:
// TURNS-NEXT:// NoC coordinate of a row of the compute grid.
// TURNS-NEXT:inline uint32_t ttl_virtual_y(uint32_t row) {
// TURNS-NEXT:  return worker_logical_row_to_virtual_row[row];
// TURNS-NEXT:}
// TURNS-EMPTY:
// TURNS-NEXT:void kernel_main() {
// TURNS-NEXT:  // pipes.mlir:148: %n = ttl.core_linear : index
// TURNS-NEXT:  int32_t core_x = get_absolute_logical_x();
// TURNS-NEXT:  int32_t core_y = get_absolute_logical_y();
// TURNS-NEXT:  // pipes.mlir:141: %done = ttl.create_semaphore "done" {initial_value = 10 : i32} : !ttl.semaphore
// TURNS-NEXT:  uint32_t done = get_semaphore(0);
// TURNS-NEXT:  // pipes.mlir:150: ttl.semaphore_inc %first, %one : !ttl.semaphore<true>
// TURNS-NEXT:  int32_t x0 = ttl_virtual_x(0);
// TURNS-NEXT:  int32_t y0 = ttl_virtual_y(0);
// TURNS-NEXT:  uint64_t counter = get_noc_addr(x0, y0, done);
// TURNS-NEXT:  noc_semaphore_inc(counter, 1);
// TURNS-NEXT:  // pipes.mlir:152: scf.if %is_first {
// TURNS-NEXT:  if (core_x * 2 + core_y == 0) {
// TURNS-NEXT:    // pipes.mlir:153: ttl.semaphore_wait_eq %done, %all : !ttl.semaphore
// TURNS-NEXT:    noc_semaphore_wait(ttl_l1_word(done), 14);
// TURNS-NEXT:    // pipes.mlir:155: ttl.semaphore_set %others, %seven : !ttl.semaphore<true>
// TURNS-NEXT:    uint32_t scratch = get_semaphore(2);
// TURNS-NEXT:    noc_semaphore_set(ttl_l1_word(scratch), 7);
// TURNS-NEXT:    // pipes.mlir:142: %go = ttl.create_semaphore "go" : !ttl.semaphore
// TURNS-NEXT:    uint32_t go = get_semaphore(1);
// TURNS-NEXT:    // pipes.mlir:155: ttl.semaphore_set %others, %seven : !ttl.semaphore<true>
// TURNS-NEXT:    noc_semaphore_set_multicast_loopback_src(scratch, ttl_multicast_addr(x0, y0, ttl_virtual_x(1), ttl_virtual_y(1), go), 4);
// TURNS-NEXT:    noc_async_writes_flushed();
// TURNS-NEXT:  }
// TURNS-NEXT:  // pipes.mlir:142: %go = ttl.create_semaphore "go" : !ttl.semaphore
// TURNS-NEXT:  uint32_t go = get_semaphore(1);
// TURNS-NEXT:  // pipes.mlir:157: ttl.semaphore_wait_min %go, %seven : !ttl.semaphore
// TURNS-NEXT:  noc_semaphore_wait_min(ttl_l1_word(go), 7);
// TURNS-NEXT:  // pipes.mlir:158: ttl.semaphore_set %go, %one : !ttl.semaphore
// TURNS-NEXT:  noc_semaphore_set(ttl_l1_word(go), 1);
// TURNS-NEXT:  // pipes.mlir:143: ttl.datamovement_thread "player" {
// TURNS-NEXT:  noc_async_write_barrier();
// TURNS-NEXT:  noc_async_atomic_barrier();
// TURNS-NEXT:}
