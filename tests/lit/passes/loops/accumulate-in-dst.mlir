// RUN: ttl-opt %s --ttl-form-compute --ttl-expand-threads --ttl-infer-dst-requirements --ttl-assign-dst \
// RUN:   --ttl-lower-to-loops --ttl-unroll-compute-loops --ttl-accumulate-in-dst --ttl-insert-tile-regs-sync | FileCheck %s
// RUN: ttl-opt %s --ttl-form-compute --ttl-expand-threads --ttl-infer-dst-requirements --ttl-assign-dst \
// RUN:   --ttl-lower-to-loops --ttl-unroll-compute-loops --ttl-accumulate-in-dst --canonicalize \
// RUN:   --ttl-insert-tile-regs-sync | FileCheck %s

// A loop's accumulator stays in registers: one section is around the loop, and the
// buffer is erased.

// CHECK-LABEL: ttl.program @mm
// CHECK-NOT: compiler_made
// CHECK: func.func @mm__compute
// CHECK-SAME: (%[[A:[a-z0-9]+]]: !cb, %[[B:[a-z0-9]+]]: !cb1, %[[Y:[a-z0-9]+]]: !cb2)
// CHECK: ttkernel.tile_regs_acquire()
// CHECK-NEXT: ttl.tile_fill %{{.+}} {dst_idx = 0 : i32}
// CHECK-NEXT: ttl.tile_fill %{{.+}} {dst_idx = 1 : i32}
// CHECK-NEXT: scf.for
// CHECK-NEXT: ttl.cb_wait %[[A]]
// CHECK-NEXT: ttl.cb_wait %[[B]]
// CHECK-NEXT: %[[FIRST:.+]] = ttl.dst_tile {dst_idx = 0 : i32}
// CHECK-NEXT: %[[SECOND:.+]] = ttl.dst_tile {dst_idx = 1 : i32}
// CHECK-NEXT: scf.for
// CHECK: ttl.matmul_tiles {{.*}} into %[[FIRST]]
// CHECK: scf.for
// CHECK: ttl.matmul_tiles {{.*}} into %[[SECOND]]
// CHECK-NOT: tile_regs
// CHECK: ttl.cb_reserve %[[Y]]
// CHECK-NEXT: %[[T:.+]] = ttl.dst_tile {dst_idx = 0 : i32}
// CHECK-NEXT: ttl.dst_tile {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_relu %[[T]] {dst_idx = 0 : i32}
// CHECK: ttl.tile_relu %{{.+}} {dst_idx = 1 : i32}
// CHECK-NEXT: ttkernel.tile_regs_commit()
// CHECK-NEXT: ttkernel.tile_regs_wait()
// CHECK-NEXT: ttl.pack_tile
// CHECK-NEXT: ttl.pack_tile
// CHECK-NEXT: ttkernel.tile_regs_release()

// If the loop packs the value, the accumulator stays in its buffer.
// CHECK-LABEL: ttl.program @packs
// CHECK: compiler_made
// CHECK-LABEL: func.func @packs__compute
// CHECK-NOT: ttl.dst_tile
// CHECK: return

!cba = !ttl.cb<[1, 3], !ttcore.tile<32x32, bf16>, 2>
!ba = !ttl.block<tensor<1x3x!ttcore.tile<32x32, bf16>>, !cba>
!cbb = !ttl.cb<[3, 2], !ttcore.tile<32x32, bf16>, 2>
!bb = !ttl.block<tensor<3x2x!ttcore.tile<32x32, bf16>>, !cbb>
!cby = !ttl.cb<[1, 2], !ttcore.tile<32x32, bf16>, 2>
!by = !ttl.block<tensor<1x2x!ttcore.tile<32x32, bf16>>, !cby>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>

ttl.kernel @mm() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cba
  %b_dfb = ttl.create_cb "b_dfb" : !cbb
  %y_dfb = ttl.create_cb "y_dfb" : !cby
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %y0 = ttl.block_fill %zero : !e
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %y0) -> (!e) {
      %a_blk = ttl.cb_wait %a_dfb : !ba
      %b_blk = ttl.cb_wait %b_dfb : !bb
      %p = ttl.block_matmul %a_blk, %b_blk acc %acc : (!ba, !bb, !e) -> !e
      ttl.cb_pop %a_blk : !ba
      ttl.cb_pop %b_blk : !bb
      scf.yield %p : !e
    }
    %y_blk = ttl.cb_reserve %y_dfb : !by
    %t = ttl.block_relu %sum : (!e) -> !e
    ttl.block_store %y_blk, %t : !by, !e
    ttl.cb_push %y_blk : !by
  }
}

ttl.kernel @packs() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cby
  %y_dfb = ttl.create_cb "y_dfb" : !cby
  %z_dfb = ttl.create_cb "z_dfb" : !cby
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %y0 = ttl.block_fill %zero : !e
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %y0) -> (!e) {
      %a_blk = ttl.cb_wait %a_dfb : !by
      %p = ttl.block_add %acc, %a_blk : (!e, !by) -> !e
      %z_blk = ttl.cb_reserve %z_dfb : !by
      ttl.block_store %z_blk, %p : !by, !e
      ttl.cb_push %z_blk : !by
      ttl.cb_pop %a_blk : !by
      scf.yield %p : !e
    }
    %y_blk = ttl.cb_reserve %y_dfb : !by
    ttl.block_store %y_blk, %sum : !by, !e
    ttl.cb_push %y_blk : !by
  }
}
