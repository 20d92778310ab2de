// C++ of loops with carried values, branches and while loops, and of names that C++ does not allow.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, f32>>

// Names: a keyword, a name that is taken, one that C++ does not allow, and one of an API function.
func.func @names__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i0 = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb loc("cb_wait_front"("k.py":2:1))
  %int = ttkernel.get_arg_val(%i0) : (i32) -> i32 loc("int"("k.py":3:1))
  %n = ttkernel.get_arg_val(%i0) : (i32) -> i32 loc("größe"("k.py":4:1))
  %again = ttkernel.get_arg_val(%i0) : (i32) -> i32 loc("int"("k.py":5:1))
  ttkernel.cb_wait_front(%cb, %int) : (!cb, i32) -> () loc("k.py":6:1)
  ttkernel.cb_wait_front(%cb, %n) : (!cb, i32) -> () loc("k.py":6:1)
  ttkernel.cb_wait_front(%cb, %again) : (!cb, i32) -> () loc("k.py":6:1)
  func.return
} loc("k.py":1:1)

func.func @control__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i7 = arith.constant 7 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb loc("cb"("k.py":2:1))
  %n = ttkernel.get_arg_val(%i0) : (i32) -> i32 loc("n"("k.py":3:1))
  %count = arith.index_cast %n : i32 to index loc("k.py":4:1)
  // The loop exchanges two carried values.
  %fib:2 = scf.for %i = %c0 to %count step %c1 iter_args(%a = %i0, %b = %i1) -> (i32, i32) {
    %next = ttl.int_add %a, %b loc("b"("k.py":5:1))
    scf.yield %b, %next : i32, i32
  } loc("k.py":4:1)
  // The loop only updates its carried value.
  %sum = scf.for %i = %c0 to %count step %c1 iter_args(%acc = %i0) -> (i32) {
    %number = arith.index_cast %i : index to i32 loc("i"("k.py":7:1))
    %square = ttl.int_mul %number, %number loc("square"("k.py":8:1))
    %rest = ttl.int_mod %square, %i7 loc("k.py":9:1)
    %more = ttl.int_add %acc, %rest loc("total"("k.py":9:1))
    scf.yield %more : i32
  } loc("k.py":7:1)
  %small = arith.cmpi slt, %sum, %n : i32 loc("k.py":10:1)
  %positive = arith.cmpi sgt, %sum, %i0 : i32 loc("k.py":10:1)
  %both = arith.andi %small, %positive : i1 loc("k.py":10:1)
  %r = scf.if %both -> (i32) {
    %t = ttl.int_floordiv %sum, %n loc("r"("k.py":11:1))
    scf.yield %t : i32
  } else {
    %zero = arith.cmpi eq, %sum, %i0 : i32 loc("k.py":12:1)
    %inner = scf.if %zero -> (i32) {
      ttkernel.cb_push_back(%cb, %i1) : (!cb, i32) -> () loc("k.py":13:1)
      scf.yield %i7 : i32
    } else {
      %t = ttl.int_sub %sum, %fib#0 loc("k.py":14:1)
      %u = ttl.int_sub %n, %t loc("k.py":14:1)
      scf.yield %u : i32
    } loc("k.py":12:1)
    scf.yield %inner : i32
  } loc("r"("k.py":10:1))
  scf.if %small {
    ttkernel.cb_push_back(%cb, %r) : (!cb, i32) -> () loc("k.py":16:1)
  } else {
    %zero = arith.cmpi eq, %r, %i0 : i32 loc("k.py":17:1)
    scf.if %zero {
      ttkernel.cb_push_back(%cb, %i1) : (!cb, i32) -> () loc("k.py":18:1)
    } loc("k.py":17:1)
  } loc("k.py":15:1)
  %w:2 = scf.while (%at = %r, %steps = %i0) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi ne, %at, %i1 : i32 loc("k.py":20:1)
    scf.condition(%go) %at, %steps : i32, i32
  } do {
  ^bb0(%at: i32, %steps: i32):
    %half = ttl.int_floordiv %at, %i7 loc("at"("k.py":21:1))
    %counted = ttl.int_add %steps, %i1 loc("steps"("k.py":22:1))
    scf.yield %half, %counted : i32, i32
  } loc("k.py":20:1)
  %ok = arith.cmpi sge, %w#1, %i0 : i32 loc("k.py":23:1)
  ttl.assert %ok, "it ends" loc("k.py":23:1)
  ttkernel.cb_push_back(%cb, %w#1) : (!cb, i32) -> () loc("k.py":24:1)
  func.return
} loc("k.py":1:1)

