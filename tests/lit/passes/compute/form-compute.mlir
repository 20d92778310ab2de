// RUN: ttl-opt %s --ttl-form-compute | FileCheck %s

!cb = !ttl.cb<[2, 2], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<2x2x!ttcore.tile<32x32, bf16>>, !cb>
!e = tensor<2x2x!ttcore.tile<32x32, f32>>

// At the store, a whole expression becomes one ttl.compute.
// CHECK-LABEL: ttl.kernel @fused
ttl.kernel @fused() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  // CHECK-NOT: compiler_made
  ttl.compute_thread "compute" {
    // CHECK: %[[TWO:.+]] = arith.constant 2.000000e+00
    %two = arith.constant 2.0 : f32
    // CHECK: %[[A:.+]] = ttl.cb_wait
    // CHECK: %[[Y:.+]] = ttl.cb_reserve
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    // CHECK-NEXT: ttl.compute ins(%[[A]] : !block) outs(%[[Y]] : !block)
    // CHECK-SAME: indexing_maps = [#map, #map], iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>]
    // CHECK-NEXT: ^bb0(%[[TA:.+]]: !ttcore.tile<32x32, bf16>, %{{.+}}: !ttcore.tile<32x32, bf16>)
    // CHECK-NEXT: %[[E:.+]] = ttl.tile_exp %[[TA]]
    // CHECK-NEXT: %[[M:.+]] = ttl.tile_mul_unary %[[E]], %[[TWO]]
    // CHECK-NEXT: %[[S:.+]] = ttl.tile_add %[[M]], %[[TA]]
    // CHECK-NEXT: ttl.yield %[[S]]
    %e = ttl.block_exp %a : (!block) -> !e
    %f = ttl.block_fill %two : !e
    %m = ttl.block_mul %e, %f : (!e, !e) -> !e
    %s = ttl.block_add %m, %a : (!e, !block) -> !e
    ttl.block_store %y, %s : !block, !e
    ttl.cb_pop %a : !block
    ttl.cb_push %y : !block
  }
}

// An expression has the value that its operands have where it is written. A store is moved before the
// pop of an operand if only the order of statements kept it behind.
// CHECK-LABEL: ttl.kernel @stored_early
ttl.kernel @stored_early() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  // CHECK-NOT: compiler_made
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    // CHECK: ttl.compute
    // CHECK: ttl.cb_pop
    ttl.cb_pop %a : !block
    ttl.block_store %y, %e : !block, !e
    // CHECK-NEXT: ttl.cb_push
    ttl.cb_push %y : !block
  }
}

// If the destination is not acquired yet, the value waits in a Float32 buffer.
// CHECK-LABEL: ttl.kernel @kept
ttl.kernel @kept() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  // CHECK: %[[TMP:.+]] = ttl.create_cb "tmp" {compiler_made}
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %a_dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    %f = ttl.block_abs %e : (!e) -> !e
    // CHECK: %[[NEW:.+]] = ttl.cb_reserve %[[TMP]]
    // CHECK-NEXT: ttl.compute ins(%{{.+}}) outs(%[[NEW]]
    // CHECK: ttl.tile_exp
    // CHECK-NOT: ttl.tile_abs
    // CHECK: ttl.cb_push %[[NEW]]
    // CHECK-NEXT: %[[OLD:.+]] = ttl.cb_wait %[[TMP]]
    // CHECK: ttl.cb_pop
    ttl.cb_pop %a : !block
    %g = ttl.block_neg %e : (!e) -> !e
    %y = ttl.cb_reserve %y_dfb : !block
    // CHECK: ttl.compute ins(%[[OLD]]
    // CHECK: ttl.tile_neg
    ttl.block_store %y, %g : !block, !e
    // CHECK: ttl.cb_pop %[[OLD]]
    // CHECK-NEXT: ttl.cb_push
    ttl.cb_push %y : !block
  }
}

