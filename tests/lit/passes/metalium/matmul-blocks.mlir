// Loops over products of tiles become products of blocks, if all products of these two buffers have the
// same numbers of tiles.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ttl-translate --ttkernel-to-cpp --metalium=new %s | FileCheck %s --check-prefix=NEW
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py
// RUN: ttl-translate --ttkernel-to-cpp --metalium=old %s | python3 %S/Inputs/check-cpp.py --metalium=old
// RUN: ttl-translate --ttkernel-to-cpp --metalium=new %s | python3 %S/Inputs/check-cpp.py --metalium=new

#line = loc("k.py":3:5)

!cb = !ttkernel.cb<8, !ttcore.tile<32x32, bf16>>

// CHECK-LABEL:void kernel_main() {
//      CHECK:  mm_block_init(cb0, cb1, cb2, 0, 2, 2, 3);
// CHECK-NEXT:  for (int32_t i = 0; i < 3; ++i) {
// CHECK-NEXT:    matmul_block(cb0, cb1, i, i * 2, 0, 0, 2, 2, 3);
// CHECK-NEXT:  }
// CHECK-NEXT:}
// NEW: compute_kernel_hw_startup<SrcOrder::Reverse>(cb0, cb1, cb2);
// NEW-NEXT: matmul_block_init(cb0, cb1, 0, 2, 2, 3);
func.func @block__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i4 = arith.constant 4 : i32
  %i5 = arith.constant 5 : i32
  %i6 = arith.constant 6 : i32
  %i7 = arith.constant 7 : i32
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !cb
  ttkernel.mm_init(%a, %b, %y) : (!cb, !cb, !cb) -> () loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i0 : i32 loc(#line)
    %row = arith.muli %n, %i2 : i32 loc(#line)
    %right = arith.addi %row, %i0 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i0) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i0 : i32 loc(#line)
    %row = arith.muli %n, %i2 : i32 loc(#line)
    %right = arith.addi %row, %i1 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i1) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i3 : i32 loc(#line)
    %row = arith.muli %n, %i2 : i32 loc(#line)
    %right = arith.addi %row, %i0 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i2) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i3 : i32 loc(#line)
    %row = arith.muli %n, %i2 : i32 loc(#line)
    %right = arith.addi %row, %i1 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i3) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  func.return
} loc("k.py":1:1)

// One row of results: a row of the left block has k tiles.
// CHECK-LABEL:void kernel_main() {
//      CHECK:  mm_block_init(cb0, cb1, cb2, 0, 4, 1, 3);
// CHECK-NEXT:  for (int32_t i = 0; i < 3; ++i) {
// CHECK-NEXT:    matmul_block(cb0, cb1, i + 1, i * 4, 2, 0, 4, 1, 3);
// CHECK-NEXT:  }
// CHECK-NEXT:}
func.func @row__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i4 = arith.constant 4 : i32
  %i5 = arith.constant 5 : i32
  %i6 = arith.constant 6 : i32
  %i7 = arith.constant 7 : i32
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !cb
  ttkernel.mm_init(%a, %b, %y) : (!cb, !cb, !cb) -> () loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i1 : i32 loc(#line)
    %row = arith.muli %n, %i4 : i32 loc(#line)
    %right = arith.addi %row, %i0 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i2) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i1 : i32 loc(#line)
    %row = arith.muli %n, %i4 : i32 loc(#line)
    %right = arith.addi %row, %i1 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i3) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i1 : i32 loc(#line)
    %row = arith.muli %n, %i4 : i32 loc(#line)
    %right = arith.addi %row, %i2 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i4) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i1 : i32 loc(#line)
    %row = arith.muli %n, %i4 : i32 loc(#line)
    %right = arith.addi %row, %i3 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i5) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  func.return
} loc("k.py":1:1)

// Products with two rows and with one row read the same buffers, so no single init fits both.
// CHECK-LABEL:void kernel_main() {
//      CHECK:  mm_init(cb0, cb1, cb2);
//  CHECK-NOT:  matmul_block
//      CHECK:}
func.func @mixed__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i4 = arith.constant 4 : i32
  %i5 = arith.constant 5 : i32
  %i6 = arith.constant 6 : i32
  %i7 = arith.constant 7 : i32
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !cb
  ttkernel.mm_init(%a, %b, %y) : (!cb, !cb, !cb) -> () loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i0 : i32 loc(#line)
    %row = arith.muli %n, %i2 : i32 loc(#line)
    %right = arith.addi %row, %i0 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i0) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i0 : i32 loc(#line)
    %row = arith.muli %n, %i2 : i32 loc(#line)
    %right = arith.addi %row, %i1 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i1) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i3 : i32 loc(#line)
    %row = arith.muli %n, %i2 : i32 loc(#line)
    %right = arith.addi %row, %i0 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i2) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i3 : i32 loc(#line)
    %row = arith.muli %n, %i2 : i32 loc(#line)
    %right = arith.addi %row, %i1 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i3) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  ttkernel.tile_regs_acquire() : () -> () loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i0 : i32 loc(#line)
    %row = arith.muli %n, %i2 : i32 loc(#line)
    %right = arith.addi %row, %i0 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i0) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  scf.for %k = %c0 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32 loc(#line)
    %left = arith.addi %n, %i0 : i32 loc(#line)
    %row = arith.muli %n, %i2 : i32 loc(#line)
    %right = arith.addi %row, %i1 : i32 loc(#line)
    ttkernel.matmul_tiles(%a, %b, %left, %right, %i1) : (!cb, !cb, i32, i32, i32) -> () loc(#line)
  } loc(#line)
  func.return
} loc("k.py":1:1)
