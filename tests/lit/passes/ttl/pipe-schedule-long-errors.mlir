// RUN: ttl-opt %s --ttl-verify-protocol=portable=true --split-input-file --verify-diagnostics

// Orders of sends and receives that tt-lang's compiler refuses for a card: rings of several nodes,
// multicasts into other blocks, kernels with many sends.

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!part = !ttl.tensor_slice<[1, 1], !a>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @long_ring(%a: !a) attributes {grid = #ttcore.grid<3>} {
  %s = ttl.create_cb "s" : !cb
  %r = ttl.create_cb "r" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [1], dst = [2] : !ttl.pipe
  %p2 = ttl.create_pipe src = [2], dst = [0] : !ttl.pipe
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
      // expected-error @+4 {{on a card this send over pipe 0 of 'net' waits, through other sends and receives, for itself: a send waits there until its receivers have started their receives: tt-lang's compiler refuses this for a card; start receives before sends, and call their wait() after the sends; or send and receive in different threads}}
      // expected-note @+3 {{the send over pipe 2 of 'net' on node (2,) comes after the start of the receive over pipe 2 of 'net' on node (0,)}}
      // expected-note @+2 {{the send over pipe 1 of 'net' on node (1,) comes after the start of the receive over pipe 1 of 'net' on node (2,)}}
      // expected-note @+1 {{and so on: 6 steps lead back to this send}}
      %xf0 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf0
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %r : !block
      // expected-note @+2 {{the start of the receive over pipe 2 of 'net' on node (0,) comes after the send over pipe 0 of 'net' on node (0,)}}
      // expected-note @+1 {{the start of the receive over pipe 1 of 'net' on node (2,) comes after the send over pipe 2 of 'net' on node (2,)}}
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
ttl.kernel @waits_first(%a: !a) attributes {grid = #ttcore.grid<2>} {
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
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %r : !block
      %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
      // expected-note @+2 {{the wait for the receive over pipe 0 of 'net' on node (1,) comes after the send over pipe 0 of 'net' on node (0,)}}
      // expected-note @+1 {{the wait for the receive over pipe 1 of 'net' on node (0,) comes after the send over pipe 1 of 'net' on node (1,)}}
      ttl.wait %xf
      ttl.cb_push %in : !block
    }
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // expected-error @+3 {{on a card this send over pipe 0 of 'net' waits, through other sends and receives, for itself: a send waits there until its receivers have started their receives: tt-lang's compiler refuses this for a card; start receives before sends, and call their wait() after the sends; or send and receive in different threads}}
      // expected-note @+2 {{the send over pipe 1 of 'net' on node (1,) comes after the wait for the receive over pipe 0 of 'net' on node (1,)}}
      // expected-note @+1 {{the send over pipe 0 of 'net' on node (0,) comes after the wait for the receive over pipe 1 of 'net' on node (0,)}}
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
ttl.kernel @two_blocks(%a: !a) attributes {grid = #ttcore.grid<3>} {
  %s = ttl.create_cb "s" : !cb
  %r = ttl.create_cb "r" : !cb
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
      %c2 = arith.constant 2 : index
      %node = ttl.core_linear : index
      %second = arith.cmpi eq, %node, %c2 : index
      scf.if %second {
        %own = ttl.cb_reserve %r : !block
        %more = ttl.copy %part, %own : !part, !block
        ttl.wait %more
        ttl.cb_push %own : !block
      }
      %in = ttl.cb_reserve %r : !block
      // expected-error @+2 {{node (2,) receives pipe 0 of 'net' into another block of its buffer than node (1,), but a multicast writes to one address on all nodes: tt-lang's compiler refuses this for a card; reserve equally many blocks of the buffer on all of them}}
      // expected-note @+1 {{the other receive is here}}
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
// expected-error @+1 {{the nodes of this kernel have more than 4096 sends over pipes, receives and waits: tt-lang's compiler refuses this for a card; use fewer pipes, or a multicast in the place of several pipes}}
ttl.kernel @many_nodes(%a: !a) attributes {grid = #ttcore.grid<64x64>} {
  %s = ttl.create_cb "s" : !cb
  %r = ttl.create_cb "r" : !cb
  %p0 = ttl.create_pipe src = [0, 0], dst_range = [#ttl.slice<1, 64, 1>, #ttl.slice<0, 64, 1>] : !ttl.pipe
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
      %in = ttl.cb_reserve %r : !block
      %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %in : !block
    }
    ttl.cb_push %blk : !block
  }
}
