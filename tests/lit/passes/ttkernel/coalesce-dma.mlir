// RUN: ttl-opt %s --split-input-file --ttl-coalesce-dma | FileCheck %s
// RUN: ttl-opt %s --split-input-file --ttl-coalesce-dma --ttl-lower-data-movement | FileCheck %s --check-prefix=LOWER

!cb = !ttl.cb<[4, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<4x1x!ttcore.tile<32x32, f32>>, !cb>
!wide = !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 2>
!wide_block = !ttl.block<tensor<2x2x!ttcore.tile<32x32, f32>>, !wide>
!rows = !ttl.cb<[4, 1, 64], f32, 2>
!row_block = !ttl.block<tensor<4x1x64xf32>, !rows>

// wormhole_b0 has 12 DRAM banks, and the tensor is 12 tiles wide: tiles of one column follow each
// other in a bank.
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
  // A tensor of another width, and one in L1, which has 64 banks.
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

// -----

// L1 of wormhole_b0 has 64 banks. Pages of a shard follow each other row by row.

!t = !ttcore.tile<32x32, bf16>
!wide = tensor<128x2048xbf16, #ttl.tensor_encoding<l1, #ttl.layout<interleaved, tile = 32x32>>>
!blocks = tensor<256x192xbf16, #ttl.tensor_encoding<l1, #ttl.layout<block_sharded, tile = 32x32, grid = 4x2, shard = 64x96>>>
!deep = tensor<2x128x192xbf16, #ttl.tensor_encoding<dram, #ttl.layout<block_sharded, tile = 32x32, grid = 4x2, shard = 64x96>>>
!rows = tensor<16x64xbf16, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, grid = 4x1, shard = 4x64>>>
!column_cb = !ttl.cb<[4, 1], !t, 2>
!column_block = !ttl.block<tensor<4x1x!t>, !column_cb>
!cb = !ttl.cb<[2, 3], !t, 2>
!block = !ttl.block<tensor<2x3x!t>, !cb>
!row_cb = !ttl.cb<[1, 3], !t, 2>
!row_block = !ttl.block<tensor<1x3x!t>, !row_cb>
!lines_cb = !ttl.cb<[4, 64], bf16, 2>
!lines_block = !ttl.block<tensor<4x64xbf16>, !lines_cb>

ttl.program @shards(%wide: !wide, %blocks: !blocks, %deep: !deep, %rows: !rows) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !column_cb
  %b = ttl.create_cb "b" {buffer_index = 1 : i32} : !cb
  %c = ttl.create_cb "c" {buffer_index = 2 : i32} : !row_cb
  %l = ttl.create_cb "l" {buffer_index = 3 : i32} : !lines_cb
  ttl.thread @shards_dm on riscv_1 (%a, %b, %c, %l, %wide, %blocks, %deep, %rows) : !column_cb, !cb, !row_cb, !lines_cb, !wide, !blocks, !deep, !rows
}

