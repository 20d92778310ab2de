// RUN: ttl-opt %s --ttl-assign-dst --split-input-file --verify-diagnostics

// The program gives registers that are too few for its unroll factor.

// The second tile would overwrite a register that the first tile loads.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 4], !t, 2>
!block = !ttl.block<tensor<1x4x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %b0 = ttl.create_cb "b0" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %b0, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %b0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %b0 = ttl.cb_wait %b0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{cannot compute 2 tiles in one DST section (ttl.unroll_factor) with these registers: expected all other values below the outputs, which begin at register 0, found one in register 1}}
  ttl.compute ins(%a0, %b0 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel], ttl.unroll_factor = 2 : i32} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    %1 = ttl.copy_tile %t1 {dst_idx = 1 : i32} : (!t) -> !t
    %2 = ttl.tile_add %0, %1 {dst_idx = 0 : i32} : (!t, !t) -> !t
    ttl.yield %2 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Outputs of the third and the fourth tile would need registers 4 and 5.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 4], !t, 2>
!block = !ttl.block<tensor<1x4x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %b0 = ttl.create_cb "b0" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %b0, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %b0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %b0 = ttl.cb_wait %b0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{cannot compute 4 tiles in one DST section (ttl.unroll_factor) with these registers: the tiles need 6 registers, but there are 4}}
  ttl.compute ins(%a0, %b0 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel], ttl.unroll_factor = 4 : i32} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    %1 = ttl.copy_tile %t1 {dst_idx = 1 : i32} : (!t) -> !t
    %2 = ttl.tile_add %0, %1 {dst_idx = 2 : i32} : (!t, !t) -> !t
    ttl.yield %2 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Both outputs move by two registers for each tile.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 4], !t, 2>
!block = !ttl.block<tensor<1x4x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %b0 = ttl.create_cb "b0" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %b0, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %b0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %b0 = ttl.cb_wait %b0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{cannot compute 2 tiles in one DST section (ttl.unroll_factor) with these registers: expected the outputs in consecutive registers, found 0, 2}}
  ttl.compute ins(%a0, %b0 : !block, !block) outs(%y0, %b0 : !block, !block)
      attributes {indexing_maps = [#id, #id, #id, #id], iterator_types = [#parallel, #parallel], ttl.unroll_factor = 2 : i32} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t, %o1: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    %1 = ttl.copy_tile %t1 {dst_idx = 2 : i32} : (!t) -> !t
    ttl.yield %0, %1 : !t, !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// The mask is packed, but its data is not.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 4], !t, 2>
!block = !ttl.block<tensor<1x4x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %b0 = ttl.create_cb "b0" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %b0, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %b0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %b0 = ttl.cb_wait %b0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{cannot compute 2 tiles in one DST section (ttl.unroll_factor) with these registers: the mask in register 1 would be another one for each tile, but its data in register 0 would not}}
  ttl.compute ins(%a0, %b0 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel], ttl.unroll_factor = 2 : i32} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    %1 = ttl.copy_tile %t1 {dst_idx = 1 : i32} : (!t) -> !t
    %2 = ttl.tile_mask %0, %1 {dst_idx = 0 : i32} : (!t, !t) -> !t
    ttl.yield %1 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// An unroll factor must be a number.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 4], !t, 2>
!block = !ttl.block<tensor<1x4x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %b0 = ttl.create_cb "b0" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %b0, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %b0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %b0 = ttl.cb_wait %b0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{expected ttl.unroll_factor to be an integer from 1 on, found "two"}}
  ttl.compute ins(%a0, %b0 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel], ttl.unroll_factor = "two"} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    %1 = ttl.copy_tile %t1 {dst_idx = 1 : i32} : (!t) -> !t
    %2 = ttl.tile_add %0, %1 {dst_idx = 2 : i32} : (!t, !t) -> !t
    ttl.yield %2 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// All tiles of a section are read before the first one is packed, but this compute reads a packed
// tile again.
#id = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0, 0)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 4], !t, 2>
!block = !ttl.block<tensor<1x4x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{cannot compute 2 tiles in one DST section (ttl.unroll_factor) with these registers: the compute reads tiles that it packs, but a section reads all of its tiles before it packs one}}
  ttl.compute ins(%a0, %y0 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #first, #id], iterator_types = [#parallel, #parallel], ttl.unroll_factor = 2 : i32} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    %1 = ttl.copy_tile %t1 {dst_idx = 1 : i32} : (!t) -> !t
    %2 = ttl.tile_add %0, %1 {dst_idx = 2 : i32} : (!t, !t) -> !t
    ttl.yield %2 : !t
  }
  ttl.cb_push %y0 : !block
  return
}