// Factors of a product must be in L1. A product alone starts at +0; a sum with it is
// added afterwards.
// CHECK-LABEL: ttl.kernel @matmul
ttl.kernel @matmul() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    // CHECK: ttl.tile_exp
    // CHECK: %[[E:.+]] = ttl.cb_wait
    // CHECK: ttl.compute ins(%[[E]], %{{.+}}, %{{.+}} : !{{.+}}, !block, !block)
    // CHECK-SAME: indexing_maps = [#[[ROWS:map[0-9]+]], #[[COLUMNS:map[0-9]+]], #[[PARALLEL:map[0-9]+]], #[[PARALLEL]]]
    // CHECK-SAME: #ttcore.iterator_type<reduction>
    // CHECK-NEXT: ^bb0(%[[L:.+]]: !ttcore.tile<32x32, f32>, %[[R:.+]]: !ttcore.tile<32x32, bf16>, %[[C:.+]]: !ttcore.tile<32x32, bf16>,
    // CHECK-NEXT: %[[P:.+]] = ttl.tile_matmul %[[L]], %[[R]] :
    // CHECK-NEXT: ttl.tile_add %[[C]], %[[P]]
    %e = ttl.block_exp %a : (!block) -> !e
    %p = ttl.block_matmul %e, %a : (!e, !block) -> !e
    %s = ttl.block_add %a, %p : (!block, !e) -> !e
    ttl.block_store %y, %s : !block, !e
    ttl.cb_pop %a : !block
    ttl.cb_push %y : !block
  }
}

// A carried accumulator has two blocks, because the new value is made while the old one is read.
// CHECK-LABEL: ttl.kernel @accumulator
ttl.kernel @accumulator() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  // CHECK: %[[ACC:.+]] = ttl.create_cb "acc" {accumulator, compiler_made}
  // CHECK-NOT: compiler_made
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    // CHECK: %[[FIRST:.+]] = ttl.cb_reserve %[[ACC]]
    // CHECK: ttl.tile_fill
    // CHECK: ttl.cb_push %[[FIRST]]
    %z = ttl.block_fill %zero : !e
    // CHECK: scf.for
    // CHECK-NOT: iter_args
    // CHECK: %[[OLD:.+]] = ttl.cb_wait %[[ACC]]
    // CHECK: %[[A:.+]] = ttl.cb_wait
    // CHECK: %[[NEW:.+]] = ttl.cb_reserve %[[ACC]]
    // CHECK-NEXT: ttl.compute ins(%[[OLD]], %[[A]], %[[A]] {{.*}} outs(%[[NEW]]
    // CHECK: ttl.tile_matmul %{{.+}}, %{{.+}} acc
    // CHECK: ttl.cb_pop %[[OLD]]
    // CHECK: ttl.cb_push %[[NEW]]
    // CHECK: ttl.cb_pop %[[A]]
    // CHECK-NEXT: }
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %z) -> (!e) {
      %a = ttl.cb_wait %a_dfb : !block
      %n = ttl.block_matmul %a, %a acc %sum : (!block, !block, !e) -> !e
      ttl.cb_pop %a : !block
      scf.yield %n : !e
    }
    // CHECK-NEXT: %[[LAST:.+]] = ttl.cb_wait %[[ACC]]
    %y = ttl.cb_reserve %y_dfb : !block
    // CHECK: ttl.compute ins(%[[LAST]]
    ttl.block_store %y, %r : !block, !e
    // CHECK: ttl.cb_pop %[[LAST]]
    ttl.cb_push %y : !block
  }
}

// A value of one of two branches, and canonicalization's short form of it.
// CHECK-LABEL: ttl.kernel @branches
ttl.kernel @branches() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  // Only one of the two results is needed at a time, so one buffer is enough.
  // CHECK: %[[TMP:.+]] = ttl.create_cb "tmp" {compiler_made}
  // CHECK-NOT: compiler_made
  ttl.compute_thread "compute" {
    %true = arith.constant true
    %a = ttl.cb_wait %a_dfb : !block
    // CHECK: scf.if
    // CHECK: ttl.cb_reserve %[[TMP]]
    // CHECK: ttl.tile_exp
    // CHECK: ttl.cb_push
    // CHECK: } else {
    // CHECK: ttl.cb_reserve %[[TMP]]
    // CHECK: ttl.tile_abs
    // CHECK: ttl.cb_push
    // CHECK: }
    // CHECK-NEXT: ttl.cb_wait %[[TMP]]
    %v = scf.if %true -> !e {
      %e = ttl.block_exp %a : (!block) -> !e
      scf.yield %e : !e
    } else {
      %e = ttl.block_abs %a : (!block) -> !e
      scf.yield %e : !e
    }
    %y = ttl.cb_reserve %y_dfb : !block
    ttl.block_store %y, %v : !block, !e
    ttl.cb_push %y : !block
    %e = ttl.block_exp %a : (!block) -> !e
    %f = ttl.block_abs %a : (!block) -> !e
    // CHECK: scf.if
    // CHECK: ttl.tile_exp
    // CHECK: } else {
    // CHECK: ttl.tile_abs
    %w = arith.select %true, %e, %f : !e
    %z = ttl.cb_reserve %y_dfb : !block
    ttl.block_store %z, %w : !block, !e
    ttl.cb_push %z : !block
    ttl.cb_pop %a : !block
  }
}

