// Arithmetic of blocks of integers: results wrap around, comparisons are signed or unsigned.
// feature: Integers

#dram = #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>
!tensor = tensor<32x32xi32, #dram>
!results = tensor<448x32xi32, #dram>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, si32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, si32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, si32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!result = !ttl.tensor_slice<[1, 1], !results>

ttl.kernel @integer_blocks(%a: !tensor, %b: !tensor, %y: !results)
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
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block
    %y0 = ttl.cb_reserve %y_cb : !block
    %r0 = ttl.block_add_int %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y0, %r0 : !block, !value
    ttl.cb_push %y0 : !block
    %y1 = ttl.cb_reserve %y_cb : !block
    %r1 = ttl.block_sub_int %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y1, %r1 : !block, !value
    ttl.cb_push %y1 : !block
    %y2 = ttl.cb_reserve %y_cb : !block
    %r2 = ttl.block_mul_int %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y2, %r2 : !block, !value
    ttl.cb_push %y2 : !block
    %y3 = ttl.cb_reserve %y_cb : !block
    %r3 = ttl.block_max_int32 %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y3, %r3 : !block, !value
    ttl.cb_push %y3 : !block
    %y4 = ttl.cb_reserve %y_cb : !block
    %r4 = ttl.block_min_int32 %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y4, %r4 : !block, !value
    ttl.cb_push %y4 : !block
    %y5 = ttl.cb_reserve %y_cb : !block
    %r5 = ttl.block_max_uint32 %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y5, %r5 : !block, !value
    ttl.cb_push %y5 : !block
    %y6 = ttl.cb_reserve %y_cb : !block
    %r6 = ttl.block_min_uint32 %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y6, %r6 : !block, !value
    ttl.cb_push %y6 : !block
    %y7 = ttl.cb_reserve %y_cb : !block
    %r7 = ttl.block_eq_int %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y7, %r7 : !block, !value
    ttl.cb_push %y7 : !block
    %y8 = ttl.cb_reserve %y_cb : !block
    %r8 = ttl.block_ne_int %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y8, %r8 : !block, !value
    ttl.cb_push %y8 : !block
    %y9 = ttl.cb_reserve %y_cb : !block
    %r9 = ttl.block_lt_int32 %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y9, %r9 : !block, !value
    ttl.cb_push %y9 : !block
    %y10 = ttl.cb_reserve %y_cb : !block
    %r10 = ttl.block_le_int32 %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y10, %r10 : !block, !value
    ttl.cb_push %y10 : !block
    %y11 = ttl.cb_reserve %y_cb : !block
    %r11 = ttl.block_lt_uint32 %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y11, %r11 : !block, !value
    ttl.cb_push %y11 : !block
    %y12 = ttl.cb_reserve %y_cb : !block
    %r12 = ttl.block_le_uint32 %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y12, %r12 : !block, !value
    ttl.cb_push %y12 : !block
    %y13 = ttl.cb_reserve %y_cb : !block
    %less = ttl.block_lt_int32 %a_blk, %b_blk : (!block, !block) -> !value
    %sum = ttl.block_add_int %a_blk, %b_blk : (!block, !block) -> !value
    %r13 = ttl.block_where_int %less, %sum, %a_blk : (!value, !value, !block) -> !value
    ttl.block_store %y13, %r13 : !block, !value
    ttl.cb_push %y13 : !block
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %b_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 14 : index
    %acc = ttl.tensor_accessor %y : !results -> !ttl.accessor<!results>
    scf.for %i = %c0 to %n step %c1 {
      %blk = ttl.cb_wait %y_cb : !block
      %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!results> -> !result
      %xf = ttl.copy %blk, %part : !block, !result
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -2147480000.0, high = 2147480000.0} : !tensor
  %b = ttltest.random 2 {low = -2147480000.0, high = 2147480000.0} : !tensor
  %y = ttltest.full 7.0 : !results
  ttl.launch @integer_blocks(%a, %b, %y) : !tensor, !tensor, !results
  return
}
