// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --cse --canonicalize | FileCheck %s --check-prefix=KEEP

!tensor = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>

// CHECK-LABEL: func.func @prints
// CSE merges and erases none of these ops.
// KEEP-LABEL: func.func @prints
func.func @prints(%x: !tensor, %cb: !cb, %i: i32, %f: f32, %b: i1) {
  %a = ttl.cb_wait %cb : !block
  // CHECK{LITERAL}: ttl.print "text {{}}\0A"
  // KEEP-COUNT-2: ttl.print "text
  ttl.print "text {{}}\0A"
  ttl.print "text {{}}\0A"
  // CHECK: ttl.print "{} {:>8.3f} {!r:5} {:#x}", %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : i32, f32, i1, i32 {thread = "math"}
  // KEEP: ttl.print
  ttl.print "{} {:>8.3f} {!r:5} {:#x}", %i, %f, %b, %i : i32, f32, i1, i32 {thread = "math"}
  // CHECK: ttl.print_block %{{.+}} {thread = "unpack"} : !block
  // KEEP-COUNT-2: ttl.print_block
  ttl.print_block %a {thread = "unpack"} : !block
  ttl.print_block %a {thread = "unpack"} : !block
  // CHECK: ttl.print_buffer %{{.+}} : !cb
  // KEEP: ttl.print_buffer
  ttl.print_buffer %cb : !cb
  %acc = ttl.tensor_accessor %x : !tensor -> !ttl.accessor<!tensor>
  // CHECK: ttl.print_tensor %{{.+}} pages 3 : !accessor
  // KEEP: ttl.print_tensor
  ttl.print_tensor %acc pages 3 : !ttl.accessor<!tensor>
  // CHECK: ttl.signpost point "here"
  // KEEP: ttl.signpost point "here"
  ttl.signpost point "here"
  // CHECK: ttl.signpost begin "zone"
  // KEEP: ttl.signpost begin "zone"
  ttl.signpost begin "zone"
  // CHECK: ttl.signpost end "zone"
  // KEEP: ttl.signpost end "zone"
  ttl.signpost end "zone"
  return
}

// CHECK-LABEL: func.func @elements
// KEEP-LABEL: func.func @elements
func.func @elements(%cb: !cb, %i: index, %f: f32) -> f32 {
  %a = ttl.cb_wait %cb : !block
  // CHECK: %[[V:.+]] = ttl.element_read %[[A:.+]][%{{.+}}, %{{.+}}] : !block
  // KEEP: %[[V:.+]] = ttl.element_read
  // KEEP-NOT: ttl.element_read
  // KEEP: ttl.element_write
  %v = ttl.element_read %a[%i, %i] : !block
  %same = ttl.element_read %a[%i, %i] : !block
  %sum = arith.addf %v, %same : f32
  // CHECK: ttl.element_write %{{.+}}, %[[A]][%{{.+}}, %{{.+}}] : !block
  ttl.element_write %f, %a[%i, %i] : !block
  // A write between two reads may change the element.
  // KEEP: ttl.element_read
  %new = ttl.element_read %a[%i, %i] : !block
  %all = arith.addf %sum, %new : f32
  return %all : f32
}

// CHECK-LABEL: func.func @host
// KEEP-LABEL: func.func @host
func.func @host(%cb: !cb, %i: i32, %f: f32, %b: i1) {
  %a = ttl.cb_wait %cb : !block
  // CHECK: ttl.call_host "log"(%{{.+}}, %{{.+}}) : (i32, !block) -> ()
  // KEEP: ttl.call_host "log"
  ttl.call_host "log" (%i, %a) : (i32, !block) -> ()
  // CHECK: %{{.+}} = ttl.call_host "cosf" in "libm.so.6"(%{{.+}}) {device_function = "my_cos"} : (f32) -> f32
  // KEEP-COUNT-2: ttl.call_host "cosf"
  %c = ttl.call_host "cosf" in "libm.so.6" (%f) {device_function = "my_cos"} : (f32) -> f32
  %d = ttl.call_host "cosf" in "libm.so.6" (%f) {device_function = "my_cos"} : (f32) -> f32
  // CHECK: ttl.assert %{{.+}}, "{} and {}", %{{.+}}, %{{.+}} : i32, f32
  ttl.assert %b, "{} and {}", %i, %f : i32, f32
  return
}

// CHECK-LABEL: func.func @calls
func.func @calls(%cb: !ttkernel.cb<4, !ttcore.tile<32x32, f32>>, %i: i32, %f: f32, %b: i1,
                 %t: !ttkernel.TensorAccessor) {
  // CHECK: ttkernel.dprint("a {}", %{{.+}}) : (i32) -> ()
  ttkernel.dprint("a {}", %i) : (i32) -> ()
  // CHECK: ttkernel.dprint("a") : () -> ()
  ttkernel.dprint("a") : () -> ()
  // CHECK: ttkernel.dprint_block(%{{.+}}, %{{.+}}) {num_pages = 2 : i32, reserved}
  ttkernel.dprint_block(%cb, %i) {num_pages = 2 : i32, reserved} : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, i32) -> ()
  // CHECK: ttkernel.dprint_buffer(%{{.+}})
  ttkernel.dprint_buffer(%cb) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>) -> ()
  // CHECK: ttkernel.dprint_tensor(%{{.+}}) {num_pages = 1 : i32, tensor_type = tensor<32x64xf32
  ttkernel.dprint_tensor(%t) {num_pages = 1 : i32, tensor_type = !tensor} : (!ttkernel.TensorAccessor) -> ()
  // CHECK: ttkernel.signpost end "zone"
  ttkernel.signpost end "zone"
  // CHECK: ttkernel.load_element(%{{.+}}) {format = bf16} : (i32) -> f32
  %v = ttkernel.load_element(%i) {format = bf16} : (i32) -> f32
  // CHECK: ttkernel.store_element(%{{.+}}, %{{.+}}) {format = f32} : (i32, f32) -> ()
  ttkernel.store_element(%i, %v) {format = f32} : (i32, f32) -> ()
  // CHECK: ttkernel.call_host "f" in "lib" as "ir"(%{{.+}}, %{{.+}}, %{{.+}})
  ttkernel.call_host "f" in "lib" as "ir" (%i, %cb, %i) : (i32, !ttkernel.cb<4, !ttcore.tile<32x32, f32>>, i32) -> ()
  return
}
