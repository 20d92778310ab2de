// The design documents' kernel, with shards in L1 and in DRAM, and more of their spellings: every engine
// runs them, as a whole and from every stage, with the same results.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=emitted
// RUN: ttl-jit run %s --stage=input
// RUN: ttl-opt %s | ttl-opt -o %t.mlir
// RUN: ttl-jit run %t.mlir
// RUN: sed 's/DeviceL1/DeviceDRAM/; s/encoding<l1, #ttl.layout<tiled/encoding<dram, #ttl.layout<tiled/' %s >%t.dram.mlir
// RUN: ttl-jit run %t.dram.mlir --engine=jit
// RUN: ttl-jit run %t.dram.mlir --engine=interp
// RUN: ttl-jit run %t.dram.mlir --engine=emitted

ttl.kernel @sharded_elementwise_add(
    %a: tensor<64x64xf32, #ttl.tensor_encoding<DeviceL1,
      #ttl.layout<sharded, grid=[2,2], tiles_per_shard=[1,1]>>>,
    %b: tensor<64x64xf32, #ttl.tensor_encoding<DeviceL1,
      #ttl.layout<sharded, grid=[2,2], tiles_per_shard=[1,1]>>>,
    %out: tensor<64x64xf32, #ttl.tensor_encoding<DeviceL1,
      #ttl.layout<sharded, grid=[2,2], tiles_per_shard=[1,1]>>>
) attributes {grid = #ttcore.grid<2x2>, block_factors = [[1,1], [1,1], [1,1]]} {

  // Create circular buffers (tiled layout inferred from element_type)
  %a_cb = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>,
                        buffer_factor=2, memory_space=L1
  %b_cb = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>,
                        buffer_factor=2, memory_space=L1
  %out_cb = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>,
                          buffer_factor=2, memory_space=L1

  // Create TensorAccessors (layout taken from tensor types)
  %a_accessor = ttl.tensor_accessor %a
  %b_accessor = ttl.tensor_accessor %b
  %out_accessor = ttl.tensor_accessor %out

  ttl.datamovement_thread {
    %shard_id = ttl.core(dims=1) : index

    %a_blk = ttl.cb_reserve %a_cb : !ttl.block<...>
    %xf_a = ttl.copy %a_accessor[%shard_id], %a_blk : !ttl.xf
    ttl.wait %xf_a
    ttl.cb_push %a_blk

    %b_blk = ttl.cb_reserve %b_cb : !ttl.block<...>
    %xf_b = ttl.copy %b_accessor[%shard_id], %b_blk : !ttl.xf
    ttl.wait %xf_b
    ttl.cb_push %b_blk
  }

  ttl.compute_thread {
    %a_blk = ttl.cb_wait %a_cb : !ttl.block<...>
    %b_blk = ttl.cb_wait %b_cb : !ttl.block<...>
    %o_blk = ttl.cb_reserve %out_cb : !ttl.block<...>

    %result = ttl.block_add %a_blk, %b_blk
    ttl.block_store %o_blk, %result

    ttl.cb_pop %a_blk
    ttl.cb_pop %b_blk
    ttl.cb_push %o_blk
  }

  ttl.datamovement_thread {
    %shard_id = ttl.core(dims=1) : index

    %o_blk = ttl.cb_wait %out_cb : !ttl.block<...>
    %xf_out = ttl.copy %o_blk, %out_accessor[%shard_id] : !ttl.xf
    ttl.wait %xf_out
    ttl.cb_pop %o_blk
  }
}

// Pages of an interleaved tensor by number and by their indices, a region of expressions, a pipe
// with its older names, semaphores with numbers, and a compute that linalg.yield ends.
!interleaved = tensor<64x64xf32, #ttl.tensor_encoding<#ttcore.memory_space<dram>, #ttnn.layout<tile>>>

