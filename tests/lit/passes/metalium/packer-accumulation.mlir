// Accumulation of the packer is switched on and off only once if possible.
// RUN: ttl-translate --ttkernel-to-cpp %s | grep -v '// packer-' | FileCheck %s

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, bf16>>

// The loop over k carries a flag: one switch is enough for all rows of a block. The accumulation ends
// after the loop.
// CHECK-LABEL: //--- rows_compute.cpp
// CHECK: for (int32_t i = 0; i < 4; ++i) {
// CHECK-NEXT: pack_reconfig_l1_acc(accumulate);
// CHECK-NEXT: for (int32_t j = 0; j < 2; ++j) {
// CHECK-NOT: pack_reconfig_l1_acc
// CHECK: pack_tile<true>(0, cb0, j);
// CHECK-NEXT: pack_tile<true>(1, cb0, j + 2);
// CHECK-NOT: pack_reconfig_l1_acc
// CHECK: accumulate = 1;
// CHECK-NEXT: }
// CHECK-NEXT: pack_reconfig_l1_acc(0);
// CHECK-NEXT: cb_push_back(cb0, 4);
func.func @rows__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %y = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %4 = arith.constant 4 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i4 = arith.constant 4 : index
  %last = scf.for %k = %i0 to %i4 step %i1 iter_args(%flag = %0) -> i32 {
    scf.for %row = %i0 to %i2 step %i1 {
      %tile = arith.index_cast %row : index to i32
      %next = arith.addi %tile, %2 : i32
      ttkernel.tile_regs_acquire() : () -> ()
      ttkernel.tile_regs_commit() : () -> ()
      ttkernel.tile_regs_wait() : () -> ()
      ttkernel.pack_reconfig_l1_acc(%flag) : (i32) -> ()
      ttkernel.pack_tile(%0, %y, %tile) : (i32, !cb, i32) -> ()
      ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
      ttkernel.pack_reconfig_l1_acc(%flag) : (i32) -> ()
      ttkernel.pack_tile(%1, %y, %next) : (i32, !cb, i32) -> ()
      ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
      ttkernel.tile_regs_release() : () -> ()
    }
    scf.yield %1 : i32
  }
  ttkernel.cb_push_back(%y, %4) : (!cb, i32) -> ()
  return
}

// Sums of several blocks: the inner loop's accumulation ends after the outer loop.
// CHECK-LABEL: //--- nested_compute.cpp
// CHECK: for (int32_t i = 0; i < 4; ++i) {
// CHECK: for (int32_t j = 0; j < 2; ++j) {
// CHECK-NEXT: pack_reconfig_l1_acc(accumulate);
// CHECK-NEXT: pack_tile<true>(0, cb0, 0);
// CHECK-NEXT: accumulate = 1;
// CHECK-NEXT: }
// CHECK-NEXT: cb_push_back(cb0, 1);
// CHECK-NEXT: }
// CHECK-NEXT: pack_reconfig_l1_acc(0);
// CHECK-NEXT: pack_tile<true>(0, cb0, 0);
// CHECK-NOT: pack_reconfig_l1_acc
func.func @nested__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %y = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i4 = arith.constant 4 : index
  scf.for %n = %i0 to %i4 step %i1 {
    %last = scf.for %k = %i0 to %i2 step %i1 iter_args(%flag = %0) -> i32 {
      ttkernel.pack_reconfig_l1_acc(%flag) : (i32) -> ()
      ttkernel.pack_tile(%0, %y, %0) : (i32, !cb, i32) -> ()
      ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
      scf.yield %1 : i32
    }
    ttkernel.cb_push_back(%y, %1) : (!cb, i32) -> ()
  }
  ttkernel.pack_tile(%0, %y, %0) : (i32, !cb, i32) -> ()
  return
}

// The switches are around loops and branches, because the flag is a constant.
// CHECK-LABEL: //--- branch_compute.cpp
// CHECK: pack_tile<true>(0, cb0, 0);
// CHECK-NEXT: pack_reconfig_l1_acc(1);
// CHECK-NEXT: for (
// CHECK-NOT: pack_reconfig_l1_acc
// CHECK: if (
// CHECK-NEXT: pack_tile<true>(1, cb0, 0);
// CHECK-NEXT: } else {
// CHECK-NEXT: pack_tile<true>(2, cb0, 0);
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: pack_tile<true>(3, cb0, 0);
// CHECK-NEXT: pack_reconfig_l1_acc(0);
// CHECK-NEXT: cb_push_back(cb0, 1);
func.func @branch__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %y = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %3 = arith.constant 3 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  ttkernel.pack_tile(%0, %y, %0) : (i32, !cb, i32) -> ()
  scf.for %k = %i0 to %i4 step %i1 {
    %on = arith.constant 1 : i32
    %first = arith.cmpi eq, %k, %i0 : index
    scf.if %first {
      ttkernel.pack_reconfig_l1_acc(%on) : (i32) -> ()
      ttkernel.pack_tile(%1, %y, %0) : (i32, !cb, i32) -> ()
      ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
    } else {
      ttkernel.pack_reconfig_l1_acc(%1) : (i32) -> ()
      ttkernel.pack_tile(%2, %y, %0) : (i32, !cb, i32) -> ()
      ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
    }
  }
  ttkernel.pack_reconfig_l1_acc(%1) : (i32) -> ()
  ttkernel.pack_tile(%3, %y, %0) : (i32, !cb, i32) -> ()
  ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
  ttkernel.cb_push_back(%y, %1) : (!cb, i32) -> ()
  return
}