// In a while loop, the condition passes the value on.
// CHECK-LABEL: ttl.kernel @while
ttl.kernel @while() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  // CHECK: %[[ACC:.+]] = ttl.create_cb "acc" {accumulator, compiler_made}
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant 1.0 : f32
    %z = ttl.block_fill %one : !e
    // CHECK: scf.while (%{{.+}} = %c0_i32) : (i32) -> i32
    // CHECK: scf.condition(%{{.+}}) %{{.+}} : i32
    // CHECK: } do {
    // CHECK: %[[OLD:.+]] = ttl.cb_wait %[[ACC]]
    // CHECK: %[[NEW:.+]] = ttl.cb_reserve %[[ACC]]
    // CHECK: ttl.compute
    // CHECK: ttl.cb_pop %[[OLD]]
    // CHECK: ttl.cb_push %[[NEW]]
    // CHECK: scf.yield %{{.+}} : i32
    %n, %r = scf.while (%i = %c0, %v = %z) : (i32, !e) -> (i32, !e) {
      %more = arith.cmpi slt, %i, %c1 : i32
      scf.condition(%more) %i, %v : i32, !e
    } do {
    ^bb0(%i: i32, %v: !e):
      %a = ttl.cb_wait %a_dfb : !block
      %s = ttl.block_add %v, %a : (!e, !block) -> !e
      ttl.cb_pop %a : !block
      %next = ttl.int_add %i, %c1
      scf.yield %next, %s : i32, !e
    }
    // CHECK: ttl.cb_wait %[[ACC]]
    %y = ttl.cb_reserve %y_dfb : !block
    ttl.block_store %y, %r : !block, !e
    ttl.cb_push %y : !block
  }
}

// An expression before a loop that the loop uses is computed once.
// CHECK-LABEL: ttl.kernel @invariant
ttl.kernel @invariant() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %flag = arith.constant 1 : i32
    %a = ttl.cb_wait %a_dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    // CHECK: ttl.tile_exp
    // CHECK: scf.for
    scf.for %i = %c0 to %c4 step %c1 {
      // CHECK-NOT: ttl.tile_exp
      // CHECK: ttl.compute ins(%{{.+}}) outs(%{{.+}}) accumulate(%{{.+}})
      // CHECK: ttl.cb_push
      %y = ttl.cb_reserve %y_dfb : !block
      ttl.block_store %y, %e accumulate %flag : !block, !e
      ttl.cb_push %y : !block
    }
    ttl.cb_pop %a : !block
  }
}

// A reserved block that is read back is packed a second time, with the same rounding.
// CHECK-LABEL: ttl.kernel @read_back
ttl.kernel @read_back() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  // CHECK: %[[COPY:.+]] = ttl.create_cb "copy" {compiler_made} : !cb{{[0-9]*}}
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    // CHECK: %[[Y:.+]] = ttl.cb_reserve
    // CHECK: %[[NEW:.+]] = ttl.cb_reserve %[[COPY]]
    // CHECK: ttl.compute ins(%{{.+}} : !block) outs(%[[Y]], %[[NEW]] : !block, !block{{[0-9]*}})
    // CHECK: ttl.yield %[[E:.+]], %[[E]] :
    // CHECK: ttl.cb_push %[[NEW]]
    // CHECK: %[[OLD:.+]] = ttl.cb_wait %[[COPY]]
    ttl.block_store %y, %e : !block, !e
    // The second store replaces values that a read after it sees, not those of a read before it.
    // CHECK: ttl.compute ins(%[[OLD]] {{.+}} outs(%[[Y]], %[[NEW1:.+]] : !block,
    // CHECK: ttl.tile_abs
    // CHECK: ttl.cb_pop %[[OLD]]
    // CHECK: %[[OLD1:.+]] = ttl.cb_wait
    // CHECK: ttl.compute ins(%[[OLD1]] {{.+}} outs(%[[Y]] : !block)
    // CHECK: ttl.tile_neg
    %f = ttl.block_abs %y : (!block) -> !e
    ttl.block_store %y, %f : !block, !e
    %g = ttl.block_neg %y : (!block) -> !e
    ttl.block_store %y, %g : !block, !e
    ttl.cb_push %y : !block
    ttl.cb_pop %a : !block
  }
}