//      CHECK://--- names_reader.cpp
// CHECK-NEXT:// Thread 'reader' of kernel 'names', k.py:1.
// CHECK-NEXT:// Made by ttl-jit.
// CHECK-EMPTY:
// CHECK-NEXT:#include <cstdint>
// CHECK-EMPTY:
// CHECK-NEXT:#include "api/dataflow/dataflow_api.h"
// CHECK-EMPTY:
// CHECK-NEXT:void kernel_main() {
// CHECK-NEXT:  constexpr uint32_t cb_wait_front_ = get_compile_time_arg_val(0);
// CHECK-EMPTY:
// CHECK-NEXT:  // k.py:3
// CHECK-NEXT:  int32_t int_ = get_arg_val<uint32_t>(0);
// CHECK-NEXT:  // k.py:4
// CHECK-NEXT:  int32_t gr_e = get_arg_val<uint32_t>(0);
// CHECK-NEXT:  // k.py:5
// CHECK-NEXT:  int32_t int_2 = get_arg_val<uint32_t>(0);
// CHECK-NEXT:  // k.py:6
// CHECK-NEXT:  cb_wait_front(cb_wait_front_, int_);
// CHECK-NEXT:  cb_wait_front(cb_wait_front_, gr_e);
// CHECK-NEXT:  cb_wait_front(cb_wait_front_, int_2);
// CHECK-NEXT:}

