// RUN: ttl-opt %s --ttl-verify-protocol --split-input-file --verify-diagnostics

// Wrong uses of pipes that only a check of the whole kernel finds.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @outside() attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  ttl.datamovement_thread "dm" {
    %blk = ttl.cb_reserve %cb : !block
    // expected-error @+1 {{all 2 nodes run a copy that receives from a pipe of 'net', which ends at node (1,): copy only there, for example in a callback of net.if_dst()}}
    %xf = ttl.copy %p, %blk : !ttl.pipe, !block
    ttl.wait %xf
    ttl.cb_push %blk : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @wrong_guard() attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    // expected-note @+1 {{the callback is here}}
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_reserve %cb : !block
      // expected-error @+1 {{cannot receive from a pipe inside if_src: this node sends over the pipe; move the copy into a callback of net.if_dst()}}
      %xf = ttl.copy %pipe, %blk : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @no_receiver() attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "producer" {
    %blk = ttl.cb_reserve %cb : !block
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "dm" {
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_wait %cb : !block
      // expected-error @+1 {{this sends over 'net', but no thread receives from it: copy from the pipe into a block in a callback of if_dst(), or under a condition that is true where the pipe ends}}
      %xf = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @no_sender() attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_reserve %cb : !block
      // expected-error @+1 {{this receives from 'net', but no thread sends over it: copy a block into the pipe in a callback of if_src(), or under a condition that is true where the pipe begins}}
      %xf = ttl.copy %pipe, %blk : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @two_threads() attributes {grid = #ttcore.grid<2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "one" {
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_reserve %a_cb : !block
      // expected-note @+1 {{the copy of the other thread is here}}
      %xf = ttl.copy %pipe, %blk : !ttl.pipe, !block
      ttl.wait %xf
      ttl.if_pipe_src %net {
      ^bb0(%out: !ttl.pipe):
        %sent = ttl.copy %blk, %out : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "two" {
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_reserve %b_cb : !block
      // expected-error @+1 {{a second thread receives from 'net': only one thread may, because the transfers of a pipe are ordered; use a net for each thread}}
      %xf = ttl.copy %pipe, %blk : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!wide = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!wide_block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !wide>
ttl.kernel @shapes() attributes {grid = #ttcore.grid<2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !wide
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "producer" {
    %blk = ttl.cb_reserve %a_cb : !block
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "dm" {
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_wait %a_cb : !block
      // expected-note @+1 {{the other copy is here}}
      %xf = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_reserve %b_cb : !wide_block
      // expected-error @+1 {{this copies a block of shape (1, 2) over 'net', but the other end copies one of shape (1, 1): both ends of a pipe must copy blocks of the same shape}}
      %xf = ttl.copy %pipe, %blk : !ttl.pipe, !wide_block
      ttl.wait %xf
      ttl.cb_push %blk : !wide_block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!half = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!half_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !half>
ttl.kernel @formats() attributes {grid = #ttcore.grid<2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !half
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "producer" {
    %blk = ttl.cb_reserve %a_cb : !block
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "dm" {
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_wait %a_cb : !block
      // expected-note @+1 {{the other copy is here}}
      %xf = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_reserve %b_cb : !half_block
      // expected-error @+1 {{this copies a block of '!ttcore.tile<32x32, bf16>' over 'net', but the other end copies one of '!ttcore.tile<32x32, f32>': both ends of a pipe must copy blocks of the same format}}
      %xf = ttl.copy %pipe, %blk : !ttl.pipe, !half_block
      ttl.wait %xf
      ttl.cb_push %blk : !half_block
    }
  }
}

// -----

ttl.kernel @destination() attributes {grid = #ttcore.grid<4>} {
  // expected-note @+1 {{this pipe goes to a range of nodes}}
  %p = ttl.create_pipe src = [0], dst_range = [#ttl.slice<1, 4, 1>] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // expected-error @+1 {{cannot ask for the destination of a pipe that can have several destinations}}
      %n = ttl.pipe_destination %pipe : !ttl.pipe -> index
    }
  }
}

// -----

// Blocks: copies over pipes lock blocks, and a callback may run any number of times.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @locked() attributes {grid = #ttcore.grid<2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_reserve %a_cb : !block
      // expected-note @+1 {{the copy starts here}}
      %xf = ttl.copy %pipe, %blk : !ttl.pipe, !block
      // expected-error @+1 {{copy lock error: cannot push a block of 'a' while a copy into it is in flight: wait for the copy first}}
      ttl.cb_push %blk : !block
      ttl.wait %xf
    }
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_reserve %a_cb : !block
      %xf = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @released_inside() attributes {grid = #ttcore.grid<2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "producer" {
    %blk = ttl.cb_reserve %a_cb : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %xf = ttl.copy %pipe, %blk : !ttl.pipe, !block
      ttl.wait %xf
    }
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "dm" {
    // expected-error @+1 {{a block of 'a' is acquired before the callback in line 255 and released inside it: write pop() after the callback}}
    %blk = ttl.cb_wait %a_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %xf = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf
      // expected-note @+1 {{the block is released here once per pipe}}
      ttl.cb_pop %blk : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @either() attributes {grid = #ttcore.grid<2x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %q = ttl.create_pipe src = [1, 0], dst = [0, 0] : !ttl.pipe
  %there = ttl.create_pipenet "there" %p : !ttl.pipe -> !ttl.pipenet
  %back = ttl.create_pipenet "back" %q : !ttl.pipe -> !ttl.pipenet
  ttl.compute_thread "compute" {
    %one = arith.constant 1.0 : f32
    %blk = ttl.cb_reserve %a_cb : !block
    %0 = ttl.block_fill %one : tensor<1x1x!ttcore.tile<32x32, f32>>
    ttl.block_store %blk, %0 : !block, tensor<1x1x!ttcore.tile<32x32, f32>>
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %n = ttl.core_linear : index
    %first = arith.cmpi eq, %n, %c0 : index
    %net = arith.select %first, %there, %back : !ttl.pipenet
    %blk = ttl.cb_wait %a_cb : !block
    // expected-error @+1 {{this uses an unknown net: pipes and nets cannot be passed through loops or branches}}
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %xf = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf
    }
    ttl.cb_pop %blk : !block
  }
}

// -----

// Handles and the order of waits: a receive takes its block at its wait.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @handle() attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %blk = ttl.cb_reserve %cb : !block
      // expected-error @+1 {{the handle of a copy over a pipe cannot be passed through a loop or branch: wait for the copy where it is started}}
      %xf = ttl.copy %pipe, %blk : !ttl.pipe, !block
      // expected-note @+1 {{it is passed on here}}
      %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%h = %xf) -> !ttl.transfer_handle {
        scf.yield %h : !ttl.transfer_handle
      }
      ttl.wait %last
      ttl.cb_push %blk : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @waits_the_other_way_round() attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  %out_cb = ttl.create_cb "out" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    %n = ttl.core_linear : index
    %c1 = arith.constant 1 : index
    %flag = arith.cmpi eq, %n, %c1 : index
    %blk = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // Waits for sends may be in any order.
      %x = ttl.copy %blk, %pipe : !block, !ttl.pipe
      %y = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %y
      ttl.wait %x
    }
    ttl.cb_pop %blk : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %a = ttl.cb_reserve %cb : !block
      %b = ttl.cb_reserve %cb : !block
      // expected-note @+1 {{the earlier copy is here}}
      %x = ttl.copy %pipe, %a : !ttl.pipe, !block
      // expected-note @+1 {{the later copy is here}}
      %y = ttl.copy %pipe, %b : !ttl.pipe, !block
      scf.if %flag {
        // Each branch may have its own order.
        ttl.wait %x
        ttl.wait %y
      } else {
        // expected-error @+1 {{this waits first for the later one of two transfers over a pipe: transfers arrive in the order of their copies, so wait in that order}}
        ttl.wait %y
        ttl.wait %x
      }
      ttl.cb_push %a : !block
      ttl.cb_push %b : !block
    }
  }
  ttl.datamovement_thread "producer" {
    %blk = ttl.cb_reserve %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
    }
    ttl.cb_push %blk : !block
  }
}

