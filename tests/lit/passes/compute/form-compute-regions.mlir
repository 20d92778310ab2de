// RUN: ttl-opt %s --ttl-canonicalize --ttl-form-compute | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

// Ops of a region are moved to the place of the region. Values that it yields become one expression with
// the ops before and after it.
// CHECK-LABEL: ttl.kernel @regions
ttl.kernel @regions() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  %z_dfb = ttl.create_cb "z_dfb" : !cb
  // CHECK-NOT: compiler_made
  ttl.compute_thread "compute" {
    // CHECK: %[[A:.+]] = ttl.cb_wait
    // CHECK: %[[Y:.+]] = ttl.cb_reserve
    // CHECK: %[[Z:.+]] = ttl.cb_reserve
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    %z = ttl.cb_reserve %z_dfb : !block
    // CHECK-NEXT: ttl.compute ins(%[[A]] : !block) outs(%[[Y]], %[[Z]] : !block, !block)
    // CHECK: ^bb0(%[[T:.+]]: !ttcore.tile<32x32, f32>, %{{.+}}: !ttcore.tile<32x32, f32>, %{{.+}}
    // CHECK-NEXT: %[[EXP:.+]] = ttl.tile_exp %[[T]]
    // CHECK-NEXT: %[[SUM:.+]] = ttl.tile_add %[[EXP]], %[[T]]
    // CHECK-NEXT: %[[NEG:.+]] = ttl.tile_neg %[[SUM]]
    // CHECK-NEXT: ttl.yield %[[SUM]], %[[NEG]]
    %v = ttl.block_compute {
      %0 = ttl.block_exp %a : (!block) -> !e
      ttl.yield %0 : !e
    } -> !e
    %r = ttl.compute_region ins(%v, %a : !e, !block) {
    ^bb0(%p: !e, %q: !block):
      %0 = ttl.block_add %p, %q : (!e, !block) -> !e
      ttl.yield %0 : !e
    } -> !e
    ttl.compute_region ins(%r : !e) outs(%y : !block) {
    ^bb0(%p: !e):
      ttl.yield %p : !e
    }
    // CHECK-NOT: ttl.compute
    %n = ttl.block_neg %r : (!e) -> !e
    ttl.block_store %z, %n : !block, !e
    ttl.cb_pop %a : !block
    ttl.cb_push %y : !block
    ttl.cb_push %z : !block
  }
}

// A long expression that two stores need goes through L1 once, unless the region
// says that it must stay in DST.
// CHECK-LABEL: ttl.kernel @keep
ttl.kernel @keep() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  // CHECK: ttl.create_cb "tmp" {compiler_made}
  // CHECK-NOT: compiler_made
  // CHECK: ttl.compute_thread
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    %z = ttl.cb_reserve %y_dfb : !block
    // CHECK-COUNT-7: ttl.tile_exp
    // CHECK: ttl.yield
    // CHECK: ttl.compute
    // CHECK-NOT: ttl.tile_exp
    // CHECK: ttl.compute
    // CHECK-NOT: ttl.tile_exp
    // CHECK: ttl.cb_push
    %0 = ttl.block_exp %a : (!block) -> !e
    %1 = ttl.block_exp %0 : (!e) -> !e
    %2 = ttl.block_exp %1 : (!e) -> !e
    %3 = ttl.block_exp %2 : (!e) -> !e
    %4 = ttl.block_exp %3 : (!e) -> !e
    %5 = ttl.block_exp %4 : (!e) -> !e
    %6 = ttl.block_exp %5 : (!e) -> !e
    %7 = ttl.block_exp %6 : (!e) -> !e
    ttl.block_store %y, %7 : !block, !e
    ttl.block_store %z, %7 : !block, !e
    ttl.cb_push %y : !block
    ttl.cb_push %z : !block
    ttl.cb_pop %a : !block
    %b = ttl.cb_wait %a_dfb : !block
    %u = ttl.cb_reserve %y_dfb : !block
    %w = ttl.cb_reserve %y_dfb : !block
    // CHECK: ttl.compute ins(%{{.+}}) outs(%{{.+}}, %{{.+}} :
    // CHECK-COUNT-8: ttl.tile_exp
    // CHECK-NOT: ttl.tile_exp
    ttl.compute_region ins(%b : !block) outs(%u, %w : !block, !block) keep_in_dst {
    ^bb0(%p: !block):
      %10 = ttl.block_exp %p : (!block) -> !e
      %11 = ttl.block_exp %10 : (!e) -> !e
      %12 = ttl.block_exp %11 : (!e) -> !e
      %13 = ttl.block_exp %12 : (!e) -> !e
      %14 = ttl.block_exp %13 : (!e) -> !e
      %15 = ttl.block_exp %14 : (!e) -> !e
      %16 = ttl.block_exp %15 : (!e) -> !e
      %17 = ttl.block_exp %16 : (!e) -> !e
      ttl.yield %17, %17 : !e, !e
    }
    ttl.cb_push %u : !block
    ttl.cb_push %w : !block
    ttl.cb_pop %b : !block
  }
}
