// Values that the parts of a split compute exchange are in L1, beside the landing slots of
// pipes: nodes 1 and 2 send while node 0 computes 7 times with what it received before.
// RUN: ttl-jit run %s --engine=jit --dma=eager
// RUN: ttl-jit run %s --engine=interp --dma=eager
// RUN: ttl-jit run %s --engine=jit --schedule=random --seed=3
// RUN: ttl-jit run %s --stage=dst --dma=eager

!a = tensor<256x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!y = tensor<128x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!a_part = !ttl.tensor_slice<[1, 1], !a>
!y_part = !ttl.tensor_slice<[1, 1], !y>

ttl.kernel @far(%a: !a, %y: !y) attributes {grid = #ttcore.grid<3x1>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %y_cb = ttl.create_cb "y" : !cb
  %p0 = ttl.create_pipe src = [1], dst = [0] : !ttl.pipe
  %p1 = ttl.create_pipe src = [2], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "io" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %turns = arith.constant 2 : index
    %three = arith.constant 3 : index
    %node = ttl.core_linear : index
    %a_acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %y_acc = ttl.tensor_accessor %y : !y -> !ttl.accessor<!y>
    scf.for %turn = %c0 to %turns step %c1 {
      ttl.if_pipe_src %net {
      ^bb0(%pipe: !ttl.pipe):
        %out = ttl.cb_reserve %out_cb : !block
        %pair = arith.muli %turn, %turns : index
        %before = arith.addi %pair, %three : index
        %row = arith.addi %before, %node : index
        %a_part = ttl.index_accessor %a_acc[%row, %c0] : !ttl.accessor<!a> -> !a_part
        %read = ttl.copy %a_part, %out : !a_part, !block
        ttl.wait %read
        ttl.cb_push %out : !block
      }
      ttl.if_pipe_dst %net {
      ^bb0(%pipe: !ttl.pipe):
        %source = ttl.pipe_source %pipe : !ttl.pipe -> index
        %pair = arith.muli %turn, %turns : index
        %before = arith.addi %pair, %source : index
        %row = arith.subi %before, %c1 : index
        %in = ttl.cb_wait %y_cb : !block
        %y_part = ttl.index_accessor %y_acc[%row, %c0] : !ttl.accessor<!y> -> !y_part
        %write = ttl.copy %in, %y_part : !block, !y_part
        ttl.wait %write
        ttl.cb_pop %in : !block
      }
    }
  }
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %turns = arith.constant 2 : index
    scf.for %turn = %c0 to %turns step %c1 {
      ttl.if_pipe_src %net {
      ^bb0(%pipe: !ttl.pipe):
        %out = ttl.cb_wait %out_cb : !block
        %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
        ttl.wait %sent
        ttl.cb_pop %out : !block
      }
      ttl.if_pipe_dst %net {
      ^bb0(%pipe: !ttl.pipe):
        %in = ttl.cb_reserve %in_cb : !block
        %received = ttl.copy %pipe, %in : !ttl.pipe, !block
        ttl.wait %received
        ttl.cb_push %in : !block
      }
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %turns = arith.constant 4 : index
    %node = ttl.core_linear : index
    %here = arith.cmpi eq, %node, %c0 : index
    scf.for %turn = %c0 to %turns step %c1 {
      scf.if %here {
        %v0 = ttl.cb_wait %in_cb : !block
        %y_blk = ttl.cb_reserve %y_cb : !block
        %v1 = ttl.block_add %v0, %v0 : (!block, !block) -> !value
        %v2 = ttl.block_add %v1, %v0 : (!value, !block) -> !value
        %v3 = ttl.block_add %v2, %v0 : (!value, !block) -> !value
        %v4 = ttl.block_add %v3, %v0 : (!value, !block) -> !value
        %v5 = ttl.block_add %v4, %v0 : (!value, !block) -> !value
        %v6 = ttl.block_add %v5, %v0 : (!value, !block) -> !value
        %v7 = ttl.block_add %v6, %v0 : (!value, !block) -> !value
        %v8 = ttl.block_add %v7, %v0 : (!value, !block) -> !value
        %v9 = ttl.block_add %v8, %v0 : (!value, !block) -> !value
        %v10 = ttl.block_add %v9, %v0 : (!value, !block) -> !value
        %v11 = ttl.block_add %v10, %v0 : (!value, !block) -> !value
        %v12 = ttl.block_add %v11, %v0 : (!value, !block) -> !value
        %s11 = ttl.block_sub %v11, %v12 : (!value, !value) -> !value
        %s10 = ttl.block_sub %v10, %s11 : (!value, !value) -> !value
        %s9 = ttl.block_sub %v9, %s10 : (!value, !value) -> !value
        %s8 = ttl.block_sub %v8, %s9 : (!value, !value) -> !value
        %s7 = ttl.block_sub %v7, %s8 : (!value, !value) -> !value
        %s6 = ttl.block_sub %v6, %s7 : (!value, !value) -> !value
        %s5 = ttl.block_sub %v5, %s6 : (!value, !value) -> !value
        %s4 = ttl.block_sub %v4, %s5 : (!value, !value) -> !value
        %s3 = ttl.block_sub %v3, %s4 : (!value, !value) -> !value
        %s2 = ttl.block_sub %v2, %s3 : (!value, !value) -> !value
        %s1 = ttl.block_sub %v1, %s2 : (!value, !value) -> !value
        %s0 = ttl.block_sub %v0, %s1 : (!block, !value) -> !value
        ttl.block_store %y_blk, %s0 : !block, !value
        ttl.cb_push %y_blk : !block
        ttl.cb_pop %v0 : !block
      }
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !a
  %y = ttltest.full 0.0 : !y
  %expected = ttltest.iota {start = 28672.0, step = 7.0} : !y
  ttl.launch @far(%a, %y) : !a, !y
  ttltest.expect_eq %y, %expected : !y, !y
  return
}
