// RUN: ttl-opt %s --ttl-lower-compute | FileCheck %s

// A setup that an iteration needs at its begin must also hold at its end, because the next
// iteration begins there.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %s = ttl.create_cb "s" {buffer_index = 1 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  ttl.thread @reductions on compute (%a, %s, %y) : !cb, !cb, !cb
  ttl.thread @broadcasts on compute (%a, %s, %y) : !cb, !cb, !cb
  ttl.thread @alone on compute (%a, %s, %y) : !cb, !cb, !cb
}

// The branch ends a reduction that is before and after it, so the reduction before the branch has
// its init in every iteration.
// CHECK-LABEL: func.func @reductions
func.func @reductions(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %odd = arith.constant true
  %a_blk = ttl.cb_wait %a : !block
  %s_blk = ttl.cb_wait %s : !block
  %y_blk = ttl.cb_reserve %y : !block
  // CHECK-NOT: reduce_init
  // CHECK: scf.for
  // CHECK-NEXT: ttkernel.reduce_init
  // CHECK-NEXT: ttkernel.reduce_tile
  // CHECK-NEXT: ttkernel.pack_tile
  // CHECK-NEXT: ttkernel.reduce_uninit
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: ttkernel.reduce_init
  // CHECK-NEXT: ttkernel.reduce_tile
  // CHECK-NEXT: ttkernel.pack_tile
  // CHECK-NEXT: ttkernel.reduce_uninit
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = ttl.fresh_tile {dst_idx = 0 : i32} : !t
    ttl.reduce_tile sum %a_blk[%c0] scaling %s_blk[%c0] into %0 {dims = array<i64: 1>} : !block, !block, !t
    ttl.pack_tile %0, %y_blk[%c0] : !t, !block
    scf.if %odd {
      %1 = ttl.fresh_tile {dst_idx = 0 : i32} : !t
      ttl.reduce_tile sum %a_blk[%c0] scaling %s_blk[%c0] into %1 {dims = array<i64: 1>} : !block, !block, !t
      ttl.pack_tile %1, %y_blk[%c0] : !t, !block
    }
  }
  ttl.cb_push %y_blk : !block
  return
}

// CHECK-LABEL: func.func @broadcasts
func.func @broadcasts(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %odd = arith.constant true
  %s_blk = ttl.cb_wait %s : !block
  %y_blk = ttl.cb_reserve %y : !block
  // The inner loop has the broadcast's init and uninit in each of its iterations, too.
  // CHECK-NOT: unary_bcast_init
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK-NEXT: ttkernel.unary_bcast_init
  // CHECK-NEXT: ttkernel.unary_bcast(
  // CHECK-NEXT: ttkernel.pack_tile
  // CHECK-NEXT: ttkernel.unary_bcast_uninit
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: ttkernel.unary_bcast_init
  // CHECK-NEXT: ttkernel.unary_bcast(
  // CHECK-NEXT: ttkernel.pack_tile
  // CHECK-NEXT: ttkernel.unary_bcast_uninit
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %0 = ttl.bcast_tile %s_blk[%c0] {dims = array<i64: 0>, dst_idx = 0 : i32} : !block -> !t
      ttl.pack_tile %0, %y_blk[%c0] : !t, !block
      scf.if %odd {
        %1 = ttl.bcast_tile %s_blk[%c0] {dims = array<i64: 0>, dst_idx = 0 : i32} : !block -> !t
        ttl.pack_tile %1, %y_blk[%c0] : !t, !block
      }
    }
  }
  ttl.cb_push %y_blk : !block
  return
}

// Without a branch, the loop's only init stays before the loop.
// CHECK-LABEL: func.func @alone
func.func @alone(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a_blk = ttl.cb_wait %a : !block
  %s_blk = ttl.cb_wait %s : !block
  %y_blk = ttl.cb_reserve %y : !block
  // CHECK: ttkernel.reduce_init
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: ttkernel.reduce_tile
  // CHECK-NOT: reduce_init
  // CHECK: ttkernel.reduce_uninit
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = ttl.fresh_tile {dst_idx = 0 : i32} : !t
    ttl.reduce_tile sum %a_blk[%c0] scaling %s_blk[%c0] into %0 {dims = array<i64: 1>} : !block, !block, !t
    ttl.pack_tile %0, %y_blk[%c0] : !t, !block
  }
  ttl.cb_push %y_blk : !block
  return
}
