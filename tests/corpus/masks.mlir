// Masks that replace elements by 0 and by infinity.
// feature: Selecting and masking

!tensor = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 2], !tensor>

ttl.kernel @masks(%a: !tensor, %mask: !tensor, %y: !tensor, %z: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %mask_cb = ttl.create_cb "mask_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  %z_cb = ttl.create_cb "z_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    %mask_acc = ttl.tensor_accessor %mask : !tensor -> !ttl.accessor<!tensor>
    %mask_blk = ttl.cb_reserve %mask_cb : !block
    %mask_part = ttl.index_accessor %mask_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %mask_xf = ttl.copy %mask_part, %mask_blk : !slice, !block
    ttl.wait %a_xf
    ttl.wait %mask_xf
    ttl.cb_push %a_blk : !block
    ttl.cb_push %mask_blk : !block
  }
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a_cb : !block
    %mask_blk = ttl.cb_wait %mask_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block
    %z_blk = ttl.cb_reserve %z_cb : !block
    %bits = ttl.block_floor %mask_blk : (!block) -> !value
    %p = ttl.block_mask %a_blk, %bits : (!block, !value) -> !value
    ttl.block_store %y_blk, %p : !block, !value
    %twice = ttl.block_add %a_blk, %a_blk : (!block, !block) -> !value
    %q = ttl.block_mask_posinf %twice, %bits : (!value, !value) -> !value
    ttl.block_store %z_blk, %q : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_push %z_blk : !block
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %mask_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %y_blk = ttl.cb_wait %y_cb : !block
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block
    %z_acc = ttl.tensor_accessor %z : !tensor -> !ttl.accessor<!tensor>
    %z_blk = ttl.cb_wait %z_cb : !block
    %z_part = ttl.index_accessor %z_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %z_xf = ttl.copy %z_blk, %z_part : !block, !slice
    ttl.wait %z_xf
    ttl.cb_pop %z_blk : !block
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %mask = ttltest.random 2 {low = 0.0, high = 2.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  %z = ttltest.full 7.0 : !tensor
  ttl.launch @masks(%a, %mask, %y, %z) : !tensor, !tensor, !tensor, !tensor
  return
}
