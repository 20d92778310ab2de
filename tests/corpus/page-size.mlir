// Buffers whose pages are larger than their tiles or rows, so that padding follows each tile or row:
// in copies, over pipes, in tile operations and in accesses to elements.

!tensor = tensor<64x256xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!out = tensor<128x256xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<2x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[2, 2], !tensor>
!out_slice = !ttl.tensor_slice<[2, 2], !out>

// Node 0 reads blocks and sends them to itself and to node 1; both add each block to itself.
ttl.kernel @tiles(%a: !tensor, %y: !out) attributes {grid = #ttcore.grid<2>} {
  %own_cb = ttl.create_cb "own_cb" {page_size = 8192 : i64} : !cb
  %in_cb = ttl.create_cb "in_cb" {page_size = 4160 : i64} : !cb
  %y_cb = ttl.create_cb "y_cb" {page_size = 4112 : i64} : !cb
  %pipe = ttl.create_pipe src = [0], dst_range = [#ttl.slice<0, 2, 1>] : !ttl.pipe
  %net = ttl.create_pipenet "net" %pipe : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "sender" {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c8 step %c2 {
      ttl.if_pipe_src %net {
      ^bb0(%to: !ttl.pipe):
        %own = ttl.cb_reserve %own_cb : !block
        %part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
        %xf = ttl.copy %part, %own : !slice, !block
        ttl.wait %xf
        ttl.cb_push %own : !block
        %front = ttl.cb_wait %own_cb : !block
        %sent = ttl.copy %front, %to : !block, !ttl.pipe
        ttl.wait %sent
        ttl.cb_pop %front : !block
      }
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %in = ttl.cb_wait %in_cb : !block
      %out = ttl.cb_reserve %y_cb : !block
      %sum = ttl.block_add %in, %in : (!block, !block) -> !value
      ttl.block_store %out, %sum : !block, !value
      ttl.cb_push %out : !block
      ttl.cb_pop %in : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %node = ttl.core_linear : index
    %row = arith.muli %node, %c2 : index
    %acc = ttl.tensor_accessor %y : !out -> !ttl.accessor<!out>
    scf.for %i = %c0 to %c8 step %c2 {
      ttl.if_pipe_dst %net {
      ^bb0(%from: !ttl.pipe):
        %in = ttl.cb_reserve %in_cb : !block
        %received = ttl.copy %from, %in : !ttl.pipe, !block
        ttl.wait %received
        ttl.cb_push %in : !block
      }
      %out = ttl.cb_wait %y_cb : !block
      %part = ttl.index_accessor %acc[%row, %i] : !ttl.accessor<!out> -> !out_slice
      %xf = ttl.copy %out, %part : !block, !out_slice
      ttl.wait %xf
      ttl.cb_pop %out : !block
    }
  }
}

!rows = tensor<6x5xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
!row_cb = !ttl.cb<[3, 5], f32, 2>
!row_block = !ttl.block<tensor<3x5xf32>, !row_cb>
!row_slice = !ttl.tensor_slice<[3, 5], !rows>

// The row of 20 bytes begins at a multiple of 32, as a card's DRAM needs it.
ttl.kernel @rows(%a: !rows, %y: !rows) attributes {grid = #ttcore.grid<1>} {
  %cb = ttl.create_cb "rows_cb" {page_size = 32 : i64} : !row_cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %acc = ttl.tensor_accessor %a : !rows -> !ttl.accessor<!rows>
    scf.for %i = %c0 to %c6 step %c3 {
      %blk = ttl.cb_reserve %cb : !row_block
      %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!rows> -> !row_slice
      %xf = ttl.copy %part, %blk : !row_slice, !row_block
      ttl.wait %xf
      %v = ttl.element_read %blk[%c1, %c3] : !row_block
      ttl.element_write %v, %blk[%c2, %c0] : !row_block
      ttl.cb_push %blk : !row_block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %acc = ttl.tensor_accessor %y : !rows -> !ttl.accessor<!rows>
    scf.for %i = %c0 to %c6 step %c3 {
      %blk = ttl.cb_wait %cb : !row_block
      %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!rows> -> !row_slice
      %xf = ttl.copy %blk, %part : !row_block, !row_slice
      ttl.wait %xf
      ttl.cb_pop %blk : !row_block
    }
  }
}

func.func @main() {
  // The hash is that of the same kernel without page_size.
  %x = ttltest.iota : !tensor
  %y = ttltest.full -1.0 : !out
  ttl.launch @tiles(%x, %y) : !tensor, !out
  ttltest.expect_hash %y, "bbb4285393a8bd65" : !out
  %a = ttltest.iota : !rows
  %z = ttltest.full -1.0 : !rows
  ttl.launch @rows(%a, %z) : !rows, !rows
  %rows = ttltest.constant dense<[
    [0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [8.0, 11.0, 12.0, 13.0, 14.0],
    [15.0, 16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0, 24.0], [23.0, 26.0, 27.0, 28.0, 29.0]
  ]> : tensor<6x5xf32> -> !rows
  ttltest.expect_eq %z, %rows : !rows, !rows
  return
}
