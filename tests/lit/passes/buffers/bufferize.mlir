// RUN: ttl-opt %s --ttl-bufferize --split-input-file | FileCheck %s

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @aligned() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @aligned_thread on compute (%a) : !cb
}

// Pairs out of four blocks never wrap around the buffer's end, so distances are constants.
// CHECK-LABEL: func.func @aligned_thread
func.func @aligned_thread(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %c9 step %c1 {
    // CHECK: %[[FIRST:.+]] = ttl.cb_wait %{{.+}} : !block
    // CHECK: %[[SECOND:.+]] = ttl.cb_wait %{{.+}} {outstanding = 2 : i32} : !block
    %first = ttl.cb_wait %a : !block
    %second = ttl.cb_wait %a : !block
    // CHECK-NEXT: ttl.get_tile %[[FIRST]]
    %0 = ttl.get_tile %first[%c0] {dst_idx = 0 : i32} : !block -> !t
    // CHECK-NEXT: %[[AT:.+]] = ttl.block_at %[[SECOND]][%c2] : !block
    // CHECK-NEXT: ttl.get_tile %[[AT]]
    %1 = ttl.get_tile %second[%c0] {dst_idx = 0 : i32} : !block -> !t
    ttl.cb_pop %first : !block
    // Now this block is the oldest one.
    // CHECK-NEXT: ttl.cb_pop
    // CHECK-NEXT: ttl.get_tile %[[SECOND]]
    %2 = ttl.get_tile %second[%c0] {dst_idx = 0 : i32} : !block -> !t
    ttl.cb_pop %second : !block
  }
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @window() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @window_thread on compute (%a) : !cb
}

// A window over three blocks: the pass adds a counter for the front, through loops and
// branches. If the ring ends inside the window, the second block is two blocks before the first.
// CHECK-LABEL: func.func @window_thread
func.func @window_thread(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %true = arith.constant true
  // CHECK: scf.for {{.*}} iter_args(%[[FRONT:.+]] = %c0) -> (index)
  scf.for %i = %c0 to %c9 step %c1 {
    %first = ttl.cb_wait %a : !block
    %second = ttl.cb_wait %a : !block
    // CHECK: %[[WRAPS:.+]] = arith.cmpi sge, %[[FRONT]], %c2
    // CHECK-NEXT: %[[PAGES:.+]] = arith.select %[[WRAPS]], %c-4, %c2
    // CHECK-NEXT: ttl.block_at %{{.+}}[%[[PAGES]]] : !block
    %0 = ttl.get_tile %second[%c0] {dst_idx = 0 : i32} : !block -> !t
    // CHECK: ttl.cb_pop
    // CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[FRONT]], %c1
    // CHECK-NEXT: %[[END:.+]] = arith.cmpi eq, %[[NEXT]], %c3
    // CHECK-NEXT: %[[F1:.+]] = arith.select %[[END]], %c0, %[[NEXT]]
    ttl.cb_pop %first : !block
    // CHECK: %[[F2:.+]] = scf.if %{{.+}} -> (index)
    scf.if %true {
      // CHECK: ttl.cb_pop
      // CHECK: %[[F3:.+]] = arith.select
      // CHECK: scf.yield %[[F3]] : index
      ttl.cb_pop %second : !block
    } else {
      %1 = ttl.get_tile %second[%c0] {dst_idx = 0 : i32} : !block -> !t
      // CHECK: ttl.cb_pop
      // CHECK: scf.yield %{{.+}} : index
      ttl.cb_pop %second : !block
    }
    // CHECK: scf.yield %[[F2]] : index
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.program @behind(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @behind_thread on riscv_1 (%a, %t) : !cb, !tensor
}

// Without loops every distance is known, also of a block before the front.
// CHECK-LABEL: func.func @behind_thread
func.func @behind_thread(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
  %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
  %0 = ttl.cb_reserve %a : !block
  %1 = ttl.cb_reserve %a : !block
  // CHECK: %[[B2:.+]] = ttl.cb_reserve %{{.+}} {outstanding = 3 : i32}
  %2 = ttl.cb_reserve %a : !block
  // CHECK-NEXT: %[[A2:.+]] = ttl.block_at %[[B2]][%c2]
  // CHECK-NEXT: ttl.copy %{{.+}}, %[[A2]]
  %x2 = ttl.copy %s, %2 : !slice, !block
  ttl.wait %x2
  ttl.cb_push %0 : !block
  ttl.cb_push %1 : !block
  // CHECK: %[[B3:.+]] = ttl.cb_reserve %{{.+}} {outstanding = 2 : i32}
  %3 = ttl.cb_reserve %a : !block
  // CHECK-NEXT: %[[A3:.+]] = ttl.block_at %[[B3]][%c-2]
  // CHECK-NEXT: ttl.copy %{{.+}}, %[[A3]]
  %x3 = ttl.copy %s, %3 : !slice, !block
  ttl.wait %x3
  ttl.cb_push %2 : !block
  // CHECK: ttl.copy %{{.+}}, %[[B3]]
  %x4 = ttl.copy %s, %3 : !slice, !block
  ttl.wait %x4
  ttl.cb_push %3 : !block
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @counted() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @counted_thread on compute (%a) : !cb
}

// A thread that counts its blocks itself says where they are, so the pass adds nothing.
// CHECK-LABEL: func.func @counted_thread
func.func @counted_thread(%a: !cb) {
  %c0 = arith.constant 0 : index
  %n = ttl.core {dims = 1 : i64} : index
  // CHECK: ttl.cb_wait %{{.+}} {outstanding = 1 : i32}
  // CHECK-NEXT: ttl.cb_wait %{{.+}} {outstanding = 2 : i32}
  // CHECK-NEXT: %[[OLDEST:.+]] = ttl.held_block
  // CHECK-NEXT: %[[B:.+]] = ttl.block_at %[[OLDEST]][%
  // CHECK-NEXT: ttl.get_tile %[[B]]
  // CHECK-NEXT: %[[OLD:.+]] = ttl.held_block
  // CHECK-NEXT: ttl.cb_pop %[[OLD]]
  // CHECK-NEXT: return
  %0 = ttl.cb_wait %a {outstanding = 1 : i32} : !block
  %1 = ttl.cb_wait %a {outstanding = 2 : i32} : !block
  %oldest = ttl.held_block %a[0] : !block
  %b = ttl.block_at %oldest[%n] : !block
  %2 = ttl.get_tile %b[%c0] {dst_idx = 0 : i32} : !block -> !t
  %old = ttl.held_block %a[0] : !block
  ttl.cb_pop %old : !block
  return
}
