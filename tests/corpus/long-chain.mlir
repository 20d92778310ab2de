// A chain of forty functions, each of the value before and an input.

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @long_chain(%a: !tensor, %b: !tensor, %y: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
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
    %v0 = ttl.block_add %a_blk, %b_blk : (!block, !block) -> !value
    %v1 = ttl.block_mul %v0, %a_blk : (!value, !block) -> !value
    %v2 = ttl.block_neg %v1 : (!value) -> !value
    %v3 = ttl.block_add %v2, %b_blk : (!value, !block) -> !value
    %v4 = ttl.block_sigmoid %v3 : (!value) -> !value
    %v5 = ttl.block_sub %v4, %a_blk : (!value, !block) -> !value
    %v6 = ttl.block_abs %v5 : (!value) -> !value
    %v7 = ttl.block_max %v6, %b_blk : (!value, !block) -> !value
    %v8 = ttl.block_tanh %v7 : (!value) -> !value
    %v9 = ttl.block_mul %v8, %a_blk : (!value, !block) -> !value
    %v10 = ttl.block_neg %v9 : (!value) -> !value
    %v11 = ttl.block_add %v10, %b_blk : (!value, !block) -> !value
    %v12 = ttl.block_sigmoid %v11 : (!value) -> !value
    %v13 = ttl.block_sub %v12, %a_blk : (!value, !block) -> !value
    %v14 = ttl.block_abs %v13 : (!value) -> !value
    %v15 = ttl.block_max %v14, %b_blk : (!value, !block) -> !value
    %v16 = ttl.block_tanh %v15 : (!value) -> !value
    %v17 = ttl.block_mul %v16, %a_blk : (!value, !block) -> !value
    %v18 = ttl.block_neg %v17 : (!value) -> !value
    %v19 = ttl.block_add %v18, %b_blk : (!value, !block) -> !value
    %v20 = ttl.block_sigmoid %v19 : (!value) -> !value
    %v21 = ttl.block_sub %v20, %a_blk : (!value, !block) -> !value
    %v22 = ttl.block_abs %v21 : (!value) -> !value
    %v23 = ttl.block_max %v22, %b_blk : (!value, !block) -> !value
    %v24 = ttl.block_tanh %v23 : (!value) -> !value
    %v25 = ttl.block_mul %v24, %a_blk : (!value, !block) -> !value
    %v26 = ttl.block_neg %v25 : (!value) -> !value
    %v27 = ttl.block_add %v26, %b_blk : (!value, !block) -> !value
    %v28 = ttl.block_sigmoid %v27 : (!value) -> !value
    %v29 = ttl.block_sub %v28, %a_blk : (!value, !block) -> !value
    %v30 = ttl.block_abs %v29 : (!value) -> !value
    %v31 = ttl.block_max %v30, %b_blk : (!value, !block) -> !value
    %v32 = ttl.block_tanh %v31 : (!value) -> !value
    %v33 = ttl.block_mul %v32, %a_blk : (!value, !block) -> !value
    %v34 = ttl.block_neg %v33 : (!value) -> !value
    %v35 = ttl.block_add %v34, %b_blk : (!value, !block) -> !value
    %v36 = ttl.block_sigmoid %v35 : (!value) -> !value
    %v37 = ttl.block_sub %v36, %a_blk : (!value, !block) -> !value
    %v38 = ttl.block_abs %v37 : (!value) -> !value
    %v39 = ttl.block_max %v38, %b_blk : (!value, !block) -> !value
    ttl.block_store %y_blk, %v39 : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %b_blk : !block
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
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @long_chain(%a, %b, %y) : !tensor, !tensor, !tensor
  return
}
