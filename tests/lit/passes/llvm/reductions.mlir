// RUN: ttl-opt %s --ttkernel-to-llvm | FileCheck %s
// RUN: ttl-opt %s --ttkernel-to-llvm=tile-loops=false | FileCheck %s --check-prefix=NOLOOPS

// A loop that only reduces tiles into one register becomes a call. The loop stays for the case that the
// call does nothing.

!cb = !ttkernel.cb<16, !ttcore.tile<32x32, f32>>

// NOLOOPS-NOT: ttl_hw_reduce_tiles

// A sum over rows of buffers 0 and 1: 8 tiles, 3 apart, 16 steps.
// CHECK: llvm.mlir.global internal constant @[[FACTS:.*]](dense<[0, 1, 0, 8, 3, 16]>

// CHECK-LABEL: llvm.func @sum(
// CHECK:         %[[DONE:.*]] = llvm.call @ttl_hw_reduce_tiles(
// CHECK:         %[[LEFT:.*]] = llvm.icmp "eq" %[[DONE]]
// CHECK-NEXT:    llvm.cond_br %[[LEFT]]
// CHECK:         llvm.call @ttl_hw_reduce_tile(
// CHECK:         llvm.call @ttl_jit_step(
func.func @sum() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i3 = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %in = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %scaling = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  ttkernel.tile_regs_acquire() : () -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %number = arith.index_cast %i : index to i32
    %index = arith.muli %number, %i3 : i32
    ttkernel.reduce_tile(%in, %scaling, %index, %i0, %i0) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>} : (!cb, !cb, i32, i32, i32) -> ()
  }
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}

// A loop stays if its register changes, if it does something else, or if it has more trips than a call
// allows.
// CHECK-LABEL: llvm.func @others(
// CHECK-NOT:     ttl_hw_reduce_tiles
// CHECK:         llvm.return
func.func @others() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c300 = arith.constant 300 : index
  %in = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  ttkernel.tile_regs_acquire() : () -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %index = arith.index_cast %i : index to i32
    ttkernel.reduce_tile(%in, %in, %index, %i0, %index) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>} : (!cb, !cb, i32, i32, i32) -> ()
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %index = arith.index_cast %i : index to i32
    ttkernel.reduce_tile(%in, %in, %index, %i0, %i0) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>} : (!cb, !cb, i32, i32, i32) -> ()
    ttkernel.abs_tile(%i0) : (i32) -> ()
  }
  scf.for %i = %c0 to %c300 step %c1 {
    %index = arith.index_cast %i : index to i32
    ttkernel.reduce_tile(%in, %in, %index, %i0, %i0) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>} : (!cb, !cb, i32, i32, i32) -> ()
  }
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}
