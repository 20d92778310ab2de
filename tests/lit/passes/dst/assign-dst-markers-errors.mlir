// RUN: ttl-opt %s --ttl-assign-dst --verify-diagnostics

// A program that takes registers by hand cannot get more of them by a split.

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @taken() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %a1, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %a1_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{insufficient DST registers: all 4 registers in use; a compute with ttl.acquire_dst cannot be split: acquire fewer registers, and spill no tile}}
  ttl.compute ins(%a0, %a1 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %r = ttl.acquire_dst : index
    %s = ttl.acquire_dst : index
    %q = ttl.acquire_dst : index
    %0 = ttl.tile_add %t0, %t1 : (!t, !t) -> !t
    ttl.release_dst %r
    ttl.release_dst %s
    ttl.release_dst %q
    ttl.yield %0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}
