// RUN: ttl-opt %s --ttl-verify-protocol=portable=true --split-input-file --verify-diagnostics

// Orders of sends and receives that tt-lang's compiler refuses for a card, and blocks that stay in a buffer.

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!part = !ttl.tensor_slice<[1, 1], !a>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @ring(%a: !a) attributes {grid = #ttcore.grid<2>} {
  %s = ttl.create_cb "s" : !cb
  %r = ttl.create_cb "r" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [1], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
    %blk = ttl.cb_reserve %s : !block
    %fill = ttl.copy %part, %blk : !part, !block
    ttl.wait %fill
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // expected-error @+3 {{on a card this send over pipe 0 of 'net' waits, through other sends and receives, for itself: a send waits there until its receivers have started their receives: tt-lang's compiler refuses this for a card; start receives before sends, and call their wait() after the sends; or send and receive in different threads}}
      // expected-note @+2 {{the send over pipe 0 of 'net' on node (0,) comes after the start of the receive over pipe 0 of 'net' on node (1,)}}
      // expected-note @+1 {{the send over pipe 1 of 'net' on node (1,) comes after the start of the receive over pipe 1 of 'net' on node (0,)}}
      %xf0 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf0
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %r : !block
      // expected-note @+2 {{the start of the receive over pipe 1 of 'net' on node (0,) comes after the send over pipe 0 of 'net' on node (0,)}}
      // expected-note @+1 {{the start of the receive over pipe 0 of 'net' on node (1,) comes after the send over pipe 1 of 'net' on node (1,)}}
      %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %in : !block
    }
    ttl.cb_push %blk : !block
  }
}

// -----

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!part = !ttl.tensor_slice<[1, 1], !a>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @loopback(%a: !a) attributes {grid = #ttcore.grid<1>} {
  %s = ttl.create_cb "s" : !cb
  %r = ttl.create_cb "r" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0 : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
    %blk = ttl.cb_reserve %s : !block
    %fill = ttl.copy %part, %blk : !part, !block
    ttl.wait %fill
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // expected-error @+1 {{this sends over pipe 0 of 'net' before the same thread of node (0,) starts the receive: tt-lang's compiler refuses this for a card; start the receive first, then send, and call wait() of the receive last; or receive in another thread}}
      %xf0 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf0
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %r : !block
      // expected-note @+1 {{the receive starts here}}
      %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %in : !block
    }
    ttl.cb_push %blk : !block
  }
}

// -----

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!part = !ttl.tensor_slice<[1, 1], !a>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @multicast_to_itself(%a: !a) attributes {grid = #ttcore.grid<2>} {
  %s = ttl.create_cb "s" : !cb
  %r = ttl.create_cb "r" : !cb
  %p0 = ttl.create_pipe src = [0], dst_range = [#ttl.slice<0, 2, 1>] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0 : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
    %blk = ttl.cb_reserve %s : !block
    %fill = ttl.copy %part, %blk : !part, !block
    ttl.wait %fill
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // expected-error @+1 {{this sends over pipe 0 of 'net' before the same thread of node (0,) starts the receive: tt-lang's compiler refuses this for a card; start the receive first, then send, and call wait() of the receive last; or receive in another thread}}
      %xf0 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf0
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %r : !block
      // expected-note @+1 {{the receive starts here}}
      %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %in : !block
    }
    ttl.cb_push %blk : !block
  }
}

// -----

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!part = !ttl.tensor_slice<[1, 1], !a>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @wait_first(%a: !a) attributes {grid = #ttcore.grid<1>} {
  %s = ttl.create_cb "s" : !cb
  %r = ttl.create_cb "r" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0 : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
    %blk = ttl.cb_reserve %s : !block
    %fill = ttl.copy %part, %blk : !part, !block
    ttl.wait %fill
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %r : !block
      %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
      // expected-error @+1 {{this waits for a receive over pipe 0 of 'net' before the same thread of node (0,) sends it, so the wait never ends: send before this wait, or send in another thread}}
      ttl.wait %xf
      ttl.cb_push %in : !block
    }
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // expected-note @+1 {{the send is here}}
      %xf0 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf0
    }
    ttl.cb_push %blk : !block
  }
}

