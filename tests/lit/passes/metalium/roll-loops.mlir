// Consecutive statements of one source line that differ only in numbers become a loop, if that is shorter.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

#line = loc("k.py":3:5)
#other = loc("k.py":4:5)

!cb = !ttkernel.cb<8, !ttcore.tile<32x32, f32>>

// The tile number grows, the register too, from another start. The period is two calls.
// CHECK-LABEL:void kernel_main() {
//      CHECK:  for (int32_t i = 0; i < 4; ++i) {
// CHECK-NEXT:    copy_tile(cb0, i, i + 1);
// CHECK-NEXT:    exp_tile(i * 2 + 1);
// CHECK-NEXT:  }
// CHECK-NEXT:  // k.py:4
// CHECK-NEXT:  abs_tile(1);
// CHECK-NEXT:  abs_tile(2);
// CHECK-NEXT:  abs_tile(3);
// CHECK-NEXT:}
func.func @tiles__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i4 = arith.constant 4 : i32
  %i5 = arith.constant 5 : i32
  %i7 = arith.constant 7 : i32
  %x = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  ttkernel.copy_tile(%x, %i0, %i1) : (!cb, i32, i32) -> () loc(#line)
  ttkernel.exp_tile(%i1) : (i32) -> () loc(#line)
  ttkernel.copy_tile(%x, %i1, %i2) : (!cb, i32, i32) -> () loc(#line)
  ttkernel.exp_tile(%i3) : (i32) -> () loc(#line)
  ttkernel.copy_tile(%x, %i2, %i3) : (!cb, i32, i32) -> () loc(#line)
  ttkernel.exp_tile(%i5) : (i32) -> () loc(#line)
  ttkernel.copy_tile(%x, %i3, %i4) : (!cb, i32, i32) -> () loc(#line)
  ttkernel.exp_tile(%i7) : (i32) -> () loc(#line)
  // Three calls are not longer than a loop.
  ttkernel.abs_tile(%i1) : (i32) -> () loc(#other)
  ttkernel.abs_tile(%i2) : (i32) -> () loc(#other)
  ttkernel.abs_tile(%i3) : (i32) -> () loc(#other)
  func.return
} loc("k.py":1:1)

// Loops that differ in numbers are inside a loop, whose counter they read.
// CHECK-LABEL:void kernel_main() {
//      CHECK:  for (int32_t i = 0; i < 5; ++i) {
// CHECK-NEXT:    // k.py:3
// CHECK-NEXT:    for (int32_t j = 0; j < 3; ++j) {
// CHECK-NEXT:      for (int32_t k = 0; k < 2; ++k) {
// CHECK-NEXT:        matmul_tiles(cb0, cb1, k, i + k + j * 4, j);
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @loops__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i4 = arith.constant 4 : i32
  %i8 = arith.constant 8 : i32
  %x = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  scf.for %i = %c0 to %c5 step %c1 {
    %n = arith.index_cast %i : index to i32 loc(#line)
    scf.for %k = %c0 to %c2 step %c1 {
      %m = arith.index_cast %k : index to i32 loc(#line)
      %s = arith.addi %n, %m : i32 loc(#line)
      ttkernel.matmul_tiles(%x, %y, %m, %s, %i0) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
    } loc(#line)
    scf.for %k = %c0 to %c2 step %c1 {
      %m = arith.index_cast %k : index to i32 loc(#line)
      %s = arith.addi %n, %m : i32 loc(#line)
      %t = arith.addi %s, %i4 : i32 loc(#line)
      ttkernel.matmul_tiles(%x, %y, %m, %t, %i1) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
    } loc(#line)
    scf.for %k = %c0 to %c2 step %c1 {
      %m = arith.index_cast %k : index to i32 loc(#line)
      %s = arith.addi %n, %m : i32 loc(#line)
      %t = arith.addi %s, %i8 : i32 loc(#line)
      ttkernel.matmul_tiles(%x, %y, %m, %t, %i2) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
    } loc(#line)
  } loc("k.py":2:1)
  func.return
} loc("k.py":1:1)

// These are no loop: numbers that do not grow steadily, another buffer, another source line.
// CHECK-LABEL:void kernel_main() {
//  CHECK-NOT:  for
//      CHECK:}
func.func @others__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i5 = arith.constant 5 : i32
  %x = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  ttkernel.exp_tile(%i0) : (i32) -> () loc(#line)
  ttkernel.exp_tile(%i1) : (i32) -> () loc(#line)
  ttkernel.exp_tile(%i3) : (i32) -> () loc(#line)
  ttkernel.exp_tile(%i5) : (i32) -> () loc(#line)
  ttkernel.copy_tile(%x, %i0, %i0) : (!cb, i32, i32) -> () loc(#line)
  ttkernel.copy_tile(%x, %i1, %i1) : (!cb, i32, i32) -> () loc(#line)
  ttkernel.copy_tile(%y, %i2, %i2) : (!cb, i32, i32) -> () loc(#line)
  ttkernel.copy_tile(%y, %i3, %i3) : (!cb, i32, i32) -> () loc(#line)
  ttkernel.abs_tile(%i0) : (i32) -> () loc(#line)
  ttkernel.abs_tile(%i1) : (i32) -> () loc(#line)
  ttkernel.abs_tile(%i2) : (i32) -> () loc(#other)
  ttkernel.abs_tile(%i3) : (i32) -> () loc(#other)
  func.return
} loc("k.py":1:1)
