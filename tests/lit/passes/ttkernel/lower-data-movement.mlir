// RUN: ttl-opt %s --ttl-lower-data-movement --split-input-file | FileCheck %s

!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<4x128x256xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 2, 3], !tensor>
!accessor = !ttl.accessor<!tensor>

ttl.program @tiles(%t: !tensor, %u: !tensor) attributes {grid = #ttcore.grid<4x4>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %b = ttl.create_cb "b" {buffer_index = 1 : i32} : !cb
  ttl.thread @reader on riscv_1 (%a, %b, %t, %u) : !cb, !cb, !tensor, !tensor
}

// CHECK-LABEL: func.func @reader
func.func @reader(%a: !cb, %b: !cb, %t: !tensor loc("x"), %u: !tensor loc("weights")) {
  // Accessors are made at the start of the function. Words of their layout follow those of the buffers.
  // CHECK-DAG: %[[A:.+]] = ttkernel.get_compile_time_arg_val(0)
  // CHECK-DAG: %[[B:.+]] = ttkernel.get_compile_time_arg_val(1)
  // CHECK: ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 2 : i32, tensor_type = tensor<4x128x256xf32
  // CHECK: %[[BASE:.+]] = ttkernel.get_common_arg_val(%c0_i32)
  // CHECK: %[[T:.+]] = ttkernel.TensorAccessor(%{{.+}}, %[[BASE]], %c4096_i32)
  // CHECK: ttkernel.TensorAccessorArgs {crta_offset = 1 : i32, cta_offset = 3 : i32
  // CHECK: ttkernel.get_common_arg_val(%c1_i32)
  // CHECK: %[[U:.+]] = ttkernel.TensorAccessor
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %x, %y = ttl.core : index, index
  %acc_t = ttl.tensor_accessor %t : !tensor -> !accessor
  %acc_u = ttl.tensor_accessor %u : !tensor -> !accessor
  %block = ttl.cb_reserve %a : !block
  // A start that is inside for every node needs no check.
  // CHECK-NOT: ttl.check_index
  %s = ttl.index_accessor %acc_t[%x, %c0, %c0] : !accessor -> !slice
  // The pages of the slice in row-major order: page ((x * 4) + i) * 8 + j.
  // CHECK: ttkernel.noc_async_read_set_trid(%c5_i32)
  // CHECK: %[[P:.+]] = ttkernel.get_write_ptr(%[[A]])
  // CHECK: scf.for %[[I:.+]] = %c0 to %c2
  // CHECK-NEXT: scf.for %[[J:.+]] = %c0 to %c3
  // CHECK: arith.muli %[[I]], %c8
  // CHECK: arith.muli %{{.+}}, %c32
  // CHECK: %[[I3:.+]] = arith.muli %[[I]], %c3
  // CHECK: %[[N:.+]] = arith.addi %[[I3]], %[[J]]
  // CHECK: %[[N32:.+]] = arith.index_cast %[[N]]
  // CHECK: %[[OFFSET:.+]] = arith.muli %[[N32]], %c4096_i32
  // CHECK: %[[ADDRESS:.+]] = arith.addi %[[P]], %[[OFFSET]]
  // CHECK: ttkernel.noc_async_read_page(%{{.+}}, %[[T]], %[[ADDRESS]])
  %xf = ttl.copy %s, %block {transfer_id = 5 : i32} : !slice, !block
  // CHECK: ttkernel.noc_async_read_barrier_with_trid(%c5_i32)
  ttl.wait %xf
  ttl.cb_push %block : !block
  // A start that may be outside gets a check, with the user's name of the tensor.
  %yi = arith.index_cast %y : index to i32
  %twice = ttl.int_mul %yi, %two
  %row = arith.index_cast %twice : i32 to index
  // CHECK: ttl.check_index %{{.+}} {bound = 4 : i64, dim = 1 : i64, size = 2 : i64, tensor = "weights", unit = "tile rows"}
  %s1 = ttl.index_accessor %acc_u[%c0, %row, %c0] : !accessor -> !slice
  // A block after an older one begins where ttl.block_at says. Without an id, the wait is a barrier for
  // all writes.
  %first = ttl.cb_wait %b : !block
  %second = ttl.cb_wait %b : !block
  // CHECK-NOT: set_trid
  // CHECK: %[[R:.+]] = ttkernel.get_read_ptr(%[[B]])
  // CHECK: %[[R1:.+]] = arith.addi %[[R]], %c24576_i32
  // CHECK: arith.addi %[[R1]],
  // CHECK: ttkernel.noc_async_write_page(%{{.+}}, %[[U]],
  %c6 = arith.constant 6 : index
  %at = ttl.block_at %second[%c6] : !block
  %xf1 = ttl.copy %at, %s1 : !block, !slice
  // CHECK: ttkernel.noc_async_write_barrier()
  ttl.wait %xf1
  // CHECK: ttkernel.noc_async_read_barrier()
  // CHECK-NEXT: ttkernel.noc_async_write_barrier()
  ttl.dma_barrier
  ttl.cb_pop %first : !block
  ttl.cb_pop %second : !block
  return
}

// -----

!cb = !ttl.cb<[2, 64], bf16, 2>
!block = !ttl.block<tensor<2x64xbf16>, !cb>
!tensor = tensor<8x64xbf16, #ttl.tensor_encoding<l1, #ttl.layout<interleaved>>>
!slice = !ttl.tensor_slice<[2, 64], !tensor>
!accessor = !ttl.accessor<!tensor>

ttl.program @rows(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @rows_reader on riscv_1 (%a, %t) : !cb, !tensor
}

