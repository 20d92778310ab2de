// RUN: ttl-opt %s --ttl-infer-pipe-semaphores | FileCheck %s

// Kernels with several nets. Sent data arrive in the receive's block only if all nodes do the same steps.
// Otherwise, a send that waits for its receive could wait for a thread that waits for the sender.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// Multicasts of a matrix product: rows and columns do not take turns in any thread.
// CHECK-LABEL: ttl.kernel @two_nets(
// CHECK-NOT: ttl.create_landing
// CHECK-COUNT-2: ttl.buffer_slot
// CHECK: ttl.compute_thread
ttl.kernel @two_nets() attributes {grid = #ttcore.grid<2x2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  %rows0 = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %rows1 = ttl.create_pipe src = [0, 1], dst = [1, 1] : !ttl.pipe
  %rows = ttl.create_pipenet "rows" %rows0, %rows1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  %columns0 = ttl.create_pipe src = [0, 0], dst = [0, 1] : !ttl.pipe
  %columns1 = ttl.create_pipe src = [1, 0], dst = [1, 1] : !ttl.pipe
  %columns = ttl.create_pipenet "columns" %columns0, %columns1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "a_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      ttl.if_pipe_src %rows {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %rows {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "b_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %b_cb : !block
      ttl.if_pipe_src %columns {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %columns {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %a = ttl.cb_wait %a_cb : !block
      ttl.cb_pop %a : !block
      %b = ttl.cb_wait %b_cb : !block
      ttl.cb_pop %b : !block
    }
  }
}

