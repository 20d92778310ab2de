// A tree of 16 leaves, with the few registers that DST has with fp32 elements.

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @pressure_fp32(%a: !tensor, %b: !tensor, %c: !tensor, %d: !tensor, %y: !tensor)
    attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  %c_cb = ttl.create_cb "c_cb" : !cb
  %d_cb = ttl.create_cb "d_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
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
    %c_acc = ttl.tensor_accessor %c : !tensor -> !ttl.accessor<!tensor>
    %c_blk = ttl.cb_reserve %c_cb : !block
    %c_part = ttl.index_accessor %c_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %c_xf = ttl.copy %c_part, %c_blk : !slice, !block
    %d_acc = ttl.tensor_accessor %d : !tensor -> !ttl.accessor<!tensor>
    %d_blk = ttl.cb_reserve %d_cb : !block
    %d_part = ttl.index_accessor %d_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %d_xf = ttl.copy %d_part, %d_blk : !slice, !block
    ttl.wait %a_xf
    ttl.wait %b_xf
    ttl.wait %c_xf
    ttl.wait %d_xf
    ttl.cb_push %a_blk : !block
    ttl.cb_push %b_blk : !block
    ttl.cb_push %c_blk : !block
    ttl.cb_push %d_blk : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block
    %c_blk = ttl.cb_wait %c_cb : !block
    %d_blk = ttl.cb_wait %d_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block
    %l0 = ttl.block_mul %a_blk, %b_blk : (!block, !block) -> !value
    %l1 = ttl.block_sub %b_blk, %a_blk : (!block, !block) -> !value
    %l2 = ttl.block_add %c_blk, %d_blk : (!block, !block) -> !value
    %l3 = ttl.block_max %d_blk, %c_blk : (!block, !block) -> !value
    %l4 = ttl.block_mul %a_blk, %b_blk : (!block, !block) -> !value
    %l5 = ttl.block_sub %b_blk, %a_blk : (!block, !block) -> !value
    %l6 = ttl.block_add %c_blk, %d_blk : (!block, !block) -> !value
    %l7 = ttl.block_max %d_blk, %c_blk : (!block, !block) -> !value
    %l8 = ttl.block_mul %a_blk, %b_blk : (!block, !block) -> !value
    %l9 = ttl.block_sub %b_blk, %a_blk : (!block, !block) -> !value
    %l10 = ttl.block_add %c_blk, %d_blk : (!block, !block) -> !value
    %l11 = ttl.block_max %d_blk, %c_blk : (!block, !block) -> !value
    %l12 = ttl.block_mul %a_blk, %b_blk : (!block, !block) -> !value
    %l13 = ttl.block_sub %b_blk, %a_blk : (!block, !block) -> !value
    %l14 = ttl.block_add %c_blk, %d_blk : (!block, !block) -> !value
    %l15 = ttl.block_max %d_blk, %c_blk : (!block, !block) -> !value
    %t0 = ttl.block_add %l0, %l15 : (!value, !value) -> !value
    %t1 = ttl.block_sub %l1, %l14 : (!value, !value) -> !value
    %t2 = ttl.block_min %l2, %l13 : (!value, !value) -> !value
    %t3 = ttl.block_add %l3, %l12 : (!value, !value) -> !value
    %t4 = ttl.block_sub %l4, %l11 : (!value, !value) -> !value
    %t5 = ttl.block_min %l5, %l10 : (!value, !value) -> !value
    %t6 = ttl.block_add %l6, %l9 : (!value, !value) -> !value
    %t7 = ttl.block_sub %l7, %l8 : (!value, !value) -> !value
    %t8 = ttl.block_min %t0, %t7 : (!value, !value) -> !value
    %t9 = ttl.block_add %t1, %t6 : (!value, !value) -> !value
    %t10 = ttl.block_sub %t2, %t5 : (!value, !value) -> !value
    %t11 = ttl.block_min %t3, %t4 : (!value, !value) -> !value
    %t12 = ttl.block_add %t8, %t11 : (!value, !value) -> !value
    %t13 = ttl.block_sub %t9, %t10 : (!value, !value) -> !value
    %t14 = ttl.block_min %t12, %t13 : (!value, !value) -> !value
    ttl.block_store %y_blk, %t14 : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %b_blk : !block
    ttl.cb_pop %c_blk : !block
    ttl.cb_pop %d_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
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
  %c = ttltest.random 3 {low = -4.0, high = 4.0} : !tensor
  %d = ttltest.random 4 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @pressure_fp32(%a, %b, %c, %d, %y) : !tensor, !tensor, !tensor, !tensor, !tensor
  return
}
