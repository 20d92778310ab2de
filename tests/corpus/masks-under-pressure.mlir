// Masks of masked values, of values that are used again, of themselves and by each
// other. With four registers the expression is split. A block has six tiles, and the loop
// over them is unrolled where half the registers suffice.

!tensor = tensor<64x96xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<2x3x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[2, 3], !tensor>

ttl.kernel @masks(%a: !tensor, %b: !tensor, %y: !tensor, %z: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  %z_cb = ttl.create_cb "z_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    %b_acc = ttl.tensor_accessor %b : !tensor -> !ttl.accessor<!tensor>
    %b_blk = ttl.cb_reserve %b_cb : !block
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
    ttl.wait %a_xf
    ttl.wait %b_xf
    ttl.cb_push %a_blk : !block
    ttl.cb_push %b_blk : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block
    %z_blk = ttl.cb_reserve %z_cb : !block
    %n = ttl.block_ltz %a_blk : (!block) -> !value
    %p = ttl.block_gtz %b_blk : (!block) -> !value
    %m1 = ttl.block_mask %a_blk, %n : (!block, !value) -> !value
    %m2 = ttl.block_mask %m1, %p : (!value, !value) -> !value
    ttl.block_store %z_blk, %m2 : !block, !value
    ttl.cb_push %z_blk : !block
    %u1 = ttl.block_add %a_blk, %b_blk : (!block, !block) -> !value
    %u2 = ttl.block_mul %a_blk, %b_blk : (!block, !block) -> !value
    %u3 = ttl.block_sub %a_blk, %b_blk : (!block, !block) -> !value
    %m3 = ttl.block_mask %u1, %p : (!value, !value) -> !value
    %m4 = ttl.block_mask_posinf %m3, %n : (!value, !value) -> !value
    %m5 = ttl.block_mask %p, %n : (!value, !value) -> !value
    %m6 = ttl.block_mask %n, %n : (!value, !value) -> !value
    %m7 = ttl.block_mask %u2, %m5 : (!value, !value) -> !value
    %s1 = ttl.block_max %m4, %m7 : (!value, !value) -> !value
    %s2 = ttl.block_add %s1, %u1 : (!value, !value) -> !value
    %s3 = ttl.block_sub %s2, %u2 : (!value, !value) -> !value
    %s4 = ttl.block_add %s3, %m6 : (!value, !value) -> !value
    %s5 = ttl.block_max %s4, %u3 : (!value, !value) -> !value
    %m8 = ttl.block_mask %s5, %p : (!value, !value) -> !value
    %m9 = ttl.block_mask %m8, %s5 : (!value, !value) -> !value
    ttl.block_store %y_blk, %m9 : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %b_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %z_acc = ttl.tensor_accessor %z : !tensor -> !ttl.accessor<!tensor>
    %z_blk = ttl.cb_wait %z_cb : !block
    %z_part = ttl.index_accessor %z_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %z_xf = ttl.copy %z_blk, %z_part : !block, !slice
    ttl.wait %z_xf
    ttl.cb_pop %z_blk : !block
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %y_blk = ttl.cb_wait %y_cb : !block
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %b = ttltest.random 2 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  %z = ttltest.full 7.0 : !tensor
  ttl.launch @masks(%a, %b, %y, %z) : !tensor, !tensor, !tensor, !tensor
  return
}
