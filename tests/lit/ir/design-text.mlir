// RUN: ttl-opt %s | FileCheck %s
// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

// The parser reads the spellings of the design documents; the ops are printed in their own form.

// CHECK-DAG: #l1_sharded_tiled = #ttl.tensor_encoding<l1, <sharded, tile = 32x32, grid = 2x2, shard = 32x64>>
// CHECK-DAG: !cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

// Encodings of tensors: the memory and the layout.
// CHECK-LABEL: func.func private @encodings(
// CHECK-SAME: tensor<64x64xf32, #dram_tiled>,
// CHECK-SAME: tensor<64x64xf32, #dram_tiled>,
// CHECK-SAME: tensor<64x64xf32, #dram_tiled>,
// CHECK-SAME: tensor<64x64xf32, #l1_rows>,
// CHECK-SAME: tensor<64x128xf32, #l1_sharded_tiled>)
func.func private @encodings(
    tensor<64x64xf32, #ttl.tensor_encoding<#ttcore.memory_space<dram>, #ttl.layout<interleaved, tile = 32x32>>>,
    tensor<64x64xf32, #ttl.tensor_encoding<DeviceDRAM, #ttl.layout<tiled, tile_shape=[32,32]>>>,
    tensor<64x64xf32, #ttl.tensor_encoding<DRAM, #ttnn.layout<tile>>>,
    tensor<64x64xf32, #ttl.tensor_encoding<#ttnn.buffer_type<l1>, #ttl.layout<#ttnn.tensor_memory_layout<interleaved>>>>,
    tensor<64x128xf32, #ttl.tensor_encoding<L1, #ttl.layout<sharded, grid=[2,2], tiles_per_shard=[1,2]>>>)

// CHECK-LABEL: func.func private @attributes()
// CHECK-SAME: a = #ttcore.core_range_set<[<(0, 0), (3, 0)>, <(0, 1), (0, 1)>]>
// CHECK-SAME: b = #ttcore.tensor_memory_layout<height_sharded>
// CHECK-SAME: c = #ttcore.grid<2x2>
// CHECK-SAME: d = #ttcore.grid<8x8>
func.func private @attributes() attributes {
    a = #ttnn.core_range_set<[#ttnn.core_range<(0, 0), (3, 0)>, <(0, 1), (0, 1)>]>,
    b = #ttnn.tensor_memory_layout<height_sharded>, c = #ttl.grid<[2, 2]>, d = #ttcore.grid<[8, 8]>}

// CHECK-LABEL: ttl.kernel @kernel
// CHECK-SAME: compute_config = #ttcore.compute_config<fp32_dest_acc_en = true, math_fidelity = hifi2>
// CHECK-SAME: grid = #ttcore.grid<2x2>
// CHECK-SAME: memory_space = #ttcore.memory_space<dram>
ttl.kernel @kernel(%t: tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>) attributes {
    grid = [2, 2], memory_space = "DRAM",
    compute_config = {math_fidelity = "HiFi2", fp32_dest_acc_en = true, math_approx_mode = false}} {
  // A buffer gets the name of its SSA value.
  // CHECK: %[[A:.+]] = ttl.create_cb "a_cb" {buffer_index = 3 : i32, page_size = 4096 : i64} : !cb
  %a_cb = ttl.create_cb shape=[1,1], element_type=!ttcore.tile<32x32,f32>,
                        buffer_factor=2, buffer_index=3 : i32, page_size=4096, memory_space=L1
  // CHECK: ttl.create_cb "cb0" {core_ranges = #ttcore.core_range_set<[<(0, 0), (1, 0)>]>} : !cb
  %0 = ttl.create_cb {shape = [1, 1], element_type = !ttcore.tile<32x32, f32>, buffer_factor = 2,
                      core_ranges = #ttnn.core_range_set<[#ttnn.core_range<(0, 0), (1, 0)>]>}
  // CHECK: ttl.create_cb "named" : !cb
  %1 = ttl.create_cb "named" shape=[1,1] element_type=!ttcore.tile<32x32,f32> buffer_factor=2 : !cb
  // CHECK: %[[P0:.+]] = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %p0 = ttl.create_pipe src_core=[0,0], dst_core=[1,0]
  // CHECK: %[[P1:.+]] = ttl.create_pipe src = [0, 0], dst_range = [#ttl.slice<start = 0, stop = 1, step = 1>, #ttl.slice<start = 0, stop = 2, step = 1>] : !ttl.pipe
  %p1 = ttl.create_pipe src_core=[0,0] dst_core_range=[0, slice(0, 2)]
  // CHECK: ttl.create_pipe src = [0, 0], dst_range = [#ttl.slice<start = 0, stop = 2, step = 1>, #ttl.slice<start = 1, stop = 2, step = 1>] : !ttl.pipe
  %p2 = ttl.create_pipe src_core=[0,0] dst_core_range=[[0,1],[1,1]]
  // CHECK: %[[NET:.+]] = ttl.create_pipenet "net" %[[P0]], %[[P1]] : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  %net = ttl.create_pipenet %p0, %p1
  // CHECK: %[[S:.+]] = ttl.create_semaphore "sem" {initial_value = 3 : i32} : !ttl.semaphore
  %sem = ttl.create_semaphore initial_value = 3, is_remote = true
  // CHECK: %[[ACC:.+]] = ttl.tensor_accessor %{{.+}} : tensor<64x64xf32, #dram_tiled> -> !accessor
  %acc = ttl.tensor_accessor %t
  // CHECK: ttl.datamovement_thread "datamovement" {
  ttl.datamovement_thread {
    // CHECK: %[[NODE:.+]] = ttl.core {dims = 1 : i64} : index
    %node = ttl.core(dims=1) : index
    // CHECK: ttl.core {dims = 1 : i64} : index
    %dim = ttl.core_dim(1) : index
    // CHECK: %[[XY:.+]]:2 = ttl.core : index, index
    %x, %y = ttl.core
    // CHECK: ttl.grid_size {dims = 1 : i64} : index
    %size = ttl.grid_size dims=1
    // CHECK: %[[B:.+]] = ttl.cb_reserve %[[A]] : !block
    %blk = ttl.cb_reserve %a_cb : !ttl.block<...>
    // CHECK: ttl.copy_buffer %[[ACC]], %[[B]] at[%[[NODE]]] : !accessor, !block
    %xf = ttl.copy %acc[%node], %blk : !ttl.xf
    // CHECK: ttl.copy_buffer %[[B]], %[[ACC]] at[%[[XY]]#0, %[[XY]]#1] : !block, !accessor
    %back = ttl.copy %blk, %acc[%x, %y]
    // CHECK: ttl.copy_buffer %{{.+}}, %[[A]] at[%[[XY]]#0, %[[XY]]#1] : tensor<64x64xf32, #dram_tiled>, !cb
    ttl.copy %t[%x, %y], %a_cb
    // CHECK: ttl.wait
    ttl.wait %xf
    // CHECK: ttl.cb_push %[[B]] : !block
    ttl.cb_push %blk
    // CHECK: ttl.if_pipe_src %[[NET]]
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // CHECK: ttl.copy %[[B]], %{{.+}} : !block, !ttl.pipe
      %send = ttl.copy %blk, %pipe
      ttl.wait %send
    }
    // CHECK: ttl.semaphore_number "wait_eq" %[[S]], 4 : !ttl.semaphore
    ttl.semaphore_wait_eq %sem, 4
    // CHECK: ttl.semaphore_number "wait_min" %[[S]], 1 : !ttl.semaphore
    ttl.semaphore_wait_min %sem, 1
    // CHECK: ttl.semaphore_number "set" %[[S]], 0 : !ttl.semaphore
    ttl.semaphore_set %sem, 0
    // CHECK: %[[R:.+]] = ttl.remote_semaphore_at %[[S]], [0, 0] : !ttl.semaphore -> <true>
    %remote = ttl.get_remote_semaphore %sem, core=[0,0]
    // CHECK: ttl.semaphore_number "inc" %[[R]], 1 : <true>
    ttl.semaphore_inc %remote, 1
    // CHECK: ttl.get_remote_multicast_semaphore %[[S]] : !ttl.semaphore -> <true>
    %all = ttl.get_remote_multicast_semaphore %sem
    // CHECK: ttl.get_remote_multicast_semaphore %[[S]] range [#ttl.slice<start = 0, stop = 1, step = 1>, #ttl.slice<start = 0, stop = 2, step = 1>] : !ttl.semaphore -> <true>
    %row = ttl.get_remote_multicast_semaphore %sem, core_range = [0, #ttl.slice<0, 2, 1>]
  }
  // CHECK: ttl.datamovement_thread "datamovement_1" {
  ttl.datamovement_thread {
  }
  // CHECK: ttl.compute_thread "compute" {
  ttl.compute_thread {
    // CHECK: %[[F:.+]] = ttl.cb_wait %[[A]] : !block
    %a = ttl.cb_wait %a_cb
    // CHECK: %[[T:.+]] = ttl.cb_reserve
    %o = ttl.cb_reserve %1 : !ttl.block<...>
    // CHECK: %[[SUM:.+]] = ttl.block_add %[[F]], %[[F]] : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
    %sum = ttl.block_add %a, %a
    // CHECK: ttl.block_exp %[[SUM]] : (tensor<1x1x!ttcore.tile<32x32, f32>>) -> tensor<1x1x!ttcore.tile<32x32, f32>>
    %exp = ttl.block_exp %sum
    // CHECK: ttl.block_matmul %[[F]], %[[SUM]] : (!block, tensor<1x1x!ttcore.tile<32x32, f32>>) -> tensor<1x1x!ttcore.tile<32x32, f32>>
    %product = ttl.block_matmul %a, %sum
    // CHECK: ttl.block_reduce_sum %[[SUM]] scaling %[[F]] {dims = array<i64: 1>} : (tensor<1x1x!ttcore.tile<32x32, f32>>, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
    %rows = ttl.block_reduce_sum %sum, %a {dims = array<i64: 1>}
    // CHECK: %[[REGION:.+]] = ttl.compute_region ins(%[[SUM]], %[[F]] : tensor<1x1x!ttcore.tile<32x32, f32>>, !block) keep_in_dst {
    %region = ttl.compute_region ins(%sum, %a) {
    ^bb0(%b: !e, %c: !block):
      // CHECK: %[[V:.+]] = ttl.block_mul
      %v = ttl.block_mul %b, %c
      // CHECK: ttl.yield %[[V]] : tensor<1x1x!ttcore.tile<32x32, f32>>
      ttl.yield %v
    // CHECK: } -> tensor<1x1x!ttcore.tile<32x32, f32>>
    } {keep_in_dst = true}
    // CHECK: ttl.block_store %[[T]], %[[REGION]] : !block, tensor<1x1x!ttcore.tile<32x32, f32>>
    ttl.block_store %o, %region
    // CHECK: ttl.compute ins(
    ttl.compute ins(%a : !block) outs(%o : !block) attributes {
        indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
        iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>]} {
    ^bb0(%in: !ttcore.tile<32x32, f32>, %out: !ttcore.tile<32x32, f32>):
      // CHECK: %[[ABS:.+]] = ttl.tile_abs %{{.+}} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
      %2 = ttl.tile_abs %in
      // CHECK: ttl.yield %[[ABS]] : !ttcore.tile<32x32, f32>
      linalg.yield %2
    }
    ttl.cb_pop %a
    ttl.cb_push %o
  }
}
