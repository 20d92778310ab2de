// RUN: ttl-opt %s --ttl-insert-tile-regs-sync | FileCheck %s

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.thread @compute on compute (%a, %y) : !cb, !cb
}

// CHECK-LABEL: func.func @compute
func.func @compute(%a: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a_blk = ttl.cb_wait %a : !block
  %y_blk = ttl.cb_reserve %y : !block
  // Two groups of ops in one block, the first with two packs.
  // CHECK: ttkernel.tile_regs_acquire
  // CHECK-NEXT: ttl.get_tile
  %0 = ttl.get_tile %a_blk[%c0] {dst_idx = 0 : i32} : !block -> !t
  %1 = ttl.tile_exp %0 {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.tile_regs_commit
  // CHECK-NEXT: ttkernel.tile_regs_wait
  // CHECK-NEXT: ttl.pack_tile
  // CHECK-NEXT: ttl.pack_tile
  // CHECK-NEXT: ttkernel.tile_regs_release
  ttl.pack_tile %1, %y_blk[%c0] : !t, !block
  ttl.pack_tile %1, %y_blk[%c1] : !t, !block
  // CHECK-NEXT: ttkernel.tile_regs_acquire
  // CHECK-NEXT: ttl.get_tile
  %2 = ttl.get_tile %a_blk[%c1] {dst_idx = 0 : i32} : !block -> !t
  // CHECK-NEXT: ttkernel.tile_regs_commit
  // CHECK-NEXT: ttkernel.tile_regs_wait
  // CHECK-NEXT: ttl.pack_tile
  // CHECK-NEXT: ttkernel.tile_regs_release
  ttl.pack_tile %2, %y_blk[%c1] : !t, !block
  // A loop over tiles has a section in each iteration; a loop over k is inside one section.
  // CHECK: scf.for
  // CHECK-NEXT: ttkernel.tile_regs_acquire
  // CHECK-NEXT: ttl.fresh_tile
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: ttl.matmul_tiles
  // CHECK-NEXT: }
  // CHECK-NEXT: ttkernel.tile_regs_commit
  // CHECK-NEXT: ttkernel.tile_regs_wait
  // CHECK-NEXT: ttl.pack_tile
  // CHECK-NEXT: ttkernel.tile_regs_release
  // CHECK-NEXT: }
  scf.for %i = %c0 to %c2 step %c1 {
    %3 = ttl.fresh_tile {dst_idx = 0 : i32} : !t
    scf.for %k = %c0 to %c2 step %c1 {
      ttl.matmul_tiles %a_blk[%k], %a_blk[%k] into %3 : !block, !block, !t
    }
    ttl.pack_tile %3, %y_blk[%i] : !t, !block
  }
  return
}
