// An element-wise addition: C++ of all three threads, with names from the program and from locations.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

#loc_a = loc("a"("add.py":9:9))
#loc_b = loc("b"("add.py":9:12))
#loc_y = loc("y"("add.py":9:15))
#reserve_a = loc("a_blk"("add.py":18:18))
#reserve_b = loc("b_blk"("add.py":18:44))
#copy_a = loc("a_xf"("add.py":19:17))
#copy_b = loc("add.py":20:17)
#wait_y = loc("add.py":37:18)
#store = loc("add.py":28:17)

#dram = #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>
!tile = !ttcore.tile<32x32, f32>
!cb = !ttkernel.cb<4, !tile>
!dfb = !ttl.cb<[2, 1], !tile, 2>
!tensor = tensor<256x256xf32, #dram>
!args = !ttkernel.TensorAccessorArgs
!acc = !ttkernel.TensorAccessor

ttl.program @add(%a: !tensor loc(#loc_a), %b: !tensor loc(#loc_b), %y: !tensor loc(#loc_y))
    attributes {grid = #ttcore.grid<8x8>} {
  %a_dfb = ttl.create_cb "a_dfb" {buffer_index = 0 : i32, page_size = 4096 : i64, address = 103424 : i64} : !dfb
  %b_dfb = ttl.create_cb "b_dfb" {buffer_index = 1 : i32, page_size = 4096 : i64, address = 119808 : i64} : !dfb
  %y_dfb = ttl.create_cb "y_dfb" {buffer_index = 2 : i32, page_size = 4096 : i64, address = 136192 : i64} : !dfb
  ttl.thread @add__reader on riscv_1 (%a_dfb, %b_dfb, %a, %b) : !dfb, !dfb, !tensor, !tensor
  ttl.thread @add__compute on compute (%a_dfb, %b_dfb, %y_dfb) : !dfb, !dfb, !dfb
  ttl.thread @add__writer on riscv_0 (%y_dfb, %y) : !dfb, !tensor
}

func.func @add__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i4096 = arith.constant 4096 : i32
  %a_dfb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %b_dfb = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %a_args = ttkernel.TensorAccessorArgs {cta_offset = 3 : i32, crta_offset = 0 : i32, tensor_type = !tensor} : () -> !args loc(#loc_a)
  %a_base = ttkernel.get_common_arg_val(%i0) : (i32) -> i32 loc(#loc_a)
  %a = ttkernel.TensorAccessor(%a_args, %a_base, %i4096) : (!args, i32, i32) -> !acc loc(#loc_a)
  %b_args = ttkernel.TensorAccessorArgs {cta_offset = 4 : i32, crta_offset = 1 : i32, tensor_type = !tensor} : () -> !args loc(#loc_b)
  %b_base = ttkernel.get_common_arg_val(%i1) : (i32) -> i32 loc(#loc_b)
  %b = ttkernel.TensorAccessor(%b_args, %b_base, %i4096) : (!args, i32, i32) -> !acc loc(#loc_b)
  %x = ttkernel.my_logical_x_ : () -> index loc("add.py":14:26)
  %node_x = arith.index_cast %x : index to i32 loc("node_x"("add.py":14:26))
  %column0 = arith.index_cast %node_x : i32 to index loc("add.py":16:9)
  "scf.for"(%column0, %c8, %c8) ({
  ^bb0(%column: index loc("column"("add.py":16:9))):
    %col = arith.index_cast %column : index to i32 loc("column"("add.py":16:9))
    %row = ttl.int_mul %col, %i2 loc("row"("add.py":17:13))
    %row_index = arith.index_cast %row : i32 to index loc("add.py":19:30)
    ttkernel.cb_reserve_back(%a_dfb, %i2) : (!cb, i32) -> () loc(#reserve_a)
    ttkernel.cb_reserve_back(%b_dfb, %i2) : (!cb, i32) -> () loc(#reserve_b)
    ttl.check_index %row_index {size = 2 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "a"} loc(#copy_a)
    ttkernel.noc_async_read_set_trid(%i1) : (i32) -> () loc(#copy_a)
    %a_ptr = ttkernel.get_write_ptr(%a_dfb) : (!cb) -> i32 loc(#reserve_a)
    scf.for %t = %c0 to %c2 step %c1 {
      %r = arith.addi %row_index, %t : index loc(#copy_a)
      %line = arith.muli %r, %c8 : index loc(#copy_a)
      %p = arith.addi %line, %column : index loc(#copy_a)
      %page = arith.index_cast %p : index to i32 loc(#copy_a)
      %n = arith.index_cast %t : index to i32 loc(#copy_a)
      %offset = arith.muli %n, %i4096 : i32 loc(#copy_a)
      %address = arith.addi %a_ptr, %offset : i32 loc(#copy_a)
      ttkernel.noc_async_read_page(%page, %a, %address) : (i32, !acc, i32) -> () loc(#copy_a)
    } loc(#copy_a)
    ttkernel.noc_async_read_set_trid(%i2) : (i32) -> () loc(#copy_b)
    %b_ptr = ttkernel.get_write_ptr(%b_dfb) : (!cb) -> i32 loc(#reserve_b)
    ttkernel.noc_async_read_page(%row, %b, %b_ptr) : (i32, !acc, i32) -> () loc(#copy_b)
    ttkernel.noc_async_read_barrier_with_trid(%i1) : (i32) -> () loc("add.py":21:17)
    ttkernel.noc_async_read_barrier_with_trid(%i2) : (i32) -> () loc("add.py":22:17)
    ttkernel.cb_push_back(%b_dfb, %i2) : (!cb, i32) -> () loc(#reserve_b)
    ttkernel.cb_push_back(%a_dfb, %i2) : (!cb, i32) -> () loc(#reserve_a)
    scf.yield
  }) : (index, index, index) -> () loc("add.py":16:9)
  func.return
} loc("add.py":13:5)

func.func @add__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !cb
  ttkernel.init_sfpu(%a, %y) : (!cb, !cb) -> () loc("add.py":25:5)
  ttkernel.cb_wait_front(%a, %i2) : (!cb, i32) -> () loc("add.py":27:18)
  ttkernel.cb_wait_front(%b, %i2) : (!cb, i32) -> () loc("add.py":27:43)
  ttkernel.cb_reserve_back(%y, %i2) : (!cb, i32) -> () loc("add.py":27:70)
  ttkernel.tile_regs_acquire() : () -> () loc(#store)
  ttkernel.copy_tile_init(%a) : (!cb) -> () loc(#store)
  ttkernel.copy_tile(%a, %i0, %i0) : (!cb, i32, i32) -> () loc(#store)
  ttkernel.copy_tile(%a, %i1, %i2) : (!cb, i32, i32) -> () loc(#store)
  ttkernel.copy_tile_init(%b) : (!cb) -> () loc(#store)
  ttkernel.copy_tile(%b, %i0, %i1) : (!cb, i32, i32) -> () loc(#store)
  ttkernel.copy_tile(%b, %i1, %i3) : (!cb, i32, i32) -> () loc(#store)
  ttkernel.add_binary_tile_init() : () -> () loc(#store)
  ttkernel.add_binary_tile(%i0, %i1, %i0) : (i32, i32, i32) -> () loc(#store)
  ttkernel.add_binary_tile(%i2, %i3, %i1) : (i32, i32, i32) -> () loc(#store)
  ttkernel.tile_regs_commit() : () -> () loc(#store)
  ttkernel.tile_regs_wait() : () -> () loc(#store)
  ttkernel.pack_tile(%i0, %y, %i0) : (i32, !cb, i32) -> () loc(#store)
  ttkernel.pack_tile(%i1, %y, %i1) : (i32, !cb, i32) -> () loc(#store)
  ttkernel.tile_regs_release() : () -> () loc(#store)
  ttkernel.cb_push_back(%y, %i2) : (!cb, i32) -> () loc("add.py":27:70)
  ttkernel.cb_pop_front(%b, %i2) : (!cb, i32) -> () loc("add.py":27:43)
  ttkernel.cb_pop_front(%a, %i2) : (!cb, i32) -> () loc("add.py":27:18)
  func.return
} loc("add.py":25:5)

func.func @add__writer() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i4096 = arith.constant 4096 : i32
  %y_dfb = ttkernel.get_compile_time_arg_val(2) : () -> !cb
  %y_args = ttkernel.TensorAccessorArgs {cta_offset = 3 : i32, crta_offset = 0 : i32, tensor_type = !tensor} : () -> !args loc(#loc_y)
  %y_base = ttkernel.get_common_arg_val(%i0) : (i32) -> i32 loc(#loc_y)
  %y = ttkernel.TensorAccessor(%y_args, %y_base, %i4096) : (!args, i32, i32) -> !acc loc(#loc_y)
  ttkernel.cb_wait_front(%y_dfb, %i1) : (!cb, i32) -> () loc(#wait_y)
  %y_ptr = ttkernel.get_read_ptr(%y_dfb) : (!cb) -> i32 loc("y_blk"(#wait_y))
  ttkernel.noc_async_write_set_trid(%i1) : (i32) -> () loc("add.py":38:17)
  ttkernel.noc_async_write_page(%i0, %y, %y_ptr) : (i32, !acc, i32) -> () loc("add.py":38:17)
  ttkernel.noc_async_write_barrier_with_trid(%i1) : (i32) -> () loc("add.py":38:17)
  ttkernel.cb_pop_front(%y_dfb, %i1) : (!cb, i32) -> () loc(#wait_y)
  func.return
} loc("add.py":34:5)

//      CHECK://--- add_reader.cpp
// CHECK-NEXT:// Thread 'reader' of kernel 'add', add.py:13.
// CHECK-NEXT:// Made by ttl-jit.
// CHECK-EMPTY:
// CHECK-NEXT:#include <cstdint>
// CHECK-EMPTY:
// CHECK-NEXT:#include "api/dataflow/dataflow_api.h"
// CHECK-NEXT:#include "api/tensor/tensor_accessor.h"
// CHECK-EMPTY:
// CHECK-NEXT:void kernel_main() {
// CHECK-NEXT:  constexpr uint32_t a_dfb = get_compile_time_arg_val(0);
// CHECK-NEXT:  constexpr uint32_t b_dfb = get_compile_time_arg_val(1);
// CHECK-NEXT:  constexpr auto a_args = TensorAccessorArgs<3>();
// CHECK-NEXT:  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
// CHECK-NEXT:  constexpr uint32_t a_page_bytes = 4096;
// CHECK-NEXT:  constexpr uint32_t b_page_bytes = 4096;
// CHECK-EMPTY:
// CHECK-NEXT:  // add.py:9
// CHECK-NEXT:  uint32_t a_addr = get_common_arg_val<uint32_t>(0);
// CHECK-NEXT:  const auto a_accessor = TensorAccessor(a_args, a_addr, a_page_bytes);
// CHECK-NEXT:  uint32_t b_addr = get_common_arg_val<uint32_t>(1);
// CHECK-NEXT:  const auto b_accessor = TensorAccessor(b_args, b_addr, b_page_bytes);
// CHECK-NEXT:  // add.py:14
// CHECK-NEXT:  int32_t node_x = get_absolute_logical_x();
// CHECK-NEXT:  // add.py:16
// CHECK-NEXT:  for (int32_t column = node_x; column < 8; column += 8) {
// CHECK-NEXT:    // add.py:17
// CHECK-NEXT:    int32_t row = column * 2;
// CHECK-NEXT:    // add.py:18
// CHECK-NEXT:    cb_reserve_back(a_dfb, 2);
// CHECK-NEXT:    cb_reserve_back(b_dfb, 2);
// CHECK-NEXT:    // add.py:19
// CHECK-NEXT:    noc_async_read_set_trid(1);
// CHECK-NEXT:    uint32_t a_blk_ptr = get_write_ptr(a_dfb);
// CHECK-NEXT:    for (int32_t j = 0; j < 2; ++j) {
// CHECK-NEXT:      noc_async_read_page((row + j) * 8 + column, a_accessor, a_blk_ptr + j * a_page_bytes);
// CHECK-NEXT:    }
// CHECK-NEXT:    // add.py:20
// CHECK-NEXT:    noc_async_read_set_trid(2);
// CHECK-NEXT:    uint32_t b_blk_ptr = get_write_ptr(b_dfb);
// CHECK-NEXT:    noc_async_read_page(row, b_accessor, b_blk_ptr);
// CHECK-NEXT:    // add.py:21
// CHECK-NEXT:    noc_async_read_barrier_with_trid(1);
// CHECK-NEXT:    // add.py:22
// CHECK-NEXT:    noc_async_read_barrier_with_trid(2);
// CHECK-NEXT:    cb_push_back(b_dfb, 2);
// CHECK-NEXT:    cb_push_back(a_dfb, 2);
// CHECK-NEXT:  }
// CHECK-NEXT:}

//      CHECK://--- add_compute.cpp
// CHECK-NEXT:// Thread 'compute' of kernel 'add', add.py:25.
// CHECK-NEXT:// Made by ttl-jit.
// CHECK-EMPTY:
// CHECK-NEXT:#include <cstdint>
// CHECK-EMPTY:
// CHECK-NEXT:#include "api/compute/cb_api.h"
// CHECK-NEXT:#include "api/compute/common.h"
// CHECK-NEXT:#include "api/compute/eltwise_binary_sfpu.h"
// CHECK-NEXT:#include "api/compute/eltwise_unary/eltwise_unary.h"
// CHECK-NEXT:#include "api/compute/pack.h"
// CHECK-NEXT:#include "api/compute/reg_api.h"
// CHECK-NEXT:#include "api/compute/tile_move_copy.h"
// CHECK-EMPTY:
// CHECK-NEXT:void kernel_main() {
// CHECK-NEXT:  constexpr uint32_t a_dfb = get_compile_time_arg_val(0);
// CHECK-NEXT:  constexpr uint32_t b_dfb = get_compile_time_arg_val(1);
// CHECK-NEXT:  constexpr uint32_t y_dfb = get_compile_time_arg_val(2);
// CHECK-EMPTY:
// CHECK-NEXT:  // add.py:25
// CHECK-NEXT:  init_sfpu(a_dfb, y_dfb);
// CHECK-NEXT:  // add.py:27
// CHECK-NEXT:  cb_wait_front(a_dfb, 2);
// CHECK-NEXT:  cb_wait_front(b_dfb, 2);
// CHECK-NEXT:  cb_reserve_back(y_dfb, 2);
// CHECK-NEXT:  // add.py:28
// CHECK-NEXT:  tile_regs_acquire();
// CHECK-NEXT:  copy_tile_init(a_dfb);
// CHECK-NEXT:  copy_tile(a_dfb, 0, 0);
// CHECK-NEXT:  copy_tile(a_dfb, 1, 2);
// CHECK-NEXT:  copy_tile_init(b_dfb);
// CHECK-NEXT:  copy_tile(b_dfb, 0, 1);
// CHECK-NEXT:  copy_tile(b_dfb, 1, 3);
// CHECK-NEXT:  add_binary_tile_init();
// CHECK-NEXT:  add_binary_tile(0, 1, 0);
// CHECK-NEXT:  add_binary_tile(2, 3, 1);
// CHECK-NEXT:  tile_regs_commit();
// CHECK-NEXT:  tile_regs_wait();
// CHECK-NEXT:  pack_tile<true>(0, y_dfb, 0);
// CHECK-NEXT:  pack_tile<true>(1, y_dfb, 1);
// CHECK-NEXT:  tile_regs_release();
// CHECK-NEXT:  cb_push_back(y_dfb, 2);
// CHECK-NEXT:  cb_pop_front(b_dfb, 2);
// CHECK-NEXT:  cb_pop_front(a_dfb, 2);
// CHECK-NEXT:}

//      CHECK://--- add_writer.cpp
// CHECK-NEXT:// Thread 'writer' of kernel 'add', add.py:34.
// CHECK-NEXT:// Made by ttl-jit.
// CHECK-EMPTY:
// CHECK-NEXT:#include <cstdint>
// CHECK-EMPTY:
// CHECK-NEXT:#include "api/dataflow/dataflow_api.h"
// CHECK-NEXT:#include "api/tensor/tensor_accessor.h"
// CHECK-EMPTY:
// CHECK-NEXT:void kernel_main() {
// CHECK-NEXT:  constexpr uint32_t y_dfb = get_compile_time_arg_val(2);
// CHECK-NEXT:  constexpr auto y_args = TensorAccessorArgs<3>();
// CHECK-NEXT:  constexpr uint32_t y_page_bytes = 4096;
// CHECK-EMPTY:
// CHECK-NEXT:  // add.py:9
// CHECK-NEXT:  uint32_t y_addr = get_common_arg_val<uint32_t>(0);
// CHECK-NEXT:  const auto y_accessor = TensorAccessor(y_args, y_addr, y_page_bytes);
// CHECK-NEXT:  // add.py:37
// CHECK-NEXT:  cb_wait_front(y_dfb, 1);
// CHECK-NEXT:  uint32_t y_blk_ptr = get_read_ptr(y_dfb);
// CHECK-NEXT:  // add.py:38
// CHECK-NEXT:  noc_async_write_set_trid(1);
// CHECK-NEXT:  noc_async_write_page(0, y_accessor, y_blk_ptr);
// CHECK-NEXT:  noc_async_write_barrier_with_trid(1);
// CHECK-NEXT:  cb_pop_front(y_dfb, 1);
// CHECK-NEXT:}
