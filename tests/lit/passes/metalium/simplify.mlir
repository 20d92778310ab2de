// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s

// Simplifications of the C++, so that it has no statement without an effect.

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, bf16>>

// A product starts from zero by itself; other operations do not.
// CHECK-LABEL: //--- zeros_compute.cpp
// CHECK: tile_regs_acquire();
// CHECK-NOT: fill_tile(0
// CHECK: fill_tile(1, 0.0f);
// CHECK: for (int32_t i = 0; i < 4; ++i) {
// CHECK: matmul_tiles(cb0, cb1, i, i + 3, 0);
func.func @zeros__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i4 = arith.constant 4 : index
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.fill_tile_init() : () -> ()
  ttkernel.fill_tile(%0, %zero) : (i32, f32) -> ()
  ttkernel.fill_tile(%1, %zero) : (i32, f32) -> ()
  scf.for %i = %i0 to %i4 step %i1 {
    %ti = arith.index_cast %i : index to i32
    %next = arith.addi %i, %i2 : index
    %tn = arith.index_cast %next : index to i32
    %tn1 = arith.addi %tn, %1 : i32
    ttkernel.matmul_tiles(%a, %b, %ti, %tn1, %0) : (!cb, !cb, i32, i32, i32) -> ()
  }
  ttkernel.exp_tile(%1) : (i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  return
}

// The packer's accumulation is switched only before a pack that needs another setting.
// CHECK-LABEL: //--- packs_compute.cpp
// CHECK: pack_reconfig_l1_acc(1);
// CHECK: pack_tile<true>(0
// CHECK-NOT: pack_reconfig_l1_acc
// CHECK: pack_tile<true>(1
// CHECK: pack_reconfig_l1_acc(0);
func.func @packs__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %y = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  ttkernel.pack_reconfig_l1_acc(%1) : (i32) -> ()
  ttkernel.pack_tile(%0, %y, %0) : (i32, !cb, i32) -> ()
  ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
  ttkernel.pack_reconfig_l1_acc(%1) : (i32) -> ()
  ttkernel.pack_tile(%1, %y, %1) : (i32, !cb, i32) -> ()
  ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
  return
}

// Two barriers become one. A loop of one iteration, and a branch on a constant, become their bodies.
// CHECK-LABEL: //--- plain_reader.cpp
// CHECK: noc_async_read_barrier();
// CHECK-NOT: noc_async_read_barrier
// CHECK-NOT: for (
// CHECK-NOT: if (
// CHECK: cb_push_back(cb0, 1);
// CHECK: cb_pop_front(cb0, 1);
// CHECK-NOT: cb_wait_front
func.func @plain__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %1 = arith.constant 1 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %yes = arith.constant true
  ttkernel.noc_async_read_barrier() : () -> ()
  ttkernel.noc_async_read_barrier_with_trid(%1) : (i32) -> ()
  ttkernel.noc_async_read_barrier() : () -> ()
  scf.for %i = %i0 to %i1 step %i1 {
    ttkernel.cb_push_back(%a, %1) : (!cb, i32) -> ()
  }
  scf.if %yes {
    ttkernel.cb_pop_front(%a, %1) : (!cb, i32) -> ()
  } else {
    ttkernel.cb_wait_front(%a, %1) : (!cb, i32) -> ()
  }
  return
}
