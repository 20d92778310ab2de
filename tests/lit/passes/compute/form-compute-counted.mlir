// RUN: ttl-opt %s --split-input-file --ttl-form-compute | FileCheck %s

// The thread counts the blocks that it holds. A release may be that of any block of the buffer, and it moves
// the front from which blocks are counted. So an expression that reads a block is computed before it.

!tile = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !tile, 2>
!block = !ttl.block<tensor<1x1x!tile>, !cb>

// CHECK-LABEL: ttl.kernel @read_before_a_release
ttl.kernel @read_before_a_release() attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  // CHECK: ttl.compute_thread
  // CHECK: %[[B:.+]] = ttl.block_at
  // CHECK: %[[OLD:.+]] = ttl.held_block %{{.+}}[0]
  // CHECK: %[[COPY:.+]] = ttl.cb_reserve
  // CHECK: ttl.compute ins(%[[B]]
  // CHECK: ttl.cb_push %[[COPY]]
  // CHECK: ttl.cb_pop %[[OLD]]
  // CHECK: ttl.cb_reserve
  // CHECK: ttl.compute
  ttl.compute_thread "compute" {
    %n = ttl.core {dims = 1 : i64} : index
    %b0 = ttl.cb_wait %a_cb {outstanding = 1 : i32} : !block
    %oldest = ttl.held_block %a_cb[0] : !block
    %b = ttl.block_at %oldest[%n] : !block
    %value = ttl.block_exp %b : (!block) -> tensor<1x1x!tile>
    %old = ttl.held_block %a_cb[0] : !block
    ttl.cb_pop %old : !block
    %y = ttl.cb_reserve %y_cb : !block
    ttl.block_store %y, %value : !block, tensor<1x1x!tile>
    ttl.cb_push %y : !block
  }
}

// -----

!tile = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !tile, 2>
!block = !ttl.block<tensor<1x1x!tile>, !cb>

// A loop that releases one of the counted blocks, too.
// CHECK-LABEL: ttl.kernel @read_before_a_loop
ttl.kernel @read_before_a_loop() attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  // CHECK: %[[B:.+]] = ttl.block_at
  // CHECK: ttl.compute ins(%[[B]]
  // CHECK: scf.for
  // CHECK: ttl.cb_pop
  // CHECK: }
  // CHECK: ttl.compute
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = ttl.core {dims = 1 : i64} : index
    %b0 = ttl.cb_wait %a_cb {outstanding = 1 : i32} : !block
    %oldest = ttl.held_block %a_cb[0] : !block
    %b = ttl.block_at %oldest[%n] : !block
    %value = ttl.block_exp %b : (!block) -> tensor<1x1x!tile>
    scf.for %i = %c0 to %n step %c1 {
      %first = arith.cmpi eq, %i, %c0 : index
      scf.if %first {
        %old = ttl.held_block %a_cb[0] : !block
        ttl.cb_pop %old : !block
      }
    }
    %y = ttl.cb_reserve %y_cb : !block
    ttl.block_store %y, %value : !block, tensor<1x1x!tile>
    ttl.cb_push %y : !block
  }
}
