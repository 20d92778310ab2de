// Conversions between floats and integers, and roundings to floats of 16 bits.

#dram = #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>
!floats = tensor<32x32xf32, #dram>
!integers = tensor<32x32xi32, #dram>
!float_results = tensor<128x32xf32, #dram>
!integer_results = tensor<128x32xi32, #dram>
!f_cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!f_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !f_cb>
!f = tensor<1x1x!ttcore.tile<32x32, f32>>
!i_cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, si32>, 2>
!i_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, si32>>, !i_cb>
!i = tensor<1x1x!ttcore.tile<32x32, si32>>
!f_slice = !ttl.tensor_slice<[1, 1], !floats>
!i_slice = !ttl.tensor_slice<[1, 1], !integers>
!f_result = !ttl.tensor_slice<[1, 1], !float_results>
!i_result = !ttl.tensor_slice<[1, 1], !integer_results>

ttl.kernel @typecasts(%a: !floats, %b: !integers, %y: !float_results, %z: !integer_results)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !f_cb
  %b_cb = ttl.create_cb "b_cb" : !i_cb
  %y_cb = ttl.create_cb "y_cb" : !f_cb
  %z_cb = ttl.create_cb "z_cb" : !i_cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !floats -> !ttl.accessor<!floats>
    %a_blk = ttl.cb_reserve %a_cb : !f_block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!floats> -> !f_slice
    %a_xf = ttl.copy %a_part, %a_blk : !f_slice, !f_block
    %b_acc = ttl.tensor_accessor %b : !integers -> !ttl.accessor<!integers>
    %b_blk = ttl.cb_reserve %b_cb : !i_block
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !ttl.accessor<!integers> -> !i_slice
    %b_xf = ttl.copy %b_part, %b_blk : !i_slice, !i_block
    ttl.wait %a_xf
    ttl.wait %b_xf
    ttl.cb_push %a_blk : !f_block
    ttl.cb_push %b_blk : !i_block
  }
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a_cb : !f_block
    %b_blk = ttl.cb_wait %b_cb : !i_block
    %o0 = ttl.cb_reserve %z_cb : !i_block
    %r0 = ttl.block_float_to_int32 %a_blk : (!f_block) -> !i
    ttl.block_store %o0, %r0 : !i_block, !i
    ttl.cb_push %o0 : !i_block
    %o1 = ttl.cb_reserve %z_cb : !i_block
    %r1 = ttl.block_float_to_uint32 %a_blk : (!f_block) -> !i
    ttl.block_store %o1, %r1 : !i_block, !i
    ttl.cb_push %o1 : !i_block
    %o2 = ttl.cb_reserve %y_cb : !f_block
    %r2 = ttl.block_to_bfloat16 %a_blk : (!f_block) -> !f
    ttl.block_store %o2, %r2 : !f_block, !f
    ttl.cb_push %o2 : !f_block
    %o3 = ttl.cb_reserve %y_cb : !f_block
    %r3 = ttl.block_to_float16 %a_blk : (!f_block) -> !f
    ttl.block_store %o3, %r3 : !f_block, !f
    ttl.cb_push %o3 : !f_block
    %o4 = ttl.cb_reserve %y_cb : !f_block
    %r4 = ttl.block_int32_to_float %b_blk : (!i_block) -> !f
    ttl.block_store %o4, %r4 : !f_block, !f
    ttl.cb_push %o4 : !f_block
    %o5 = ttl.cb_reserve %y_cb : !f_block
    %r5 = ttl.block_uint32_to_float %b_blk : (!i_block) -> !f
    ttl.block_store %o5, %r5 : !f_block, !f
    ttl.cb_push %o5 : !f_block
    %o6 = ttl.cb_reserve %z_cb : !i_block
    %r6 = ttl.block_to_uint16 %b_blk : (!i_block) -> !i
    ttl.block_store %o6, %r6 : !i_block, !i
    ttl.cb_push %o6 : !i_block
    %o7 = ttl.cb_reserve %z_cb : !i_block
    %r7 = ttl.block_to_uint8 %b_blk : (!i_block) -> !i
    ttl.block_store %o7, %r7 : !i_block, !i
    ttl.cb_push %o7 : !i_block
    ttl.cb_pop %a_blk : !f_block
    ttl.cb_pop %b_blk : !i_block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %y_acc = ttl.tensor_accessor %y : !float_results -> !ttl.accessor<!float_results>
    %z_acc = ttl.tensor_accessor %z : !integer_results -> !ttl.accessor<!integer_results>
    scf.for %i = %c0 to %n step %c1 {
      %z_blk = ttl.cb_wait %z_cb : !i_block
      %z_part = ttl.index_accessor %z_acc[%i, %c0] : !ttl.accessor<!integer_results> -> !i_result
      %z_xf = ttl.copy %z_blk, %z_part : !i_block, !i_result
      %y_blk = ttl.cb_wait %y_cb : !f_block
      %y_part = ttl.index_accessor %y_acc[%i, %c0] : !ttl.accessor<!float_results> -> !f_result
      %y_xf = ttl.copy %y_blk, %y_part : !f_block, !f_result
      ttl.wait %z_xf
      ttl.wait %y_xf
      ttl.cb_pop %z_blk : !i_block
      ttl.cb_pop %y_blk : !f_block
    }
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -70000.0, high = 5000000000.0} : !floats
  %b = ttltest.random 2 {low = -2147480000.0, high = 2147480000.0} : !integers
  %y = ttltest.full 7.0 : !float_results
  %z = ttltest.full 7.0 : !integer_results
  ttl.launch @typecasts(%a, %b, %y, %z) : !floats, !integers, !float_results, !integer_results
  return
}
