// RUN: ttl-opt %s --pass-pipeline='builtin.module(func.func(ttl-note-costs))' | FileCheck %s

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, bf16>>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @compute on compute ()
  ttl.thread @mover on riscv_1 ()
}

// Costs of operations and inits are noted before the next event. Ops on scalars cost nothing.

// CHECK-LABEL: func.func @compute
func.func @compute() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lower = arith.constant 0 : index
  %upper = arith.constant 4 : index
  %step = arith.constant 1 : index
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  // CHECK: ttkernel.tile_regs_acquire
  ttkernel.tile_regs_acquire() : () -> ()
  // CHECK: ttkernel.copy_tile(
  // CHECK: ttkernel.signpost cost "copy_tile_init:bf16 copy_tile:bf16*2"
  // CHECK-NEXT: scf.for
  ttkernel.copy_tile_init(%a) : (!cb) -> () loc("k.py":3:1)
  ttkernel.copy_tile(%a, %c0, %c0) : (!cb, i32, i32) -> () loc("k.py":3:1)
  ttkernel.copy_tile(%a, %c1, %c1) : (!cb, i32, i32) -> () loc("k.py":3:1)
  scf.for %i = %lower to %upper step %step {
    // A loop without events is noted as a whole.
    // CHECK-NOT: signpost
    // CHECK: }
    // CHECK-NEXT: ttkernel.signpost cost "matmul_tiles:bf16*4"
    %tile = arith.addi %c0, %c1 : i32
    ttkernel.matmul_tiles(%a, %a, %c0, %tile, %c0) : (!cb, !cb, i32, i32, i32) -> ()
  }
  // Costs of two source lines are noted separately.
  // CHECK: ttkernel.exp_tile
  // CHECK-NEXT: ttkernel.signpost cost "exp_tile"
  // CHECK-NEXT: ttkernel.add_binary_tile
  // CHECK-NEXT: ttkernel.signpost cost "add_binary_tile"
  // CHECK-NEXT: ttkernel.tile_regs_commit
  ttkernel.exp_tile(%c0) : (i32) -> () loc("k.py":4:1)
  ttkernel.add_binary_tile(%c0, %c1, %c0) : (i32, i32, i32) -> () loc("k.py":5:1)
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  // CHECK: ttkernel.signpost cost "pack_tile:bf16"
  // CHECK-NEXT: ttkernel.tile_regs_release
  ttkernel.pack_tile(%c0, %y, %c0) : (i32, !cb, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}

// CHECK-LABEL: func.func @mover
func.func @mover() {
  %c1 = arith.constant 1 : i32
  %lower = arith.constant 0 : index
  %upper = arith.constant 4 : index
  %step = arith.constant 1 : index
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  // CHECK: scf.for
  scf.for %i = %lower to %upper step %step {
    // The control of a loop counts as three ops.
    // CHECK: arith.muli
    // CHECK-NEXT: ttkernel.signpost cost "scalar*5"
    // CHECK-NEXT: ttkernel.cb_reserve_back
    %n = arith.addi %c1, %c1 : i32 loc("k.py":9:5)
    %m = arith.muli %n, %c1 : i32 loc("k.py":9:7)
    ttkernel.cb_reserve_back(%a, %m) : (!cb, i32) -> ()
    ttkernel.cb_push_back(%a, %m) : (!cb, i32) -> ()
  } loc("k.py":9:1)
  return
}

// Products that fill a rectangle of registers are noted as products of blocks, because they are emitted so;
// products of one register are not. A flag that is known at run time switches the packer's accumulation on.

ttl.program @products() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @block on compute ()
}

// CHECK-LABEL: func.func @block
func.func @block() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lower = arith.constant 0 : index
  %upper = arith.constant 3 : index
  %step = arith.constant 1 : index
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !cb
  ttkernel.tile_regs_acquire() : () -> ()
  // CHECK: signpost cost "matmul_block:1x2:bf16*3"
  // CHECK: signpost cost "matmul_block:1x2:bf16*3"
  scf.for %k = %lower to %upper step %step {
    %n = arith.index_cast %k : index to i32
    ttkernel.matmul_tiles(%a, %b, %n, %n, %c0) : (!cb, !cb, i32, i32, i32) -> ()
  }
  scf.for %k = %lower to %upper step %step {
    %next = arith.addi %k, %step : index
    %n = arith.index_cast %k : index to i32
    %right = arith.index_cast %next : index to i32
    ttkernel.matmul_tiles(%a, %b, %n, %right, %c1) : (!cb, !cb, i32, i32, i32) -> ()
  }
  // CHECK: signpost cost "matmul_tiles:bf16"
  ttkernel.matmul_tiles(%b, %a, %c0, %c0, %c0) : (!cb, !cb, i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  // CHECK: signpost cost "pack_reconfig_l1_acc:on pack_reconfig_l1_acc:off"
  %flag = ttkernel.load_from_l1(%c0) : (i32) -> i32
  ttkernel.pack_reconfig_l1_acc(%flag) : (i32) -> () loc("k.py":12:1)
  ttkernel.pack_reconfig_l1_acc(%c0) : (i32) -> () loc("k.py":12:1)
  return
}

