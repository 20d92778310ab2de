// A matmul over K that accumulates in L1. Without a ttl.program, locations give the names.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

#mm = loc("acc"("matmul.py":31:25))
#store = loc("matmul.py":32:17)
#a = loc("a_blk"("matmul.py":30:22))
#b = loc("b_blk"("matmul.py":30:45))
#y = loc("y_blk"("matmul.py":28:18))

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, bf16>>

func.func @matmul__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb loc("a_dfb"("matmul.py":12:13))
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !cb loc("b_dfb"("matmul.py":13:13))
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !cb loc("y_dfb"("matmul.py":14:13))
  ttkernel.mm_init(%a, %b, %y) : (!cb, !cb, !cb) -> () loc("matmul.py":26:5)
  ttkernel.cb_reserve_back(%y, %i1) : (!cb, i32) -> () loc(#y)
  scf.for %k = %c0 to %c20 step %c1 {
    %number = arith.index_cast %k : index to i32 loc("k"("matmul.py":29:13))
    %later = arith.cmpi ne, %number, %i0 : i32 loc("later"("matmul.py":31:17))
    %flag = arith.extui %later : i1 to i32 loc(#store)
    ttkernel.cb_wait_front(%a, %i2) : (!cb, i32) -> () loc(#a)
    ttkernel.cb_wait_front(%b, %i2) : (!cb, i32) -> () loc(#b)
    ttkernel.tile_regs_acquire() : () -> () loc(#mm)
    scf.for %t = %c0 to %c1 step %c1 {
      %n = arith.index_cast %t : index to i32 loc(#mm)
      %other = ttl.int_add %n, %i1 loc(#mm)
      ttkernel.matmul_tiles(%a, %b, %n, %n, %i0) : (!cb, !cb, i32, i32, i32) -> () loc(#mm)
      ttkernel.matmul_tiles(%a, %b, %other, %other, %i0) : (!cb, !cb, i32, i32, i32) -> () loc(#mm)
    } loc(#mm)
    ttkernel.tile_regs_commit() : () -> () loc(#store)
    ttkernel.tile_regs_wait() : () -> () loc(#store)
    ttkernel.pack_reconfig_l1_acc(%flag) : (i32) -> () loc(#store)
    ttkernel.pack_tile(%i0, %y, %i0) : (i32, !cb, i32) -> () loc(#store)
    ttkernel.pack_reconfig_l1_acc(%i0) : (i32) -> () loc(#store)
    ttkernel.tile_regs_release() : () -> () loc(#store)
    ttkernel.cb_pop_front(%b, %i2) : (!cb, i32) -> () loc(#b)
    ttkernel.cb_pop_front(%a, %i2) : (!cb, i32) -> () loc(#a)
  } loc("matmul.py":29:13)
  ttkernel.cb_push_back(%y, %i1) : (!cb, i32) -> () loc(#y)
  func.return
} loc("matmul.py":26:5)

//      CHECK://--- matmul_compute.cpp
// CHECK-NEXT:// Thread 'compute' of kernel 'matmul', matmul.py:26.
// CHECK-NEXT:// Made by ttl-jit.
// CHECK-EMPTY:
// CHECK-NEXT:#include <cstdint>
// CHECK-EMPTY:
// CHECK-NEXT:#include "api/compute/cb_api.h"
// CHECK-NEXT:#include "api/compute/common.h"
// CHECK-NEXT:#include "api/compute/matmul.h"
// CHECK-NEXT:#include "api/compute/pack.h"
// CHECK-NEXT:#include "api/compute/reg_api.h"
// CHECK-EMPTY:
// CHECK-NEXT:void kernel_main() {
// CHECK-NEXT:  constexpr uint32_t a_dfb = get_compile_time_arg_val(0);
// CHECK-NEXT:  constexpr uint32_t b_dfb = get_compile_time_arg_val(1);
// CHECK-NEXT:  constexpr uint32_t y_dfb = get_compile_time_arg_val(2);
// CHECK-EMPTY:
// CHECK-NEXT:  // matmul.py:26
// CHECK-NEXT:  mm_init(a_dfb, b_dfb, y_dfb);
// CHECK-NEXT:  // matmul.py:28
// CHECK-NEXT:  cb_reserve_back(y_dfb, 1);
// CHECK-NEXT:  // matmul.py:29
// CHECK-NEXT:  for (int32_t i = 0; i < 20; ++i) {
// CHECK-NEXT:    // matmul.py:31
// CHECK-NEXT:    bool later = i != 0;
// CHECK-NEXT:    // matmul.py:30
// CHECK-NEXT:    cb_wait_front(a_dfb, 2);
// CHECK-NEXT:    cb_wait_front(b_dfb, 2);
// CHECK-NEXT:    // matmul.py:31
// CHECK-NEXT:    tile_regs_acquire();
// CHECK-NEXT:    matmul_tiles(a_dfb, b_dfb, 0, 0, 0);
// CHECK-NEXT:    matmul_tiles(a_dfb, b_dfb, 1, 1, 0);
// CHECK-NEXT:    // matmul.py:32
// CHECK-NEXT:    tile_regs_commit();
// CHECK-NEXT:    tile_regs_wait();
// CHECK-NEXT:    pack_reconfig_l1_acc(static_cast<int32_t>(later));
// CHECK-NEXT:    pack_tile<true>(0, y_dfb, 0);
// CHECK-NEXT:    tile_regs_release();
// CHECK-NEXT:    cb_pop_front(b_dfb, 2);
// CHECK-NEXT:    cb_pop_front(a_dfb, 2);
// CHECK-NEXT:  }
// CHECK-NEXT:  pack_reconfig_l1_acc(0);
// CHECK-NEXT:  cb_push_back(y_dfb, 1);
// CHECK-NEXT:}
