// RUN: ttl-opt %s --ttl-bufferize --split-input-file | FileCheck %s

// The position of a buffer's front (its oldest block) in loops, branches and while loops.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @nested_loops on compute (%a) : !cb
}

// The inner loop moves the front by one block, so the distance is not known outside of it.
// CHECK-LABEL: func.func @nested_loops
func.func @nested_loops(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %true = arith.constant true
  // CHECK: scf.for {{.*}} iter_args(%[[OUTER:.+]] = %c0)
  scf.for %i = %c0 to %c9 step %c1 {
    %x = ttl.cb_wait %a : !block
    %y = ttl.cb_wait %a : !block
    // CHECK: arith.cmpi sge, %[[OUTER]], %c2
    // CHECK-NEXT: %[[PAGES:.+]] = arith.select
    // CHECK-NEXT: ttl.block_at %{{.+}}[%[[PAGES]]]
    %0 = ttl.get_tile %y[%c0] {dst_idx = 0 : i32} : !block -> !t
    ttl.cb_pop %x : !block
    ttl.cb_pop %y : !block
    // CHECK: scf.for {{.*}} iter_args(%[[INNER:.+]] = %{{.+}})
    scf.for %j = %c0 to %c9 step %c1 {
      %z = ttl.cb_wait %a : !block
      ttl.cb_pop %z : !block
    }
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @balanced_inner_loop on compute (%a) : !cb
}

// Three blocks at a time go once around the ring, so every distance is known.
// CHECK-LABEL: func.func @balanced_inner_loop
func.func @balanced_inner_loop(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %true = arith.constant true
  // CHECK: scf.for
  // CHECK-NOT: iter_args
  scf.for %i = %c0 to %c9 step %c1 {
    scf.for %j = %c0 to %c9 step %c1 {
      %x = ttl.cb_wait %a : !block
      %y = ttl.cb_wait %a : !block
      %z = ttl.cb_wait %a : !block
      // CHECK: ttl.block_at %{{.+}}[%c2]
      %0 = ttl.get_tile %z[%c0] {dst_idx = 0 : i32} : !block -> !t
      ttl.cb_pop %x : !block
      ttl.cb_pop %y : !block
      ttl.cb_pop %z : !block
    }
    %v = ttl.cb_wait %a : !block
    %w = ttl.cb_wait %a : !block
    // CHECK: ttl.block_at %{{.+}}[%c1]
    %1 = ttl.get_tile %w[%c0] {dst_idx = 0 : i32} : !block -> !t
    ttl.cb_pop %v : !block
    ttl.cb_pop %w : !block
    %u = ttl.cb_wait %a : !block
    ttl.cb_pop %u : !block
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @loop_in_branch on compute (%a) : !cb
}

// Only one branch has moved the front.
// CHECK-LABEL: func.func @loop_in_branch
func.func @loop_in_branch(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %true = arith.constant true
  // CHECK: %[[FRONT:.+]] = scf.if
  scf.if %true {
    // CHECK: scf.for {{.*}} iter_args
    scf.for %j = %c0 to %c9 step %c1 {
      %z = ttl.cb_wait %a : !block
      ttl.cb_pop %z : !block
    }
  }
  %x = ttl.cb_wait %a : !block
  %y = ttl.cb_wait %a : !block
  // CHECK: arith.cmpi sge, %[[FRONT]], %c2
  %0 = ttl.get_tile %y[%c0] {dst_idx = 0 : i32} : !block -> !t
  ttl.cb_pop %x : !block
  ttl.cb_pop %y : !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @while_loop on compute (%a) : !cb
}

// After a while loop, its condition has run last. Two of three slots are
// possible before the condition's own release.
// CHECK-LABEL: func.func @while_loop
func.func @while_loop(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %true = arith.constant true
  // CHECK: %[[AFTER:.+]]:2 = scf.while
  // CHECK-SAME: %[[FRONT:.+]] = %c0
  %n = scf.while (%i = %c0) : (index) -> index {
    %z = ttl.cb_wait %a : !block
    ttl.cb_pop %z : !block
    scf.condition(%true) %i : index
  } do {
  ^bb0(%i: index):
    scf.yield %i : index
  }
  %x = ttl.cb_wait %a : !block
  %y = ttl.cb_wait %a : !block
  // CHECK: arith.cmpi sge, %[[AFTER]]#1, %c2
  %0 = ttl.get_tile %y[%c0] {dst_idx = 0 : i32} : !block -> !t
  ttl.cb_pop %x : !block
  ttl.cb_pop %y : !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @named_again on compute (%a) : !cb
}

// The block that an iteration hands to the next one has two names.
// CHECK-LABEL: func.func @named_again
func.func @named_again(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %true = arith.constant true
  %first = ttl.cb_wait %a : !block
  // CHECK: scf.for {{.*}} iter_args(%[[FRONT:.+]] = %c0)
  scf.for %i = %c0 to %c9 step %c1 {
    %old = ttl.held_block %a[0] : !block
    // CHECK: ttl.cb_wait %{{.+}} {outstanding = 2 : i32}
    // CHECK: arith.cmpi sge, %[[FRONT]], %c2
    %new = ttl.cb_wait %a : !block
    %0 = ttl.get_tile %new[%c0] {dst_idx = 0 : i32} : !block -> !t
    // CHECK: ttl.cb_pop
    // CHECK-NOT: ttl.block_at
    // CHECK: ttl.get_tile
    ttl.cb_pop %old : !block
    %1 = ttl.get_tile %new[%c0] {dst_idx = 0 : i32} : !block -> !t
  }
  %last = ttl.held_block %a[0] : !block
  ttl.cb_pop %last : !block
  return
}
