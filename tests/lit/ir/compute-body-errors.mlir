// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// The body of a ttl.compute may only compute tiles: the verifier refuses all other ops.

// Control flow.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %true = arith.constant true
    // expected-error @+1 {{'scf.if' op is not allowed in the body of a ttl.compute, which may only contain operations on tiles, on numbers and on DST registers}}
    %0 = scf.if %true -> !t {
      scf.yield %t0 : !t
    } else {
      scf.yield %t0 : !t
    }
    ttl.yield %0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Ops of the buffers' protocol.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    // expected-error @+1 {{'ttl.cb_push' op is not allowed in the body of a ttl.compute, which may only contain operations on tiles, on numbers and on DST registers}}
    ttl.cb_push %y0 : !block
    ttl.yield %t0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Ops that take a tile by its number in a block.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{'ttl.get_tile' op is not allowed in the body of a ttl.compute, which may only contain operations on tiles, on numbers and on DST registers}}
    %0 = ttl.get_tile %a0[%c0] : !block -> !t
    ttl.yield %0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Tiles that are in DST already.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    // expected-error @+1 {{'ttl.dst_tile' op is not allowed in the body of a ttl.compute, which may only contain operations on tiles, on numbers and on DST registers}}
    %0 = ttl.dst_tile {dst_idx = 2 : i32} : !t
    ttl.yield %0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// The index of a DST register is not a number to compute with.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    // expected-error @+1 {{'ttl.acquire_dst' op takes a register, so only 'ttl.release_dst' may use its result}}
    %r = ttl.acquire_dst : index
    %i = arith.index_cast %r : index to i32
    ttl.yield %t0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Nor is the place of a spilled tile.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    // expected-error @+1 {{'ttl.spill_tile_to_l1' op stores a tile, so only 'ttl.restore_tile_from_l1' may use its result}}
    %s = ttl.spill_tile_to_l1 %t0 : !t -> index
    %i = arith.addi %s, %s : index
    %0 = ttl.restore_tile_from_l1 %s : index -> !t
    ttl.yield %0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Ops on numbers are allowed, also those that may fault.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %c1 = arith.constant 1 : i32
    %i = ttl.int_add %c1, %c1
    %f = arith.sitofp %i : i32 to f32
    %0 = ttl.tile_fill %f : !t
    %1 = ttl.tile_add %t0, %0 : (!t, !t) -> !t
    ttl.yield %1 : !t
  }
  ttl.cb_push %y0 : !block
  return
}
