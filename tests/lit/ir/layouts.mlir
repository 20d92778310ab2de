// RUN: ttl-opt %s | ttl-opt | FileCheck %s

// Layouts, grids and meshes of tt-mlir's modules are parsed and printed.

#layout = #ttcore.metal_layout<logical_shape = 33x128, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>

!t = !ttcore.tile<32x32, f32>

// CHECK: func.func private @tensor(tensor<2x4x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<logical_shape = 33x128, dim_alignments = 32x32, collapsed_intervals = dense<{{\[}}[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>>)
func.func private @tensor(tensor<2x4x1x1x!t, #layout>)

// CHECK: @layouts() attributes {
func.func private @layouts() attributes {
  // CHECK-SAME: a1 = #ttcore.metal_layout<logical_shape = 2x3x5x193, dim_alignments = 1x1x32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, dram, interleaved>
  a1 = #ttcore.metal_layout<logical_shape = 2x3x5x193, dim_alignments = 1x1x32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, dram, interleaved>,
  // CHECK-SAME: a2 = #ttcore.metal_layout<logical_shape = , dim_alignments = , collapsed_intervals = dense<> : tensor<0x2xi64>, system, sharded>
  a2 = #ttcore.metal_layout<logical_shape = , dim_alignments = , collapsed_intervals = dense<> : tensor<0x2xi64>, system, sharded>,
  // Text of older versions: without `sharded`, with a padding value, with an index map.
  // CHECK-SAME: a3 = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<{{\[}}[0, -1]]> : tensor<1x2xi64>, l1, sharded>
  a3 = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, -1]]> : tensor<1x2xi64>, undef, l1>,
  // CHECK-SAME: a4 = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1, sharded>
  a4 = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, zero, l1, sharded, index_map = map(0)>,
  // CHECK-SAME: a5 = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1, sharded>
  a5 = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, neginf, l1, sharded, index_map = (d0, d1, d2, d3) -> (d0, d1, d2, d3)>}

// CHECK: @buffers
func.func private @buffers(
  // CHECK-SAME: memref<2x4x1x2x!ttcore.tile<32x32, f32>, #ttcore.shard<8192x4096, 2>, #ttcore.memory_space<l1>>
  memref<2x4x1x2x!t, #ttcore.shard<8192x4096,2>, #ttcore.memory_space<l1>>,
  // CHECK-SAME: memref<3x1x2x1x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096x4096, 1>>
  memref<3x1x2x1x1x1x!t, #ttcore.shard<4096x4096x4096, 1>>,
  // CHECK-SAME: memref<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.interleaved<16384x4096>, #ttcore.memory_space<dram>>
  memref<1x1x2x4x!t, #ttcore.interleaved<16384x4096>, #ttcore.memory_space<dram>>,
  // CHECK-SAME: memref<1x2x!ttcore.tile<32x32, f32>, #ttcore.cb_layout<8192x4096, 2>>
  memref<1x2x!t, #ttcore.cb_layout<8192x4096, 2>>,
  // CHECK-SAME: memref<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.view<4>>
  memref<1x1x2x4x!t, #ttcore.view<4>>,
  // CHECK-SAME: memref<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.view<4>>
  memref<1x1x2x4x!t, #ttcore.view<map(4)>>,
  // CHECK-SAME: memref<33x128xf32, #ttcore.host_layout<logical_shape = 33x128, host_strides = 128x1, host_volume = 8192>>
  memref<33x128xf32, #ttcore.host_layout<logical_shape = 33x128, host_strides = 128x1, host_volume = 8192>>,
  // CHECK-SAME: memref<33x128xf32, #ttcore.host_layout<logical_shape = 33x128, host_strides = 128x1, host_volume = 8192, <"mesh">>>
  memref<33x128xf32, #ttcore.host_layout<logical_shape = 33x128, host_strides = 128x1, host_volume = 8192, <"mesh">>>)

// CHECK: @grids() attributes {
func.func private @grids() attributes {
  // CHECK-SAME: a = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>
  a = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>,
  // CHECK-SAME: b = #ttcore.grid<1x12, virt_to_physical_map = (d0, d1) -> (0, d1 floordiv 4, d1 mod 4), physical_to_virt_map = (d0, d1) -> (0, 0, d0 * 4 + d1)>
  b = #ttcore.grid<1x12, virt_to_physical_map = (d0, d1) -> (0, d1 floordiv 4, d1 mod 4), physical_to_virt_map = (d0, d1) -> (0, 0, d0 * 4 + d1)>,
  // CHECK-SAME: iterators = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<reduction>]
  iterators = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<reduction>],
  // CHECK-SAME: padding = [#ttcore.oob_val<undef>, #ttcore.oob_val<zero>, #ttcore.oob_val<one>, #ttcore.oob_val<inf>, #ttcore.oob_val<neginf>]
  padding = [#ttcore.oob_val<undef>, #ttcore.oob_val<zero>, #ttcore.oob_val<one>, #ttcore.oob_val<inf>, #ttcore.oob_val<neginf>]}

// CHECK: @meshes(tensor<64x64xf32, #ttcore.tensor_mesh<"mesh">>) attributes {
func.func private @meshes(tensor<64x64xf32, #ttcore.tensor_mesh<"mesh">>) attributes {
  // CHECK-SAME: a = #ttcore.mesh<"mesh" = 1x2>
  a = #ttcore.mesh<"mesh" = 1x2>,
  // CHECK-SAME: b = #ttcore.meshes<[<"mesh" = 1x2>, <"other" = 2x4>]>
  b = #ttcore.meshes<[<"mesh" = 1x2>, <"other" = 2x4>]>,
  // CHECK-SAME: c = #ttcore.mesh_topology<[ring, linear]>
  c = #ttcore.mesh_topology<[ring, linear]>,
  // CHECK-SAME: d = #ttcore.shard_direction<full_to_shard>, e = #ttcore.shard_type<devices>
  d = #ttcore.shard_direction<full_to_shard>, e = #ttcore.shard_type<devices>,
  // CHECK-SAME: f = #ttcore.shard_status<presharded>, g = #ttcore.topology<torus>
  f = #ttcore.shard_status<presharded>, g = #ttcore.topology<torus>}
