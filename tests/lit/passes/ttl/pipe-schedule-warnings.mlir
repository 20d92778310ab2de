// RUN: ttl-opt %s --ttl-verify-protocol --split-input-file --verify-diagnostics

// Without the option `portable`, orders that only a card refuses are warnings. Others fail at run time.

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
      // expected-warning @+3 {{on a card this send over pipe 0 of 'net' waits, through other sends and receives, for itself: a send waits there until its receivers have started their receives: tt-lang's compiler refuses this for a card; start receives before sends, and call their wait() after the sends; or send and receive in different threads}}
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
      // expected-warning @+1 {{this sends over pipe 0 of 'net' before the same thread of node (0,) starts the receive: tt-lang's compiler refuses this for a card; start the receive first, then send, and call wait() of the receive last; or receive in another thread}}
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
      ttl.wait %xf
      ttl.cb_push %in : !block
    }
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
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
      %xf0 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf0
      %xf1 = ttl.copy %blk, %pipe : !block, !ttl.pipe
      ttl.wait %xf1
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
      %xf = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %xf
      ttl.cb_push %in : !block
    }
    ttl.cb_push %blk : !block
  }
}
