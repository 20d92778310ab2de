// RUN: ttl-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: ttl-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: ttl-opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK,DCE

// How upstream passes may change ops on DST registers. Ops on tiles without a register are pure. Ops that
// name or write a register, or that use L1, must stay.

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[2, 1], !t, 1>
!block = !ttl.block<tensor<2x1x!t>, !cb>

// CHECK-LABEL: func.func @markers
func.func @markers(%a: !t, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: ttl.require_dst
    // CHECK-NEXT: ttl.require_dst
    ttl.require_dst %a : !t
    ttl.require_dst %a : !t
    // CHECK-NEXT: ttl.acquire_dst
    // CHECK-NEXT: ttl.acquire_dst
    %r = ttl.acquire_dst : index
    %s = ttl.acquire_dst : index
    // CHECK-NEXT: ttl.release_dst
    // CHECK-NEXT: ttl.release_dst
    ttl.release_dst %r
    ttl.release_dst %s
    // CHECK-NEXT: ttl.spill_tile_to_l1
    // CHECK-NEXT: ttl.spill_tile_to_l1
    %x = ttl.spill_tile_to_l1 %a : !t -> index
    %y = ttl.spill_tile_to_l1 %a : !t -> index
    // CHECK-NEXT: ttl.restore_tile_from_l1
    // CHECK-NEXT: ttl.restore_tile_from_l1
    %b = ttl.restore_tile_from_l1 %x : index -> !t
    %c = ttl.restore_tile_from_l1 %x : index -> !t
  }
  return
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%a: !block, %y: !block, %p: !t, %q: !t, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // DCE-NOT: ttl.tile_fpu_binary sub
  %dead = ttl.tile_fpu_binary sub %p, %q : (!t, !t) -> !t
  // CSE: ttl.fpu_binary_tiles
  // CSE-NOT: ttl.fpu_binary_tiles
  %0 = ttl.fpu_binary_tiles add %a[%c0], %a[%c1] : !block, !block -> !t
  %1 = ttl.fpu_binary_tiles add %a[%c0], %a[%c1] : !block, !block -> !t
  // LICM: ttl.tile_fpu_binary
  // LICM: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // LICM: ttl.dst_tile
    %acc = ttl.dst_tile {dst_idx = 2 : i32} : !t
    // CSE: ttl.tile_fpu_binary mul
    // CSE-NOT: ttl.tile_fpu_binary mul
    %2 = ttl.tile_fpu_binary mul %p, %q : (!t, !t) -> !t
    %3 = ttl.tile_fpu_binary mul %p, %q : (!t, !t) -> !t
    // CHECK: ttl.reduce_tile sum
    // CHECK-NEXT: ttl.reduce_tile sum
    ttl.reduce_tile sum %a[%c0] scaling %a[%c1] into %acc {dims = array<i64: 1>} : !block, !block, !t
    ttl.reduce_tile sum %a[%c0] scaling %a[%c1] into %acc {dims = array<i64: 1>} : !block, !block, !t
    // CHECK: ttl.pack_tile_block
    // CHECK: ttl.pack_tile_block
    ttl.pack_tile_block (%2, %3), %y[%c0] : (!t, !t), !block
    ttl.pack_tile_block (%0, %1), %y[%c0] : (!t, !t), !block
  }
  return
}

// Equal ops that write the same register stay in place, because a ttl.dst_tile may read it.
// CHECK-LABEL: func.func @registers
func.func @registers(%a: !block, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NEXT: ttl.tile_fill %{{.+}} {dst_idx = 0 : i32}
    // CHECK-NEXT: %[[T:.+]] = ttl.tile_fill %{{.+}} {dst_idx = 0 : i32}
    %0 = ttl.tile_fill %f {dst_idx = 0 : i32} : !t
    %1 = ttl.tile_fill %f {dst_idx = 0 : i32} : !t
    // CHECK-NEXT: ttl.copy_dest_values %[[T]] {dst_idx = 1 : i32}
    %2 = ttl.copy_dest_values %1 {dst_idx = 1 : i32} : (!t) -> !t
    // CHECK-NEXT: ttl.get_tile
    // CHECK-NEXT: ttl.get_tile
    %3 = ttl.get_tile %a[%c0] {dst_idx = 2 : i32} : !block -> !t
    %4 = ttl.get_tile %a[%c0] {dst_idx = 2 : i32} : !block -> !t
    // CHECK-NEXT: ttl.fpu_binary_tiles
    %5 = ttl.fpu_binary_tiles add %a[%c0], %a[%c1] {dst_idx = 3 : i32} : !block, !block -> !t
    // CHECK-NEXT: ttl.bcast_tile
    %6 = ttl.bcast_tile %a[%c0] {dims = array<i64: 1>, dst_idx = 4 : i32} : !block -> !t
  }
  return
}
