// Affine loops, branches and index arithmetic: reads tiles in reverse, and doubles some of them.

!tensor = tensor<64x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
#reverse = affine_map<(d0) -> (-d0 + 3)>
#even = affine_set<(d0) : (d0 mod 2 == 0)>

ttl.kernel @affine(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 4 {
        %column = affine.apply #reverse(%j)
        %blk = ttl.cb_reserve %a_cb : !block
        %part = ttl.index_accessor %acc[%i, %column] : !ttl.accessor<!tensor> -> !slice
        %xf = ttl.copy %part, %blk : !slice, !block
        ttl.wait %xf
        ttl.cb_push %blk : !block
      }
    }
  }
  ttl.compute_thread "compute" {
    %one = arith.constant 1 : index
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 4 {
        %a_blk = ttl.cb_wait %a_cb : !block
        %y_blk = ttl.cb_reserve %y_cb : !block
        affine.if #even(%j) {
          %sum = ttl.block_add %a_blk, %a_blk : (!block, !block) -> !value
          ttl.block_store %y_blk, %sum : !block, !value
        } else {
          %same = ttl.block_abs %a_blk : (!block) -> !value
          ttl.block_store %y_blk, %same : !block, !value
        }
        ttl.cb_push %y_blk : !block
        ttl.cb_pop %a_blk : !block
      }
    }
  }
  ttl.datamovement_thread "writer" {
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    affine.for %n = 0 to 8 {
      %i = affine.min affine_map<(d0) -> (d0 floordiv 4, 1)>(%n)
      %j = affine.max affine_map<(d0) -> (d0 mod 4, 0)>(%n)
      %blk = ttl.cb_wait %y_cb : !block
      %part = ttl.index_accessor %acc[%i, %j] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %blk, %part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @affine(%a, %y) : !tensor, !tensor
  return
}
