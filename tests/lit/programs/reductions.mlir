// Softmax, layer normalisation and a product with a transpose, on both engines: results are exact
// if the inputs allow it, and have the same bits otherwise.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=interp --schedule=random --seed=3

!wide = tensor<64x96xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!square = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!scb = !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 2>
!sblock = !ttl.block<tensor<2x2x!ttcore.tile<32x32, f32>>, !scb>
!e = tensor<2x3x!ttcore.tile<32x32, f32>>
!s = tensor<2x2x!ttcore.tile<32x32, f32>>
!t = tensor<3x2x!ttcore.tile<32x32, f32>>
!column = tensor<2x1x!ttcore.tile<32x32, f32>>
!row = tensor<1x3x!ttcore.tile<32x32, f32>>
!corner = tensor<1x1x!ttcore.tile<32x32, f32>>
!part = !ttl.tensor_slice<[2, 3], !wide>
!spart = !ttl.tensor_slice<[2, 2], !square>

// z = softmax of x's rows, n = (x - mean) / deviation by columns,
// p = x @ x^T, m = x minus its largest element.
ttl.kernel @norms(%x: !wide, %z: !wide, %n: !wide, %m: !wide, %p: !square)
    attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x_cb" : !cb
  %z_cb = ttl.create_cb "z_cb" : !cb
  %n_cb = ttl.create_cb "n_cb" : !cb
  %m_cb = ttl.create_cb "m_cb" : !cb
  %p_cb = ttl.create_cb "p_cb" : !scb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %x : !wide -> !ttl.accessor<!wide>
    %blk = ttl.cb_reserve %x_cb : !block
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!wide> -> !part
    %xf = ttl.copy %part, %blk : !part, !block
    ttl.wait %xf
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %z_acc = ttl.tensor_accessor %z : !wide -> !ttl.accessor<!wide>
    %n_acc = ttl.tensor_accessor %n : !wide -> !ttl.accessor<!wide>
    %m_acc = ttl.tensor_accessor %m : !wide -> !ttl.accessor<!wide>
    %p_acc = ttl.tensor_accessor %p : !square -> !ttl.accessor<!square>
    %z_blk = ttl.cb_wait %z_cb : !block
    %z_part = ttl.index_accessor %z_acc[%c0, %c0] : !ttl.accessor<!wide> -> !part
    %z_xf = ttl.copy %z_blk, %z_part : !block, !part
    ttl.wait %z_xf
    ttl.cb_pop %z_blk : !block
    %n_blk = ttl.cb_wait %n_cb : !block
    %n_part = ttl.index_accessor %n_acc[%c0, %c0] : !ttl.accessor<!wide> -> !part
    %n_xf = ttl.copy %n_blk, %n_part : !block, !part
    ttl.wait %n_xf
    ttl.cb_pop %n_blk : !block
    %m_blk = ttl.cb_wait %m_cb : !block
    %m_part = ttl.index_accessor %m_acc[%c0, %c0] : !ttl.accessor<!wide> -> !part
    %m_xf = ttl.copy %m_blk, %m_part : !block, !part
    ttl.wait %m_xf
    ttl.cb_pop %m_blk : !block
    %p_blk = ttl.cb_wait %p_cb : !sblock
    %p_part = ttl.index_accessor %p_acc[%c0, %c0] : !ttl.accessor<!square> -> !spart
    %p_xf = ttl.copy %p_blk, %p_part : !sblock, !spart
    ttl.wait %p_xf
    ttl.cb_pop %p_blk : !sblock
  }
  ttl.compute_thread "compute" {
    %blk = ttl.cb_wait %x_cb : !block
    %z_blk = ttl.cb_reserve %z_cb : !block
    %top = ttl.block_reduce_max %blk {dims = array<i64: 1>} : (!block) -> !column
    %tops = ttl.block_bcast %top {dims = array<i64: 1>} : (!column) -> !e
    %below = ttl.block_sub %blk, %tops : (!block, !e) -> !e
    %power = ttl.block_exp %below : (!e) -> !e
    %sum = ttl.block_reduce_sum %power {dims = array<i64: 1>} : (!e) -> !column
    %inverse = ttl.block_recip %sum : (!column) -> !column
    %inverses = ttl.block_bcast %inverse {dims = array<i64: 1>} : (!column) -> !e
    %soft = ttl.block_mul %power, %inverses : (!e, !e) -> !e
    ttl.block_store %z_blk, %soft : !block, !e
    ttl.cb_push %z_blk : !block

    %share = arith.constant 0.015625 : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %n_blk = ttl.cb_reserve %n_cb : !block
    %total = ttl.block_reduce_sum %blk {dims = array<i64: 0>} : (!block) -> !row
    %mean = ttl.block_mul_unary %total, %share : (!row, f32) -> !row
    %means = ttl.block_bcast %mean {dims = array<i64: 0>} : (!row) -> !e
    %centred = ttl.block_sub %blk, %means : (!block, !e) -> !e
    %squares = ttl.block_square %centred : (!e) -> !e
    %shares = ttl.block_fill %share : !corner
    %variance = ttl.block_reduce_sum %squares scaling %shares {dims = array<i64: 0>} : (!e, !corner) -> !row
    %positive = ttl.block_add_unary %variance, %epsilon : (!row, f32) -> !row
    %scale = ttl.block_rsqrt %positive : (!row) -> !row
    %scales = ttl.block_bcast %scale {dims = array<i64: 0>} : (!row) -> !e
    %normed = ttl.block_mul %centred, %scales : (!e, !e) -> !e
    ttl.block_store %n_blk, %normed : !block, !e
    ttl.cb_push %n_blk : !block

    %m_blk = ttl.cb_reserve %m_cb : !block
    %largest = ttl.block_reduce_max %blk {dims = array<i64: 0, 1>} : (!block) -> !corner
    %all = ttl.block_bcast %largest {dims = array<i64: 0, 1>} : (!corner) -> !e
    %rest = ttl.block_sub %blk, %all : (!block, !e) -> !e
    ttl.block_store %m_blk, %rest : !block, !e
    ttl.cb_push %m_blk : !block

    %p_blk = ttl.cb_reserve %p_cb : !sblock
    %turned = ttl.block_transpose %blk : (!block) -> !t
    %product = ttl.block_matmul %blk, %turned : (!block, !t) -> !s
    ttl.block_store %p_blk, %product : !sblock, !s
    ttl.cb_push %p_blk : !sblock
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %z = ttltest.full 7.0 : !wide
  %n = ttltest.full 7.0 : !wide
  %m = ttltest.full 7.0 : !wide
  %p = ttltest.full 7.0 : !square
  // 96 equal elements: the sum is exact, but its reciprocal is rounded.
  %two = ttltest.full 2.0 : !wide
  ttl.launch @norms(%two, %z, %n, %m, %p) : !wide, !wide, !wide, !wide, !square
  %share = ttltest.full 0.010416666977107525 : !wide
  ttltest.expect_eq %z, %share : !wide, !wide
  %zero = ttltest.full 0.0 : !wide
  ttltest.expect_eq %n, %zero : !wide, !wide
  ttltest.expect_eq %m, %zero : !wide, !wide
  %product = ttltest.full 384.0 : !square
  ttltest.expect_eq %p, %product : !square, !square
  %x = ttltest.random 5 {low = -3.0, high = 3.0} : !wide
  ttl.launch @norms(%x, %z, %n, %m, %p) : !wide, !wide, !wide, !wide, !square
  ttltest.expect_hash %z, "db860ea0d7423c66" : !wide
  ttltest.expect_hash %n, "b8255449e87b4551" : !wide
  ttltest.expect_hash %m, "50a53ead01270f1f" : !wide
  ttltest.expect_hash %p, "f52aedcbe4073684" : !square
  return
}