// -----

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!part = !ttl.tensor_slice<[1, 1], !a>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @numbers(%a: !a) attributes {grid = #ttcore.grid<2>} {
  %s = ttl.create_cb "s" : !cb
  %r = ttl.create_cb "r" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0 : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
    %blk = ttl.cb_reserve %s : !block
    %fill = ttl.copy %part, %blk : !part, !block
    ttl.wait %fill
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // expected-error @+1 {{node (0,) sends 2 times over pipe 0 of 'net', but node (1,) receives 1 time: tt-lang's compiler refuses this for a card; send as often over a pipe as each of its receivers receives}}
      %xf0 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf0
      %xf1 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf1
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %r : !block
      // expected-note @+1 {{the receive is here}}
      %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %in : !block
    }
    ttl.cb_push %blk : !block
  }
}

// -----

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!part = !ttl.tensor_slice<[1, 1], !a>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @gather(%a: !a) attributes {grid = #ttcore.grid<4>} {
  %s = ttl.create_cb "s" : !cb
  %r = ttl.create_cb "r" : !cb
  %p0 = ttl.create_pipe src = [1], dst = [0] : !ttl.pipe
  %p1 = ttl.create_pipe src = [2], dst = [0] : !ttl.pipe
  %p2 = ttl.create_pipe src = [3], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1, %p2 : !ttl.pipe, !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
    %blk = ttl.cb_reserve %s : !block
    %fill = ttl.copy %part, %blk : !part, !block
    ttl.wait %fill
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %xf0 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf0
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %r : !block
      // expected-error @+1 {{3 pipes of 'net' end at node (0,), and 'r', into which it receives them, has block_count=2: tt-lang's compiler refuses this for a card; block_count must be >= 3}}
      %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %in : !block
    }
    ttl.cb_push %blk : !block
  }
}

// -----

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!part = !ttl.tensor_slice<[1, 1], !a>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @two_buffers(%a: !a) attributes {grid = #ttcore.grid<3>} {
  %s = ttl.create_cb "s" : !cb
  %r = ttl.create_cb "r" : !cb
  %other = ttl.create_cb "other" : !cb
  %p0 = ttl.create_pipe src = [0], dst_range = [#ttl.slice<1, 3, 1>] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0 : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "mover" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
    %blk = ttl.cb_reserve %s : !block
    %fill = ttl.copy %part, %blk : !part, !block
    ttl.wait %fill
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %xf0 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf0
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %c1 = arith.constant 1 : index
      %node = ttl.core_linear : index
      %first = arith.cmpi eq, %node, %c1 : index
      scf.if %first {
        %in = ttl.cb_reserve %r : !block
        // expected-note @+1 {{the other receive is here}}
        %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
        ttl.wait %xf
        ttl.cb_push %in : !block
      } else {
        %in = ttl.cb_reserve %other : !block
        // expected-error @+1 {{node (2,) receives pipe 0 of 'net' into another buffer than node (1,), but a multicast writes to one address on all nodes: tt-lang's compiler refuses this for a card; receive into one buffer on all of them}}
        %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
        ttl.wait %xf
        ttl.cb_push %in : !block
      }
    }
    ttl.cb_push %blk : !block
  }
}

// -----

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!part = !ttl.tensor_slice<[1, 1], !a>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @leftover(%a: !a) attributes {grid = #ttcore.grid<1>} {
  %s = ttl.create_cb "s" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    scf.for %i = %c0 to %c5 step %c1 {
      %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
      %blk = ttl.cb_reserve %s : !block
      %fill = ttl.copy %part, %blk : !part, !block
      ttl.wait %fill
      // expected-error @+1 {{node (0,) pushes 5 blocks of 's' and pops 1, so that 4 stay in the buffer, which has room for 2: pop as many blocks as are pushed}}
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !part
    %blk = ttl.cb_wait %s : !block
    %out = ttl.copy %blk, %part : !block, !part
    ttl.wait %out
      // expected-note @+1 {{a block is popped here}}
    ttl.cb_pop %blk : !block
  }
}