ttl.kernel @chain(%a: !interleaved, %b: !interleaved, %y: !interleaved) attributes {
    grid = [2, 2], memory_space = "DRAM",
    compute_config = {math_fidelity = "HiFi4", fp32_dest_acc_en = true, math_approx_mode = false}} {
  %a_cb = ttl.create_cb {shape = [1, 1], element_type = !ttcore.tile<32x32, f32>, buffer_factor = 2,
                         buffer_index = 0, page_size = 4096}
  %b_cb = ttl.create_cb shape = [1, 1], element_type = !ttcore.tile<32x32, f32>, buffer_factor = 2,
      page_size = 8192, core_ranges = #ttnn.core_range_set<[#ttnn.core_range<(0, 0), (1, 1)>]>
  %t_cb = ttl.create_cb shape = [1, 1], element_type = !ttcore.tile<32x32, f32>, buffer_factor = 2
  %y_cb = ttl.create_cb shape = [1, 1], element_type = !ttcore.tile<32x32, f32>, buffer_factor = 2
  %a_acc = ttl.tensor_accessor %a
  %y_acc = ttl.tensor_accessor %y
  %pipe = ttl.create_pipe src_core=[0,0], dst_core_range=[[0,0],[1,1]]
  %net = ttl.create_pipenet %pipe
  %ready = ttl.create_semaphore initial_value = 0, is_remote = true
  ttl.datamovement_thread {
    %page = ttl.core_dim(1) : index
    %a_blk = ttl.cb_reserve %a_cb : !ttl.block<...>
    %a_xf = ttl.copy %a_acc[%page], %a_blk
    ttl.wait %a_xf
    ttl.cb_push %a_blk
    %first = ttl.get_remote_semaphore %ready, core=[0,0]
    ttl.semaphore_inc %first, 1
    %c0 = arith.constant 0 : index
    ttl.if_pipe_src %net {
    ^bb0(%p: !ttl.pipe):
      // The tile is sent to every node when all nodes have arrived.
      ttl.semaphore_wait_min %ready, 4
      ttl.semaphore_set %ready, 0
      %t_blk = ttl.cb_reserve %t_cb
      %own = ttl.copy %b[%c0, %c0], %t_blk
      ttl.wait %own
      ttl.cb_push %t_blk
      %t_front = ttl.cb_wait %t_cb
      %xf = ttl.copy %t_front, %p
      ttl.wait %xf
      ttl.cb_pop %t_front
    }
    %b_blk = ttl.cb_reserve %b_cb : !ttl.block<...>
    ttl.if_pipe_dst %net {
    ^bb0(%p: !ttl.pipe):
      %xf = ttl.copy %p, %b_blk
      ttl.wait %xf
    }
    ttl.cb_push %b_blk
  }
  ttl.datamovement_thread {
    %i, %j = ttl.core
    %y_blk = ttl.cb_wait %y_cb : !ttl.block<...>
    %xf = ttl.copy %y_blk, %y_acc[%i, %j]
    ttl.wait %xf
    ttl.cb_pop %y_blk
  }
  ttl.compute_thread {
    %a_blk = ttl.cb_wait %a_cb : !ttl.block<...>
    %b_blk = ttl.cb_wait %b_cb : !ttl.block<...>
    %y_blk = ttl.cb_reserve %y_cb : !ttl.block<...>
    ttl.compute ins(%a_blk, %b_blk : !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>>, !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>>)
        outs(%y_blk : !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>>) attributes {
        indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>,
                         affine_map<(d0, d1) -> (d0, d1)>],
        iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>]} {
    ^bb0(%in0: !ttcore.tile<32x32, f32>, %in1: !ttcore.tile<32x32, f32>, %out: !ttcore.tile<32x32, f32>):
      %0 = ttl.tile_mul %in0, %in1
      %1 = ttl.tile_abs %0
      %2 = ttl.tile_add %0, %1
      linalg.yield %2 : !ttcore.tile<32x32, f32>
    }
    ttl.cb_pop %a_blk
    ttl.cb_pop %b_blk
    ttl.cb_push %y_blk
  }
}

// The same computation in a region of block expressions.
ttl.kernel @region(%a: !interleaved, %y: !interleaved) attributes {grid = #ttl.grid<[2, 2]>} {
  %a_cb = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>, buffer_factor=2
  %y_cb = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>, buffer_factor=2
  ttl.datamovement_thread "reader" {
    %i, %j = ttl.core(dims = 2) : index, index
    %a_blk = ttl.cb_reserve %a_cb
    %xf = ttl.copy %a[%i, %j], %a_cb
    ttl.wait %xf
    ttl.cb_push %a_blk
  }
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a_cb
    %y_blk = ttl.cb_reserve %y_cb
    %sum = ttl.compute_region ins(%a_blk) {
    ^bb0(%x: !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>>):
      %0 = ttl.block_neg %x
      %1 = ttl.block_matmul %0, %x
      ttl.yield %1
    } {keep_in_dst = true}
    ttl.compute_region ins(%sum) outs(%y_blk) {
    ^bb0(%x: tensor<1x1x!ttcore.tile<32x32, f32>>):
      %0 = ttl.block_neg %x
      ttl.yield %0
    } {keep_in_dst = false}
    ttl.cb_pop %a_blk
    ttl.cb_push %y_blk
  }
  ttl.datamovement_thread "writer" {
    %i, %j = ttl.core
    %y_blk = ttl.cb_wait %y_cb
    %xf = ttl.copy %y_cb, %y[%i, %j]
    ttl.wait %xf
    ttl.cb_pop %y_blk
  }
}

!sharded = tensor<64x64xf32, #ttl.tensor_encoding<l1, #ttl.layout<tiled, tile_shape=[32,32], grid=[2,2], shard=[32,32]>>>

func.func @main() {
  // Every sum is 3.
  %a = ttltest.iota : !sharded
  %b = ttltest.iota {start = 3.0, step = -1.0} : !sharded
  %out = ttltest.full 7.0 : !sharded
  %three = ttltest.full 3.0 : !sharded
  ttl.launch @sharded_elementwise_add(%a, %b, %out) : !sharded, !sharded, !sharded
  ttltest.expect_eq %out, %three : !sharded, !sharded
  // 2 * 4 + |2 * 4|
  %two = ttltest.full 2.0 : !interleaved
  %four = ttltest.full 4.0 : !interleaved
  %y = ttltest.full 7.0 : !interleaved
  %sixteen = ttltest.full 16.0 : !interleaved
  ttl.launch @chain(%two, %four, %y) : !interleaved, !interleaved, !interleaved
  ttltest.expect_eq %y, %sixteen : !interleaved, !interleaved
  // The sum of 32 products.
  %products = ttltest.full 128.0 : !interleaved
  ttl.launch @region(%two, %y) : !interleaved, !interleaved
  ttltest.expect_eq %y, %products : !interleaved, !interleaved
  return
}
