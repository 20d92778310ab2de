// RUN: ttl-opt %s --ttl-lower-to-loops --split-input-file --verify-diagnostics

// Errors: ttl-assign-dst must run before this pass.

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %b = ttl.create_cb "b" {buffer_index = 1 : i32} : !cb
  ttl.thread @t on compute (%a, %b) : !cb, !cb
}
func.func @t(%a: !cb, %b: !cb) {
  %in = ttl.cb_wait %a : !block
  %out = ttl.cb_reserve %b : !block
  ttl.compute ins(%in : !block) outs(%out : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    // expected-error @+1 {{'ttl.tile_exp' op computes on tiles that have no DST register: run ttl-assign-dst first}}
    %0 = ttl.tile_exp %t0 : (!t) -> !t
    ttl.yield %0 : !t
  }
  ttl.cb_push %out : !block
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %b = ttl.create_cb "b" {buffer_index = 1 : i32} : !cb
  ttl.thread @t on compute (%a, %b) : !cb, !cb
}
func.func @t(%a: !cb, %b: !cb) {
  %in = ttl.cb_wait %a : !block
  %out = ttl.cb_reserve %b : !block
  ttl.compute ins(%in : !block) outs(%out : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    // expected-error @+1 {{'ttl.yield' op computes on tiles that have no DST register: run ttl-assign-dst first}}
    ttl.yield %t0 : !t
  }
  ttl.cb_push %out : !block
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!bare = tensor<64x64xf32>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>
!landing = !ttl.landing<[1, 1], !t, 2>
!slot = !ttl.slot<[1, 1], !t>

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
ttl.program @k(%x: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %b = ttl.create_cb "b" {buffer_index = 1 : i32} : !cb
  ttl.thread @t on compute (%a, %b) : !cb, !cb
}
func.func @t(%a: !cb, %b: !cb) {
  %in = ttl.cb_wait %a : !block
  %out = ttl.cb_reserve %b : !block
  ttl.compute ins(%in : !block) outs(%out : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.copy_tile %t0 {dst_idx = 0 : i32} : (!t) -> !t
    // expected-error @+1 {{'ttl.copy_tile' op cannot load a tile that is in DST already}}
    %1 = ttl.copy_tile %0 {dst_idx = 1 : i32} : (!t) -> !t
    ttl.yield %1 : !t
  }
  ttl.cb_push %out : !block
  return
}
