// Two threads that wait for each other's first block: a deadlock at every stage.
// status: fault

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @deadlock(%a: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_reserve %b_cb : !block
    %v = ttl.block_abs %a_blk : (!block) -> !value
    ttl.block_store %b_blk, %v : !block, !value
    ttl.cb_push %b_blk : !block
    ttl.cb_pop %a_blk : !block
  }
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %b_blk = ttl.cb_wait %b_cb : !block
    ttl.cb_pop %b_blk : !block
    %a_blk = ttl.cb_reserve %a_cb : !block
    %xf = ttl.copy %part, %a_blk : !slice, !block
    ttl.wait %xf
    ttl.cb_push %a_blk : !block
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  ttl.launch @deadlock(%a) : !tensor
  return
}
