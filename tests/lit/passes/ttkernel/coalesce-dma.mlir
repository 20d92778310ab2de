// RUN: ttl-opt %s --ttl-coalesce-dma | FileCheck %s
// RUN: ttl-opt %s --ttl-coalesce-dma --ttl-lower-data-movement | FileCheck %s --check-prefix=LOWER

!cb = !ttl.cb<[4, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<4x1x!ttcore.tile<32x32, f32>>, !cb>
!wide = !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 2>
!wide_block = !ttl.block<tensor<2x2x!ttcore.tile<32x32, f32>>, !wide>
!rows = !ttl.cb<[4, 1, 64], f32, 2>
!row_block = !ttl.block<tensor<4x1x64xf32>, !rows>

// wormhole_b0 has 12 DRAM banks: below each other in a tensor of 12 tiles is behind
// each other in a bank.
!t12 = tensor<256x384xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!t8 = tensor<256x256xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!l1 = tensor<256x384xf32, #ttl.tensor_encoding<l1, #ttl.layout<interleaved, tile = 32x32>>>
!deep = tensor<4x12x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>

ttl.program @k(%t12: !t12, %t8: !t8, %l1: !l1, %deep: !deep) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %b = ttl.create_cb "b" {buffer_index = 1 : i32} : !wide
  %r = ttl.create_cb "r" {buffer_index = 2 : i32} : !rows
  %p = ttl.create_cb "p" {buffer_index = 3 : i32, page_size = 4160 : i64} : !cb
  ttl.thread @dm on riscv_1 (%a, %b, %r, %t12, %t8, %l1, %deep, %p) : !cb, !wide, !rows, !t12, !t8, !l1, !deep, !cb
}

// CHECK-LABEL: func.func @dm
// LOWER-LABEL: func.func @dm
func.func @dm(%a: !cb, %b: !wide, %r: !rows, %t12: !t12, %t8: !t8, %l1: !l1, %deep: !deep, %p: !cb) {
  %c0 = arith.constant 0 : index
  %acc12 = ttl.tensor_accessor %t12 : !t12 -> !ttl.accessor<!t12>
  %acc8 = ttl.tensor_accessor %t8 : !t8 -> !ttl.accessor<!t8>
  %accl1 = ttl.tensor_accessor %l1 : !l1 -> !ttl.accessor<!l1>
  %accdeep = ttl.tensor_accessor %deep : !deep -> !ttl.accessor<!deep>
  %column = ttl.index_accessor %acc12[%c0, %c0] : !ttl.accessor<!t12> -> !ttl.tensor_slice<[4, 1], !t12>
  %blk = ttl.cb_reserve %a : !block
  // CHECK: ttl.copy {{.*}} {ttl.pages_together = 4 : i32}
  // LOWER: ttkernel.noc_async_read_pages(%{{.+}}, %{{.+}}, %{{.+}}, %c4_i32)
  %x0 = ttl.copy %column, %blk : !ttl.tensor_slice<[4, 1], !t12>, !block
  ttl.wait %x0
  // CHECK: ttl.copy {{.*}} {ttl.pages_together = 4 : i32}
  // LOWER: ttkernel.noc_async_write_pages(%{{.+}}, %{{.+}}, %{{.+}}, %c4_i32)
  %x1 = ttl.copy %blk, %column : !block, !ttl.tensor_slice<[4, 1], !t12>
  ttl.wait %x1
  // Neighbours in a row are in different banks.
  // CHECK: ttl.copy %{{[0-9]+}}, %{{[0-9]+}} : !
  // LOWER: ttkernel.noc_async_read_page(
  %square = ttl.index_accessor %acc12[%c0, %c0] : !ttl.accessor<!t12> -> !ttl.tensor_slice<[2, 2], !t12>
  %blk2 = ttl.cb_reserve %b : !wide_block
  %x2 = ttl.copy %square, %blk2 : !ttl.tensor_slice<[2, 2], !t12>, !wide_block
  ttl.wait %x2
  // Another width; another memory, whose banks depend on the card.
  // CHECK: ttl.copy %{{[0-9]+}}, %{{[0-9]+}} : !
  %column8 = ttl.index_accessor %acc8[%c0, %c0] : !ttl.accessor<!t8> -> !ttl.tensor_slice<[4, 1], !t8>
  %x3 = ttl.copy %column8, %blk : !ttl.tensor_slice<[4, 1], !t8>, !block
  ttl.wait %x3
  // CHECK: ttl.copy %{{[0-9]+}}, %{{[0-9]+}} : !
  %columnl1 = ttl.index_accessor %accl1[%c0, %c0] : !ttl.accessor<!l1> -> !ttl.tensor_slice<[4, 1], !l1>
  %x4 = ttl.copy %columnl1, %blk : !ttl.tensor_slice<[4, 1], !l1>, !block
  ttl.wait %x4
  // Pages that are rows.
  // CHECK: ttl.copy {{.*}} {ttl.pages_together = 4 : i32}
  // LOWER: ttkernel.noc_async_read_pages(
  %planes = ttl.index_accessor %accdeep[%c0, %c0, %c0] : !ttl.accessor<!deep> -> !ttl.tensor_slice<[4, 1, 64], !deep>
  %rows = ttl.cb_reserve %r : !row_block
  %x5 = ttl.copy %planes, %rows : !ttl.tensor_slice<[4, 1, 64], !deep>, !row_block
  ttl.wait %x5
  // Pages with padding.
  // CHECK: ttl.copy %{{[0-9]+}}, %{{[0-9]+}} : !
  // LOWER: arith.muli %{{.+}}, %c4160_i32
  // LOWER: ttkernel.noc_async_read_page(
  %padded = ttl.cb_reserve %p : !block
  %x6 = ttl.copy %column, %padded : !ttl.tensor_slice<[4, 1], !t12>, !block
  ttl.wait %x6
  return
}