// CHECK-LABEL: func.func @shards_dm
// LOWER-LABEL: func.func @shards_dm
func.func @shards_dm(%a: !column_cb, %b: !cb, %c: !row_cb, %l: !lines_cb, %wide: !wide, %blocks: !blocks, %deep: !deep, %rows: !rows) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %x, %y = ttl.core : index, index
  %acc_wide = ttl.tensor_accessor %wide : !wide -> !ttl.accessor<!wide>
  %acc_blocks = ttl.tensor_accessor %blocks : !blocks -> !ttl.accessor<!blocks>
  %acc_deep = ttl.tensor_accessor %deep : !deep -> !ttl.accessor<!deep>
  %acc_rows = ttl.tensor_accessor %rows : !rows -> !ttl.accessor<!rows>
  // CHECK: ttl.copy {{.*}} {ttl.pages_together = 4 : i32}
  // LOWER: ttkernel.noc_async_read_pages(%{{.+}}, %{{.+}}, %{{.+}}, %c4_i32)
  %column = ttl.index_accessor %acc_wide[%c0, %x] : !ttl.accessor<!wide> -> !ttl.tensor_slice<[4, 1], !wide>
  %a_blk = ttl.cb_reserve %a : !column_block
  %x0 = ttl.copy %column, %a_blk : !ttl.tensor_slice<[4, 1], !wide>, !column_block
  ttl.wait %x0
  %b_blk = ttl.cb_reserve %b : !block
  %c_blk = ttl.cb_reserve %c : !row_block
  scf.for %i = %c0 to %c8 step %c2 {
    // A whole shard: the starts are multiples of its extents.
    // CHECK: ttl.copy {{.*}} {ttl.pages_together = 6 : i32}
    // LOWER: ttkernel.noc_async_read_pages(%{{.+}}, %{{.+}}, %{{.+}}, %c6_i32)
    %j = arith.muli %y, %c3 : index
    %shard = ttl.index_accessor %acc_blocks[%i, %j] : !ttl.accessor<!blocks> -> !ttl.tensor_slice<[2, 3], !blocks>
    %x1 = ttl.copy %shard, %b_blk : !ttl.tensor_slice<[2, 3], !blocks>, !block
    ttl.wait %x1
    // CHECK: ttl.copy {{.*}} {ttl.pages_together = 6 : i32}
    // LOWER: ttkernel.noc_async_write_pages(%{{.+}}, %{{.+}}, %{{.+}}, %c6_i32)
    %x2 = ttl.copy %b_blk, %shard : !block, !ttl.tensor_slice<[2, 3], !blocks>
    ttl.wait %x2
  }
  // A row of one shard, a row that may be in two shards, and two rows that may be.
  // CHECK: ttl.copy {{.*}} {ttl.pages_together = 3 : i32}
  // LOWER: ttkernel.noc_async_read_pages(%{{.+}}, %{{.+}}, %{{.+}}, %c3_i32)
  %row = ttl.index_accessor %acc_blocks[%x, %c3] : !ttl.accessor<!blocks> -> !ttl.tensor_slice<[1, 3], !blocks>
  %x3 = ttl.copy %row, %c_blk : !ttl.tensor_slice<[1, 3], !blocks>, !row_block
  ttl.wait %x3
  // CHECK: ttl.copy %{{[0-9]+}}, %{{[0-9]+}} : !
  // LOWER: ttkernel.noc_async_read_page(
  %across = ttl.index_accessor %acc_blocks[%c0, %x] : !ttl.accessor<!blocks> -> !ttl.tensor_slice<[1, 3], !blocks>
  %x4 = ttl.copy %across, %c_blk : !ttl.tensor_slice<[1, 3], !blocks>, !row_block
  ttl.wait %x4
  // CHECK: ttl.copy {{.*}} {ttl.pages_together = 3 : i32}
  // LOWER: ttkernel.noc_async_read_pages(%{{.+}}, %{{.+}}, %{{.+}}, %c3_i32)
  %below = ttl.index_accessor %acc_blocks[%c3, %c0] : !ttl.accessor<!blocks> -> !ttl.tensor_slice<[2, 3], !blocks>
  %x5 = ttl.copy %below, %b_blk : !ttl.tensor_slice<[2, 3], !blocks>, !block
  ttl.wait %x5
  // Some columns of a shard: one row at a time.
  // CHECK: ttl.copy %{{[0-9]+}}, %{{[0-9]+}} : !
  // LOWER: ttkernel.noc_async_read_page(
  %narrow = ttl.index_accessor %acc_blocks[%c4, %c1] : !ttl.accessor<!blocks> -> !ttl.tensor_slice<[4, 1], !blocks>
  %x6 = ttl.copy %narrow, %a_blk : !ttl.tensor_slice<[4, 1], !blocks>, !column_block
  ttl.wait %x6
  // A tensor of rank 3 in DRAM, with its own dimensions.
  // CHECK: ttl.copy {{.*}} {ttl.pages_together = 6 : i32}
  // LOWER: ttkernel.noc_async_read_pages(%{{.+}}, %{{.+}}, %{{.+}}, %c6_i32)
  %deep_part = ttl.index_accessor %acc_deep[%c1, %c2, %c3] : !ttl.accessor<!deep> -> !ttl.tensor_slice<[1, 2, 3], !deep>
  %x7 = ttl.copy %deep_part, %b_blk : !ttl.tensor_slice<[1, 2, 3], !deep>, !block
  ttl.wait %x7
  // Rows of a row-major tensor.
  // CHECK: ttl.copy {{.*}} {ttl.pages_together = 4 : i32}
  // LOWER: ttkernel.noc_async_read_pages(%{{.+}}, %{{.+}}, %{{.+}}, %c4_i32)
  %lines = ttl.index_accessor %acc_rows[%c8, %c0] : !ttl.accessor<!rows> -> !ttl.tensor_slice<[4, 64], !rows>
  %l_blk = ttl.cb_reserve %l : !lines_block
  %x8 = ttl.copy %lines, %l_blk : !ttl.tensor_slice<[4, 64], !rows>, !lines_block
  ttl.wait %x8
  return
}
