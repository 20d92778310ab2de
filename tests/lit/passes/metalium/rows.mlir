// Parts of rows that are in one page: the NoC moves each part by one transfer.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

!cb = !ttkernel.cb<16, ui16>
!dfb = !ttl.cb<[2, 8], ui16, 2>
!tensor = tensor<8x48xui16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
!args = !ttkernel.TensorAccessorArgs
!acc = !ttkernel.TensorAccessor

ttl.program @k(%t: !tensor loc("t"("k.py":1:1))) attributes {grid = #ttcore.grid<1x1>, arch = "blackhole"} {
  %a = ttl.create_cb "a_dfb" {buffer_index = 0 : i32, page_size = 16 : i64, address = 111360 : i64} : !dfb
  ttl.thread @dm on riscv_1 (%a, %t) : !dfb, !tensor
}

// CHECK: inline uint64_t ttl_row_addr(const Accessor &accessor, int32_t row, int32_t offset) {
// CHECK: return accessor.get_noc_addr(row, offset);
// CHECK: void kernel_main()
// CHECK: uint64_t [[FROM:row_addr[^ ]*]] = ttl_row_addr(t_accessor, 3, 32);
// CHECK: noc_async_read([[FROM]], a_dfb_ptr, transfer_bytes);
// CHECK: uint64_t [[TO:row_addr[^ ]*]] = ttl_row_addr(t_accessor, 3, 32);
// CHECK: noc_async_write(a_dfb_ptr, [[TO]], transfer_bytes);
func.func @dm() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i3 = arith.constant 3 : i32
  %i16 = arith.constant 16 : i32
  %i32 = arith.constant 32 : i32
  %size = arith.constant 96 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = !tensor} : () -> !args
  %base = ttkernel.get_common_arg_val(%i0) : (i32) -> i32
  %acc = ttkernel.TensorAccessor(%args, %base, %size) : (!args, i32, i32) -> !acc
  ttkernel.cb_reserve_back(%cb, %i1) : (!cb, i32) -> ()
  %address = ttkernel.get_write_ptr(%cb) : (!cb) -> i32
  ttkernel.noc_async_read_row(%i3, %acc, %i32, %i16, %address) {aligned} : (i32, !acc, i32, i32, i32) -> ()
  ttkernel.noc_async_read_barrier() : () -> ()
  ttkernel.noc_async_write_row(%i3, %acc, %i32, %i16, %address) {aligned} : (i32, !acc, i32, i32, i32) -> ()
  ttkernel.noc_async_write_barrier() : () -> ()
  ttkernel.cb_push_back(%cb, %i1) : (!cb, i32) -> ()
  return
}