// The number of times that a node waits for its blocks depends on the node.
// CHECK-LABEL: ttl.kernel @branch(
// CHECK-COUNT-2: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.compute_thread
ttl.kernel @branch() attributes {grid = #ttcore.grid<2x2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  %rows0 = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %rows1 = ttl.create_pipe src = [0, 1], dst = [1, 1] : !ttl.pipe
  %rows = ttl.create_pipenet "rows" %rows0, %rows1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  %columns0 = ttl.create_pipe src = [0, 0], dst = [0, 1] : !ttl.pipe
  %columns1 = ttl.create_pipe src = [1, 0], dst = [1, 1] : !ttl.pipe
  %columns = ttl.create_pipenet "columns" %columns0, %columns1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "a_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      ttl.if_pipe_src %rows {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %rows {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "b_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %b_cb : !block
      ttl.if_pipe_src %columns {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %columns {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n = ttl.core_linear : index
    scf.for %i = %c0 to %c4 step %c1 {
      %here = arith.cmpi eq, %n, %c0 : index
      scf.if %here {
        %a = ttl.cb_wait %a_cb : !block
        ttl.cb_pop %a : !block
      } else {
        %a = ttl.cb_wait %a_cb : !block
        ttl.cb_pop %a : !block
      }
      %b = ttl.cb_wait %b_cb : !block
      ttl.cb_pop %b : !block
    }
  }
}

// A step of the buffers is between the callbacks.
// CHECK-LABEL: ttl.kernel @between(
// CHECK-COUNT-2: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.compute_thread
ttl.kernel @between() attributes {grid = #ttcore.grid<2x2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  %c_cb = ttl.create_cb "c" : !cb
  %rows0 = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %rows1 = ttl.create_pipe src = [0, 1], dst = [1, 1] : !ttl.pipe
  %rows = ttl.create_pipenet "rows" %rows0, %rows1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  %columns0 = ttl.create_pipe src = [0, 0], dst = [0, 1] : !ttl.pipe
  %columns1 = ttl.create_pipe src = [1, 0], dst = [1, 1] : !ttl.pipe
  %columns = ttl.create_pipenet "columns" %columns0, %columns1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "a_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      ttl.if_pipe_src %rows {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      %held = ttl.cb_wait %c_cb : !block
      ttl.cb_pop %held : !block
      ttl.if_pipe_dst %rows {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "b_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %b_cb : !block
      ttl.if_pipe_src %columns {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %columns {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %a = ttl.cb_wait %a_cb : !block
      ttl.cb_pop %a : !block
      %b = ttl.cb_wait %b_cb : !block
      ttl.cb_pop %b : !block
    }
  }
}

// A node of the second net receives and sends on. Its net has landing slots, and so has the other net.
// CHECK-LABEL: ttl.kernel @forwarding(
// CHECK-COUNT-2: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.compute_thread
ttl.kernel @forwarding() attributes {grid = #ttcore.grid<2x2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  %rows0 = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %rows1 = ttl.create_pipe src = [0, 1], dst = [1, 1] : !ttl.pipe
  %rows = ttl.create_pipenet "rows" %rows0, %rows1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  %columns0 = ttl.create_pipe src = [0, 0], dst = [0, 1] : !ttl.pipe
  %columns1 = ttl.create_pipe src = [0, 1], dst = [1, 1] : !ttl.pipe
  %columns = ttl.create_pipenet "columns" %columns0, %columns1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "a_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      ttl.if_pipe_src %rows {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %rows {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "b_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %b_cb : !block
      ttl.if_pipe_src %columns {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %columns {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %a = ttl.cb_wait %a_cb : !block
      ttl.cb_pop %a : !block
      %b = ttl.cb_wait %b_cb : !block
      ttl.cb_pop %b : !block
    }
  }
}

// Two threads empty one buffer, so it is not known which of them gets a block.
// CHECK-LABEL: ttl.kernel @two_consumers(
// CHECK-COUNT-2: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.compute_thread
ttl.kernel @two_consumers() attributes {grid = #ttcore.grid<2x2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  %rows0 = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %rows1 = ttl.create_pipe src = [0, 1], dst = [1, 1] : !ttl.pipe
  %rows = ttl.create_pipenet "rows" %rows0, %rows1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  %columns0 = ttl.create_pipe src = [0, 0], dst = [0, 1] : !ttl.pipe
  %columns1 = ttl.create_pipe src = [1, 0], dst = [1, 1] : !ttl.pipe
  %columns = ttl.create_pipenet "columns" %columns0, %columns1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "a_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      ttl.if_pipe_src %rows {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %rows {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "b_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = ttl.cb_wait %a_cb : !block
    ttl.cb_pop %a : !block
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %b_cb : !block
      ttl.if_pipe_src %columns {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %columns {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %a = ttl.cb_wait %a_cb : !block
      ttl.cb_pop %a : !block
      %b = ttl.cb_wait %b_cb : !block
      ttl.cb_pop %b : !block
    }
  }
}

// A semaphore, too, orders steps.
// CHECK-LABEL: ttl.kernel @semaphore(
// CHECK-COUNT-2: ttl.create_landing
// CHECK-NOT: ttl.buffer_slot
// CHECK: ttl.compute_thread
ttl.kernel @semaphore() attributes {grid = #ttcore.grid<2x2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  %rows0 = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %rows1 = ttl.create_pipe src = [0, 1], dst = [1, 1] : !ttl.pipe
  %rows = ttl.create_pipenet "rows" %rows0, %rows1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  %columns0 = ttl.create_pipe src = [0, 0], dst = [0, 1] : !ttl.pipe
  %columns1 = ttl.create_pipe src = [1, 0], dst = [1, 1] : !ttl.pipe
  %columns = ttl.create_pipenet "columns" %columns0, %columns1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "a_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      ttl.if_pipe_src %rows {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %rows {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "b_mover" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_reserve %b_cb : !block
      ttl.if_pipe_src %columns {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %blk, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.if_pipe_dst %columns {
      ^bb0(%pipe: !ttl.pipe):
        %received = ttl.copy %pipe, %blk : !ttl.pipe, !block
        ttl.wait %received
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %a = ttl.cb_wait %a_cb : !block
      ttl.cb_pop %a : !block
      %b = ttl.cb_wait %b_cb : !block
      ttl.cb_pop %b : !block
    }
  }
}
