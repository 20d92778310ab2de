// RUN: ttl-opt %s --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: ttl-opt %s --loop-invariant-code-motion --split-input-file | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: ttl-opt %s --canonicalize --split-input-file | FileCheck %s --check-prefixes=CHECK,DCE

// What upstream passes may merge, move and erase, for each group of ops.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

// Ops that read a block are equal until an op may write the block. They are erased without users,
// but not moved, because the block's contents change.
// CHECK-LABEL: func.func @expressions
func.func @expressions(%cb: !cb, %y: !block, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ttl.cb_wait %cb : !block
  // CSE: ttl.block_abs
  // CSE-NOT: ttl.block_abs
  // DCE-NOT: ttl.block_neg
  %0 = ttl.block_abs %a : (!block) -> !e
  %1 = ttl.block_abs %a : (!block) -> !e
  %dead = ttl.block_neg %a : (!block) -> !e
  // CSE: ttl.block_store
  ttl.block_store %y, %0 : !block, !e
  ttl.block_store %y, %1 : !block, !e
  // CSE: ttl.block_abs
  %2 = ttl.block_abs %a : (!block) -> !e
  ttl.block_store %y, %2 : !block, !e
  // LICM: scf.for
  // LICM-NEXT: ttl.block_exp
  scf.for %i = %c0 to %n step %c1 {
    %3 = ttl.block_exp %a : (!block) -> !e
    ttl.block_store %y, %3 : !block, !e
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

// Expressions of values only are pure; they cannot fault.
// CHECK-LABEL: func.func @values
func.func @values(%y: !block, %v: !e, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CSE: ttl.block_fill
  // CSE-NOT: ttl.block_fill
  // LICM: ttl.block_fill
  // LICM: ttl.block_abs
  // LICM: scf.for
  scf.for %i = %c0 to %n step %c1 {
    %0 = ttl.block_fill %f : !e
    %1 = ttl.block_fill %f : !e
    %2 = ttl.block_abs %v : (!e) -> !e
    ttl.block_store %y, %0 : !block, !e
    ttl.block_store %y, %1 : !block, !e
    ttl.block_store %y, %2 : !block, !e
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// Each acquire and each release has an effect, whether its block is used or not.
// CHECK-LABEL: func.func @buffers
func.func @buffers(%cb: !cb, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: ttl.cb_wait
  %a = ttl.cb_wait %cb : !block
  // CHECK: ttl.cb_wait
  %b = ttl.cb_wait %cb : !block
  // CHECK: ttl.cb_pop
  ttl.cb_pop %a : !block
  // CHECK: ttl.cb_pop
  ttl.cb_pop %b : !block
  // CHECK: ttl.cb_reserve
  // CHECK-NOT: ttl.cb
  // CHECK: scf.for
  %c = ttl.cb_reserve %cb : !block
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: ttl.cb_reserve
    %d = ttl.cb_reserve %cb : !block
    // CHECK: ttl.cb_push
    ttl.cb_push %d : !block
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Addresses are pure values; each transfer is an effect.
// CHECK-LABEL: func.func @transfers
func.func @transfers(%t: !tensor, %a: !block, %b: !block, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CSE: ttl.tensor_accessor
  // CSE-NOT: ttl.tensor_accessor
  // LICM: ttl.index_accessor
  // LICM: scf.for
  // DCE-NOT: ttl.grid_slice
  %acc = ttl.tensor_accessor %t : !tensor -> !accessor
  %acc1 = ttl.tensor_accessor %t : !tensor -> !accessor
  %dead = ttl.grid_slice %acc {block_factors = array<i64: 1, 1>} : !accessor
  scf.for %i = %c0 to %n step %c1 {
    %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
    %s1 = ttl.index_accessor %acc1[%c0, %c0] : !accessor -> !slice
    // CHECK: ttl.copy
    %x = ttl.copy %s, %a : !slice, !block
    // CHECK: ttl.copy
    %y = ttl.copy %s1, %a : !slice, !block
    // CHECK: ttl.wait
    ttl.wait %x
    // CHECK: ttl.wait
    ttl.wait %y
    // CHECK: ttl.copy
    %z = ttl.copy %b, %s : !block, !slice
    // CHECK: ttl.dma_barrier
    ttl.dma_barrier
  }
  return
}

// -----

// A check that may fault stays in its place.
// CHECK-LABEL: func.func @checks
func.func @checks(%i: index, %x: i32, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: ttl.check_index
  ttl.check_index %i {size = 2 : i64, bound = 4 : i64, dim = 0 : i64, tensor = "t"}
  // CHECK: ttl.int_add
  %dead = ttl.int_add %x, %x
  // CHECK: scf.for
  scf.for %j = %c0 to %n step %c1 {
    // CHECK: ttl.assert
    ttl.assert %c, "message"
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

// Tiles are values. Loading a tile reads its block, and packing a tile writes its block.
// CHECK-LABEL: func.func @tiles
func.func @tiles(%a: !block, %y: !block, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CSE: ttl.get_tile
  // CSE-NOT: ttl.get_tile
  // DCE-NOT: ttl.tile_neg
  %0 = ttl.get_tile %a[%c0] : !block -> !t
  %1 = ttl.get_tile %a[%c0] : !block -> !t
  // CSE: ttl.tile_exp
  // CSE-NOT: ttl.tile_exp
  %2 = ttl.tile_exp %0 : (!t) -> !t
  %3 = ttl.tile_exp %1 : (!t) -> !t
  %dead = ttl.tile_neg %0 : (!t) -> !t
  // CHECK: ttl.pack_tile
  ttl.pack_tile %2, %y[%c0] : !t, !block
  // CHECK: ttl.pack_tile
  ttl.pack_tile %3, %y[%c0] : !t, !block
  // CSE: ttl.get_tile
  %4 = ttl.get_tile %a[%c0] : !block -> !t
  // LICM: ttl.tile_abs
  // CHECK: scf.for
  // LICM-NEXT: ttl.get_tile
  scf.for %i = %c0 to %n step %c1 {
    %6 = ttl.get_tile %a[%c0] : !block -> !t
    %5 = ttl.tile_abs %4 : (!t) -> !t
    // CHECK: ttl.matmul_tiles
    ttl.matmul_tiles %a[%c0], %a[%c0] into %6 : !block, !block, !t
    ttl.pack_tile %5, %y[%c0] : !t, !block
    ttl.pack_tile %6, %y[%c0] : !t, !block
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

// A compute has the effects of its body, and writes the blocks in its `outs`.
// CHECK-LABEL: func.func @regions
func.func @regions(%a: !block, %y: !block, %v: !e, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // DCE-NOT: ttl.block_compute
  %dead = ttl.block_compute {
    %0 = ttl.block_abs %v : (!e) -> !e
    ttl.yield %0 : !e
  } -> !e
  // CHECK: ttl.compute_region ins(%{{.+}} : !block) outs(
  ttl.compute_region ins(%a : !block) outs(%y : !block) {
  ^bb0(%p: !block):
    %0 = ttl.block_abs %p : (!block) -> !e
    ttl.yield %0 : !e
  }
  // CHECK: scf.for
  // LICM: ttl.compute_region
  // DCE-NOT: ttl.compute_region
  scf.for %i = %c0 to %n step %c1 {
    %r = ttl.block_compute {
      %0 = ttl.block_exp %v : (!e) -> !e
      ttl.yield %0 : !e
    } -> !e
    %reads = ttl.compute_region ins(%a : !block) {
    ^bb0(%p: !block):
      %0 = ttl.block_abs %p : (!block) -> !e
      ttl.yield %0 : !e
    } -> !e
    ttl.block_store %y, %r : !block, !e
  }
  return
}

// -----

// A word that other nodes change is read again after each op that may wait or set. No wait
// and no set may be erased.
// CHECK-LABEL: ttl.kernel @semaphores
ttl.kernel @semaphores() attributes {grid = #ttcore.grid<2x2>} {
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  // CHECK: ttl.datamovement_thread
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    // CSE: ttl.get_remote_semaphore
    // CSE-NOT: ttl.get_remote_semaphore
    // LICM: ttl.get_remote_semaphore
    // DCE: ttl.get_remote_semaphore
    %r = ttl.get_remote_semaphore %s[%c0, %c1] : !ttl.semaphore -> !ttl.semaphore<true>
    // CSE: ttl.semaphore_value
    // CSE-NOT: ttl.semaphore_value
    // DCE-NOT: ttl.semaphore_value %{{.+}} {dead}
    %dead = ttl.semaphore_value %s {dead} : !ttl.semaphore
    %v = ttl.semaphore_value %s : !ttl.semaphore
    %w = ttl.semaphore_value %s : !ttl.semaphore
    // CHECK: ttl.semaphore_set
    %vw = arith.addi %v, %w : i32
    ttl.semaphore_set %s, %vw : !ttl.semaphore
    // CHECK: ttl.semaphore_wait_min
    ttl.semaphore_wait_min %s, %one : !ttl.semaphore
    // CHECK: ttl.semaphore_wait_min
    ttl.semaphore_wait_min %s, %one : !ttl.semaphore
    // CSE: ttl.semaphore_value
    %x = ttl.semaphore_value %s : !ttl.semaphore
    // CHECK: ttl.semaphore_set
    ttl.semaphore_set %s, %x : !ttl.semaphore
    // CHECK: scf.for
    %n = ttl.core_linear : index
    scf.for %i = %c0 to %n step %c1 {
      %q = ttl.get_remote_semaphore %s[%c0, %c1] : !ttl.semaphore -> !ttl.semaphore<true>
      // CHECK: ttl.semaphore_inc
      ttl.semaphore_inc %q, %one : !ttl.semaphore<true>
      // CHECK: ttl.semaphore_inc
      ttl.semaphore_inc %r, %one : !ttl.semaphore<true>
      // CHECK: ttl.semaphore_wait_eq
      ttl.semaphore_wait_eq %s, %one : !ttl.semaphore
    }
  }
}

// -----

// Buffers and semaphores stay even if nothing uses them. Asking for the node's coordinates is pure.
// CHECK-LABEL: ttl.kernel @resources
ttl.kernel @resources() attributes {grid = #ttcore.grid<2x2>} {
  // CHECK: ttl.create_cb
  // CHECK: ttl.create_semaphore
  %cb = ttl.create_cb "a" : !ttl.cb<[1], f32, 2>
  %semaphore = ttl.create_semaphore "s" : !ttl.semaphore
  // CHECK: ttl.datamovement_thread
  ttl.datamovement_thread "reader" {
    // DCE-NOT: ttl.core :
    // CSE: ttl.core_linear
    // CSE-NOT: ttl.core_linear
    %a = ttl.core_linear : index
    %b = ttl.core_linear : index
    %x, %y = ttl.core : index, index
    // CSE: ttl.check_index
    // CSE: ttl.check_index
    ttl.check_index %a {size = 2 : i64, bound = 4 : i64, dim = 0 : i64, tensor = "t"}
    ttl.check_index %b {size = 2 : i64, bound = 4 : i64, dim = 0 : i64, tensor = "t"}
  }
}