// -----

// It must be known at compile time which node sends to which.

ttl.kernel @unknown() attributes {grid = #ttcore.grid<2>} {
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %q = ttl.create_pipe src = [1], dst = [0] : !ttl.pipe
  %one = ttl.create_pipenet "one" %p : !ttl.pipe -> !ttl.pipenet
  %other = ttl.create_pipenet "other" %q : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    %n = ttl.core_linear : index
    %c1 = arith.constant 1 : index
    %flag = arith.cmpi eq, %n, %c1 : index
    %net, %pipe = scf.if %flag -> (!ttl.pipenet, !ttl.pipe) {
      scf.yield %one, %p : !ttl.pipenet, !ttl.pipe
    } else {
      scf.yield %other, %q : !ttl.pipenet, !ttl.pipe
    }
    // expected-error @+1 {{this uses an unknown net: pipes and nets cannot be passed through loops or branches}}
    ttl.if_pipe_src %net {
    ^bb0(%mine: !ttl.pipe):
    }
    // expected-error @+1 {{this uses an unknown net}}
    %is = ttl.is_pipe_dst %net : !ttl.pipenet
    // expected-error @+1 {{this uses an unknown pipe: pipes and nets cannot be passed through loops or branches}}
    %src = ttl.pipe_source %pipe : !ttl.pipe -> index
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @sends_outside() attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    %blk = ttl.cb_wait %cb : !block
    // expected-error @+1 {{all 2 nodes run a copy that sends over a pipe of 'net', which begins at node (0,): copy only there, for example in a callback of net.if_src()}}
    %xf = ttl.copy %blk, %p : !block, !ttl.pipe
    ttl.wait %xf
    ttl.cb_pop %blk : !block
    // expected-note @+1 {{the callback is here}}
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %other = ttl.cb_wait %cb : !block
      // expected-error @+1 {{cannot send over a pipe inside if_dst: this node receives from the pipe; move the copy into a callback of net.if_src()}}
      %sent = ttl.copy %other, %pipe : !block, !ttl.pipe
      ttl.wait %sent
      ttl.cb_pop %other : !block
    }
  }
  ttl.datamovement_thread "producer" {
    %blk = ttl.cb_reserve %cb : !block
    ttl.cb_push %blk : !block
  }
}

