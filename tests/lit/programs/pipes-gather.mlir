// A gather: three nodes send to node 0, which receives in the order of the list of pipes.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=jit --schedule=greedy --dma=eager
// RUN: ttl-jit run %s --engine=jit --schedule=greedy --dma=late
// RUN: ttl-jit run %s --engine=jit '--schedule=parallel(2)'
// RUN: ttl-jit run %s --engine=interp '--schedule=parallel(3)'
// RUN: ttl-jit run %s --engine=interp --schedule=random --seed=5

!a = tensor<96x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!y = tensor<384x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!a_part = !ttl.tensor_slice<[1, 1], !a>
!y_part = !ttl.tensor_slice<[1, 1], !y>

ttl.kernel @gather(%a: !a, %y: !y) attributes {grid = #ttcore.grid<2x2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [3], dst = [0] : !ttl.pipe
  %p1 = ttl.create_pipe src = [1], dst = [0] : !ttl.pipe
  %p2 = ttl.create_pipe src = [2], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1, %p2 : !ttl.pipe, !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  // Reads the tile that this node sends, and writes those that it received: y[turn * 4 + node, source].
  ttl.datamovement_thread "io" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %turns = arith.constant 3 : index
    %nodes = arith.constant 4 : index
    %node = ttl.core_linear : index
    %a_acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %y_acc = ttl.tensor_accessor %y : !y -> !ttl.accessor<!y>
    scf.for %turn = %c0 to %turns step %c1 {
      %out = ttl.cb_reserve %out_cb : !block
      %a_part = ttl.index_accessor %a_acc[%turn, %node] : !ttl.accessor<!a> -> !a_part
      %read = ttl.copy %a_part, %out : !a_part, !block
      ttl.wait %read
      ttl.cb_push %out : !block
      %first = arith.muli %turn, %nodes : index
      %row = arith.addi %first, %node : index
      ttl.if_pipe_dst %net {
      ^bb0(%pipe: !ttl.pipe):
        %source = ttl.pipe_source %pipe : !ttl.pipe -> index
        %in = ttl.cb_wait %in_cb : !block
        %y_part = ttl.index_accessor %y_acc[%row, %source] : !ttl.accessor<!y> -> !y_part
        %write = ttl.copy %in, %y_part : !block, !y_part
        ttl.wait %write
        ttl.cb_pop %in : !block
      }
    }
  }
  // First every node sends, then every node receives.
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %turns = arith.constant 3 : index
    scf.for %turn = %c0 to %turns step %c1 {
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
}

// The same without pipes: node `n` gets the tile of `source` if n is 0 and the source is not.
ttl.kernel @reference(%a: !a, %y: !y) attributes {grid = #ttcore.grid<2x2>} {
  %cb = ttl.create_cb "cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %turns = arith.constant 3 : index
    %nodes = arith.constant 4 : index
    %n = ttl.core_linear : index
    %a_acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    scf.for %turn = %c0 to %turns step %c1 {
      scf.for %source = %c0 to %nodes step %c1 {
        %zero = arith.cmpi eq, %n, %c0 : index
        %other = arith.cmpi ne, %source, %c0 : index
        %p = arith.andi %zero, %other : i1
        scf.if %p {
          %in = ttl.cb_reserve %cb : !block
          %part = ttl.index_accessor %a_acc[%turn, %source] : !ttl.accessor<!a> -> !a_part
          %read = ttl.copy %part, %in : !a_part, !block
          ttl.wait %read
          ttl.cb_push %in : !block
        }
      }
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %turns = arith.constant 3 : index
    %nodes = arith.constant 4 : index
    %n = ttl.core_linear : index
    %y_acc = ttl.tensor_accessor %y : !y -> !ttl.accessor<!y>
    scf.for %turn = %c0 to %turns step %c1 {
      %first = arith.muli %turn, %nodes : index
      %row = arith.addi %first, %n : index
      scf.for %source = %c0 to %nodes step %c1 {
        %zero = arith.cmpi eq, %n, %c0 : index
        %other = arith.cmpi ne, %source, %c0 : index
        %p = arith.andi %zero, %other : i1
        scf.if %p {
          %out = ttl.cb_wait %cb : !block
          %part = ttl.index_accessor %y_acc[%row, %source] : !ttl.accessor<!y> -> !y_part
          %write = ttl.copy %out, %part : !block, !y_part
          ttl.wait %write
          ttl.cb_pop %out : !block
        }
      }
    }
  }
}

func.func @main() {
  %a = ttltest.random 7 : !a
  %y = ttltest.full 0.0 : !y
  %expected = ttltest.full 0.0 : !y
  ttl.launch @gather(%a, %y) : !a, !y
  ttl.launch @reference(%a, %expected) : !a, !y
  ttltest.expect_eq %y, %expected : !y, !y
  return
}
