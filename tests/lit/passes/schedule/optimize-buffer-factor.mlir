// A buffer's block count is chosen from the blocks that producer and consumer hold at a time.
// RUN: ttl-opt %s --transform-interpreter --split-input-file | FileCheck %s

!cb1 = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!b1 = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb1>
!cb5 = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 5>
!b5 = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb5>

// "a": each side holds one block, so 2. "once": one block goes through it, so 1 is enough.
// "many": the consumer holds two blocks, the producer one, so 3.
// "own": both sides are the same thread, so nothing can overlap.
// CHECK-DAG: ![[ONE:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
// CHECK-DAG: ![[TWO:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
// CHECK-DAG: ![[THREE:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
// CHECK-LABEL: ttl.kernel @sides
ttl.kernel @sides() attributes {grid = #ttcore.grid<1x1>} {
  // CHECK: ttl.create_cb "a" : ![[TWO]]
  // CHECK: ttl.create_cb "once" : ![[ONE]]
  // CHECK: ttl.create_cb "many" : ![[THREE]]
  // CHECK: ttl.create_cb "own" : ![[ONE]]
  %a = ttl.create_cb "a" : !cb1
  %once = ttl.create_cb "once" : !cb5
  %many = ttl.create_cb "many" : !cb5
  %own = ttl.create_cb "own" : !cb1
  ttl.datamovement_thread "producer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %o = ttl.cb_reserve %once : !b5
    ttl.cb_push %o : !b5
    scf.for %i = %c0 to %c10 step %c1 {
      %x = ttl.cb_reserve %a : !b1
      ttl.cb_push %x : !b1
      %y = ttl.cb_reserve %many : !b5
      ttl.cb_push %y : !b5
      %z = ttl.cb_reserve %own : !b1
      ttl.cb_push %z : !b1
      %w = ttl.cb_wait %own : !b1
      ttl.cb_pop %w : !b1
    }
  }
  ttl.datamovement_thread "consumer" {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %o = ttl.cb_wait %once : !b5
    ttl.cb_pop %o : !b5
    scf.for %i = %c0 to %c10 step %c2 {
      %x0 = ttl.cb_wait %a : !b1
      ttl.cb_pop %x0 : !b1
      %x1 = ttl.cb_wait %a : !b1
      ttl.cb_pop %x1 : !b1
      %y0 = ttl.cb_wait %many : !b5
      %y1 = ttl.cb_wait %many : !b5
      ttl.cb_pop %y0 : !b5
      ttl.cb_pop %y1 : !b5
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %cbs = transform.structured.match ops{["ttl.create_cb"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.optimize_buffer_factor %cbs : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// The consumer waits for "late" before it takes a block of "early", so three blocks
// must have room. "early" stays as it is.
// CHECK-LABEL: ttl.kernel @deadlock
ttl.kernel @deadlock() attributes {grid = #ttcore.grid<1x1>} {
  // CHECK: ttl.create_cb "early" : !cb{{$}}
  // CHECK: ttl.create_cb "late" : !cb1{{$}}
  %early = ttl.create_cb "early" : !cb
  %late = ttl.create_cb "late" : !cb
  ttl.datamovement_thread "producer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %x = ttl.cb_reserve %early : !block
      ttl.cb_push %x : !block
    }
    %y = ttl.cb_reserve %late : !block
    ttl.cb_push %y : !block
  }
  ttl.datamovement_thread "consumer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %y = ttl.cb_wait %late : !block
    ttl.cb_pop %y : !block
    scf.for %i = %c0 to %c3 step %c1 {
      %x = ttl.cb_wait %early : !block
      ttl.cb_pop %x : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %cbs = transform.structured.match ops{["ttl.create_cb"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.optimize_buffer_factor %cbs : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!small = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!s = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !small>
!large = !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 1>
!l = !ttl.block<tensor<2x2x!ttcore.tile<32x32, f32>>, !large>

// With a limit, the cheapest buffers grow first: 4096 + 16384 bytes are in use, and there is room for
// one more small block.
// CHECK-DAG: ![[LARGE:.+]] = !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 1>
// CHECK-DAG: ![[SMALL:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
// CHECK-LABEL: ttl.kernel @limit
ttl.kernel @limit() attributes {grid = #ttcore.grid<1x1>} {
  // CHECK: ttl.create_cb "large" : ![[LARGE]]
  // CHECK: ttl.create_cb "small" : ![[SMALL]]
  %large = ttl.create_cb "large" : !large
  %small = ttl.create_cb "small" : !small
  ttl.datamovement_thread "producer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %x = ttl.cb_reserve %large : !l
      ttl.cb_push %x : !l
      %y = ttl.cb_reserve %small : !s
      ttl.cb_push %y : !s
    }
  }
  ttl.datamovement_thread "consumer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %x = ttl.cb_wait %large : !l
      ttl.cb_pop %x : !l
      %y = ttl.cb_wait %small : !s
      ttl.cb_pop %y : !s
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %cbs = transform.structured.match ops{["ttl.create_cb"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.optimize_buffer_factor %cbs {l1_bytes = 30000 : i64} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// "first" is empty for good before "second" is reserved, so they share memory. Both may have
// two blocks then; side by side, only three blocks would fit.
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// CHECK: ![[TWO:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
// CHECK-LABEL: ttl.kernel @shared
ttl.kernel @shared() attributes {grid = #ttcore.grid<1x1>} {
  // CHECK: ttl.create_cb "first" : ![[TWO]]
  // CHECK: ttl.create_cb "second" : ![[TWO]]
  %first = ttl.create_cb "first" : !cb
  %second = ttl.create_cb "second" : !cb
  ttl.datamovement_thread "producer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %x = ttl.cb_reserve %first : !block
      ttl.cb_push %x : !block
    }
  }
  ttl.datamovement_thread "consumer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %x = ttl.cb_wait %first : !block
      ttl.cb_pop %x : !block
    }
    scf.for %i = %c0 to %c4 step %c1 {
      %y = ttl.cb_reserve %second : !block
      ttl.cb_push %y : !block
    }
  }
  ttl.compute_thread "last" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %y = ttl.cb_wait %second : !block
      ttl.cb_pop %y : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %cbs = transform.structured.match ops{["ttl.create_cb"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.optimize_buffer_factor %cbs {l1_bytes = 8192 : i64} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A buffer that is published once is full from then on; "once" needs one of its 5 blocks.
#shards = #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 1x1, shard = 96x32>>
!tensor = tensor<96x32xf32, #shards>
!resident = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!resident_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !resident>
!cb5 = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 5>
!b5 = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb5>

// CHECK-DAG: ![[ONE:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
// CHECK-LABEL: ttl.kernel @published
ttl.kernel @published(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %resident = ttl.create_cb "resident" in(%t : !tensor) : !resident
  // CHECK: ttl.create_cb "once" {targeted} : ![[ONE]]
  %once = ttl.create_cb "once" {targeted} : !cb5
  ttl.datamovement_thread "producer" {
    ttl.cb_publish %resident : !resident
    %o = ttl.cb_reserve %once : !b5
    ttl.cb_push %o : !b5
  }
  ttl.datamovement_thread "consumer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %x = ttl.cb_wait %resident : !resident_block
      ttl.cb_pop %x : !resident_block
    }
    %o = ttl.cb_wait %once : !b5
    ttl.cb_pop %o : !b5
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %cbs = transform.structured.match ops{["ttl.create_cb"]} attributes {targeted} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.optimize_buffer_factor %cbs : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
