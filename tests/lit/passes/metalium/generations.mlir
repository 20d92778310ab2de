// RUN: ttl-translate --ttkernel-to-cpp --metalium=old %s | FileCheck %s --check-prefix=OLD
// RUN: ttl-translate --ttkernel-to-cpp --metalium=mid %s | FileCheck %s --check-prefix=MID
// RUN: ttl-translate --ttkernel-to-cpp --metalium=new %s | FileCheck %s --check-prefix=NEW
// RUN: ttl-translate --ttkernel-to-cpp --metalium=old %s | python3 %S/Inputs/check-cpp.py --metalium=old
// RUN: ttl-translate --ttkernel-to-cpp --metalium=mid %s | python3 %S/Inputs/check-cpp.py --metalium=mid
// RUN: ttl-translate --ttkernel-to-cpp --metalium=new %s | python3 %S/Inputs/check-cpp.py --metalium=new

// Names, argument orders, headers and entry points depend on the generation of Metalium's API.

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, bf16>>

// OLD: #include "compute_kernel_api/matmul.h"
// MID: #include "api/compute/matmul.h"
// NEW: #include "api/compute/matmul.h"
// OLD: namespace NAMESPACE {
// OLD: void MAIN {
// MID: void kernel_main() {
// NEW: void kernel_main() {
func.func @k__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !cb
  %y = ttkernel.get_compile_time_arg_val(2) : () -> !cb
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  // OLD: mm_init(cb0, cb1, cb2);
  // MID: mm_init(cb0, cb1, cb2);
  // NEW: compute_kernel_hw_startup<SrcOrder::Reverse>(cb0, cb1, cb2);
  // NEW-NEXT: matmul_init(cb0, cb1);
  ttkernel.mm_init(%a, %b, %y) : (!cb, !cb, !cb) -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  // OLD: matmul_tiles(cb0, cb1, 0, 1, 2, 0);
  // MID: matmul_tiles(cb0, cb1, 0, 1, 2);
  // NEW: matmul_tiles(cb0, cb1, 0, 1, 2);
  ttkernel.matmul_tiles(%a, %b, %0, %1, %2) : (!cb, !cb, i32, i32, i32) -> ()
  // OLD: copy_tile_init(cb0);
  // MID: copy_tile_init(cb0);
  // NEW: copy_init(cb0);
  ttkernel.copy_tile_init(%a) : (!cb) -> ()
  ttkernel.copy_tile(%a, %0, %0) : (!cb, i32, i32) -> ()
  // The order of the registers is: to 1, from 0.
  // OLD: copy_dest_values(1, 0);
  // MID: copy_dest_values<DataFormat::Float16_b>(0, 1);
  // NEW: copy_dest_values<DataFormat::Float16_b>(0, 1);
  ttkernel.copy_dest_values_init() : () -> ()
  ttkernel.copy_dest_values(%1, %0) : (i32, i32) -> ()
  // OLD: add_tiles_init(cb0, cb1);
  // MID: add_tiles_init(cb0, cb1);
  // NEW: add_init(cb0, cb1);
  ttkernel.add_tiles_init(%a, %b) : (!cb, !cb) -> ()
  ttkernel.add_tiles(%a, %b, %0, %0, %0) : (!cb, !cb, i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  // OLD: pack_tile_block(0, cb2, 2);
  // MID: pack_tile_block(0, cb2, 2);
  // NEW: pack_block(0, cb2, 2);
  ttkernel.pack_tile_block(%0, %y, %2) : (i32, !cb, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  // OLD: transpose_wh_init_short(cb0);
  // MID: transpose_wh_init_short(cb0);
  // NEW: transpose_init(cb0);
  ttkernel.transpose_wh_init_short(%a) : (!cb) -> ()
  // OLD: unary_bcast_init<BroadcastType::ROW>(cb0, cb2);
  // MID: unary_bcast_init<BroadcastType::ROW>(cb0, cb2);
  // NEW: unary_bcast_init<BroadcastType::ROW>(cb0);
  ttkernel.unary_bcast_init(%a, %y) {bcast_type = #ttkernel.bcast_type<row>} : (!cb, !cb) -> ()
  func.return
}

// OLD: #include "accessor/tensor_accessor.h"
// OLD: #include "dataflow_api.h"
// MID: #include "api/dataflow/dataflow_api.h"
// NEW: #include "api/dataflow/dataflow_api.h"
// OLD: noc_async_read_tile(
// MID: noc_async_read_page(
// NEW: noc_async_read_page(
func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %0 = arith.constant 0 : i32
  %size = arith.constant 2048 : i32
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = tensor<32x32xbf16>} : () -> !ttkernel.TensorAccessorArgs
  %addr = ttkernel.get_common_arg_val(%0) : (i32) -> i32
  %t = ttkernel.TensorAccessor(%args, %addr, %size) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  %ptr = ttkernel.get_write_ptr(%a) : (!cb) -> i32
  ttkernel.noc_async_read_page(%0, %t, %ptr) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  ttkernel.noc_async_read_barrier() : () -> ()
  func.return
}
