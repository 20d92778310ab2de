// A net of 64 pipes on 8x8 nodes, which form a ring. Each node needs one landing slot and four
// counters, however many pipes there are.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp --schedule=greedy --dma=eager
// RUN: ttl-jit run %s --engine=jit '--schedule=parallel(2)'
// RUN: ttl-jit run %s --engine=interp '--schedule=parallel(3)'
// RUN: ttl-jit run %s --engine=jit --schedule=random --seed=1
// RUN: ttl-opt %s --ttl-infer-pipe-semaphores | FileCheck %s
// CHECK: ttl.create_landing "net" : <[1, 1], !ttcore.tile<32x32, f32>, 1>
// CHECK: ttl.create_counters "net" {{.*}}semaphore_id = 0 : i32} : <4>

!a = tensor<96x2048xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!y = tensor<6144x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!a_part = !ttl.tensor_slice<[1, 1], !a>
!y_part = !ttl.tensor_slice<[1, 1], !y>

ttl.kernel @ring(%a: !a, %y: !y) attributes {grid = #ttcore.grid<8x8>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %p1 = ttl.create_pipe src = [1], dst = [2] : !ttl.pipe
  %p2 = ttl.create_pipe src = [2], dst = [3] : !ttl.pipe
  %p3 = ttl.create_pipe src = [3], dst = [4] : !ttl.pipe
  %p4 = ttl.create_pipe src = [4], dst = [5] : !ttl.pipe
  %p5 = ttl.create_pipe src = [5], dst = [6] : !ttl.pipe
  %p6 = ttl.create_pipe src = [6], dst = [7] : !ttl.pipe
  %p7 = ttl.create_pipe src = [7], dst = [8] : !ttl.pipe
  %p8 = ttl.create_pipe src = [8], dst = [9] : !ttl.pipe
  %p9 = ttl.create_pipe src = [9], dst = [10] : !ttl.pipe
  %p10 = ttl.create_pipe src = [10], dst = [11] : !ttl.pipe
  %p11 = ttl.create_pipe src = [11], dst = [12] : !ttl.pipe
  %p12 = ttl.create_pipe src = [12], dst = [13] : !ttl.pipe
  %p13 = ttl.create_pipe src = [13], dst = [14] : !ttl.pipe
  %p14 = ttl.create_pipe src = [14], dst = [15] : !ttl.pipe
  %p15 = ttl.create_pipe src = [15], dst = [16] : !ttl.pipe
  %p16 = ttl.create_pipe src = [16], dst = [17] : !ttl.pipe
  %p17 = ttl.create_pipe src = [17], dst = [18] : !ttl.pipe
  %p18 = ttl.create_pipe src = [18], dst = [19] : !ttl.pipe
  %p19 = ttl.create_pipe src = [19], dst = [20] : !ttl.pipe
  %p20 = ttl.create_pipe src = [20], dst = [21] : !ttl.pipe
  %p21 = ttl.create_pipe src = [21], dst = [22] : !ttl.pipe
  %p22 = ttl.create_pipe src = [22], dst = [23] : !ttl.pipe
  %p23 = ttl.create_pipe src = [23], dst = [24] : !ttl.pipe
  %p24 = ttl.create_pipe src = [24], dst = [25] : !ttl.pipe
  %p25 = ttl.create_pipe src = [25], dst = [26] : !ttl.pipe
  %p26 = ttl.create_pipe src = [26], dst = [27] : !ttl.pipe
  %p27 = ttl.create_pipe src = [27], dst = [28] : !ttl.pipe
  %p28 = ttl.create_pipe src = [28], dst = [29] : !ttl.pipe
  %p29 = ttl.create_pipe src = [29], dst = [30] : !ttl.pipe
  %p30 = ttl.create_pipe src = [30], dst = [31] : !ttl.pipe
  %p31 = ttl.create_pipe src = [31], dst = [32] : !ttl.pipe
  %p32 = ttl.create_pipe src = [32], dst = [33] : !ttl.pipe
  %p33 = ttl.create_pipe src = [33], dst = [34] : !ttl.pipe
  %p34 = ttl.create_pipe src = [34], dst = [35] : !ttl.pipe
  %p35 = ttl.create_pipe src = [35], dst = [36] : !ttl.pipe
  %p36 = ttl.create_pipe src = [36], dst = [37] : !ttl.pipe
  %p37 = ttl.create_pipe src = [37], dst = [38] : !ttl.pipe
  %p38 = ttl.create_pipe src = [38], dst = [39] : !ttl.pipe
  %p39 = ttl.create_pipe src = [39], dst = [40] : !ttl.pipe
  %p40 = ttl.create_pipe src = [40], dst = [41] : !ttl.pipe
  %p41 = ttl.create_pipe src = [41], dst = [42] : !ttl.pipe
  %p42 = ttl.create_pipe src = [42], dst = [43] : !ttl.pipe
  %p43 = ttl.create_pipe src = [43], dst = [44] : !ttl.pipe
  %p44 = ttl.create_pipe src = [44], dst = [45] : !ttl.pipe
  %p45 = ttl.create_pipe src = [45], dst = [46] : !ttl.pipe
  %p46 = ttl.create_pipe src = [46], dst = [47] : !ttl.pipe
  %p47 = ttl.create_pipe src = [47], dst = [48] : !ttl.pipe
  %p48 = ttl.create_pipe src = [48], dst = [49] : !ttl.pipe
  %p49 = ttl.create_pipe src = [49], dst = [50] : !ttl.pipe
  %p50 = ttl.create_pipe src = [50], dst = [51] : !ttl.pipe
  %p51 = ttl.create_pipe src = [51], dst = [52] : !ttl.pipe
  %p52 = ttl.create_pipe src = [52], dst = [53] : !ttl.pipe
  %p53 = ttl.create_pipe src = [53], dst = [54] : !ttl.pipe
  %p54 = ttl.create_pipe src = [54], dst = [55] : !ttl.pipe
  %p55 = ttl.create_pipe src = [55], dst = [56] : !ttl.pipe
  %p56 = ttl.create_pipe src = [56], dst = [57] : !ttl.pipe
  %p57 = ttl.create_pipe src = [57], dst = [58] : !ttl.pipe
  %p58 = ttl.create_pipe src = [58], dst = [59] : !ttl.pipe
  %p59 = ttl.create_pipe src = [59], dst = [60] : !ttl.pipe
  %p60 = ttl.create_pipe src = [60], dst = [61] : !ttl.pipe
  %p61 = ttl.create_pipe src = [61], dst = [62] : !ttl.pipe
  %p62 = ttl.create_pipe src = [62], dst = [63] : !ttl.pipe
  %p63 = ttl.create_pipe src = [63], dst = [0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1, %p2, %p3, %p4, %p5, %p6, %p7, %p8, %p9, %p10, %p11, %p12, %p13, %p14, %p15, %p16, %p17, %p18, %p19, %p20, %p21, %p22, %p23, %p24, %p25, %p26, %p27, %p28, %p29, %p30, %p31, %p32, %p33, %p34, %p35, %p36, %p37, %p38, %p39, %p40, %p41, %p42, %p43, %p44, %p45, %p46, %p47, %p48, %p49, %p50, %p51, %p52, %p53, %p54, %p55, %p56, %p57, %p58, %p59, %p60, %p61, %p62, %p63 : !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  // Reads the tiles that this node sends, and writes those that it received: y[turn * 64 + node].
  ttl.datamovement_thread "io" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %turns = arith.constant 3 : index
    %nodes = arith.constant 64 : index
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
        %in = ttl.cb_wait %in_cb : !block
        %y_part = ttl.index_accessor %y_acc[%row, %c0] : !ttl.accessor<!y> -> !y_part
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

// The same without pipes: each node gets the tiles of the node before it.
ttl.kernel @reference(%a: !a, %y: !y) attributes {grid = #ttcore.grid<8x8>} {
  %cb = ttl.create_cb "cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %turns = arith.constant 3 : index
    %nodes = arith.constant 64 : index
    %last = arith.constant 63 : index
    %n = ttl.core_linear : index
    %sum = arith.addi %n, %last : index
    %source = arith.remsi %sum, %nodes : index
    %a_acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    scf.for %turn = %c0 to %turns step %c1 {
      %in = ttl.cb_reserve %cb : !block
      %part = ttl.index_accessor %a_acc[%turn, %source] : !ttl.accessor<!a> -> !a_part
      %read = ttl.copy %part, %in : !a_part, !block
      ttl.wait %read
      ttl.cb_push %in : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %turns = arith.constant 3 : index
    %nodes = arith.constant 64 : index
    %n = ttl.core_linear : index
    %y_acc = ttl.tensor_accessor %y : !y -> !ttl.accessor<!y>
    scf.for %turn = %c0 to %turns step %c1 {
      %first = arith.muli %turn, %nodes : index
      %row = arith.addi %first, %n : index
      %out = ttl.cb_wait %cb : !block
      %part = ttl.index_accessor %y_acc[%row, %c0] : !ttl.accessor<!y> -> !y_part
      %write = ttl.copy %out, %part : !block, !y_part
      ttl.wait %write
      ttl.cb_pop %out : !block
    }
  }
}

func.func @main() {
  %a = ttltest.random 7 : !a
  %y = ttltest.full 0.0 : !y
  %expected = ttltest.full 0.0 : !y
  ttl.launch @ring(%a, %y) : !a, !y
  ttl.launch @reference(%a, %expected) : !a, !y
  ttltest.expect_eq %y, %expected : !y, !y
  return
}