// -----

// wait_any() waits for receives.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @k() attributes {grid = #ttcore.grid<2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "producer" {
    %blk = ttl.cb_reserve %out_cb : !block
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // expected-note @+1 {{the copy is here}}
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      // expected-error @+1 {{wait_any() waits for receives over pipes only, by the handles that copy() returned: one of these copies sends over a pipe; call its wait() instead}}
      %i = ttl.wait_any %sent start %c0
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

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

ttl.kernel @k(%t: !tensor) attributes {grid = #ttcore.grid<1>} {
  %in_cb = ttl.create_cb "in" : !cb
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %in = ttl.cb_reserve %in_cb : !block
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !ttl.tensor_slice<[1, 1], !tensor>
    // expected-note @+1 {{the copy is here}}
    %read = ttl.copy %part, %in : !ttl.tensor_slice<[1, 1], !tensor>, !block
    // expected-error @+1 {{by the handles that copy() returned: one of these copies moves data between a tensor and a block; call its wait() instead}}
    %i = ttl.wait_any %read start %c0
    ttl.cb_push %in : !block
  }
}

// -----

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @k(%t: !tensor) attributes {grid = #ttcore.grid<1>} {
  %in_cb = ttl.create_cb "in" : !cb
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %in = ttl.cb_reserve %in_cb : !block
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !ttl.tensor_slice<[1, 1], !tensor>
    %read = scf.if %true -> !ttl.xf {
      %one = ttl.copy %part, %in : !ttl.tensor_slice<[1, 1], !tensor>, !block
      scf.yield %one : !ttl.xf
    } else {
      %other = ttl.copy %part, %in : !ttl.tensor_slice<[1, 1], !tensor>, !block
      scf.yield %other : !ttl.xf
    }
    // expected-error @+1 {{by the handles that copy() returned: this handle was passed through a loop or branch}}
    %i = ttl.wait_any %read start %c0
    ttl.cb_push %in : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @k() attributes {grid = #ttcore.grid<2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "producer" {
    %blk = ttl.cb_reserve %out_cb : !block
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %one = ttl.cb_reserve %in_cb : !block
      %other = ttl.cb_reserve %in_cb : !block
      // expected-note @+1 {{the first receive is here}}
      %first = ttl.copy %pipe, %one : !ttl.pipe, !block
      // expected-error @+1 {{this starts a second receive of a pipe while the first is in flight, and wait_any() waits for one of the two: wait() for the first before this copy}}
      %second = ttl.copy %pipe, %other : !ttl.pipe, !block
      %i = ttl.wait_any %first, %second start %c0
      ttl.cb_push %one : !block
      ttl.cb_push %other : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @k() attributes {grid = #ttcore.grid<2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "producer" {
    %blk = ttl.cb_reserve %out_cb : !block
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %one = ttl.cb_reserve %in_cb : !block
      %other = ttl.cb_reserve %in_cb : !block
      // expected-note @+1 {{the first receive is here}}
      %first = ttl.copy %pipe, %one : !ttl.pipe, !block
      // expected-error @+1 {{this starts a second receive of a pipe while the first is in flight, and a path waits for one of the two twice: wait() for the first before this copy}}
      %second = ttl.copy %pipe, %other : !ttl.pipe, !block
      %is = ttl.is_pipe_src %net : !ttl.pipenet
      scf.if %is {
        ttl.wait %first
      }
      ttl.wait %first
      ttl.wait %second
      ttl.cb_push %one : !block
      ttl.cb_push %other : !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @two_nets() attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %one = ttl.create_pipenet "one" %p : !ttl.pipe -> !ttl.pipenet
  %two = ttl.create_pipenet "two" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "producer" {
    %full = ttl.cb_reserve %cb : !block
    ttl.cb_push %full : !block
  }
  ttl.datamovement_thread "dm" {
    %true = ttl.is_pipe_src %one : !ttl.pipenet
    scf.if %true {
      %blk = ttl.cb_wait %cb : !block
      // expected-error @+1 {{cannot send over a pipe that belongs to several nets: copy in a callback of net.if_src()}}
      %xf = ttl.copy %blk, %p : !block, !ttl.pipe
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
}
