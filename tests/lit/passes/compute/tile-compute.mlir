// RUN: ttl-opt %s --ttl-tile-compute | FileCheck %s

// A compute that will be split is tiled first, so that the values which its parts exchange are as
// large as one window, not as the whole block.

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[4, 8], !t, 2>
!block = !ttl.block<tensor<4x8x!t>, !cb>

// CHECK-LABEL: ttl.kernel @pressure
ttl.kernel @pressure() attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %y_cb = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %a_cb : !block
    %y = ttl.cb_reserve %y_cb : !block
    // A compute that fits into DST is not tiled.
    // CHECK: ttl.compute ins(%{{.+}} : !block) outs(%{{.+}} : !block) attributes
    ttl.compute ins(%a : !block) outs(%y : !block)
        attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
    ^bb0(%ta: !t, %ty: !t):
      %0 = ttl.tile_exp %ta : (!t) -> !t
      ttl.yield %0 : !t
    }
    // CHECK: scf.for %[[I:.+]] = %c0{{.*}} to %c4{{.*}} step %c1
    // CHECK: scf.for %[[J:.+]] = %c0{{.*}} to %c8{{.*}} step %c4
    // CHECK: ttl.compute ins(%{{.+}} : !block) outs(%{{.+}} : !block) window(%[[I]], %[[J]]) [1, 4]
    ttl.compute ins(%a : !block) outs(%y : !block)
        attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
    ^bb0(%ta: !t, %ty: !t):
      %0 = ttl.tile_exp %ta : (!t) -> !t
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
    ttl.cb_pop %a : !block
    ttl.cb_push %y : !block
  }
}
