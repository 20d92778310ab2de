// Sums, differences and products on the matrix engine, of tiles of one format and of two.
// options: --dst=fpu

!tensor = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!tensor_bf16 = tensor<32x64xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb_bf16 = !ttl.cb<[1, 2], !ttcore.tile<32x32, bf16>, 2>
!block_bf16 = !ttl.block<tensor<1x2x!ttcore.tile<32x32, bf16>>, !cb_bf16>
!value_bf16 = tensor<1x2x!ttcore.tile<32x32, bf16>>
!slice_bf16 = !ttl.tensor_slice<[1, 2], !tensor_bf16>

ttl.kernel @fpu_binary(%a: !tensor, %b: !tensor, %h: !tensor_bf16, %y: !tensor, %z: !tensor_bf16, %w: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  %h_cb = ttl.create_cb "h_cb" : !cb_bf16
  %y_cb = ttl.create_cb "y_cb" : !cb
  %z_cb = ttl.create_cb "z_cb" : !cb_bf16
  %w_cb = ttl.create_cb "w_cb" : !cb
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
    %h_acc = ttl.tensor_accessor %h : !tensor_bf16 -> !ttl.accessor<!tensor_bf16>
    %h_blk = ttl.cb_reserve %h_cb : !block_bf16
    %h_part = ttl.index_accessor %h_acc[%c0, %c0] : !ttl.accessor<!tensor_bf16> -> !slice_bf16
    %h_xf = ttl.copy %h_part, %h_blk : !slice_bf16, !block_bf16
    ttl.wait %a_xf
    ttl.wait %b_xf
    ttl.wait %h_xf
    ttl.cb_push %a_blk : !block
    ttl.cb_push %b_blk : !block
    ttl.cb_push %h_blk : !block_bf16
  }
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block
    %h_blk = ttl.cb_wait %h_cb : !block_bf16
    %y_blk = ttl.cb_reserve %y_cb : !block
    %z_blk = ttl.cb_reserve %z_cb : !block_bf16
    %w_blk = ttl.cb_reserve %w_cb : !block
    %s = ttl.block_add %a_blk, %b_blk : (!block, !block) -> !value
    %d = ttl.block_sub %a_blk, %b_blk : (!block, !block) -> !value
    %p = ttl.block_mul %s, %d : (!value, !value) -> !value
    ttl.block_store %y_blk, %p : !block, !value
    %m = ttl.block_mul %a_blk, %b_blk : (!block, !block) -> !value
    %n = ttl.block_mul %h_blk, %h_blk : (!block_bf16, !block_bf16) -> !value_bf16
    ttl.block_store %z_blk, %n : !block_bf16, !value_bf16
    ttl.block_store %w_blk, %m : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_push %z_blk : !block_bf16
    ttl.cb_push %w_blk : !block
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %b_blk : !block
    ttl.cb_pop %h_blk : !block_bf16
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %y_blk = ttl.cb_wait %y_cb : !block
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block
    %z_acc = ttl.tensor_accessor %z : !tensor_bf16 -> !ttl.accessor<!tensor_bf16>
    %z_blk = ttl.cb_wait %z_cb : !block_bf16
    %z_part = ttl.index_accessor %z_acc[%c0, %c0] : !ttl.accessor<!tensor_bf16> -> !slice_bf16
    %z_xf = ttl.copy %z_blk, %z_part : !block_bf16, !slice_bf16
    ttl.wait %z_xf
    ttl.cb_pop %z_blk : !block_bf16
    %w_acc = ttl.tensor_accessor %w : !tensor -> !ttl.accessor<!tensor>
    %w_blk = ttl.cb_wait %w_cb : !block
    %w_part = ttl.index_accessor %w_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %w_xf = ttl.copy %w_blk, %w_part : !block, !slice
    ttl.wait %w_xf
    ttl.cb_pop %w_blk : !block
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %b = ttltest.random 2 {low = -4.0, high = 4.0} : !tensor
  %h = ttltest.random 3 {low = -4.0, high = 4.0} : !tensor_bf16
  %y = ttltest.full 7.0 : !tensor
  %z = ttltest.full 7.0 : !tensor_bf16
  %w = ttltest.full 7.0 : !tensor
  ttl.launch @fpu_binary(%a, %b, %h, %y, %z, %w) : !tensor, !tensor, !tensor_bf16, !tensor, !tensor_bf16, !tensor
  return
}
