// RUN: ttl-opt %s --ttl-allocate-circular-buffers --split-input-file | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

// The compute thread reserves 'y' after it has popped the last block of 'a', so both share memory.
// Only this thread uses 'mid', which is dead by then.
// CHECK-LABEL: ttl.program @phases
// CHECK-NEXT: "a" {address = 103424
// CHECK-NEXT: "mid" {address = 107520
// CHECK-NEXT: "y" {address = 103424
// CHECK-NEXT: "late" {address = 111616
ttl.program @phases() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %mid = ttl.create_cb "mid" : !cb
  %y = ttl.create_cb "y" : !cb
  %late = ttl.create_cb "late" : !cb
  ttl.thread @reader on riscv_1 (%a, %late) : !cb, !cb
  ttl.thread @compute on compute (%a, %mid, %y, %late) : !cb, !cb, !cb, !cb
  ttl.thread @writer on riscv_0 (%y) : !cb
}
func.func @reader(%a: !cb, %late: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = ttl.cb_reserve %a : !block
    ttl.cb_push %0 : !block
  }
  // The reader runs ahead: it may fill 'late' while 'a', 'mid' and 'y' are in use.
  %1 = ttl.cb_reserve %late : !block
  ttl.cb_push %1 : !block
  return
}
func.func @compute(%a: !cb, %mid: !cb, %y: !cb, %late: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = ttl.cb_reserve %mid : !block
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = ttl.cb_wait %a : !block
    ttl.cb_pop %0 : !block
  }
  ttl.cb_push %m : !block
  %y_blk = ttl.cb_reserve %y : !block
  %m1 = ttl.cb_wait %mid : !block
  ttl.cb_pop %m1 : !block
  ttl.cb_push %y_blk : !block
  %1 = ttl.cb_wait %late : !block
  ttl.cb_pop %1 : !block
  return
}
func.func @writer(%y: !cb) {
  %0 = ttl.cb_wait %y : !block
  ttl.cb_pop %0 : !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// It is not known how often 'a' is filled, so more blocks of it may come later.
// CHECK-LABEL: ttl.program @unknown
// CHECK-NEXT: "a" {address = 103424
// CHECK-NEXT: "y" {address = 107520
ttl.program @unknown() attributes {grid = #ttcore.grid<4x4>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.thread @reader on riscv_1 (%a) : !cb
  ttl.thread @compute on compute (%a, %y) : !cb, !cb
  ttl.thread @writer on riscv_0 (%y) : !cb
}
func.func @reader(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = ttl.core_linear : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = ttl.cb_reserve %a : !block
    ttl.cb_push %0 : !block
  }
  return
}
func.func @compute(%a: !cb, %y: !cb) {
  %0 = ttl.cb_wait %a : !block
  ttl.cb_pop %0 : !block
  %1 = ttl.cb_reserve %y : !block
  ttl.cb_push %1 : !block
  return
}
func.func @writer(%y: !cb) {
  %0 = ttl.cb_wait %y : !block
  ttl.cb_pop %0 : !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!large = !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 1>
!large_block = !ttl.block<tensor<2x2x!ttcore.tile<32x32, f32>>, !large>

// Buffers that one thread uses. 'a' and 'b' are dead at the end of each iteration,
// but 'kept' holds a block for the next iteration.
// CHECK-LABEL: ttl.program @private
// CHECK-NEXT: "a" {address = 103424
// CHECK-NEXT: "b" {address = 103424
// CHECK-NEXT: "kept" {address = 119808
// CHECK-NEXT: "other" {address = 103424
ttl.program @private() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %b = ttl.create_cb "b" : !large
  %kept = ttl.create_cb "kept" : !cb
  %other = ttl.create_cb "other" : !cb
  ttl.thread @compute on compute (%a, %b, %kept, %other) : !cb, !large, !cb, !cb
}
func.func @compute(%a: !cb, %b: !large, %kept: !cb, %other: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = ttl.core_linear : index
  %k = ttl.cb_reserve %kept : !block
  ttl.cb_push %k : !block
  scf.for %i = %c0 to %n step %c1 {
    %0 = ttl.cb_reserve %a : !block
    ttl.cb_push %0 : !block
    %1 = ttl.cb_wait %a : !block
    %2 = ttl.cb_wait %kept : !block
    ttl.cb_pop %2 : !block
    ttl.cb_pop %1 : !block
    %3 = ttl.cb_reserve %b : !large_block
    ttl.cb_push %3 : !large_block
    %4 = ttl.cb_reserve %kept : !block
    %5 = ttl.cb_wait %b : !large_block
    ttl.cb_push %4 : !block
    ttl.cb_pop %5 : !large_block
  }
  %6 = ttl.cb_reserve %other : !block
  ttl.cb_push %6 : !block
  %7 = ttl.cb_wait %other : !block
  ttl.cb_pop %7 : !block
  %8 = ttl.cb_wait %kept : !block
  ttl.cb_pop %8 : !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// An explicit address stays; buffers that may not overlap it are placed elsewhere.
// CHECK-LABEL: ttl.program @explicit
// CHECK-NEXT: "a" {address = 103424
// CHECK-NEXT: "fixed" {address = 105472
// CHECK-NEXT: "c" {address = 109568
ttl.program @explicit() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 1>
  %fixed = ttl.create_cb "fixed" {address = 105472 : i64} : !cb
  %c = ttl.create_cb "c" : !cb
  ttl.thread @t on riscv_1 (%a, %fixed, %c) : !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 1>, !cb, !cb
}
func.func @t(%a: !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 1>, %fixed: !cb, %c: !cb) {
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>

// Buffers on different cores. 'c' shares cores with both, and 'd' is on all cores.
// CHECK-LABEL: ttl.program @cores
// CHECK-NEXT: "a" {address = 103424
// CHECK-NEXT: "b" {address = 103424
// CHECK-NEXT: "c" {address = 107520
// CHECK-NEXT: "d" {address = 111616
ttl.program @cores() attributes {grid = #ttcore.grid<4x4>} {
  %a = ttl.create_cb "a" {core_ranges = #ttcore.core_range_set<[<(0, 0), (1, 3)>]>} : !cb
  %b = ttl.create_cb "b" {core_ranges = #ttcore.core_range_set<[<(2, 0), (2, 3)>, <(3, 1), (3, 1)>]>} : !cb
  %c = ttl.create_cb "c" {core_ranges = #ttcore.core_range_set<[<(1, 1), (2, 1)>]>} : !cb
  %d = ttl.create_cb "d" : !cb
  ttl.thread @t on riscv_1 (%a, %b, %c, %d) : !cb, !cb, !cb, !cb
}
func.func @t(%a: !cb, %b: !cb, %c: !cb, %d: !cb) {
  return
}
