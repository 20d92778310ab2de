// RUN: ttl-opt %s --ttl-form-compute --split-input-file | FileCheck %s

// Ops that read L1: their operands must be in blocks. Reductions have a block with a scaling factor, and
// the packer writes zeros around a reduction's result before it is used.

!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, bf16>>, !cb>
!e = tensor<2x3x!ttcore.tile<32x32, f32>>
!column = tensor<2x1x!ttcore.tile<32x32, f32>>

// CHECK-DAG: #[[IJ:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[I0:.+]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-DAG: #[[IK:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[ONE:.+]] = affine_map<(d0, d1, d2) -> (0, 0)>
// CHECK-DAG: #[[OUT:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: ttl.kernel @softmax
ttl.kernel @softmax() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    // All reductions share one block of scaling factors, which is filled at the thread's start.
    // CHECK: ttl.compute_thread
    // CHECK: %[[ONES:.+]] = ttl.cb_reserve
    // CHECK: ttl.tile_fill
    // CHECK: %[[SCALING:.+]] = ttl.cb_wait
    // CHECK: %[[A:.+]] = ttl.cb_wait %{{.+}} : !block
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    // The maximum reads the user's block, and is stored to L1 for the broadcast.
    // CHECK: ttl.compute ins(%[[A]], %[[SCALING]] : {{.+}}) outs(%{{.+}}) attributes {indexing_maps = [#[[IK]], #[[ONE]], #[[OUT]]], iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>, #ttcore.iterator_type<reduction>]}
    // CHECK: %[[M:.+]] = ttl.tile_reduce_max %{{.+}} scaling %{{.+}} {dims = array<i64: 1>}
    // CHECK-NEXT: ttl.yield %[[M]]
    // CHECK: %[[TOP:.+]] = ttl.cb_wait
    %m = ttl.block_reduce_max %a {dims = array<i64: 1>} : (!block) -> !column
    // exp(a - max) is stored to L1 for the sum.
    // CHECK: ttl.compute ins(%[[TOP]], %[[A]] : {{.+}}) outs(%{{.+}}) attributes {indexing_maps = [#[[I0]], #[[IJ]], #[[IJ]]]
    // CHECK: %[[B:.+]] = ttl.tile_bcast %{{.+}} {dims = array<i64: 1>}
    // CHECK-NEXT: %[[S:.+]] = ttl.tile_sub %{{.+}}, %[[B]]
    // CHECK-NEXT: ttl.tile_exp %[[S]]
    // CHECK: %[[POWER:.+]] = ttl.cb_wait
    %b = ttl.block_bcast %m {dims = array<i64: 1>} : (!column) -> !e
    %s = ttl.block_sub %a, %b : (!block, !e) -> !e
    %p = ttl.block_exp %s : (!e) -> !e
    // The sum is packed before its reciprocal is computed.
    // CHECK: ttl.compute ins(%[[POWER]], %[[SCALING]]
    // CHECK: %[[T:.+]] = ttl.tile_reduce_sum
    // CHECK-NEXT: ttl.yield %[[T]]
    // CHECK: %[[TOTAL:.+]] = ttl.cb_wait
    // CHECK: ttl.compute ins(%[[TOTAL]]
    // CHECK: ttl.tile_recip
    // CHECK: %[[INVERSE:.+]] = ttl.cb_wait
    %t = ttl.block_reduce_sum %p {dims = array<i64: 1>} : (!e) -> !column
    %r = ttl.block_recip %t : (!column) -> !column
    // CHECK: ttl.compute ins(%[[INVERSE]], %[[POWER]] : {{.+}}) outs(%{{.+}})
    // CHECK: %[[R:.+]] = ttl.tile_bcast
    // CHECK-NEXT: ttl.tile_mul %{{.+}}, %[[R]]
    %rb = ttl.block_bcast %r {dims = array<i64: 1>} : (!column) -> !e
    %z = ttl.block_mul %p, %rb : (!e, !e) -> !e
    ttl.block_store %y, %z : !block, !e
    ttl.cb_push %y : !block
    ttl.cb_pop %a : !block
  }
}

// -----

