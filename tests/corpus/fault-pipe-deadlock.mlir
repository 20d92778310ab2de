// A deadlock: three sends and one receive. A sender may run only one transfer ahead of its receiver.
// status: fault

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!a_part = !ttl.tensor_slice<[1, 1], !a>

ttl.kernel @ahead(%a: !a) attributes {grid = #ttcore.grid<2x1>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %pipe = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %pipe : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "send" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %a_acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %out = ttl.cb_reserve %out_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!a> -> !a_part
    %read = ttl.copy %a_part, %out : !a_part, !block
    ttl.wait %read
    ttl.cb_push %out : !block
    %full = ttl.cb_wait %out_cb : !block
    scf.for %i = %c0 to %c3 step %c1 {
      ttl.if_pipe_src %net {
      ^bb0(%to: !ttl.pipe):
        %sent = ttl.copy %full, %to : !block, !ttl.pipe
        ttl.wait %sent
      }
    }
    ttl.cb_pop %full : !block
  }
  ttl.datamovement_thread "receive" {
    ttl.if_pipe_dst %net {
    ^bb0(%from: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %from, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !a
  ttl.launch @ahead(%a) : !a
  return
}
