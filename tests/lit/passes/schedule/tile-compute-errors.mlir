// RUN: ttl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// Upstream's ops tile a ttl.compute through TilingInterface, which refuses these tilings.

#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!cb = !ttl.cb<[2, 7], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x7x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

// The last tile would be smaller than the others.
func.func @f(%y: !block) {
  // expected-error @+3 {{'ttl.compute' op cannot be tiled by sizes that are not constant: the tile sizes must divide the extents, and iterator 1 has extent 7}}
  // expected-error @+2 {{'ttl.compute' op faild to tile operation}}
  // expected-error @+1 {{'ttl.compute' op failed to generate tiling loops}}
  ttl.compute ins() outs(%y : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%o: !t):
    ttl.yield %o : !t
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    %0, %1 = transform.structured.tile_using_for %c tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!cb = !ttl.cb<[2, 7], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x7x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

// Reductions are not tiled, because their partial sums would be rounded.
func.func @f(%y: !block) {
  // expected-error @+3 {{'ttl.compute' op cannot be tiled along a reduction, which is iterator 1}}
  // expected-error @+2 {{'ttl.compute' op faild to tile operation}}
  // expected-error @+1 {{'ttl.compute' op failed to generate tiling loops}}
  ttl.compute ins() outs(%y : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #r]} {
  ^bb0(%o: !t):
    ttl.yield %o : !t
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    %0, %1 = transform.structured.tile_using_for %c tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
