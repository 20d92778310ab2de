// RUN: ttl-opt %s --ttl-unroll-compute-loops --split-input-file --verify-diagnostics

// The unroller needs the attributes that ttl-assign-dst writes.

!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 4], !t, 2>
!block = !ttl.block<tensor<1x4x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{this loop has ttl.unroll_factor, so it must also have the registers of its outputs as ttl.output_registers = array<i32: ...>: ttl-assign-dst sets both}}
  scf.for %i = %c0 to %c4 step %c1 {
    %t0 = ttl.get_tile %a0[%i] {dst_idx = 0 : i32} : !block -> !t
    ttl.pack_tile %t0, %y0[%i] : !t, !block
  } {ttl.unroll_factor = 2 : i32}
  ttl.cb_push %y0 : !block
  return
}

// -----

!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 4], !t, 2>
!block = !ttl.block<tensor<1x4x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{expected ttl.unroll_factor to be an integer from 1 on, found "two"}}
  scf.for %i = %c0 to %c4 step %c1 {
    %t0 = ttl.get_tile %a0[%i] {dst_idx = 0 : i32} : !block -> !t
    ttl.pack_tile %t0, %y0[%i] : !t, !block
  } {ttl.unroll_factor = "two", ttl.output_registers = array<i32: 0>}
  ttl.cb_push %y0 : !block
  return
}

// -----

!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 4], !t, 2>
!block = !ttl.block<tensor<1x4x!t>, !cb>
ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  // expected-error @+1 {{this loop cannot have ttl.unroll_factor, which needs a loop from 0 to a constant by 1 without results, as ttl-lower-to-loops creates it}}
  scf.for %i = %c1 to %c4 step %c1 {
    %t0 = ttl.get_tile %a0[%i] {dst_idx = 0 : i32} : !block -> !t
    ttl.pack_tile %t0, %y0[%i] : !t, !block
  } {ttl.unroll_factor = 2 : i32, ttl.output_registers = array<i32: 0>}
  ttl.cb_push %y0 : !block
  return
}
