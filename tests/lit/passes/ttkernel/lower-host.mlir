// RUN: ttl-opt %s --ttl-lower-data-movement --ttl-lower-synchronization --split-input-file --verify-diagnostics | FileCheck %s

!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, bf16>>, !cb>
!tensor = tensor<64x96xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

ttl.program @host(%t: !tensor) attributes {grid = #ttcore.grid<4x4>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @reader on riscv_1 (%a, %t) : !cb, !tensor
}

// CHECK-LABEL: func.func @reader
func.func @reader(%a: !cb, %t: !tensor loc("x")) {
  // CHECK-DAG: %[[A:.+]] = ttkernel.get_compile_time_arg_val(0)
  // CHECK: %[[T:.+]] = ttkernel.TensorAccessor(
  %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
  %c1 = arith.constant 1 : index
  %x, %y = ttl.core : index, index
  %n = arith.index_cast %x : index to i32
  %v = arith.sitofp %n : i32 to f32
  // CHECK: ttkernel.dprint("n = {}\0A", %[[N:.+]]) {thread = "math"} : (i32) -> ()
  ttl.print "n = {}\0A", %n : i32 {thread = "math"}
  // CHECK-NEXT: ttkernel.dprint_tensor(%[[T]]) {num_pages = 2 : i32, tensor_type = tensor<64x96xf32
  ttl.print_tensor %acc pages 2 : !ttl.accessor<!tensor>
  // CHECK-NEXT: ttkernel.signpost begin "zone"
  ttl.signpost begin "zone"
  // CHECK-NEXT: ttkernel.cb_wait_front
  %old = ttl.cb_wait %a : !block
  // CHECK-NEXT: ttkernel.dprint_block(%[[A]], %c0_i32) {num_pages = 6 : i32}
  ttl.print_block %old : !block
  %younger = ttl.cb_wait %a {outstanding = 2 : i32} : !block
  // The younger block begins six pages after the front (the oldest block).
  // CHECK: ttkernel.dprint_block(%[[A]], %c6_i32) {num_pages = 6 : i32}
  %c6 = arith.constant 6 : index
  %at = ttl.block_at %younger[%c6] : !block
  ttl.print_block %at : !block
  // CHECK-NEXT: ttkernel.dprint_buffer(%[[A]])
  ttl.print_buffer %a : !cb
  // An element is in tile (0, x / 32), in one of its four faces. Its coordinates are known to be inside.
  // CHECK-NOT: ttl.check_index
  // CHECK: ttkernel.get_read_ptr(%[[A]])
  // CHECK: arith.divui %{{.+}}, %c32
  // CHECK: ttkernel.load_element(%{{.+}}) {format = bf16} : (i32) -> f32
  %e = ttl.element_read %old[%c1, %x] : !block
  // CHECK: ttl.check_index %{{.+}} {bound = 96 : i64, dim = 1 : i64, of_block, size = 1 : i64, tensor = "a", unit = "columns"}
  // CHECK: ttkernel.store_element(%{{.+}}, %{{.+}}) {format = bf16} : (i32, f32) -> ()
  %far = arith.muli %x, %c6 : index
  %farther = arith.muli %far, %c6 : index
  ttl.element_write %e, %old[%c1, %farther] : !block
  // Blocks are passed as a buffer and a page number. A result without users is dropped.
  // CHECK: ttkernel.call_host "f" as "ir"(%{{.+}}, %[[A]], %c0_i32) : (i32, !ttkernel.cb<{{.+}}>, i32) -> ()
  %r = ttl.call_host "f" (%n, %old) : (i32, !block) -> f32
  ttl.cb_pop %old : !block
  ttl.cb_pop %at : !block
  // CHECK: ttkernel.signpost end "zone"
  ttl.signpost end "zone"
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.program @outside() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @thread on riscv_1 (%a) : !cb
}

func.func @thread(%a: !cb) {
  %c32 = arith.constant 32 : index
  %c0 = arith.constant 0 : index
  %b = ttl.cb_wait %a : !block
  // expected-error @below {{element 32 in dimension 1 is outside a block of 'a', which has 32 elements there}}
  %e = ttl.element_read %b[%c0, %c32] : !block
  ttl.cb_pop %b : !block
  return
}