// The loop also stores without adding, so the accumulation ends in each iteration, before the branch.
// CHECK-LABEL: //--- mixed_compute.cpp
// CHECK: pack_reconfig_l1_acc(accumulate);
// CHECK-NEXT: pack_tile<true>(0, cb0, 0);
// CHECK-NEXT: pack_reconfig_l1_acc(0);
// CHECK-NEXT: if (
// CHECK-NEXT: pack_tile<true>(1, cb1, 0);
// CHECK-NOT: pack_reconfig_l1_acc
func.func @mixed__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %y = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %z = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %last = scf.for %k = %i0 to %i4 step %i1 iter_args(%flag = %0) -> i32 {
    ttkernel.pack_reconfig_l1_acc(%flag) : (i32) -> ()
    ttkernel.pack_tile(%0, %y, %0) : (i32, !cb, i32) -> ()
    ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
    %first = arith.cmpi eq, %k, %i0 : index
    scf.if %first {
      ttkernel.pack_tile(%1, %z, %0) : (i32, !cb, i32) -> ()
    }
    scf.yield %1 : i32
  }
  return
}

// An scf.while has two regions.
// CHECK-LABEL: //--- while_compute.cpp
// CHECK: while (true) {
// CHECK: pack_reconfig_l1_acc(accumulate);
// CHECK-NEXT: pack_tile<true>(0, cb0, 0);
// CHECK-NOT: pack_reconfig_l1_acc
// CHECK: accumulate = 1;
// CHECK: }
// CHECK-NEXT: pack_reconfig_l1_acc(0);
// CHECK-NEXT: }
func.func @while__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %y = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %4 = arith.constant 4 : i32
  %r:2 = scf.while (%k = %0, %flag = %0) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %k, %4 : i32
    scf.condition(%more) %k, %flag : i32, i32
  } do {
  ^bb0(%k: i32, %flag: i32):
    ttkernel.pack_reconfig_l1_acc(%flag) : (i32) -> ()
    ttkernel.pack_tile(%0, %y, %0) : (i32, !cb, i32) -> ()
    ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
    %next = arith.addi %k, %1 : i32
    scf.yield %next, %1 : i32, i32
  }
  return
}

// Accumulation is off at a full configuration of the packer.
// CHECK-LABEL: //--- configured_compute.cpp
// CHECK: for (
// CHECK-NEXT: unary_bcast_init<BroadcastType::ROW>(cb0, cb1);
// CHECK-NEXT: pack_reconfig_l1_acc(1);
// CHECK-NEXT: pack_tile<true>(0, cb1, 0);
// CHECK-NEXT: pack_reconfig_l1_acc(0);
// CHECK-NEXT: }
func.func @configured__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  scf.for %k = %i0 to %i4 step %i1 {
    ttkernel.unary_bcast_init(%a, %y) {bcast_type = #ttkernel.bcast_type<row>} : (!cb, !cb) -> ()
    ttkernel.pack_reconfig_l1_acc(%1) : (i32) -> ()
    ttkernel.pack_tile(%0, %y, %0) : (i32, !cb, i32) -> ()
    ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
  }
  return
}

// Two consecutive stores into two blocks add, so the accumulation stays on between them.
// CHECK-LABEL: //--- stores_compute.cpp
// CHECK: pack_reconfig_l1_acc(1);
// CHECK-NEXT: pack_tile<true>(0, cb0, 0);
// CHECK-NEXT: tile_regs_release();
// CHECK-NEXT: tile_regs_acquire();
// CHECK-NEXT: pack_tile<true>(1, cb1, 0);
// CHECK-NEXT: pack_reconfig_l1_acc(0);
// CHECK-NEXT: tile_regs_release();
// CHECK-NEXT: pack_tile_block(0, cb1, 2);
func.func @stores__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %y = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %z = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  ttkernel.pack_reconfig_l1_acc(%1) : (i32) -> ()
  ttkernel.pack_tile(%0, %y, %0) : (i32, !cb, i32) -> ()
  ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.pack_reconfig_l1_acc(%1) : (i32) -> ()
  ttkernel.pack_tile(%1, %z, %0) : (i32, !cb, i32) -> ()
  ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  ttkernel.pack_tile_block(%0, %z, %2) : (i32, !cb, i32) -> ()
  return
}

// A loop that is entered with one setting and left with another is not changed.
// CHECK-LABEL: //--- open_compute.cpp
// CHECK: for (
// CHECK-NEXT: pack_tile<true>(0, cb0, 0);
// CHECK-NEXT: pack_reconfig_l1_acc(1);
// CHECK-NEXT: }
// CHECK-NEXT: pack_reconfig_l1_acc(0);
// CHECK-NEXT: pack_reconfig_l1_acc(0);
func.func @open__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %y = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  scf.for %k = %i0 to %i4 step %i1 {
    ttkernel.pack_tile(%0, %y, %0) : (i32, !cb, i32) -> ()
    ttkernel.pack_reconfig_l1_acc(%1) : (i32) -> ()
  }
  ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
  ttkernel.pack_reconfig_l1_acc(%0) : (i32) -> ()
  return
}
