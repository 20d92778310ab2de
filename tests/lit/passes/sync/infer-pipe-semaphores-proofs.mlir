// RUN: ttl-opt %s --ttl-infer-pipe-semaphores | FileCheck %s

// A send may wait for its receive only if this is proved to end. Otherwise each pipe gets a landing slot at
// its receiver, which is free from the start. Data arrive in the receive's block itself only if this
// block is the next one of its ring and no op touches it before.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!shards = tensor<256x32xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 4x1, shard = 64x32>>>
!part = !ttl.tensor_slice<[1, 1], !tensor>

// The pattern that can be proved, also in loops with equal trip counts.
// CHECK-LABEL: ttl.kernel @direct(
// CHECK-NOT: ttl.create_landing
// CHECK: ttl.buffer_slot
ttl.kernel @direct(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    scf.for %i = %c0 to %c2 step %c1 {
      ttl.if_pipe_src %net {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
    }
    ttl.cb_pop %out : !block
    scf.for %i = %c0 to %c2 step %c1 {
      ttl.if_pipe_dst %net {
      ^bb0(%pipe: !ttl.pipe):
        %in = ttl.cb_reserve %in_cb : !block
        %received = ttl.copy %pipe, %in : !ttl.pipe, !block
        ttl.wait %received
        ttl.cb_push %in : !block
      }
    }
  }
}

// One block per callback, reserved before the callback.
// CHECK-LABEL: ttl.kernel @reserved_outside(
// CHECK-NOT: ttl.create_landing
// CHECK: ttl.buffer_slot
ttl.kernel @reserved_outside(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    %in = ttl.cb_reserve %in_cb : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
    }
    ttl.cb_push %in : !block
  }
}

// There are more sends than receives, so the last sends must not wait.
// CHECK-LABEL: ttl.kernel @other_counts(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @other_counts(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    scf.for %i = %c0 to %c2 step %c1 {
      ttl.if_pipe_src %net {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// As many transfers as the node's number.
// CHECK-LABEL: ttl.kernel @unknown_counts(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @unknown_counts(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    scf.for %i = %c0 to %n step %c1 {
      ttl.if_pipe_src %net {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
    }
    ttl.cb_pop %out : !block
    scf.for %i = %c0 to %n step %c1 {
      ttl.if_pipe_dst %net {
      ^bb0(%pipe: !ttl.pipe):
        %in = ttl.cb_reserve %in_cb : !block
        %received = ttl.copy %pipe, %in : !ttl.pipe, !block
        ttl.wait %received
        ttl.cb_push %in : !block
      }
    }
  }
}

// Only some nodes transfer.
// CHECK-LABEL: ttl.kernel @branch(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @branch(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    %some = arith.cmpi eq, %n, %c1 : index
    scf.if %some {
      ttl.if_pipe_dst %net {
      ^bb0(%pipe: !ttl.pipe):
        %in = ttl.cb_reserve %in_cb : !block
        %received = ttl.copy %pipe, %in : !ttl.pipe, !block
        ttl.wait %received
        ttl.cb_push %in : !block
      }
    }
  }
}

// Two sends in a callback: the second one may have to wait for a receive that is not the next.
// CHECK-LABEL: ttl.kernel @two_sends(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @two_sends(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
      %again = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %again
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// Several transfers per callback.
// CHECK-LABEL: ttl.kernel @loop_in_callback(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @loop_in_callback(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      scf.for %i = %c0 to %c2 step %c1 {
        %in = ttl.cb_reserve %in_cb : !block
        %received = ttl.copy %pipe, %in : !ttl.pipe, !block
        ttl.wait %received
        ttl.cb_push %in : !block
      }
    }
  }
}

// Each node receives and sends: the node that sends first would wait for itself.
// CHECK-LABEL: ttl.kernel @forwarding(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @forwarding(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [1], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// The nodes are also synchronized in another way.
// CHECK-LABEL: ttl.kernel @semaphores(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @semaphores(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %one = arith.constant 1 : i32
    ttl.semaphore_set %s, %one : !ttl.semaphore
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// Another reserve of the buffer: the position in the ring is not the number of transfers.
// CHECK-LABEL: ttl.kernel @other_reserve(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @other_reserve(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    %first = ttl.cb_reserve %in_cb : !block
    ttl.cb_push %first : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// The block has contents before the receive.
// CHECK-LABEL: ttl.kernel @touched_before(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @touched_before(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
      %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !part
      %write = ttl.copy %in, %part : !block, !part
      ttl.wait %write
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// A loop carries the block, so its position is not known.
// CHECK-LABEL: ttl.kernel @handed_on(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @handed_on(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%blk = %in) -> !block {
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
        scf.yield %blk : !block
      }
      ttl.cb_push %last : !block
    }
  }
}

// Two pipes end at one node: a shared slot, but not the block itself.
// CHECK-LABEL: ttl.kernel @two_pipes(
// CHECK: ttl.create_landing "net" : <[1, 1], !ttcore.tile<32x32, f32>, 1>
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.cb_pop
ttl.kernel @two_pipes(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %p1 = ttl.create_pipe src = [1], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// A tensor backs the receiving buffer, so the sender does not know its address.
// CHECK-LABEL: ttl.kernel @into_a_tensor(
// CHECK: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
ttl.kernel @into_a_tensor(%t: !shards) attributes {grid = #ttcore.grid<4>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" in(%t : !shards) : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = ttl.core_linear : index
    %out = ttl.cb_wait %out_cb : !block
    scf.for %i = %c0 to %c2 step %c1 {
      ttl.if_pipe_src %net {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
    }
    ttl.cb_pop %out : !block
    scf.for %i = %c0 to %c2 step %c1 {
      ttl.if_pipe_dst %net {
      ^bb0(%pipe: !ttl.pipe):
        %in = ttl.cb_reserve %in_cb : !block
        %received = ttl.copy %pipe, %in : !ttl.pipe, !block
        ttl.wait %received
        ttl.cb_push %in : !block
      }
    }
  }
}
