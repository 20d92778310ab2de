// RUN: ttl-opt %s | FileCheck %s

// Layouts in tt-mlir's spelling become layouts of this project when they are read.

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xf32, #dram>, <interleaved>>
#shards = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>

// CHECK-DAG: #[[TILES:.+]] = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>
// CHECK-DAG: #[[ROWS:.+]] = #ttl.tensor_encoding<dram, <interleaved>>
// CHECK-DAG: #[[SHARDS:.+]] = #ttl.tensor_encoding<l1, <block_sharded, tile = 32x32, grid = 2x4, shard = 32x64>>
// CHECK: func.func private @tensors(tensor<64x64xf32, #[[TILES]]>, tensor<64x64xf32, #[[ROWS]]>, tensor<64x256xbf16, #[[SHARDS]]>)
// CHECK-SAME: space = #ttcore.memory_space<system>
func.func private @tensors(tensor<64x64xf32, #tiles>, tensor<64x64xf32, #rows>, tensor<64x256xbf16, #shards>)
    attributes {space = #ttnn.buffer_type<system_memory>}

// Devices and configurations are kept as text.

// CHECK: func.func private @configured(!ttnn.device)
// CHECK-SAME: extents = array<i64: 32, 64>
// CHECK-SAME: memory = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>
// CHECK-SAME: mesh = #ttnn<mesh_shape 1x1>
// CHECK-SAME: scalar = array<i64>
func.func private @configured(!ttnn.device) attributes {
    extents = #ttnn.shape<32x64>, memory = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>,
    mesh = #ttnn<mesh_shape 1x1>, scalar = #ttnn.shape<>}

// CHECK: func.func private @arguments(tensor<2x3x4xbf16, #ttnn.ttnn_layout<{{.*}}>> {ttcore.argument_type = #ttcore.argument_type<parameter>
// CHECK-SAME: ttcore.shard_status = #ttcore.shard_status<presharded>
func.func private @arguments(
    tensor<2x3x4xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0, d1, d2), <1x1>, memref<2x3x4xbf16, #dram>, <interleaved>>>
    {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.shard_status = #ttcore.shard_status<presharded>})
