// RUN: ttl-opt %s --ttl-lower-to-loops --verify-diagnostics

#map = affine_map<(d0) -> (d0)>
#shifted = affine_map<(d0) -> (d0 + 1)>
#parallel = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[2], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<2x!ttcore.tile<32x32, bf16>>, !cb>

ttl.program @shifted() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @compute on compute (%a) : !cb
}
func.func @compute(%a: !cb) {
  %a_blk = ttl.cb_wait %a : !block
  %y_blk = ttl.cb_reserve %a : !block
  // expected-error @+1 {{indexing maps select iterators or constants}}
  ttl.compute ins(%a_blk : !block) outs(%y_blk : !block)
      attributes {indexing_maps = [#shifted, #map], iterator_types = [#parallel]} {
  ^bb0(%ta: !ttcore.tile<32x32, bf16>, %ty: !ttcore.tile<32x32, bf16>):
    %t = ttl.copy_tile %ta {dst_idx = 0 : i32} : (!ttcore.tile<32x32, bf16>) -> !ttcore.tile<32x32, bf16>
    ttl.yield %t : !ttcore.tile<32x32, bf16>
  }
  return
}
