// The sender runs on the processor of NoC 1, the receiver on that of NoC 0.

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!a_part = !ttl.tensor_slice<[1, 1], !a>

ttl.kernel @pass_on(%a: !a, %y: !a) attributes {grid = #ttcore.grid<2x1>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %pipe = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %pipe : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "send" attributes {microcore_hint = "NOC1"} {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    ttl.if_pipe_src %net {
    ^bb0(%to: !ttl.pipe):
      %out = ttl.cb_reserve %out_cb : !block
      %from = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !a_part
      %read = ttl.copy %from, %out : !a_part, !block
      ttl.wait %read
      ttl.cb_push %out : !block
      %full = ttl.cb_wait %out_cb : !block
      %sent = ttl.copy %full, %to : !block, !ttl.pipe
      ttl.wait %sent
      ttl.cb_pop %full : !block
    }
  }
  ttl.datamovement_thread "receive" attributes {microcore_hint = "NOC0"} {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %y : !a -> !ttl.accessor<!a>
    ttl.if_pipe_dst %net {
    ^bb0(%from: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %from, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
      %full = ttl.cb_wait %in_cb : !block
      %to = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!a> -> !a_part
      %written = ttl.copy %full, %to : !block, !a_part
      ttl.wait %written
      ttl.cb_pop %full : !block
    }
  }
  ttl.compute_thread "idle" attributes {microcore_hint = "MATH"} {
  }
}

func.func @main() {
  %a = ttltest.iota : !a
  %y = ttltest.full -1.0 : !a
  ttl.launch @pass_on(%a, %y) : !a, !a
  ttltest.expect_eq %y, %a : !a, !a
  return
}
