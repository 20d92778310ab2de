// Two nodes take turns: each waits for its number, works on the tile that both share,
// and wakes the other. Then node 0 sets a semaphore on all nodes, itself included, and all but
// node 1 answer with an increment.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=jit --schedule=greedy --dma=eager
// RUN: ttl-jit run %s --engine=interp --schedule=greedy --dma=late
// RUN: ttl-jit run %s --engine=jit '--schedule=parallel(2)'
// RUN: ttl-jit run %s --engine=interp '--schedule=parallel(3)'
// RUN: ttl-jit run %s --engine=jit --schedule=random --seed=11

!y = tensor<128x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.tensor_slice<[1, 1], !y>
!s = !ttl.semaphore
!far = !ttl.semaphore<true>

ttl.kernel @ping_pong(%y: !y) attributes {grid = #ttcore.grid<2x2>} {
  %cb = ttl.create_cb "cb" : !cb
  %turn = ttl.create_semaphore "turn" : !s
  %go = ttl.create_semaphore "go" : !s
  %some = ttl.create_semaphore "some" : !s
  %done = ttl.create_semaphore "done" {initial_value = 5 : i32} : !s
  ttl.datamovement_thread "player" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %i1 = arith.constant 1 : i32
    %i7 = arith.constant 7 : i32
    %i8 = arith.constant 8 : i32
    %node = ttl.core_linear : index
    %acc = ttl.tensor_accessor %y : !y -> !ttl.accessor<!y>
    %plays = arith.cmpi slt, %node, %c2 : index
    scf.if %plays {
      %zero = arith.cmpi eq, %node, %c0 : index
      %other = arith.subi %c1, %node : index
      // Column k + 1 is a copy of column k, which the two nodes make in turn.
      scf.for %k = %node to %c8 step %c2 {
        %number = arith.index_cast %k : index to i32
        ttl.semaphore_wait_eq %turn, %number : !s
        %blk = ttl.cb_reserve %cb : !block
        %from = ttl.index_accessor %acc[%c0, %k] : !ttl.accessor<!y> -> !part
        %read = ttl.copy %from, %blk : !part, !block
        ttl.wait %read
        %k1 = arith.addi %k, %c1 : index
        %to = ttl.index_accessor %acc[%c0, %k1] : !ttl.accessor<!y> -> !part
        %write = ttl.copy %blk, %to : !block, !part
        ttl.wait %write
        ttl.cb_push %blk : !block
        %next = arith.index_cast %k1 : index to i32
        %remote = ttl.get_remote_semaphore %turn[%other] : !s -> !far
        ttl.semaphore_set %remote, %next : !far
      }
      scf.if %zero {
        ttl.semaphore_wait_min %turn, %i8 : !s
        %all = ttl.get_remote_multicast_semaphore %go : !s -> !far
        ttl.semaphore_set %all, %i7 : !far
      }
    }
    ttl.semaphore_wait_eq %go, %i7 : !s
    // Nodes 1 and 3 are the second row. Node 3 is in the range that it sets.
    %c3 = arith.constant 3 : index
    %last = arith.cmpi eq, %node, %c3 : index
    scf.if %last {
      %row = ttl.get_remote_multicast_semaphore %some range [#ttl.slice<0, 2, 1>, 1] : !s -> !far
      ttl.semaphore_set %row, %i8 : !far
    }
    %odd = arith.remsi %node, %c2 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    scf.if %is_odd {
      ttl.semaphore_wait_eq %some, %i8 : !s
    }
    %report = ttl.get_remote_semaphore %done[%c0, %c0] : !s -> !far
    ttl.semaphore_inc %report, %i1 : !far
    %first = arith.cmpi eq, %node, %c0 : index
    scf.if %first {
      // The value is 5 at the start, and each of the four nodes adds one.
      %i9 = arith.constant 9 : i32
      ttl.semaphore_wait_min %done, %i9 : !s
      %blk = ttl.cb_reserve %cb : !block
      %from = ttl.index_accessor %acc[%c0, %c8] : !ttl.accessor<!y> -> !part
      %read = ttl.copy %from, %blk : !part, !block
      ttl.wait %read
      %c9 = arith.constant 9 : index
      %to = ttl.index_accessor %acc[%c0, %c9] : !ttl.accessor<!y> -> !part
      %write = ttl.copy %blk, %to : !block, !part
      ttl.wait %write
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "drain" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %c4 = arith.constant 4 : index
    %node = ttl.core_linear : index
    %first = arith.cmpi eq, %node, %c0 : index
    %plays = arith.cmpi slt, %node, %c2 : index
    %half = arith.select %plays, %c4, %c0 : index
    %count = arith.select %first, %c5, %half : index
    scf.for %i = %c0 to %count step %c1 {
      %blk = ttl.cb_wait %cb : !block
      ttl.cb_pop %blk : !block
    }
  }
}

// Copies column 0 to column 9 of the first row.
ttl.kernel @check(%y: !y, %last: !y) attributes {grid = #ttcore.grid<1>} {
  %cb = ttl.create_cb "cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %acc = ttl.tensor_accessor %y : !y -> !ttl.accessor<!y>
    scf.for %k = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %cb : !block
      %from = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!y> -> !part
      %read = ttl.copy %from, %blk : !part, !block
      ttl.wait %read
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %acc = ttl.tensor_accessor %last : !y -> !ttl.accessor<!y>
    scf.for %k = %c0 to %c10 step %c1 {
      %blk = ttl.cb_wait %cb : !block
      %to = ttl.index_accessor %acc[%c0, %k] : !ttl.accessor<!y> -> !part
      %write = ttl.copy %blk, %to : !block, !part
      ttl.wait %write
      ttl.cb_pop %blk : !block
    }
  }
}

func.func @main() {
  %y = ttltest.random 3 : !y
  %expected = ttltest.random 3 : !y
  ttl.launch @check(%y, %expected) : !y, !y
  ttl.launch @ping_pong(%y) : !y
  ttltest.expect_eq %y, %expected : !y, !y
  return
}
