// RUN: ttl-opt %s --ttl-allocate-circular-buffers --split-input-file | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!half = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!half_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !half>

// All threads meet at a reset. A buffer that is used only after it gets the memory of one that is used only
// before it. 'kept' is used before and after; the reset itself is not a use.

// CHECK-LABEL: ttl.program @two_phases
// CHECK-NEXT: "first" {address = [[FIRST:[0-9]+]] :
// CHECK-NEXT: "kept" {address =
// CHECK-NOT: address = [[FIRST]] :
// CHECK: "second" {address = [[FIRST]] :
ttl.program @two_phases() attributes {grid = #ttcore.grid<1x1>} {
  %first = ttl.create_cb "first" : !cb
  %kept = ttl.create_cb "kept" : !cb
  %second = ttl.create_cb "second" : !half
  ttl.thread @reader on riscv_1 (%first, %kept, %second) : !cb, !cb, !half
  ttl.thread @compute on compute (%first, %kept, %second) : !cb, !cb, !half
}
func.func @reader(%first: !cb, %kept: !cb, %second: !half) {
  %0 = ttl.cb_reserve %first : !block
  ttl.cb_push %0 : !block
  %1 = ttl.cb_reserve %kept : !block
  ttl.cb_push %1 : !block
  ttl.cb_reset 0 "ttl.reset_dfbs" %first, %second : !cb, !half
  %2 = ttl.cb_reserve %second : !half_block
  ttl.cb_push %2 : !half_block
  return
}
func.func @compute(%first: !cb, %kept: !cb, %second: !half) {
  %0 = ttl.cb_wait %first : !block
  ttl.cb_pop %0 : !block
  ttl.cb_reset 0 "ttl.reset_dfbs" %first, %second : !cb, !half
  %1 = ttl.cb_wait %kept : !block
  ttl.cb_pop %1 : !block
  %2 = ttl.cb_wait %second : !half_block
  ttl.cb_pop %2 : !half_block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// A reset in a loop is reached again: in the next iteration, both phases follow each other again.

// CHECK-LABEL: ttl.program @loop
// CHECK-NEXT: "first" {address = [[FIRST:[0-9]+]] :
// CHECK-NOT: address = [[FIRST]] :
// CHECK: ttl.thread
ttl.program @loop() attributes {grid = #ttcore.grid<1x1>} {
  %first = ttl.create_cb "first" : !cb
  %second = ttl.create_cb "second" : !cb
  ttl.thread @reader on riscv_1 (%first, %second) : !cb, !cb
  ttl.thread @compute on compute (%first, %second) : !cb, !cb
}
func.func @reader(%first: !cb, %second: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = ttl.cb_reserve %first : !block
    ttl.cb_push %0 : !block
    ttl.cb_reset 0 "ttl.reset_dfbs" %first : !cb
    %2 = ttl.cb_reserve %second : !block
    ttl.cb_push %2 : !block
  }
  return
}
func.func @compute(%first: !cb, %second: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = ttl.cb_wait %first : !block
    ttl.cb_pop %0 : !block
    ttl.cb_reset 0 "ttl.reset_dfbs" %first : !cb
    %2 = ttl.cb_wait %second : !block
    ttl.cb_pop %2 : !block
  }
  return
}
