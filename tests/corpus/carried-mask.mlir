// Nested loops carry the tile of a mask. A mask must be in the register after its data, so that
// the tile which the outer loop carries is copied to this register.

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @carried_mask(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true, dst_full_sync_en = true>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
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
    %y_blk = ttl.cb_reserve %y_cb : !block
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %three = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %v1 = ttl.block_exp %a_blk : (!block) -> !value
    %v2 = ttl.block_exp %a_blk : (!block) -> !value
    %v5:2 = scf.for %i1 = %c0 to %three step %one iter_args(%v3 = %v2, %v4 = %v1) -> (!value, !value) {
        %v6 = ttl.block_sub %v3, %v4 : (!value, !value) -> !value
        %v9:2 = scf.for %i2 = %c0 to %three step %one iter_args(%v7 = %v3, %v8 = %v6) -> (!value, !value) {
            %v10 = ttl.block_mask %v8, %v7 : (!value, !value) -> !value
            %v11 = ttl.block_add %v10, %a_blk : (!value, !block) -> !value
            %v12 = ttl.block_add %v8, %a_blk : (!value, !block) -> !value
            scf.yield %v11, %v12 : !value, !value
        }
        scf.yield %v9#0, %v9#1 : !value, !value
    }
    %v13 = ttl.block_sub %v5#0, %v5#1 : (!value, !value) -> !value
    ttl.block_store %y_blk, %v13 : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %a_blk : !block
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
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @carried_mask(%a, %y) : !tensor, !tensor
  return
}
