// An extent is split into two sizes that cover it exactly. Reductions and other dimensions stay whole.
// RUN: ttl-opt %s --transform-interpreter --split-input-file | FileCheck %s

!cb = !ttl.cb<[2, 7], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x7x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

// 7 = 1 * 3 + 1 * 4 would need 4; with at most 3 it is 2 * 2 + 1 * 3.
// CHECK-LABEL: func.func @seven
func.func @seven(%a: !block, %y: !block) {
  // CHECK: scf.for %[[J:.+]] = %c0{{.*}} to %c4{{.*}} step %c2{{.*}} {
  // CHECK: ttl.compute ins(%arg0 : !block) outs(%arg1 : !block) window(%{{.+}}, %[[J]]) [2, 2]
  // CHECK: ttl.compute ins(%arg0 : !block) outs(%arg1 : !block) window(%{{.+}}, %c4{{.*}}) [2, 3]
  // CHECK-NOT: ttl.compute ins
  ttl.compute ins(%a : !block) outs(%y : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t, %o: !t):
    %e = ttl.tile_exp %x : (!t) -> !t
    ttl.yield %e : !t
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    %low, %high = transform.ttl.multisize_split %c {dimension = 1, target_size = 3}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // The resulting handles refer to the tiles.
    transform.annotate %low "low" : !transform.any_op
    transform.annotate %high "high" : !transform.any_op
    transform.yield
  }
}

// -----

!cb = !ttl.cb<[12, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<12x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

// Sizes are multiples of the divisor 4 and at most 8: 12 = 1 * 4 + 1 * 8. The same op then
// splits the 8: 8 = 2 * 4.
// CHECK-LABEL: func.func @divisor
func.func @divisor(%a: !block, %y: !block) {
  // CHECK: ttl.compute {{.*}} window(%c0{{.*}}, %c0{{.*}}) [4, 1] {{.*}}low
  // CHECK: scf.for %[[I:.+]] =
  // CHECK: %[[AT:.+]] = arith.addi %[[I]], %c4
  // CHECK: ttl.compute {{.*}} window(%[[AT]], %{{.+}}) [4, 1]
  ttl.compute ins(%a : !block) outs(%y : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t, %o: !t):
    ttl.yield %x : !t
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    %low, %high = transform.ttl.multisize_split %c {dimension = 0, target_size = 9, divisor = 4}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %low "low" : !transform.any_op
    %tiles, %none = transform.ttl.multisize_split %high {dimension = 0, target_size = 4}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
