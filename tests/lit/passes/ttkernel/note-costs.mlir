// RUN: ttl-opt %s --pass-pipeline='builtin.module(func.func(ttl-note-costs))' | FileCheck %s

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, bf16>>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @compute on compute ()
  ttl.thread @mover on riscv_1 ()
}

// Operations and initialisations are told before the next event, scalar ops are free.

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
    // A loop without events is told as a whole.
    // CHECK-NOT: signpost
    // CHECK: }
    // CHECK-NEXT: ttkernel.signpost cost "matmul_tiles:bf16*4"
    %tile = arith.addi %c0, %c1 : i32
    ttkernel.matmul_tiles(%a, %a, %c0, %tile, %c0) : (!cb, !cb, i32, i32, i32) -> ()
  }
  // Ops of two lines are told apart.
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
    // The control of the loop counts as three.
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
