// A loop's carried values must change at the same time, also if a helper that is written at its use
// computes the new value. Unsigned operators keep their meaning. Text in a
// comment cannot end the comment.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, f32>>

// CHECK-LABEL:void kernel_main() {
//      CHECK:  for (int32_t i = 0; i < 5; ++i) {
// CHECK-NEXT:    int32_t next = ttl_mod(carried, 7);
// CHECK-NEXT:    carried = carried2;
// CHECK-NEXT:    carried2 = next;
// CHECK-NEXT:  }
func.func @swap__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i7 = arith.constant 7 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %pair:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %i0, %b = %i1) -> (i32, i32) {
    %rest = ttl.int_mod %a, %i7 loc("k.py":2:1)
    scf.yield %b, %rest : i32, i32
  } loc("k.py":1:1)
  ttkernel.cb_wait_front(%cb, %pair#0) : (!cb, i32) -> () loc("k.py":3:1)
  ttkernel.cb_wait_front(%cb, %pair#1) : (!cb, i32) -> () loc("k.py":3:1)
  func.return
} loc("k.py":1:1)

// CHECK-LABEL:void kernel_main() {
//      CHECK:  // k .py:3
// CHECK-NEXT:  cb_wait_front(cb0, static_cast<int32_t>(static_cast<uint32_t>(arg) / static_cast<uint32_t>(arg2)));
// CHECK-NEXT:  ASSERT(arg == arg2);
func.func @bits__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i0 = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %n = ttkernel.get_arg_val(%i0) : (i32) -> i32 loc("k.py":1:1)
  %m = ttkernel.get_arg_val(%i0) : (i32) -> i32 loc("k.py":2:1)
  %q = arith.divui %n, %m : i32 loc("k.py":3:1)
  ttkernel.cb_wait_front(%cb, %q) : (!cb, i32) -> () loc("k\0A.py":3:1)
  %holds = arith.cmpi eq, %n, %m : i32 loc("k\0A.py":3:1)
  ttl.assert %holds, "one\0Dline" loc("k\0A.py":3:1)
  func.return
} loc("k.py":1:1)