!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!turned = !ttl.cb<[3, 2], !ttcore.tile<32x32, f32>, 2>
!turned_block = !ttl.block<tensor<3x2x!ttcore.tile<32x32, f32>>, !turned>
!one = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!one_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !one>
!t = tensor<3x2x!ttcore.tile<32x32, f32>>
!corner = tensor<1x1x!ttcore.tile<32x32, f32>>

// CHECK-DAG: #[[JI:.+]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[KL:.+]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>

// CHECK-LABEL: ttl.kernel @both
ttl.kernel @both() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !turned
  %s_dfb = ttl.create_cb "s_dfb" : !one
  %z_dfb = ttl.create_cb "z_dfb" : !one
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %a_dfb : !block
    %s = ttl.cb_wait %s_dfb : !one_block
    %y = ttl.cb_reserve %y_dfb : !turned_block
    %z = ttl.cb_reserve %z_dfb : !one_block
    // A transpose is fused with the ops that use its result.
    // CHECK: indexing_maps = [#[[JI]],
    // CHECK: %[[T:.+]] = ttl.tile_transpose
    // CHECK-NEXT: ttl.tile_add_unary %[[T]]
    %two = arith.constant 2.0 : f32
    %f = ttl.block_fill %two : !t
    %0 = ttl.block_transpose %a : (!block) -> !t
    %1 = ttl.block_add %f, %0 : (!t, !t) -> !t
    ttl.block_store %y, %1 : !turned_block, !t
    // A scaling factor that the user gives; two reduction iterators.
    // CHECK: ttl.compute ins(%{{.+}}, %{{.+}} : !block, !block1) {{.*}}indexing_maps = [#[[KL]], #{{.+}}, #{{.+}}], iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>, #ttcore.iterator_type<reduction>, #ttcore.iterator_type<reduction>]
    // CHECK: ttl.tile_reduce_sum %{{.+}} scaling %{{.+}} {dims = array<i64: 0, 1>}
    // CHECK-NEXT: ttl.yield
    // CHECK-NOT: ttl.tile_fill
    %2 = ttl.block_reduce_sum %a scaling %s {dims = array<i64: 0, 1>} : (!block, !one_block) -> !corner
    ttl.block_store %z, %2 : !one_block, !corner
    ttl.cb_push %z : !one_block
    ttl.cb_push %y : !turned_block
    ttl.cb_pop %s : !one_block
    ttl.cb_pop %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, bf16>>, !cb>
!one_cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!one_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !one_cb>
!one = tensor<1x1x!ttcore.tile<32x32, f32>>

// A scaling factor that is known before the program runs is filled once, before the loop.
// CHECK-LABEL: ttl.kernel @known_scaling
ttl.kernel @known_scaling() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !one_cb
  ttl.compute_thread "compute" {
    // CHECK: ttl.compute_thread
    // CHECK: %[[PART:.+]] = arith.constant 1.562500e-02 : f32
    // CHECK: ttl.tile_fill %[[PART]]
    // CHECK: %[[SCALING:.+]] = ttl.cb_wait
    // CHECK: scf.for
    // CHECK-NOT: ttl.tile_fill
    // CHECK: ttl.compute ins(%{{.+}}, %[[SCALING]]
    // CHECK: ttl.tile_reduce_sum
    // CHECK: ttl.compute ins(%{{.+}}, %[[SCALING]]
    // CHECK: ttl.tile_reduce_max
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    scf.for %i = %zero to %three step %one {
      %a = ttl.cb_wait %a_dfb : !block
      %y = ttl.cb_reserve %y_dfb : !one_block
      %z = ttl.cb_reserve %y_dfb : !one_block
      %part = arith.constant 1.562500e-02 : f32
      %s = ttl.block_fill %part : !one
      %t = ttl.block_fill %part : !one
      %0 = ttl.block_reduce_sum %a scaling %s {dims = array<i64: 1>} : (!block, !one) -> !one
      ttl.block_store %y, %0 : !one_block, !one
      %1 = ttl.block_reduce_max %a scaling %t {dims = array<i64: 1>} : (!block, !one) -> !one
      ttl.block_store %z, %1 : !one_block, !one
      ttl.cb_push %y : !one_block
      ttl.cb_push %z : !one_block
      ttl.cb_pop %a : !block
    }
  }
}