//      CHECK://--- control_reader.cpp
// CHECK-NEXT:// Thread 'reader' of kernel 'control', k.py:1.
// CHECK-NEXT:// Made by ttl-jit.
// CHECK-EMPTY:
// CHECK-NEXT:#include <cstdint>
// CHECK-EMPTY:
// CHECK-NEXT:#include "api/dataflow/dataflow_api.h"
// CHECK-NEXT:#include "api/debug/assert.h"
// CHECK-EMPTY:
// CHECK-NEXT:// Python's a // b: rounds towards minus infinity.
// CHECK-NEXT:inline int32_t ttl_floordiv(int32_t a, int32_t b) {
// CHECK-NEXT:  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:// Python's a % b: has the sign of b.
// CHECK-NEXT:inline int32_t ttl_mod(int32_t a, int32_t b) {
// CHECK-NEXT:  int32_t rest = a % b;
// CHECK-NEXT:  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:void kernel_main() {
// CHECK-NEXT:  constexpr uint32_t cb = get_compile_time_arg_val(0);
// CHECK-EMPTY:
// CHECK-NEXT:  // k.py:3
// CHECK-NEXT:  int32_t n = get_arg_val<uint32_t>(0);
// CHECK-NEXT:  // k.py:4
// CHECK-NEXT:  int32_t carried = 0;
// CHECK-NEXT:  int32_t b = 1;
// CHECK-NEXT:  for (int32_t i = 0; i < n; ++i) {
// CHECK-NEXT:    int32_t next_b = carried + b;
// CHECK-NEXT:    carried = b;
// CHECK-NEXT:    b = next_b;
// CHECK-NEXT:  }
// CHECK-NEXT:  // k.py:7
// CHECK-NEXT:  int32_t total = 0;
// CHECK-NEXT:  for (int32_t i = 0; i < n; ++i) {
// CHECK-NEXT:    // k.py:8
// CHECK-NEXT:    int32_t square = i * i;
// CHECK-NEXT:    // k.py:9
// CHECK-NEXT:    total = total + ttl_mod(square, 7);
// CHECK-NEXT:  }
// CHECK-NEXT:  // k.py:10
// CHECK-NEXT:  bool condition = total < n;
// CHECK-NEXT:  int32_t r;
// CHECK-NEXT:  if (condition && total > 0) {
// CHECK-NEXT:    // k.py:11
// CHECK-NEXT:    r = ttl_floordiv(total, n);
// CHECK-NEXT:  } else {
// CHECK-NEXT:    // k.py:12
// CHECK-NEXT:    int32_t chosen;
// CHECK-NEXT:    if (total == 0) {
// CHECK-NEXT:      // k.py:13
// CHECK-NEXT:      cb_push_back(cb, 1);
// CHECK-NEXT:      chosen = 7;
// CHECK-NEXT:    } else {
// CHECK-NEXT:      chosen = n - (total - carried);
// CHECK-NEXT:    }
// CHECK-NEXT:    r = chosen;
// CHECK-NEXT:  }
// CHECK-NEXT:  // k.py:15
// CHECK-NEXT:  if (condition) {
// CHECK-NEXT:    // k.py:16
// CHECK-NEXT:    cb_push_back(cb, r);
// CHECK-NEXT:  } else if (r == 0) {
// CHECK-NEXT:    // k.py:18
// CHECK-NEXT:    cb_push_back(cb, 1);
// CHECK-NEXT:  }
// CHECK-NEXT:  // k.py:20
// CHECK-NEXT:  int32_t carried2;
// CHECK-NEXT:  int32_t at = r;
// CHECK-NEXT:  int32_t steps = 0;
// CHECK-NEXT:  while (true) {
// CHECK-NEXT:    if (at == 1) {
// CHECK-NEXT:      carried2 = steps;
// CHECK-NEXT:      break;
// CHECK-NEXT:    }
// CHECK-NEXT:    // k.py:21
// CHECK-NEXT:    at = ttl_floordiv(at, 7);
// CHECK-NEXT:    // k.py:22
// CHECK-NEXT:    steps = steps + 1;
// CHECK-NEXT:  }
// CHECK-NEXT:  // k.py:23
// CHECK-NEXT:  ASSERT(carried2 >= 0);
// CHECK-NEXT:  // k.py:24
// CHECK-NEXT:  cb_push_back(cb, carried2);
// CHECK-NEXT:}

// A loop bound with an operator that binds less than `<`, and an unsigned number.
//      CHECK://--- bounds_reader.cpp
//      CHECK:  for (int32_t i = 0; i < (n == 7 ? 6 : 3); ++i) {
// CHECK-NEXT:    // k.py:4
// CHECK-NEXT:    cb_push_back(cb0, i);
// CHECK-NEXT:  }
// CHECK-NEXT:  // k.py:5
// CHECK-NEXT:  ASSERT(static_cast<uint32_t>(n) < 8u);
func.func @bounds__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i3 = arith.constant 3 : i32
  %i6 = arith.constant 6 : i32
  %i7 = arith.constant 7 : i32
  %i8 = arith.constant 8 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %n = ttkernel.get_arg_val(%i0) : (i32) -> i32 loc("n"("k.py":2:1))
  %isSeven = arith.cmpi eq, %n, %i7 : i32 loc("k.py":3:1)
  %end = arith.select %isSeven, %i6, %i3 : i32 loc("k.py":3:1)
  scf.for %i = %i0 to %end step %i1 : i32 {
    ttkernel.cb_push_back(%cb, %i) : (!cb, i32) -> () loc("k.py":4:1)
  } loc("k.py":3:1)
  %inside = arith.cmpi ult, %n, %i8 : i32 loc("k.py":5:1)
  ttl.assert %inside, "inside" loc("k.py":5:1)
  func.return
} loc("k.py":1:1)