// The address of a page is computed in each iteration, unless it is always the same.

ttl.program @pages() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @mover_of_pages on riscv_1 ()
}

// CHECK-LABEL: func.func @mover_of_pages
func.func @mover_of_pages() {
  %c0 = arith.constant 0 : i32
  %lower = arith.constant 0 : index
  %upper = arith.constant 4 : index
  %step = arith.constant 1 : index
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 8 : i32, tensor_type = tensor<64x64xbf16, #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>>} : () -> !ttkernel.TensorAccessorArgs
  %x = ttkernel.TensorAccessor(%args, %c0, %c0) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  // CHECK: scf.for
  // CHECK: signpost cost "scalar*3 page_address"
  // CHECK-NEXT: ttkernel.noc_async_read_page
  // CHECK: scf.for
  // CHECK: signpost cost "scalar*3"
  // CHECK-NEXT: ttkernel.noc_async_read_page
  scf.for %i = %lower to %upper step %step {
    %page = arith.index_cast %i : index to i32
    ttkernel.noc_async_read_page(%page, %x, %c0) : (i32, !ttkernel.TensorAccessor, i32) -> () loc("k.py":21:5)
  } loc("k.py":21:1)
  scf.for %i = %lower to %upper step %step {
    ttkernel.noc_async_read_page(%c0, %x, %c0) : (i32, !ttkernel.TensorAccessor, i32) -> () loc("k.py":22:5)
  } loc("k.py":22:1)
  return
}

// Addresses of other cores cost more than a scalar op, unless they are the same in each iteration.

ttl.program @addresses() attributes {grid = #ttcore.grid<2x2>} {
  ttl.thread @mover_to_cores on riscv_1 ()
}

// CHECK-LABEL: func.func @mover_to_cores
func.func @mover_to_cores() {
  %c0 = arith.constant 0 : i32
  %size = arith.constant 64 : i32
  %lower = arith.constant 0 : index
  %upper = arith.constant 2 : index
  %step = arith.constant 1 : index
  // CHECK: signpost cost "scalar noc_address"
  // CHECK: ttkernel.noc_async_write(
  %outside = ttkernel.convert_logical_x_to_translated(%c0) : (i32) -> i32 loc("k.py":31:1)
  %there = ttkernel.get_noc_addr(%outside, %c0, %c0) : (i32, i32, i32) -> !ttkernel.noc_addr loc("k.py":31:1)
  ttkernel.noc_async_write(%c0, %there, %size) : (i32, !ttkernel.noc_addr, i32) -> () loc("k.py":31:1)
  // CHECK: scf.for
  // CHECK: signpost cost "scalar*4 noc_address"
  // CHECK: ttkernel.noc_async_write(
  scf.for %i = %lower to %upper step %step {
    %column = arith.index_cast %i : index to i32
    %x = ttkernel.convert_logical_x_to_translated(%column) : (i32) -> i32 loc("k.py":32:1)
    %next = ttkernel.get_noc_addr(%x, %c0, %c0) : (i32, i32, i32) -> !ttkernel.noc_addr loc("k.py":32:1)
    ttkernel.noc_async_write(%c0, %next, %size) : (i32, !ttkernel.noc_addr, i32) -> () loc("k.py":32:1)
  } loc("k.py":32:1)
  // CHECK: scf.for
  // CHECK: signpost cost "scalar*5"
  // CHECK: ttkernel.noc_async_write(
  scf.for %i = %lower to %upper step %step {
    %x = ttkernel.convert_logical_x_to_translated(%c0) : (i32) -> i32 loc("k.py":33:1)
    %same = ttkernel.get_noc_addr(%x, %c0, %c0) : (i32, i32, i32) -> !ttkernel.noc_addr loc("k.py":33:1)
    ttkernel.noc_async_write(%c0, %same, %size) : (i32, !ttkernel.noc_addr, i32) -> () loc("k.py":33:1)
  } loc("k.py":33:1)
  return
}
