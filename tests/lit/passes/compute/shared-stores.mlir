// RUN: ttl-opt %s --ttl-form-compute --split-input-file | FileCheck %s

// Two stores whose expressions share ops become one compute with two outputs.
// CHECK-LABEL: ttl.kernel @shared
// CHECK: ttl.compute ins(%[[X:.+]] : {{.*}}) outs(%[[A:.+]], %[[B:.+]] :
// CHECK: %[[E:.+]] = ttl.tile_exp
// CHECK-NEXT: %[[R:.+]] = ttl.tile_relu %[[E]]
// CHECK-NEXT: ttl.yield %[[E]], %[[R]]
// CHECK-NOT: ttl.compute
// CHECK: ttl.cb_push %[[A]]
// CHECK-NEXT: ttl.cb_push %[[B]]
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x2x!ttcore.tile<32x32, f32>>
ttl.kernel @shared() attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x" : !cb
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.compute_thread "compute" {
    %x = ttl.cb_wait %x_cb : !block
    %a = ttl.cb_reserve %a_cb : !block
    %b = ttl.cb_reserve %b_cb : !block
    %e = ttl.block_exp %x : (!block) -> !value
    ttl.block_store %a, %e : !block, !value
    %r = ttl.block_relu %e : (!value) -> !value
    ttl.block_store %b, %r : !block, !value
    ttl.cb_push %a : !block
    ttl.cb_push %b : !block
    ttl.cb_pop %x : !block
  }
}

// -----

// Two computes stay: a push is between the stores, they share no op, or a store accumulates.
// CHECK-LABEL: ttl.kernel @apart
// CHECK-COUNT-6: ttl.compute ins
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x2x!ttcore.tile<32x32, f32>>
ttl.kernel @apart() attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x" : !cb
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.compute_thread "compute" {
    %true = arith.constant 1 : i32
    %x = ttl.cb_wait %x_cb : !block
    %e = ttl.block_exp %x : (!block) -> !value
    %a = ttl.cb_reserve %a_cb : !block
    %b = ttl.cb_reserve %b_cb : !block
    ttl.block_store %a, %e : !block, !value
    ttl.cb_push %a : !block
    ttl.block_store %b, %e : !block, !value
    ttl.cb_push %b : !block
    %a2 = ttl.cb_reserve %a_cb : !block
    %b2 = ttl.cb_reserve %b_cb : !block
    %r = ttl.block_relu %x : (!block) -> !value
    ttl.block_store %a2, %r : !block, !value
    %s = ttl.block_abs %x : (!block) -> !value
    ttl.block_store %b2, %s : !block, !value
    ttl.cb_push %a2 : !block
    ttl.cb_push %b2 : !block
    %a3 = ttl.cb_reserve %a_cb : !block
    %b3 = ttl.cb_reserve %b_cb : !block
    ttl.block_store %a3, %e : !block, !value
    ttl.block_store %b3, %e accumulate %true : !block, !value
    ttl.cb_push %a3 : !block
    ttl.cb_push %b3 : !block
    ttl.cb_pop %x : !block
  }
}
