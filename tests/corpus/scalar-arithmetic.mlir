// Arithmetic of a tile and a number.

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @scalar_arithmetic(%x: !tensor, %y0: !tensor, %y1: !tensor, %y2: !tensor, %y3: !tensor, %y4: !tensor, %y5: !tensor, %y6: !tensor, %y7: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x_cb" : !cb
  %y0_cb = ttl.create_cb "y0_cb" : !cb
  %y1_cb = ttl.create_cb "y1_cb" : !cb
  %y2_cb = ttl.create_cb "y2_cb" : !cb
  %y3_cb = ttl.create_cb "y3_cb" : !cb
  %y4_cb = ttl.create_cb "y4_cb" : !cb
  %y5_cb = ttl.create_cb "y5_cb" : !cb
  %y6_cb = ttl.create_cb "y6_cb" : !cb
  %y7_cb = ttl.create_cb "y7_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %x_acc = ttl.tensor_accessor %x : !tensor -> !ttl.accessor<!tensor>
    %x_blk = ttl.cb_reserve %x_cb : !block
    %x_part = ttl.index_accessor %x_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %x_xf = ttl.copy %x_part, %x_blk : !slice, !block
    ttl.wait %x_xf
    ttl.cb_push %x_blk : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %x_blk = ttl.cb_wait %x_cb : !block
    %y0_blk = ttl.cb_reserve %y0_cb : !block
    %y1_blk = ttl.cb_reserve %y1_cb : !block
    %y2_blk = ttl.cb_reserve %y2_cb : !block
    %y3_blk = ttl.cb_reserve %y3_cb : !block
    %y4_blk = ttl.cb_reserve %y4_cb : !block
    %y5_blk = ttl.cb_reserve %y5_cb : !block
    %y6_blk = ttl.cb_reserve %y6_cb : !block
    %y7_blk = ttl.cb_reserve %y7_cb : !block
    %p = arith.constant 1.25 : f32
    %q = arith.constant 3.0 : f32
    %r = arith.constant 0.5 : f32
    %r0 = ttl.block_add_unary %x_blk, %p : (!block, f32) -> !value
    ttl.block_store %y0_blk, %r0 : !block, !value
    %r1 = ttl.block_sub_unary %x_blk, %p : (!block, f32) -> !value
    ttl.block_store %y1_blk, %r1 : !block, !value
    %r2 = ttl.block_mul_unary %x_blk, %p : (!block, f32) -> !value
    ttl.block_store %y2_blk, %r2 : !block, !value
    %r3 = ttl.block_div_unary %x_blk, %p : (!block, f32) -> !value
    ttl.block_store %y3_blk, %r3 : !block, !value
    %r4 = ttl.block_rsub_unary %x_blk, %p : (!block, f32) -> !value
    ttl.block_store %y4_blk, %r4 : !block, !value
    %r5 = ttl.block_max_unary %x_blk, %p : (!block, f32) -> !value
    ttl.block_store %y5_blk, %r5 : !block, !value
    %r6 = ttl.block_min_unary %x_blk, %p : (!block, f32) -> !value
    ttl.block_store %y6_blk, %r6 : !block, !value
    %r7 = ttl.block_pow_unary %x_blk, %p : (!block, f32) -> !value
    ttl.block_store %y7_blk, %r7 : !block, !value
    ttl.cb_push %y0_blk : !block
    ttl.cb_push %y1_blk : !block
    ttl.cb_push %y2_blk : !block
    ttl.cb_push %y3_blk : !block
    ttl.cb_push %y4_blk : !block
    ttl.cb_push %y5_blk : !block
    ttl.cb_push %y6_blk : !block
    ttl.cb_push %y7_blk : !block
    ttl.cb_pop %x_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y0_acc = ttl.tensor_accessor %y0 : !tensor -> !ttl.accessor<!tensor>
    %y0_blk = ttl.cb_wait %y0_cb : !block
    %y0_part = ttl.index_accessor %y0_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y0_xf = ttl.copy %y0_blk, %y0_part : !block, !slice
    ttl.wait %y0_xf
    ttl.cb_pop %y0_blk : !block
    %y1_acc = ttl.tensor_accessor %y1 : !tensor -> !ttl.accessor<!tensor>
    %y1_blk = ttl.cb_wait %y1_cb : !block
    %y1_part = ttl.index_accessor %y1_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y1_xf = ttl.copy %y1_blk, %y1_part : !block, !slice
    ttl.wait %y1_xf
    ttl.cb_pop %y1_blk : !block
    %y2_acc = ttl.tensor_accessor %y2 : !tensor -> !ttl.accessor<!tensor>
    %y2_blk = ttl.cb_wait %y2_cb : !block
    %y2_part = ttl.index_accessor %y2_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y2_xf = ttl.copy %y2_blk, %y2_part : !block, !slice
    ttl.wait %y2_xf
    ttl.cb_pop %y2_blk : !block
    %y3_acc = ttl.tensor_accessor %y3 : !tensor -> !ttl.accessor<!tensor>
    %y3_blk = ttl.cb_wait %y3_cb : !block
    %y3_part = ttl.index_accessor %y3_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y3_xf = ttl.copy %y3_blk, %y3_part : !block, !slice
    ttl.wait %y3_xf
    ttl.cb_pop %y3_blk : !block
    %y4_acc = ttl.tensor_accessor %y4 : !tensor -> !ttl.accessor<!tensor>
    %y4_blk = ttl.cb_wait %y4_cb : !block
    %y4_part = ttl.index_accessor %y4_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y4_xf = ttl.copy %y4_blk, %y4_part : !block, !slice
    ttl.wait %y4_xf
    ttl.cb_pop %y4_blk : !block
    %y5_acc = ttl.tensor_accessor %y5 : !tensor -> !ttl.accessor<!tensor>
    %y5_blk = ttl.cb_wait %y5_cb : !block
    %y5_part = ttl.index_accessor %y5_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y5_xf = ttl.copy %y5_blk, %y5_part : !block, !slice
    ttl.wait %y5_xf
    ttl.cb_pop %y5_blk : !block
    %y6_acc = ttl.tensor_accessor %y6 : !tensor -> !ttl.accessor<!tensor>
    %y6_blk = ttl.cb_wait %y6_cb : !block
    %y6_part = ttl.index_accessor %y6_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y6_xf = ttl.copy %y6_blk, %y6_part : !block, !slice
    ttl.wait %y6_xf
    ttl.cb_pop %y6_blk : !block
    %y7_acc = ttl.tensor_accessor %y7 : !tensor -> !ttl.accessor<!tensor>
    %y7_blk = ttl.cb_wait %y7_cb : !block
    %y7_part = ttl.index_accessor %y7_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y7_xf = ttl.copy %y7_blk, %y7_part : !block, !slice
    ttl.wait %y7_xf
    ttl.cb_pop %y7_blk : !block
  }
}

func.func @main() {
  %x = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %y0 = ttltest.full 7.0 : !tensor
  %y1 = ttltest.full 7.0 : !tensor
  %y2 = ttltest.full 7.0 : !tensor
  %y3 = ttltest.full 7.0 : !tensor
  %y4 = ttltest.full 7.0 : !tensor
  %y5 = ttltest.full 7.0 : !tensor
  %y6 = ttltest.full 7.0 : !tensor
  %y7 = ttltest.full 7.0 : !tensor
  ttl.launch @scalar_arithmetic(%x, %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7) : !tensor, !tensor, !tensor, !tensor, !tensor, !tensor, !tensor, !tensor, !tensor
  return
}
