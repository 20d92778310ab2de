// ttl.compute that adds to the contents of the slots it stores to.
// options: --start-from=compute

!half = !ttcore.tile<32x32, bf16>
!tensor = tensor<32x64xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, bf16>>, !cb>
!value = tensor<1x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 2], !tensor>

ttl.kernel @compute_accumulate(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
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
    %no = arith.constant 0 : i32
    %yes = arith.constant 1 : i32
    ttl.compute ins(%a_blk : !block) outs(%y_blk : !block) accumulate(%no) attributes {indexing_maps = [affine_map<(i, j) -> (i, j)>,
        affine_map<(i, j) -> (i, j)>],
        iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>]} {
    ^bb0(%ta: !half, %ty: !half):
      %l = ttl.tile_neg %ta : (!half) -> !half
      ttl.yield %l : !half
    }
    ttl.compute ins(%a_blk : !block) outs(%y_blk : !block) accumulate(%yes) attributes {indexing_maps = [affine_map<(i, j) -> (i, j)>,
        affine_map<(i, j) -> (i, j)>],
        iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>]} {
    ^bb0(%ta: !half, %ty: !half):
      %l = ttl.tile_exp %ta : (!half) -> !half
      ttl.yield %l : !half
    }
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
  ttl.launch @compute_accumulate(%a, %y) : !tensor, !tensor
  return
}
