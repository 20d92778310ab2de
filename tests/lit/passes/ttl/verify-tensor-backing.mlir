// RUN: ttl-opt %s --ttl-verify-tensor-backing --ttl-merge-allocation-groups --ttl-verify-protocol --verify-diagnostics | FileCheck %s

#shards = #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 64x32>>
!tensor = tensor<128x32xf32, #shards>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

// An input and an output that no other op reads; element by element, in place.
// CHECK-LABEL: ttl.kernel @in_place
// CHECK: ttl.create_cb "x" in(%{{.+}} : tensor<128x32xf32, {{.+}}>) : !cb
ttl.kernel @in_place(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  %y = ttl.create_cb "y" in(%a : !tensor) : !cb
  ttl.datamovement_thread "publisher" {
    // CHECK: ttl.cb_publish %{{.+}} : !cb
    ttl.cb_publish %x : !cb
  }
  ttl.compute_thread "compute" {
    %x_blk = ttl.cb_wait %x : !block
    %y_blk = ttl.cb_reserve %y : !block
    %sum = ttl.block_add %x_blk, %x_blk : (!block, !block) -> !value
    %exp = ttl.block_exp %sum : (!value) -> !value
    ttl.block_store %y_blk, %exp : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %x_blk : !block
  }
}

// The loop's trip count is known at run time only.
// CHECK-LABEL: ttl.kernel @perhaps_once
ttl.kernel @perhaps_once(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  ttl.datamovement_thread "publisher" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %node, %row = ttl.core {dims = 2} : index, index
    scf.for %i = %c0 to %node step %c1 {
      ttl.cb_publish %x : !cb
    }
    %last = arith.cmpi eq, %node, %c1 : index
    scf.if %last {
      ttl.cb_publish %x : !cb
    } else {
      ttl.cb_publish %x : !cb
    }
  }
  ttl.datamovement_thread "writer" {
    // expected-note @+1 {{the block is acquired here}}
    %blk = ttl.cb_wait %x : !block
    // expected-warning @+1 {{this pops a block of 'x', but nobody has read it}}
    ttl.cb_pop %blk : !block
  }
}

// Two buffers of one group are the same part of a tensor.
// CHECK-LABEL: ttl.kernel @group
// CHECK: ttl.create_cb "x/y" in(
ttl.kernel @group(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) {ttl.allocation_group = 1 : i32} : !cb
  %y = ttl.create_cb "y" in(%a : !tensor) {ttl.allocation_group = 1 : i32} : !cb
  ttl.compute_thread "compute" {
    %cst = arith.constant 1.0 : f32
    %value = ttl.block_fill %cst : !value
    %x_blk = ttl.cb_reserve %x : !block
    ttl.block_store %x_blk, %value : !block, !value
    ttl.cb_push %x_blk : !block
    %y_blk = ttl.cb_reserve %y : !block
    ttl.block_store %y_blk, %value : !block, !value
    ttl.cb_push %y_blk : !block
  }
}

// A buffer is published, but no thread reads it.
ttl.kernel @unread(%a: !tensor loc("a")) attributes {grid = #ttcore.grid<2x1>} {
  %x = ttl.create_cb "x" in(%a : !tensor) : !cb
  ttl.datamovement_thread "publisher" {
    // expected-warning @+1 {{this publishes 'x', but no thread reads it: wait for its blocks in another thread, or leave the call out}}
    ttl.cb_publish %x : !cb
  }
  ttl.datamovement_thread "other" {
  }
}
