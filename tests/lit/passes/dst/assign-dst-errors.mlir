// RUN: ttl-opt %s --ttl-assign-dst=split=false --split-input-file --verify-diagnostics

// With splits forbidden, a compute may need more registers than there are.

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @big() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{insufficient DST registers: all 4 registers in use}}
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.tile_exp %t0 : (!t) -> !t
    %1 = ttl.tile_abs %0 : (!t) -> !t
    %2 = ttl.tile_sqrt %1 : (!t) -> !t
    %3 = ttl.tile_relu %2 : (!t) -> !t
    %4 = ttl.tile_neg %3 : (!t) -> !t
    %5 = ttl.tile_add %0, %1 : (!t, !t) -> !t
    %6 = ttl.tile_mul %5, %2 : (!t, !t) -> !t
    %7 = ttl.tile_sub %6, %3 : (!t, !t) -> !t
    %8 = ttl.tile_add %7, %4 : (!t, !t) -> !t
    %9 = ttl.tile_mul %8, %3 : (!t, !t) -> !t
    %10 = ttl.tile_mul %9, %2 : (!t, !t) -> !t
    %11 = ttl.tile_mul %10, %1 : (!t, !t) -> !t
    %12 = ttl.tile_mul %11, %0 : (!t, !t) -> !t
    ttl.yield %12 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Register numbers that the hardware does not have.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    // expected-error @+1 {{expected a DST register from 0 to 3, found 4}}
    %1 = ttl.tile_add %0, %0 {dst_idx = 4 : i32} : (!t, !t) -> !t
    ttl.yield %1 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// A tile without a register.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    // expected-error @+1 {{this operation has no DST register, but other operations of this ttl.compute have one: give a register to all, or to none}}
    %1 = ttl.tile_add %0, %0 : (!t, !t) -> !t
    ttl.yield %1 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// A tile that no op loaded.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    // expected-error @+1 {{cannot read a tile from DST that no ttl.copy_tile loads}}
    %0 = ttl.tile_exp %t0 {dst_idx = 0 : i32} : (!t) -> !t
    ttl.yield %0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// The same for a tile that is packed.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    // expected-error @+1 {{cannot read a tile from DST that no ttl.copy_tile loads}}
    ttl.yield %t0 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// Only tiles in L1 can be loaded.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    // expected-error @+1 {{cannot load a tile that is in DST already}}
    %1 = ttl.copy_tile %0 {dst_idx = 1 : i32} : (!t) -> !t
    ttl.yield %1 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// An in-place op must have its operand's register.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    // expected-error @+1 {{this operation works in place: expected DST register 0 of its operand, found 1}}
    %1 = ttl.tile_exp %0 {dst_idx = 1 : i32} : (!t) -> !t
    ttl.yield %1 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// A mask must be in the register after its data.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    %1 = ttl.copy_tile %t0 {dst_idx = 2 : i32} : (!t) -> !t
    // expected-error @+1 {{this operation reads its mask from the DST register after its data: expected 1, found 2}}
    %2 = ttl.tile_mask %0, %1 {dst_idx = 0 : i32} : (!t, !t) -> !t
    ttl.yield %2 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// A load must say to which register.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    // expected-error @+1 {{cannot load into a DST register here: give a register to every operation of this ttl.compute, or leave the load out}}
    %0 = ttl.copy_tile %t0 : (!t) -> !t
    %1 = ttl.tile_exp %0 : (!t) -> !t
    ttl.yield %1 : !t
  }
  ttl.cb_push %y0 : !block
  return
}

// -----

// A compute can be split only if the compiler assigns all its registers.
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    // expected-error @+1 {{cannot spill a tile of a ttl.compute whose registers are given: split the compute there, or leave the registers out}}
    %s = ttl.spill_tile_to_l1 %0 : !t -> index
    %1 = ttl.restore_tile_from_l1 %s {dst_idx = 0 : i32} : index -> !t
    ttl.yield %1 : !t
  }
  ttl.cb_push %y0 : !block
  return
}
