// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Errors in the text of layouts, grids and meshes.

// expected-error @+1 {{unknown field of metal_layout: 'logical_shap'; did you mean logical_shape?}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shap = 64x64>}

// -----

// expected-error @+1 {{unknown field of metal_layout: 'shraded'; did you mean sharded?}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, l1, shraded>}

// -----

// expected-error @+1 {{metal_layout has logical_shape twice}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, logical_shape = 64x64>}

// -----

#d = dense<> : tensor<0x2xi64>
// expected-error @+1 {{metal_layout has collapsed_intervals twice}}
func.func private @f() attributes {a = #ttcore.metal_layout<collapsed_intervals = #d, collapsed_intervals = #d>}

// -----

// expected-error @+1 {{metal_layout has a memory space twice}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, l1, dram>}

// -----

// expected-error @+1 {{metal_layout has a memory layout twice}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, sharded, interleaved>}

// -----

// expected-error @+1 {{metal_layout lacks logical_shape = 64x128}}
func.func private @f() attributes {a = #ttcore.metal_layout<l1>}

// -----

// expected-error @+1 {{metal_layout lacks dim_alignments = 32x32}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64>}

// -----

// expected-error @+1 {{metal_layout lacks collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32>}

// -----

// expected-error @+1 {{metal_layout lacks a memory space: l1, dram or system}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>>}

// -----

// expected-error @+1 {{expected a field of metal_layout, such as logical_shape = 64x128; layouts that begin with a map are of an old tt-mlir and not supported}}
func.func private @f() attributes {a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>>}

// -----

// expected-error @+1 {{an index_map that is not the identity is not supported: make a view with d2m.view_layout, which has the map}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, index_map = (d0, d1) -> (d1, d0)>}

// -----

// expected-error @+1 {{expected pairs of dimensions, such as dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, found 3 : i64}}
func.func private @f() attributes {a = #ttcore.metal_layout<collapsed_intervals = 3 : i64>}

// -----

// expected-error @+1 {{collapsed_intervals must be pairs of 64-bit integers, one pair for each interval (tensor<2x2xi64>), found 'tensor<1x3xi64>'}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1, 2]]> : tensor<1x3xi64>, l1>}

// -----

// expected-error @+1 {{collapsed_intervals must be pairs of 64-bit integers, one pair for each interval (tensor<2x2xi64>), found 'tensor<1x2xi32>'}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1]]> : tensor<1x2xi32>, l1>}

// -----

// expected-error @+1 {{logical_shape has rank 2, but dim_alignments has 3: give one alignment for each dimension}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 1x32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1>}

// -----

// expected-error @+1 {{the extents of logical_shape must be at least 1, found 0}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x0, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1>}

// -----

// expected-error @+1 {{the alignments must be at least 1, found 0}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 0x32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1>}

// -----

// expected-error @+1 {{the interval [0, 10] is outside of the 2 dimensions of logical_shape: its bounds must be -2 to 2}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 10]]> : tensor<1x2xi64>, l1>}

// -----

// expected-error @+1 {{the interval [-10, 1] is outside of the 1 dimension of logical_shape: its bounds must be -1 to 1}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64, dim_alignments = 32, collapsed_intervals = dense<[[-10, 1]]> : tensor<1x2xi64>, l1>}

// -----

// expected-error @+1 {{the interval [1, 0] has no dimension: its end must be greater than its start}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[1, 0]]> : tensor<1x2xi64>, l1>}

// -----

// expected-error @+1 {{dimension 0 is before the interval [1, 2] and in no other: collapsed_intervals must begin at dimension 0 and leave no gap}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[1, 2]]> : tensor<1x2xi64>, l1>}

// -----

// expected-error @+1 {{dimension 1 is in two intervals: collapsed_intervals must not overlap}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 2], [1, 2]]> : tensor<2x2xi64>, l1>}

// -----

// expected-error @+1 {{a tensor of 4294967296x4294967296 with alignments 32x32 has more than 2^56 elements}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 4294967296x4294967296, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1>}

// -----

// expected-error @+1 {{a tensor of 1x1 with alignments 9223372036854775807x2 has more than 2^56 elements}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 1x1, dim_alignments = 9223372036854775807x2, collapsed_intervals = dense<> : tensor<0x2xi64>, l1>}

// -----

// expected-error @+1 {{the memory space of a tensor must be l1, dram or system, found dst}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, dst>}

// -----

// expected-error @+1 {{the memory layout of a tensor must be sharded or interleaved, found height_sharded}}
func.func private @f() attributes {a = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1, height_sharded>}

// -----

// expected-error @+1 {{virt_to_physical_map must have one dimension for each of the grid's 2, found 3}}
func.func private @f() attributes {a = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1, d2) -> (0, d0, d1), physical_to_virt_map = (d0, d1) -> (0, d0, d1)>}

// -----

// expected-error @+1 {{the maps of a grid must have no symbols, found affine_map<(d0, d1)[s0] -> (s0, d0, d1)>}}
func.func private @f() attributes {a = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1)[s0] -> (s0, d0, d1), physical_to_virt_map = (d0, d1) -> (0, d0, d1)>}

// -----

// expected-error @+1 {{the extents of a grid must be at least 1, found 0}}
func.func private @f() attributes {a = #ttcore.grid<0x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1) -> (0, d0, d1)>}

// -----

// expected-error @+1 {{expected 'virt_to_physical_map'}}
func.func private @f() attributes {a = #ttcore.grid<8x8, map = (d0, d1) -> (0, d0, d1)>}

// -----

// expected-error @+1 {{the memref must have rank 4 (the grid's extents, then those of a shard), found rank 2}}
func.func private @f(memref<2x4xf32, #ttcore.shard<8192x4096, 1>>)

// -----

// expected-error @+1 {{the memref must have rank 4 (the grid's extents, then those of a shard), found rank 3}}
func.func private @f(memref<2x4x1xf32, #ttcore.interleaved<8192x4096>>)

// -----

// expected-error @+1 {{the memref must have rank 2 (the extents of a block), found rank 4}}
func.func private @f(memref<2x4x1x1xf32, #ttcore.cb_layout<8192x4096, 2>>)

// -----

// expected-error @+1 {{the memref must have rank 4 (that of the view), found rank 2}}
func.func private @f(memref<2x4xf32, #ttcore.view<4>>)

// -----

// expected-error @+1 {{the memref must have rank 2 (that of logical_shape), found rank 1}}
func.func private @f(memref<33xf32, #ttcore.host_layout<logical_shape = 33x128, host_strides = 128x1, host_volume = 8192>>)

// -----

// expected-error @+1 {{the rank of a view must be 1 to 64, found 4000000000}}
func.func private @f() attributes {a = #ttcore.view<4000000000>}

// -----

// expected-error @+1 {{expected the strides of a shard in bytes, such as 8192x4096}}
func.func private @f() attributes {a = #ttcore.shard<, 1>}

// -----

// expected-error @+1 {{the number of buffers must be 1 to 65536, found 0}}
func.func private @f() attributes {a = #ttcore.cb_layout<8192x4096, 0>}

// -----

// expected-error @+1 {{host_strides must have one stride for each of the 2 dimensions of logical_shape, found 1}}
func.func private @f() attributes {a = #ttcore.host_layout<logical_shape = 33x128, host_strides = 128, host_volume = 8192>}

// -----

// expected-error @+1 {{extents and strides must be at least 1, found 33 and 0}}
func.func private @f() attributes {a = #ttcore.host_layout<logical_shape = 33x128, host_strides = 0x1, host_volume = 8192>}

// -----

// expected-error @+1 {{host_volume is 4000, but the last element is number 4224}}
func.func private @f() attributes {a = #ttcore.host_layout<logical_shape = 33x128, host_strides = 128x1, host_volume = 4000>}

// -----

// expected-error @+1 {{a buffer of the host can have at most 2^56 elements}}
func.func private @f() attributes {a = #ttcore.host_layout<logical_shape = 4294967296x4294967296, host_strides = 4294967296x1, host_volume = 8192>}

// -----

// expected-error @+1 {{the mesh "mesh" must have at least one dimension}}
func.func private @f() attributes {a = #ttcore.mesh<"mesh" = >}

// -----

// expected-error @+1 {{the extents of a mesh must be at least 1, found 0}}
func.func private @f() attributes {a = #ttcore.mesh<"mesh" = 0x2>}

// -----

// expected-error @+1 {{a mesh can have at most 1048576 chips}}
func.func private @f() attributes {a = #ttcore.mesh<"mesh" = 4294967296x4294967296>}

// -----

// expected-error @+1 {{two meshes have the name "mesh"}}
func.func private @f() attributes {a = #ttcore.meshes<[<"mesh" = 1x2>, <"mesh" = 2x4>]>}

// -----

// expected-error @+1 {{unknown attribute of ttcore: 'metal_layuot'; did you mean metal_layout?}}
func.func private @f() attributes {a = #ttcore.metal_layuot<logical_shape = 64x64>}
