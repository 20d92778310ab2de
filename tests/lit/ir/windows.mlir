// RUN: ttl-opt %s --split-input-file --verify-diagnostics | ttl-opt --split-input-file | FileCheck %s

!cb = !ttl.cb<[2, 4], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x4x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 1>
!part_block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !part>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

// A compute that works on a part of its blocks; %c has only this part.
// CHECK-LABEL: func.func @f
func.func @f(%a: !block, %y: !block, %c: !part_block, %i: index, %j: index) {
  // CHECK: ttl.compute ins(%{{.+}}, %{{.+}} : !block, !block{{.*}}) outs(%{{.+}} : !block) window(%arg3, %arg4) [1, 2]
  // CHECK-SAME: indexing_maps
  ttl.compute ins(%a, %c : !block, !part_block) outs(%y : !block) window(%i, %j) [1, 2]
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t, %z: !t, %o: !t):
    %s = ttl.tile_add %x, %z : (!t, !t) -> !t
    ttl.yield %s : !t
  }
  return
}

// -----

!cb = !ttl.cb<[2, 4], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x4x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @short(%a: !block, %i: index) {
  // expected-error @+1 {{op the window must have one offset and one extent per iterator, found 1 offset and 2 extents for 2 iterators}}
  ttl.compute ins() outs(%a : !block) window(%i) [1, 2]
      attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%o: !t):
    ttl.yield %o : !t
  }
  return
}

// -----

!cb = !ttl.cb<[2, 4], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x4x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @large(%a: !block, %i: index) {
  // expected-error @+1 {{op the window of iterator 1 must contain 1 to 4 iterations, but it contains 5}}
  ttl.compute ins() outs(%a : !block) window(%i, %i) [1, 5]
      attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%o: !t):
    ttl.yield %o : !t
  }
  return
}

// -----

!cb = !ttl.cb<[2, 4], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x4x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>

func.func @reduction(%a: !block, %i: index) {
  // expected-error @+1 {{op the window of reduction iterator 1 must contain all of its 4 iterations, but it contains 2}}
  ttl.compute ins() outs(%a : !block) window(%i, %i) [1, 2]
      attributes {indexing_maps = [#id], iterator_types = [#p, #r]} {
  ^bb0(%o: !t):
    ttl.yield %o : !t
  }
  return
}

// -----

!cb = !ttl.cb<[2, 4], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x4x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.cb<[1, 3], !ttcore.tile<32x32, f32>, 1>
!part_block = !ttl.block<tensor<1x3x!ttcore.tile<32x32, f32>>, !part>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @neither(%a: !block, %c: !part_block, %i: index) {
  // expected-error @+1 {{op iterator 1 has two different extents: 4 and 3}}
  ttl.compute ins(%c : !part_block) outs(%a : !block) window(%i, %i) [1, 2]
      attributes {indexing_maps = [#id, #id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t, %o: !t):
    ttl.yield %x : !t
  }
  return
}
