// Sums and maxima of the columns of an expression.

!tensor = tensor<96x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[3, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<3x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<3x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[3, 2], !tensor>
!tensor2 = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb2 = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block2 = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb2>
!value2 = tensor<1x2x!ttcore.tile<32x32, f32>>
!slice2 = !ttl.tensor_slice<[1, 2], !tensor2>

ttl.kernel @reduce_columns(%a: !tensor, %y: !tensor2, %z: !tensor2)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb2
  %z_cb = ttl.create_cb "z_cb" : !cb2
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    ttl.wait %a_xf
    ttl.cb_push %a_blk : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %a_blk = ttl.cb_wait %a_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block2
    %z_blk = ttl.cb_reserve %z_cb : !block2
    %e = ttl.block_exp %a_blk : (!block) -> !value
    %s = ttl.block_reduce_sum %e {dims = array<i64: 0>} : (!value) -> !value2
    ttl.block_store %y_blk, %s : !block2, !value2
    %m = ttl.block_reduce_max %e {dims = array<i64: 0>} : (!value) -> !value2
    %n = ttl.block_neg %m : (!value2) -> !value2
    ttl.block_store %z_blk, %n : !block2, !value2
    ttl.cb_push %y_blk : !block2
    ttl.cb_push %z_blk : !block2
    ttl.cb_pop %a_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor2 -> !ttl.accessor<!tensor2>
    %y_blk = ttl.cb_wait %y_cb : !block2
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor2> -> !slice2
    %y_xf = ttl.copy %y_blk, %y_part : !block2, !slice2
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block2
    %z_acc = ttl.tensor_accessor %z : !tensor2 -> !ttl.accessor<!tensor2>
    %z_blk = ttl.cb_wait %z_cb : !block2
    %z_part = ttl.index_accessor %z_acc[%c0, %c0] : !ttl.accessor<!tensor2> -> !slice2
    %z_xf = ttl.copy %z_blk, %z_part : !block2, !slice2
    ttl.wait %z_xf
    ttl.cb_pop %z_blk : !block2
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor2
  %z = ttltest.full 7.0 : !tensor2
  ttl.launch @reduce_columns(%a, %y, %z) : !tensor, !tensor2, !tensor2
  return
}
