// RUN: ttl-opt %s --pass-pipeline='builtin.module(func.func(ttl-skip-arithmetic))' | FileCheck %s

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, f32>>

// Each register is set to zero once, after the acquire. Packs, inits and page counts stay.

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @compute on compute ()
}

// CHECK-LABEL: func.func @compute
func.func @compute() {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %lower = arith.constant 0 : index
  %upper = arith.constant 4 : index
  %step = arith.constant 1 : index
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  // CHECK: ttkernel.mm_init
  ttkernel.mm_init(%a, %a, %y) : (!cb, !cb, !cb) -> ()
  // CHECK: ttkernel.cb_wait_front
  ttkernel.cb_wait_front(%a, %c1) : (!cb, i32) -> ()
  ttkernel.cb_reserve_back(%y, %c1) : (!cb, i32) -> ()
  // CHECK: ttkernel.tile_regs_acquire
  // CHECK-DAG: ttkernel.fill_tile(%c0_i32, %{{.+}})
  // CHECK-DAG: ttkernel.fill_tile(%c2_i32, %{{.+}})
  // CHECK: scf.for
  // CHECK-NOT: ttkernel.matmul_tiles
  // CHECK-NOT: ttkernel.fill_tile
  ttkernel.tile_regs_acquire() : () -> ()
  scf.for %i = %lower to %upper step %step {
    ttkernel.matmul_tiles(%a, %a, %c0, %c0, %c0) : (!cb, !cb, i32, i32, i32) -> ()
  }
  ttkernel.exp_tile(%c0) : (i32) -> ()
  ttkernel.add_binary_tile(%c0, %c0, %c2) : (i32, i32, i32) -> ()
  // CHECK: ttkernel.tile_regs_commit
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  // CHECK: ttkernel.pack_tile
  ttkernel.pack_tile(%c2, %y, %c0) : (i32, !cb, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  // CHECK: ttkernel.cb_push_back
  ttkernel.cb_push_back(%y, %c1) : (!cb, i32) -> ()
  ttkernel.cb_pop_front(%a, %c1) : (!cb, i32) -> ()
  // A register whose number is computed in the section is filled where the number is known.
  // CHECK: ttkernel.tile_regs_acquire
  // CHECK: scf.for
  // CHECK: ttkernel.fill_tile
  ttkernel.tile_regs_acquire() : () -> ()
  scf.for %i = %lower to %upper step %step {
    %dst = arith.index_cast %i : index to i32
    ttkernel.copy_tile(%a, %c0, %dst) : (!cb, i32, i32) -> ()
  }
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}
