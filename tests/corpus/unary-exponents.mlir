// Element-wise functions of one tile, one result each: exp2, expm1, log1p of exp_approx.

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @unary_exponents(%x: !tensor, %y0: !tensor, %y1: !tensor, %y2: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x_cb" : !cb
  %y0_cb = ttl.create_cb "y0_cb" : !cb
  %y1_cb = ttl.create_cb "y1_cb" : !cb
  %y2_cb = ttl.create_cb "y2_cb" : !cb
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
    %r0 = ttl.block_exp2 %x_blk : (!block) -> !value
    ttl.block_store %y0_blk, %r0 : !block, !value
    %r1 = ttl.block_expm1 %x_blk : (!block) -> !value
    ttl.block_store %y1_blk, %r1 : !block, !value
    %power = ttl.block_exp_approx %x_blk : (!block) -> !value
    %r2 = ttl.block_log1p %power : (!value) -> !value
    ttl.block_store %y2_blk, %r2 : !block, !value
    ttl.cb_push %y0_blk : !block
    ttl.cb_push %y1_blk : !block
    ttl.cb_push %y2_blk : !block
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
  }
}

func.func @main() {
  %x = ttltest.random 5 {low = -0.9, high = 6.0} : !tensor
  %y0 = ttltest.full 7.0 : !tensor
  %y1 = ttltest.full 7.0 : !tensor
  %y2 = ttltest.full 7.0 : !tensor
  ttl.launch @unary_exponents(%x, %y0, %y1, %y2) : !tensor, !tensor, !tensor, !tensor
  return
}
