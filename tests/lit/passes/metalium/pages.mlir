// Pages that follow each other in a bank of this chip: a helper asks the accessor
// if they do so on the card, too. Tiles before the front have negative numbers.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

#dram = #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>
!tile = !ttcore.tile<32x32, f32>
!cb = !ttkernel.cb<4, !tile>
!dfb = !ttl.cb<[2, 1], !tile, 2>
!tensor = tensor<256x384xf32, #dram>
!wide = tensor<128x4096xf32, #ttl.tensor_encoding<l1, #ttl.layout<interleaved, tile = 32x32>>>
!shards = tensor<256x128xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 4x1, shard = 64x128>>>
!args = !ttkernel.TensorAccessorArgs
!acc = !ttkernel.TensorAccessor

ttl.program @k(%t: !tensor loc("t"("k.py":1:1)), %w: !wide loc("w"("k.py":1:1)), %s: !shards loc("s"("k.py":1:1))) attributes {grid = #ttcore.grid<1x1>, arch = "blackhole"} {
  %a = ttl.create_cb "a_dfb" {buffer_index = 0 : i32, page_size = 4096 : i64, address = 111360 : i64} : !dfb
  ttl.thread @dm on riscv_1 (%a, %t, %w, %s) : !dfb, !tensor, !wide, !shards
}

// CHECK: inline void ttl_read_pages(int32_t page, const Accessor &accessor, uint32_t l1_addr,
// CHECK: noc_async_read(first, l1_addr, count * page_size);
// CHECK: noc_async_read_page(page + i * step, accessor, l1_addr + i * page_size);
// CHECK: inline void ttl_read_shard_pages(int32_t page, const Accessor &accessor, uint32_t l1_addr,
// CHECK: noc_async_read(accessor.get_noc_addr(page), l1_addr, count * page_size);
// CHECK: inline void ttl_write_pages(
// CHECK: noc_async_write(l1_addr, first, count * page_size);
// CHECK: noc_async_write_page(page + i * step, accessor, l1_addr + i * page_size);
// CHECK: inline void ttl_write_shard_pages(int32_t page, const Accessor &accessor, uint32_t l1_addr,
// CHECK: noc_async_write(l1_addr, accessor.get_noc_addr(page), count * page_size);
// CHECK: void kernel_main()
// CHECK: ttl_read_pages(3, t_accessor, a_dfb_ptr, 2, 8, t_page_bytes);
// CHECK: ttl_write_pages(3, t_accessor, a_dfb_ptr, 2, 8, t_page_bytes);
// Each of the chip's 13 x 10 cores is a bank of L1. Pages in a shard need no step.
// CHECK: ttl_read_pages(3, w_accessor, a_dfb_ptr, 2, 130, w_page_bytes);
// CHECK: ttl_read_shard_pages(4, s_accessor, a_dfb_ptr, 2, s_page_bytes);
// CHECK: ttl_write_shard_pages(4, s_accessor, a_dfb_ptr, 2, s_page_bytes);
func.func @dm() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i0 = arith.constant 0 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %size = arith.constant 4096 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = !tensor} : () -> !args
  %base = ttkernel.get_common_arg_val(%i0) : (i32) -> i32
  %acc = ttkernel.TensorAccessor(%args, %base, %size) : (!args, i32, i32) -> !acc
  ttkernel.cb_reserve_back(%cb, %i2) : (!cb, i32) -> ()
  %address = ttkernel.get_write_ptr(%cb) : (!cb) -> i32
  ttkernel.noc_async_read_pages(%i3, %acc, %address, %i2) : (i32, !acc, i32, i32) -> ()
  ttkernel.noc_async_read_barrier() : () -> ()
  ttkernel.noc_async_write_pages(%i3, %acc, %address, %i2) : (i32, !acc, i32, i32) -> ()
  ttkernel.noc_async_write_barrier() : () -> ()
  %i1 = arith.constant 1 : i32
  %i4 = arith.constant 4 : i32
  %w_args = ttkernel.TensorAccessorArgs {crta_offset = 1 : i32, cta_offset = 2 : i32, tensor_type = !wide} : () -> !args
  %w_base = ttkernel.get_common_arg_val(%i1) : (i32) -> i32
  %w_acc = ttkernel.TensorAccessor(%w_args, %w_base, %size) : (!args, i32, i32) -> !acc
  ttkernel.noc_async_read_pages(%i3, %w_acc, %address, %i2) : (i32, !acc, i32, i32) -> ()
  %s_args = ttkernel.TensorAccessorArgs {crta_offset = 2 : i32, cta_offset = 3 : i32, tensor_type = !shards} : () -> !args
  %s_base = ttkernel.get_common_arg_val(%i2) : (i32) -> i32
  %s_acc = ttkernel.TensorAccessor(%s_args, %s_base, %size) : (!args, i32, i32) -> !acc
  ttkernel.noc_async_read_pages(%i4, %s_acc, %address, %i2) : (i32, !acc, i32, i32) -> ()
  ttkernel.noc_async_read_barrier() : () -> ()
  ttkernel.noc_async_write_pages(%i4, %s_acc, %address, %i2) : (i32, !acc, i32, i32) -> ()
  ttkernel.noc_async_write_barrier() : () -> ()
  ttkernel.cb_push_back(%cb, %i2) : (!cb, i32) -> ()
  return
}
