// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s
// RUN: ttl-translate --ttkernel-to-cpp %s | python3 %S/Inputs/check-cpp.py

// At most 255 transfers may be outstanding under one transfer id.

!cb = !ttkernel.cb<512, !ttcore.tile<32x32, f32>>
!args = !ttkernel.TensorAccessorArgs
!accessor = !ttkernel.TensorAccessor

// CHECK-LABEL: //--- few_reader.cpp
// CHECK: for (int32_t i = 0; i < 255; ++i) {
// CHECK: noc_async_read_page(
// CHECK-NOT: if (
// CHECK: noc_async_read_barrier_with_trid(1);
func.func @few__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = arith.constant 4096 : i32
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = tensor<32x32xf32>} : () -> !args
  %t = ttkernel.TensorAccessor(%args, %c0, %size) : (!args, i32, i32) -> !accessor
  %ptr = ttkernel.get_write_ptr(%a) : (!cb) -> i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %n = arith.constant 255 : index
  ttkernel.noc_async_read_set_trid(%c1) : (i32) -> ()
  scf.for %i = %i0 to %n step %i1 {
    ttkernel.noc_async_read_page(%c0, %t, %ptr) : (i32, !accessor, i32) -> ()
  }
  ttkernel.noc_async_read_barrier_with_trid(%c1) : (i32) -> ()
  return
}

// A barrier after every 25 rows of 10 pages. Reads and writes are counted separately.
// CHECK-LABEL: //--- rows_reader.cpp
// CHECK: for (int32_t i = 0; i < 40; ++i) {
// CHECK: for (int32_t j = 0; j < 10; ++j) {
// CHECK: noc_async_read_page(
// CHECK: noc_async_write_page(
// CHECK: }
// CHECK: if (i % 25 == 24) {
// CHECK-NEXT: noc_async_read_barrier();
// CHECK-NEXT: }
// CHECK-NEXT: if (i % 25 == 24) {
// CHECK-NEXT: noc_async_write_barrier();
// CHECK-NEXT: }
// CHECK: noc_async_read_barrier_with_trid(1);
func.func @rows__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %size = arith.constant 4096 : i32
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = tensor<32x32xf32>} : () -> !args
  %t = ttkernel.TensorAccessor(%args, %c0, %size) : (!args, i32, i32) -> !accessor
  %ptr = ttkernel.get_write_ptr(%a) : (!cb) -> i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %n = arith.constant 40 : index
  %m = arith.constant 10 : index
  ttkernel.noc_async_read_set_trid(%c1) : (i32) -> ()
  scf.for %i = %i0 to %n step %i1 {
    scf.for %j = %i0 to %m step %i1 {
      ttkernel.noc_async_read_page(%c0, %t, %ptr) : (i32, !accessor, i32) -> ()
      ttkernel.noc_async_write_page(%c0, %t, %ptr) : (i32, !accessor, i32) -> ()
    }
  }
  ttkernel.noc_async_read_barrier_with_trid(%c1) : (i32) -> ()
  return
}

// The loop itself waits for its transfers.
// CHECK-LABEL: //--- waits_reader.cpp
// CHECK: for (int32_t i = 0; i < 1000; ++i) {
// CHECK: noc_async_read_page(
// CHECK: noc_async_read_barrier();
// CHECK-NEXT: }
func.func @waits__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %c0 = arith.constant 0 : i32
  %size = arith.constant 4096 : i32
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = tensor<32x32xf32>} : () -> !args
  %t = ttkernel.TensorAccessor(%args, %c0, %size) : (!args, i32, i32) -> !accessor
  %ptr = ttkernel.get_write_ptr(%a) : (!cb) -> i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %i = %i0 to %n step %i1 {
    ttkernel.noc_async_read_page(%c0, %t, %ptr) : (i32, !accessor, i32) -> ()
    ttkernel.noc_async_read_barrier() : () -> ()
  }
  return
}
