// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Layouts of tt-mlir that are refused.

// expected-error @+1 {{unknown attribute of ttnn: 'mesh'; expected buffer_type, core_range, core_range_set, layout, shape, tensor_memory_layout or ttnn_layout}}
func.func private @f() attributes {a = #ttnn.mesh<2x2>}

// -----

// expected-error @+1 {{unknown buffer type: 'sram'; expected dram, l1 or system_memory}}
func.func private @f() attributes {a = #ttnn.buffer_type<sram>}

// -----

// expected-error @+1 {{unknown memory layout: 'scattered'; expected interleaved, height_sharded, width_sharded, block_sharded or sharded}}
func.func private @f() attributes {a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xf32, #ttnn.buffer_type<dram>>, <scattered>>}

// -----

// expected-error @+1 {{expected a memref in a #ttnn.buffer_type, found 'memref<64x64xf32>'}}
func.func private @f() attributes {a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xf32>, <interleaved>>}

// -----

// expected-error @+1 {{unknown type of ttnn: 'devise'; expected device or global_semaphore}}
func.func private @f(!ttnn.devise)
