// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

// Every op, type and attribute of ttl is printed and read again. Aliases name long types
// and encodings.

// CHECK-DAG: !cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
// CHECK-DAG: #dram_tiled = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>
// CHECK-DAG: #l1_rows = #ttl.tensor_encoding<l1, <interleaved>>
// CHECK-DAG: #l1_block_sharded_tiled = #ttl.tensor_encoding<l1, <block_sharded, tile = 32x32, grid = 2x2, shard = 64x64>>
// CHECK-DAG: !block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !cb>
// CHECK-DAG: !accessor = !ttl.accessor<tensor<128x64xf32, #dram_tiled>>
// CHECK-DAG: !slice = !ttl.tensor_slice<[2, 1], tensor<128x64xf32, #dram_tiled>>
!cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !cb>
!square = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!square_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !square>
#dram_tiled = #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>
!tensor = tensor<128x64xf32, #dram_tiled>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[2, 1], !tensor>
!e = tensor<2x1x!ttcore.tile<32x32, f32>>
!s = tensor<1x1x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#parallel = #ttcore.iterator_type<parallel>

// CHECK: ttl.kernel @kernel(%{{.+}}: tensor<128x64xf32, #dram_tiled>, %{{.+}}: tensor<8x8xf32, #l1_rows>, %{{.+}}: tensor<128x128xbf16, #l1_block_sharded_tiled>) attributes {arch = "wormhole_b0", compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<8x8>, ttltest.slice = #ttl.slice<start = 1, stop = 4, step = 1>}
ttl.kernel @kernel(%t: !tensor, %r: tensor<8x8xf32, #ttl.tensor_encoding<l1, #ttl.layout<interleaved>>>,
    %s: tensor<128x128xbf16, #ttl.tensor_encoding<l1, #ttl.layout<block_sharded, tile = 32x32, grid = 2x2, shard = 64x64>>>)
    attributes {grid = #ttcore.grid<8x8>, arch = "wormhole_b0",
                compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>,
                ttltest.slice = #ttl.slice<1, 4, 1>} {
  // CHECK: ttl.create_cb "a_dfb" : !cb
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  // CHECK: ttl.create_cb "b_dfb" {address = 103424 : i64, buffer_index = 1 : i32, compiler_made, page_size = 4096 : i64} : !cb
  %b_dfb = ttl.create_cb "b_dfb" {address = 103424 : i64, buffer_index = 1 : i32, compiler_made, page_size = 4096 : i64} : !cb
  %square = ttl.create_cb "square" : !square
  // CHECK: ttl.create_semaphore "ready" {initial_value = 2 : i32, semaphore_id = 3 : i32} : !ttl.semaphore
  %ready = ttl.create_semaphore "ready" {initial_value = 2 : i32, semaphore_id = 3 : i32} : !ttl.semaphore
  // CHECK: ttl.datamovement_thread "reader" {
  ttl.datamovement_thread "reader" {
    // CHECK: %[[ACC:.+]] = ttl.tensor_accessor %{{.+}} : tensor<128x64xf32, #dram_tiled> -> !accessor
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    // CHECK: %[[CORE:.+]]:3 = ttl.core {dims = 3 : i64} : index, index, index
    %x, %y, %z = ttl.core {dims = 3} : index, index, index
    // CHECK: ttl.grid_size : index, index
    %w, %h = ttl.grid_size : index, index
    // CHECK: ttl.core_linear : index
    %n = ttl.core_linear : index
    // CHECK: ttl.check_index %{{.+}} {bound = 4 : i64, dim = 0 : i64, size = 2 : i64, tensor = "t"}
    ttl.check_index %x {size = 2 : i64, bound = 4 : i64, dim = 0 : i64, tensor = "t"}
    // CHECK: %[[S:.+]] = ttl.index_accessor %[[ACC]][%{{.+}}, %{{.+}}] : !accessor -> !slice
    %s0 = ttl.index_accessor %acc[%x, %y] : !accessor -> !slice
    // CHECK: %[[B:.+]] = ttl.cb_reserve %{{.+}} : !block
    %b = ttl.cb_reserve %a_dfb : !block
    // CHECK: %[[XF:.+]] = ttl.copy %[[S]], %[[B]] {transfer_id = 3 : i32} : !slice, !block
    %xf = ttl.copy %s0, %b {transfer_id = 3 : i32} : !slice, !block
    // CHECK: ttl.wait %[[XF]]
    ttl.wait %xf
    // CHECK: ttl.dma_barrier
    ttl.dma_barrier
    // CHECK: ttl.cb_push %[[B]] : !block
    ttl.cb_push %b : !block
    // CHECK: %[[D:.+]] = ttl.cb_wait %{{.+}} : !block
    %d = ttl.cb_wait %b_dfb : !block
    // CHECK: ttl.copy %[[D]], %[[S]] : !block, !slice
    %xf1 = ttl.copy %d, %s0 : !block, !slice
    ttl.wait %xf1
    // CHECK: ttl.cb_pop %[[D]] : !block
    ttl.cb_pop %d : !block
    %one = arith.constant 1 : i32
    // CHECK: ttl.int_add %{{.+}}, %{{.+}}
    %i0 = ttl.int_add %one, %one
    // CHECK: ttl.int_sub
    %i1 = ttl.int_sub %i0, %one
    // CHECK: ttl.int_mul
    %i2 = ttl.int_mul %i1, %one
    // CHECK: ttl.int_floordiv
    %i3 = ttl.int_floordiv %i2, %one
    // CHECK: ttl.int_mod
    %i4 = ttl.int_mod %i3, %one
    // CHECK: ttl.int_pow
    %i5 = ttl.int_pow %i4, %one
    // CHECK: ttl.int_neg %{{.+}}
    %i6 = ttl.int_neg %i5
    // CHECK: ttl.int_abs %{{.+}}
    %i7 = ttl.int_abs %i6
    %good = arith.cmpi eq, %i7, %one : i32
    // CHECK: ttl.assert %{{.+}}, "not one"
    ttl.assert %good, "not one"
  }
  // CHECK: ttl.compute_thread "compute" {
  ttl.compute_thread "compute" {
    %flag = arith.constant 1 : i32
    %value = arith.constant 2.0 : f32
    %a = ttl.cb_wait %a_dfb : !block
    %q = ttl.cb_wait %square : !square_block
    %y = ttl.cb_reserve %b_dfb : !block
    %z = ttl.cb_reserve %square : !square_block
    // CHECK: ttl.block_fill %{{.+}} : tensor<2x1x!ttcore.tile<32x32, f32>>
    %0 = ttl.block_fill %value : !e
    // CHECK: ttl.block_abs %{{.+}} : (!block) -> tensor<2x1x!ttcore.tile<32x32, f32>>
    %1 = ttl.block_abs %a : (!block) -> !e
    // CHECK: ttl.block_add %{{.+}}, %{{.+}} : (!block, tensor<2x1x!ttcore.tile<32x32, f32>>) -> tensor<2x1x!ttcore.tile<32x32, f32>>
    %2 = ttl.block_add %a, %1 : (!block, !e) -> !e
    // CHECK: ttl.block_matmul %{{.+}}, %{{.+}} : (!block, !block{{[0-9]*}}) -> tensor<2x1x!ttcore.tile<32x32, f32>>
    %3 = ttl.block_matmul %a, %q : (!block, !square_block) -> !e
    // CHECK: ttl.block_matmul %{{.+}}, %{{.+}} acc %{{.+}} : (!block, !block{{[0-9]*}}, tensor<2x1x!ttcore.tile<32x32, f32>>) -> tensor<2x1x!ttcore.tile<32x32, f32>>
    %4 = ttl.block_matmul %a, %q acc %3 : (!block, !square_block, !e) -> !e
    // CHECK: ttl.block_store %{{.+}}, %{{.+}} : !block, tensor<2x1x!ttcore.tile<32x32, f32>>
    ttl.block_store %y, %2 : !block, !e
    // CHECK: ttl.block_store %{{.+}}, %{{.+}} accumulate %{{.+}} : !block, !block
    ttl.block_store %y, %a accumulate %flag : !block, !block
    // CHECK: ttl.compute ins(%{{.+}} : !block) outs(%{{.+}} : !block) accumulate(%{{.+}}) attributes {indexing_maps = [#map, #map], iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>]} {
    ttl.compute ins(%a : !block) outs(%y : !block) accumulate(%flag)
        attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
    ^bb0(%ta: !t, %ty: !t):
      // CHECK: ttl.copy_tile %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
      %5 = ttl.copy_tile %ta {dst_idx = 0 : i32} : (!t) -> !t
      // CHECK: ttl.tile_fill %{{.+}} {dst_idx = 1 : i32} : <32x32, f32>
      %6 = ttl.tile_fill %value {dst_idx = 1 : i32} : !t
      // CHECK: ttl.tile_add %{{.+}}, %{{.+}} :
      %7 = ttl.tile_add %5, %6 : (!t, !t) -> !t
      // CHECK: ttl.tile_sqrt %{{.+}} :
      %8 = ttl.tile_sqrt %7 : (!t) -> !t
      // CHECK: ttl.copy_dest_values %{{.+}} :
      %9 = ttl.copy_dest_values %8 : (!t) -> !t
      // CHECK: ttl.tile_matmul %{{.+}}, %{{.+}} :
      %10 = ttl.tile_matmul %ta, %ta : (!t, !t) -> !t
      // CHECK: ttl.tile_matmul %{{.+}}, %{{.+}} acc %{{.+}} :
      %11 = ttl.tile_matmul %ta, %ta acc %10 : (!t, !t, !t) -> !t
      // CHECK: ttl.yield %{{.+}} : !ttcore.tile<32x32, f32>
      ttl.yield %11 : !t
    }
    // CHECK: ttl.compute ins() outs(
    ttl.compute ins() outs(%y : !block) attributes {indexing_maps = [#id], iterator_types = [#parallel, #parallel]} {
    ^bb0(%ty: !t):
      %5 = ttl.tile_fill %value : !t
      ttl.yield %5 : !t
    }
    %c0 = arith.constant 0 : index
    // CHECK: %[[T:.+]] = ttl.get_tile %{{.+}}[%{{.+}}] {dst_idx = 0 : i32} : !block -> <32x32, f32>
    %5 = ttl.get_tile %a[%c0] {dst_idx = 0 : i32} : !block -> !t
    // CHECK: %[[F:.+]] = ttl.fresh_tile {dst_idx = 1 : i32} : <32x32, f32>
    %6 = ttl.fresh_tile {dst_idx = 1 : i32} : !t
    // CHECK: ttl.matmul_tiles %{{.+}}[%{{.+}}], %{{.+}}[%{{.+}}] into %[[F]] : !block, !block{{[0-9]*}}, <32x32, f32>
    ttl.matmul_tiles %a[%c0], %q[%c0] into %6 : !block, !square_block, !t
    // CHECK: ttl.pack_tile %[[T]], %{{.+}}[%{{.+}}] : <32x32, f32>, !block
    ttl.pack_tile %5, %y[%c0] : !t, !block
    // CHECK: ttl.pack_tile %[[F]], %{{.+}}[%{{.+}}] accumulate %{{.+}} : <32x32, f32>, !block
    ttl.pack_tile %6, %y[%c0] accumulate %flag : !t, !block
  }
}

// CHECK: ttl.program @program(%{{.+}}: tensor<128x64xf32, #dram_tiled>) attributes {grid = #ttcore.grid<4>}
ttl.program @program(%t: !tensor) attributes {grid = #ttcore.grid<4>} {
  %a = ttl.create_cb "a" : !cb
  // CHECK: ttl.thread @thread on riscv_1 (%{{.+}}, %{{.+}}) : !cb, tensor<128x64xf32, #dram_tiled>
  ttl.thread @thread on riscv_1 (%a, %t) : !cb, !tensor
  // CHECK: ttl.thread @empty on compute ()
  ttl.thread @empty on compute ()
}
func.func @thread(%a: !cb, %t: !tensor) {
  return
}
func.func @empty() {
  return
}
func.func @main(%t: !tensor) {
  // CHECK: ttl.launch @program(%{{.+}}) : tensor<128x64xf32, #dram_tiled>
  ttl.launch @program(%t) : !tensor
  return
}

// CHECK: func.func @types(%{{.+}}: !ttl.semaphore, %{{.+}}: !ttl.semaphore<true>, %{{.+}}: !ttl.xf)
func.func @types(%a: !ttl.semaphore, %b: !ttl.semaphore<true>, %c: !ttl.xf) attributes {
  // CHECK-SAME: slice = #ttl.slice<start = 1, stop = 4, step = 2>
  slice = #ttl.slice<start = 1, stop = 4, step = 2>} {
  return
}
