// RUN: ttl-opt %s --ttkernel-to-llvm | FileCheck %s

// The source position is stored where it changes, not before every call.

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, f32>>

// CHECK-LABEL: llvm.func @line_by_line(
// CHECK:         llvm.call @ttl_jit_at(
// CHECK:         llvm.call @ttl_hw_cb_wait_front(
// CHECK-NOT:     @ttl_jit_at(
// CHECK:         llvm.call @ttl_hw_cb_wait_front(
// CHECK:         llvm.call @ttl_jit_at(
// CHECK:         llvm.call @ttl_hw_cb_pop_front(
// CHECK-NOT:     @ttl_jit_at(
// CHECK:         llvm.return
func.func @line_by_line() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %n = arith.constant 1 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  ttkernel.cb_wait_front(%cb, %n) : (!cb, i32) -> () loc("a.py":4:5)
  ttkernel.cb_wait_front(%cb, %n) : (!cb, i32) -> () loc("a.py":4:5)
  ttkernel.cb_pop_front(%cb, %n) : (!cb, i32) -> () loc("a.py":5:5)
  return
}

// A position before a branch is stored in the only block to which the branch leads, but not at the
// head of a loop, nor after a step, because the step's slow path stores the loop's position.
// CHECK-LABEL: llvm.func @across_blocks(
// CHECK:         llvm.call @ttl_jit_at(
// CHECK:         llvm.call @ttl_hw_cb_wait_front(
// CHECK:         llvm.cond_br
// CHECK-NOT:     @ttl_jit_at(
// CHECK:         llvm.call @ttl_hw_cb_pop_front(
// CHECK:         llvm.cond_br
// CHECK:         llvm.call @ttl_jit_at(
// CHECK:         llvm.call @ttl_hw_cb_push_back(
// CHECK:         llvm.call @ttl_jit_step(
func.func @across_blocks() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %n = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %x = ttkernel.my_logical_x_ : () -> index loc("a.py":4:5)
  %left = arith.cmpi eq, %x, %c0 : index
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  ttkernel.cb_wait_front(%cb, %n) : (!cb, i32) -> () loc("a.py":4:5)
  scf.if %left {
    ttkernel.cb_pop_front(%cb, %n) : (!cb, i32) -> () loc("a.py":4:5)
  }
  scf.for %i = %c0 to %c9 step %c1 {
    ttkernel.cb_push_back(%cb, %n) : (!cb, i32) -> () loc("a.py":4:5)
  } loc("a.py":3:1)
  return
}