// A row of a row-major tensor is a page.
// CHECK-LABEL: func.func @rows_reader
func.func @rows_reader(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  // CHECK: %[[T:.+]] = ttkernel.TensorAccessor(%{{.+}}, %{{.+}}, %c128_i32)
  %acc = ttl.tensor_accessor %t : !tensor -> !accessor
  %block = ttl.cb_reserve %a : !block
  %s = ttl.index_accessor %acc[%c6, %c0] : !accessor -> !slice
  // CHECK: scf.for %[[I:.+]] = %c0 to %c2
  // CHECK-NOT: scf.for
  // CHECK: %[[PAGE:.+]] = arith.addi %c6, %[[I]]
  // CHECK: arith.muli %{{.+}}, %c128_i32
  // CHECK: %[[PAGE32:.+]] = arith.index_cast %[[PAGE]]
  // CHECK: ttkernel.noc_async_read_page(%[[PAGE32]], %[[T]],
  %xf = ttl.copy %s, %block {transfer_id = 0 : i32} : !slice, !block
  ttl.wait %xf
  ttl.cb_push %block : !block
  return
}

// -----

!cb = !ttl.cb<[2, 8], bf16, 2>
!block = !ttl.block<tensor<2x8xbf16>, !cb>
!tensor = tensor<3x8x50xbf16, #ttl.tensor_encoding<l1, #ttl.layout<interleaved>>>
!slice = !ttl.tensor_slice<[1, 2, 8], !tensor>
!accessor = !ttl.accessor<!tensor>

ttl.program @parts(%t: !tensor) attributes {grid = #ttcore.grid<4x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @parts_reader on riscv_1 (%a, %t) : !cb, !tensor
}

// Parts of rows are moved one by one. They are aligned if their starts are multiples of 8 elements,
// because L1's alignment is 16 bytes.
// CHECK-LABEL: func.func @parts_reader
func.func @parts_reader(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  // CHECK: %[[T:.+]] = ttkernel.TensorAccessor(%{{.+}}, %{{.+}}, %c100_i32)
  %acc = ttl.tensor_accessor %t : !tensor -> !accessor
  %x, %y = ttl.core : index, index
  // CHECK: %[[START:.+]] = arith.muli %{{.+}}, %c8
  %column = arith.muli %x, %c8 : index
  %block = ttl.cb_reserve %a : !block
  %s = ttl.index_accessor %acc[%c2, %c6, %column] : !accessor -> !slice
  // CHECK: scf.for %[[I:.+]] = %c0 to %c2
  // CHECK-NOT: scf.for
  // CHECK: %[[ROW:.+]] = arith.index_cast %{{.+}} : index to i32
  // CHECK: %[[OFFSET:.+]] = arith.muli %{{.+}}, %c2_i32
  // CHECK: ttkernel.noc_async_read_row(%[[ROW]], %[[T]], %[[OFFSET]], %c16_i32, %{{.+}}) {aligned}
  %xf = ttl.copy %s, %block {transfer_id = 0 : i32} : !slice, !block
  %unaligned = ttl.index_accessor %acc[%c2, %c6, %x] : !accessor -> !slice
  // CHECK: ttkernel.noc_async_write_row({{.+}}) : (
  %xf1 = ttl.copy %block, %unaligned {transfer_id = 0 : i32} : !block, !slice
  ttl.wait %xf
  ttl.wait %xf1
  ttl.cb_push %block : !block
  return
}

// -----

!cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<2x64x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<block_sharded, tile = 32x32, grid = 2x2, shard = 64x32>>>
!slice = !ttl.tensor_slice<[2, 1], !tensor>
!accessor = !ttl.accessor<!tensor>

ttl.program @shard(%t: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @shard_reader on riscv_1 (%a, %t) : !cb, !tensor
}

// A shard of a tensor of rank 3: all dimensions but the last are merged into rows.
// CHECK-LABEL: func.func @shard_reader
func.func @shard_reader(%a: !cb, %t: !tensor) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %acc = ttl.tensor_accessor %t : !tensor -> !accessor
  %block = ttl.cb_reserve %a : !block
  // CHECK: scf.for %[[I:.+]] = %c0 to %c2
  // CHECK: %[[ROW:.+]] = arith.addi %c2{{.*}}, %[[I]]
  // CHECK: %[[FIRST:.+]] = arith.muli %[[ROW]], %c2
  // CHECK: %[[PAGE:.+]] = arith.addi %[[FIRST]], %c1
  %s = ttl.index_accessor %acc[%c2, %c1] : !accessor -> !slice
  %xf = ttl.copy %s, %block {transfer_id = 0 : i32} : !slice, !block
  ttl.wait %xf
  ttl.cb_push %block : !block
  return
}

// -----

// A part of a block: tile numbers are those of the whole block, from the part's first tile on.

!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<128x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[2, 2], !tensor>
!accessor = !ttl.accessor<!tensor>

ttl.program @parts(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @parts_reader on riscv_1 (%a, %t) : !cb, !tensor
}

// CHECK-LABEL: func.func @parts_reader
func.func @parts_reader(%a: !cb, %t: !tensor loc("t")) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %acc = ttl.tensor_accessor %t : !tensor -> !accessor
  %block = ttl.cb_reserve %a : !block
  %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
  // CHECK: scf.for %[[I:.+]] = %c0 to %c2
  // CHECK-NEXT: scf.for %[[J:.+]] = %c0 to %c2
  // CHECK: %[[ROW:.+]] = arith.muli %[[I]], %c3
  // CHECK: %[[IN:.+]] = arith.addi %[[ROW]], %[[J]]
  // CHECK: %[[N:.+]] = arith.addi {{.*}}%[[IN]]
  // CHECK: arith.index_cast %[[N]]
  // CHECK: ttkernel.noc_async_read_page(
  %xf = ttl.copy %s, %block part %c1 : !slice, !block
  ttl.wait %xf
  ttl.cb_push %block : !block
  return
}
