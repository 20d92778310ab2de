// Element-wise operations of the matrix engine read buffers directly. Each is preceded by the init
// of its own kind.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

#sum = loc("fpu.py":20:13)
#product = loc("fpu.py":21:13)

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, bf16>>

func.func @fpu__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb loc("a_dfb"("fpu.py":8:13))
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !cb loc("b_dfb"("fpu.py":9:13))
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !cb loc("y_dfb"("fpu.py":10:13))
  ttkernel.binary_op_init_common(%a, %b, %y) : (!cb, !cb, !cb) -> () loc("fpu.py":17:5)
  ttkernel.tile_regs_acquire() : () -> () loc(#sum)
  ttkernel.add_tiles_init(%a, %b) : (!cb, !cb) -> () loc(#sum)
  ttkernel.add_tiles(%a, %b, %i0, %i1, %i0) : (!cb, !cb, i32, i32, i32) -> () loc(#sum)
  ttkernel.sub_tiles_init(%b, %a) : (!cb, !cb) -> () loc(#sum)
  ttkernel.sub_tiles(%b, %a, %i0, %i0, %i1) : (!cb, !cb, i32, i32, i32) -> () loc(#sum)
  ttkernel.mul_tiles_init(%a, %b) : (!cb, !cb) -> () loc(#product)
  ttkernel.mul_tiles(%a, %b, %i1, %i0, %i2) : (!cb, !cb, i32, i32, i32) -> () loc(#product)
  ttkernel.tile_regs_commit() : () -> () loc(#product)
  ttkernel.tile_regs_wait() : () -> () loc(#product)
  ttkernel.pack_tile(%i0, %y, %i0) : (i32, !cb, i32) -> () loc(#product)
  ttkernel.tile_regs_release() : () -> () loc(#product)
  return
} loc("fpu.py":17:5)

//      CHECK:#include "api/compute/common.h"
// CHECK-NEXT:#include "api/compute/eltwise_binary.h"
// CHECK-NEXT:#include "api/compute/pack.h"
// CHECK-NEXT:#include "api/compute/reg_api.h"
// CHECK-EMPTY:
// CHECK-NEXT:void kernel_main() {
// CHECK-NEXT:  constexpr uint32_t a_dfb = get_compile_time_arg_val(0);
// CHECK-NEXT:  constexpr uint32_t b_dfb = get_compile_time_arg_val(1);
// CHECK-NEXT:  constexpr uint32_t y_dfb = get_compile_time_arg_val(2);
// CHECK-EMPTY:
// CHECK-NEXT:  // fpu.py:17
// CHECK-NEXT:  binary_op_init_common(a_dfb, b_dfb, y_dfb);
// CHECK-NEXT:  // fpu.py:20
// CHECK-NEXT:  tile_regs_acquire();
// CHECK-NEXT:  add_tiles_init(a_dfb, b_dfb);
// CHECK-NEXT:  add_tiles(a_dfb, b_dfb, 0, 1, 0);
// CHECK-NEXT:  sub_tiles_init(b_dfb, a_dfb);
// CHECK-NEXT:  sub_tiles(b_dfb, a_dfb, 0, 0, 1);
// CHECK-NEXT:  // fpu.py:21
// CHECK-NEXT:  mul_tiles_init(a_dfb, b_dfb);
// CHECK-NEXT:  mul_tiles(a_dfb, b_dfb, 1, 0, 2);
// CHECK-NEXT:  tile_regs_commit();
// CHECK-NEXT:  tile_regs_wait();
// CHECK-NEXT:  pack_tile<true>(0, y_dfb, 0);
// CHECK-NEXT:  tile_regs_release();
// CHECK-NEXT:}
