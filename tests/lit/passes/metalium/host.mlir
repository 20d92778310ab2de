// Prints, signposts, single elements, and calls of host functions.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s
// RUN: ttl-translate --ttkernel-to-cpp %s | sed 's/= my_function(/= float(/' | python3 %S/Inputs/check-cpp.py

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, f32>>
!rows = !ttkernel.cb<128, f32>

// CHECK-LABEL: //--- prints_reader.cpp
// CHECK: #include "api/debug/dprint.h"
// CHECK: #include "tools/profiler/kernel_profiler.hpp"
func.func @prints__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %f = arith.constant 0.5 : f32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb loc("a"("k.py":2:1))
  %rows = ttkernel.get_compile_time_arg_val(1) : () -> !rows loc("r"("k.py":2:1))
  %n = ttkernel.get_arg_val(%c0) : (i32) -> i32 loc("n"("k.py":3:1))
  %is = arith.cmpi eq, %n, %c1 : i32
  // CHECK: DPRINT << "n = " << (n) << ", " << SETW(8) << SETPRECISION(3) << FIXED() << (0.5f) << DEFAULTFLOAT() << ENDL();
  ttkernel.dprint("n = {}, {:8.3f}\0A", %n, %f) : (i32, f32) -> ()
  // CHECK: DPRINT << HEX() << (n) << DEC() << ((n == 1) ? "True" : "False");
  ttkernel.dprint("{:x}{}", %n, %is) : (i32, i1) -> ()
  // Braces and quotes in the user's text are printed as they are.
  // CHECK: DPRINT << "\173\175 \"a\"\\" << (n) << ENDL();
  ttkernel.dprint("{{}} \22a\22\\{}\0A", %n) : (i32) -> ()
  // CHECK: for (int32_t tile = 0; tile < 2; ++tile) DPRINT << TSLICE(a, n + tile, SliceRange::hw0_32_8(), TSLICE_INPUT_CB, TSLICE_RD_PTR) << ENDL();
  ttkernel.dprint_block(%cb, %n) {num_pages = 2 : i32} : (!cb, i32) -> ()
  // CHECK: TSLICE(a, 0 + tile, SliceRange::hw0_32_8(), TSLICE_OUTPUT_CB, TSLICE_WR_PTR)
  ttkernel.dprint_block(%cb, %c0) {num_pages = 2 : i32, reserved} : (!cb, i32) -> ()
  // CHECK: DPRINT << "<Block of rows in buffer " << r << ">" << ENDL();
  ttkernel.dprint_block(%rows, %c0) {num_pages = 2 : i32} : (!rows, i32) -> ()
  // CHECK: DPRINT << "<DataflowBuffer " << a << " size=" << get_local_cb_interface(a).fifo_size
  ttkernel.dprint_buffer(%cb) : (!cb) -> ()
  // CHECK: { DeviceZoneScopedN("here"); }
  ttkernel.signpost point "here"
  // A region becomes a C++ scope if no value in it is used after it.
  // CHECK: { DeviceZoneScopedN("zone");
  // CHECK: DPRINT << "inside" << ENDL();
  // CHECK: }
  ttkernel.signpost begin "zone"
  ttkernel.dprint("inside\0A") : () -> ()
  ttkernel.signpost end "zone"
  // CHECK: { DeviceZoneScopedN("used begins"); }
  ttkernel.signpost begin "used"
  %v = ttkernel.load_element(%n) {format = bf16} : (i32) -> f32
  // CHECK: { DeviceZoneScopedN("used ends"); }
  ttkernel.signpost end "used"
  // An integer element is loaded as an integer.
  // CHECK: int32_t [[U16:.*]] = ttl_load_u16(n);
  // CHECK: DPRINT << ([[U16]]) << ENDL();
  %u = ttkernel.load_element(%n) {format = ui16} : (i32) -> f32
  %bits = arith.bitcast %u : f32 to i32
  ttkernel.dprint("{}\0A", %bits) : (i32) -> ()
  // CHECK: ttl_store_f32(n, element);
  ttkernel.store_element(%n, %v) {format = f32} : (i32, f32) -> ()
  // CHECK: float result = my_function(n);
  // CHECK: DPRINT << (result) << ENDL();
  %r = ttkernel.call_host "f" as "i" (%n) {device_function = "my_function"} : (i32) -> f32
  ttkernel.dprint("{}\0A", %r) : (f32) -> ()
  func.return
}

// CHECK-LABEL: //--- prints_compute.cpp
func.func @prints__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %c0 = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb loc("a"("k.py":2:1))
  // CHECK: DPRINT_MATH(DPRINT << "once" << ENDL());
  ttkernel.dprint("once\0A") : () -> ()
  // CHECK: DPRINT_PACK(DPRINT << "packer" << ENDL());
  ttkernel.dprint("packer\0A") {thread = "pack"} : () -> ()
  // CHECK: DPRINT_UNPACK(for (int32_t tile = 0; tile < 2; ++tile) DPRINT << TSLICE(a, 0 + tile, SliceRange::hw0_32_8()) << ENDL());
  ttkernel.dprint_block(%cb, %c0) {num_pages = 2 : i32} : (!cb, i32) -> ()
  func.return
}
