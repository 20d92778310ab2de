// Asks which end of which pipe a node is. One pipe of the net sends to a range of nodes that
// contains the sender. No thread waits for the copies over the pipes.
// feature: Questions to nets

!a = tensor<32x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!y = tensor<128x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!a_part = !ttl.tensor_slice<[1, 1], !a>
!y_part = !ttl.tensor_slice<[1, 1], !y>

ttl.kernel @pipe_questions(%a: !a, %y: !y) attributes {grid = #ttcore.grid<2x2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %there = ttl.create_pipe src = [0], dst = [3] : !ttl.pipe
  %back = ttl.create_pipe src = [3], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %there, %back : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  %all = ttl.create_pipe src = [0, 1], dst_range = [#ttl.slice<0, 2, 1>, 1] : !ttl.pipe
  %wide = ttl.create_pipenet "wide" %all : !ttl.pipe -> !ttl.pipenet
  // y[node, 0 or 1]: what this node received over `net`; y[node, 3]: over `wide`.
  ttl.datamovement_thread "io" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %node = ttl.core_linear : index
    %a_acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %y_acc = ttl.tensor_accessor %y : !y -> !ttl.accessor<!y>
    %sends = ttl.is_pipe_src %net : !ttl.pipenet
    %sends_wide = ttl.is_pipe_src %all : !ttl.pipe
    %any = arith.ori %sends, %sends_wide : i1
    scf.if %any {
      %out = ttl.cb_reserve %out_cb : !block
      %a_part = ttl.index_accessor %a_acc[%c0, %node] : !ttl.accessor<!a> -> !a_part
      %read = ttl.copy %a_part, %out : !a_part, !block
      ttl.wait %read
      ttl.cb_push %out : !block
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %source = ttl.pipe_source %pipe : !ttl.pipe -> index
      %end = ttl.pipe_destination %pipe : !ttl.pipe -> index
      %first = arith.cmpi eq, %source, %c0 : index
      %column = arith.select %first, %c0, %c1 : index
      %in = ttl.cb_wait %in_cb : !block
      %y_part = ttl.index_accessor %y_acc[%end, %column] : !ttl.accessor<!y> -> !y_part
      %write = ttl.copy %in, %y_part : !block, !y_part
      ttl.wait %write
      ttl.cb_pop %in : !block
    }
    %receives = ttl.is_pipe_dst %wide : !ttl.pipenet
    scf.if %receives {
      %in = ttl.cb_wait %in_cb : !block
      %y_part = ttl.index_accessor %y_acc[%node, %c3] : !ttl.accessor<!y> -> !y_part
      %write = ttl.copy %in, %y_part : !block, !y_part
      ttl.wait %write
      ttl.cb_pop %in : !block
    }
  }
  ttl.datamovement_thread "net" {
    %part = ttl.is_pipe_active %net : !ttl.pipenet
    scf.if %part {
      %starts = ttl.is_pipe_src %there : !ttl.pipe
      %relays = ttl.is_pipe_src %back : !ttl.pipe
      %sends = arith.ori %starts, %relays : i1
      scf.if %sends {
        %out = ttl.cb_wait %out_cb : !block
        ttl.if_pipe_src %net {
        ^bb0(%pipe: !ttl.pipe):
          %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
        }
        ttl.cb_pop %out : !block
      }
      ttl.if_pipe_dst %net {
      ^bb0(%pipe: !ttl.pipe):
        %active = ttl.is_pipe_active %pipe : !ttl.pipe
        scf.if %active {
          %in = ttl.cb_reserve %in_cb : !block
          %received = ttl.copy %pipe, %in : !ttl.pipe, !block
          ttl.cb_push %in : !block
        }
      }
    }
    %sends_wide = ttl.is_pipe_src %wide : !ttl.pipenet
    scf.if %sends_wide {
      %out = ttl.cb_wait %out_cb : !block
      ttl.if_pipe_src %wide {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
      ttl.cb_pop %out : !block
    }
    ttl.if_pipe_dst %wide {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !a
  %y = ttltest.full 7.0 : !y
  ttl.launch @pipe_questions(%a, %y) : !a, !y
  return
}
