// Functions with an integer as parameter: pow_int and round.

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @integer_parameters(%x: !tensor, %y0: !tensor, %y1: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x_cb" : !cb
  %y0_cb = ttl.create_cb "y0_cb" : !cb
  %y1_cb = ttl.create_cb "y1_cb" : !cb
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
    %three = arith.constant 3 : i32
    %one = arith.constant 1 : i32
    %a = ttl.block_pow_int %x_blk, %three : (!block, i32) -> !value
    ttl.block_store %y0_blk, %a : !block, !value
    %b = ttl.block_round %x_blk, %one : (!block, i32) -> !value
    ttl.block_store %y1_blk, %b : !block, !value
    ttl.cb_push %y0_blk : !block
    ttl.cb_push %y1_blk : !block
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
  }
}

func.func @main() {
  %x = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %y0 = ttltest.full 7.0 : !tensor
  %y1 = ttltest.full 7.0 : !tensor
  ttl.launch @integer_parameters(%x, %y0, %y1) : !tensor, !tensor, !tensor
  return
}
