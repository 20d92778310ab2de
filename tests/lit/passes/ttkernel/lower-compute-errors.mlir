// RUN: ttl-opt %s --ttl-lower-compute --split-input-file --verify-diagnostics

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @no_register() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @compute on compute (%a) : !cb
}
func.func @compute(%a_cb: !cb) {
  %c0 = arith.constant 0 : index
  %a = ttl.cb_wait %a_cb : !block
  // expected-error @+1 {{'ttl.get_tile' op needs a tile in a DST register: ttl-assign-dst assigns registers in ttl.compute only, so write {dst_idx = ... : i32} elsewhere}}
  %0 = ttl.get_tile %a[%c0] : !block -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @carried() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @compute on compute (%a) : !cb
}
func.func @compute(%a_cb: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ttl.cb_wait %a_cb : !block
  %0 = ttl.get_tile %a[%c0] {dst_idx = 0 : i32} : !block -> !t
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %0) -> (!t) {
    // expected-error @+1 {{'ttl.tile_exp' op needs a tile in a DST register}}
    %1 = ttl.tile_exp %t {dst_idx = 0 : i32} : (!t) -> !t
    scf.yield %1 : !t
  }
  return
}
