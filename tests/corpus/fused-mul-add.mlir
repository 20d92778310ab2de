// Computes a * b + c in a loop over blocks of several tiles.

!tensor = tensor<192x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<2x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[2, 1], !tensor>

ttl.kernel @fused_mul_add(%a: !tensor, %b: !tensor, %c: !tensor, %y: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  %c_cb = ttl.create_cb "c_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %steps = arith.constant 3 : index
    scf.for %i = %c0 to %steps step %c1 {
      %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
      %a_blk = ttl.cb_reserve %a_cb : !block
      %a_rows = arith.constant 2 : index
      %a_row = arith.muli %i, %a_rows : index
      %a_part = ttl.index_accessor %a_acc[%a_row, %c0] : !ttl.accessor<!tensor> -> !slice
      %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
      %b_acc = ttl.tensor_accessor %b : !tensor -> !ttl.accessor<!tensor>
      %b_blk = ttl.cb_reserve %b_cb : !block
      %b_rows = arith.constant 2 : index
      %b_row = arith.muli %i, %b_rows : index
      %b_part = ttl.index_accessor %b_acc[%b_row, %c0] : !ttl.accessor<!tensor> -> !slice
      %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
      %c_acc = ttl.tensor_accessor %c : !tensor -> !ttl.accessor<!tensor>
      %c_blk = ttl.cb_reserve %c_cb : !block
      %c_rows = arith.constant 2 : index
      %c_row = arith.muli %i, %c_rows : index
      %c_part = ttl.index_accessor %c_acc[%c_row, %c0] : !ttl.accessor<!tensor> -> !slice
      %c_xf = ttl.copy %c_part, %c_blk : !slice, !block
      ttl.wait %a_xf
      ttl.wait %b_xf
      ttl.wait %c_xf
      ttl.cb_push %a_blk : !block
      ttl.cb_push %b_blk : !block
      ttl.cb_push %c_blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %steps = arith.constant 3 : index
    scf.for %i = %c0 to %steps step %c1 {
      %a_blk = ttl.cb_wait %a_cb : !block
      %b_blk = ttl.cb_wait %b_cb : !block
      %c_blk = ttl.cb_wait %c_cb : !block
      %y_blk = ttl.cb_reserve %y_cb : !block
      %p = ttl.block_mul %a_blk, %b_blk : (!block, !block) -> !value
      %s = ttl.block_add %p, %c_blk : (!value, !block) -> !value
      ttl.block_store %y_blk, %s : !block, !value
      ttl.cb_push %y_blk : !block
      ttl.cb_pop %a_blk : !block
      ttl.cb_pop %b_blk : !block
      ttl.cb_pop %c_blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %steps = arith.constant 3 : index
    scf.for %i = %c0 to %steps step %c1 {
      %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
      %y_blk = ttl.cb_wait %y_cb : !block
      %y_rows = arith.constant 2 : index
      %y_row = arith.muli %i, %y_rows : index
      %y_part = ttl.index_accessor %y_acc[%y_row, %c0] : !ttl.accessor<!tensor> -> !slice
      %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
      ttl.wait %y_xf
      ttl.cb_pop %y_blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %b = ttltest.random 2 {low = -4.0, high = 4.0} : !tensor
  %c = ttltest.random 3 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @fused_mul_add(%a, %b, %c, %y) : !tensor, !tensor, !tensor, !tensor
  return
}
