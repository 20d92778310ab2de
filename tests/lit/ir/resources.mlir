// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

// Ops that describe a kernel's tensors, the cores on which buffers exist, and windows of tensors.

!cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
#dram_tiled = #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>
!tensor = tensor<128x64xf32, #dram_tiled>
!accessor = !ttl.accessor<!tensor>

// CHECK: ttl.kernel @kernel(%{{.+}}: tensor<128x64xf32, #dram_tiled>) attributes {block_factors = {{\[}}[2, 1]], compute_config = #ttcore.compute_config<math_fidelity = hifi2>, grid = #ttcore.grid<8x8>, memory_space = #ttcore.memory_space<dram>, tiled = true}
ttl.kernel @kernel(%t: !tensor) attributes {
    grid = #ttcore.grid<8x8>, block_factors = [[2, 1]], memory_space = #ttcore.memory_space<dram>,
    tiled = true, compute_config = #ttcore.compute_config<math_fidelity = hifi2>} {
  // CHECK: ttl.create_cb "a" {core_ranges = #ttcore.core_range_set<[<(0, 0), (3, 7)>, <(4, 0), (4, 0)>]>} : !cb
  %a = ttl.create_cb "a" {
      core_ranges = #ttcore.core_range_set<[<(0, 0), (3, 7)>, <(4, 0), (4, 0)>]>} : !cb
  // CHECK: ttl.create_cb "b" in(%{{.+}} : tensor<128x64xf32, #dram_tiled>) : !cb
  %b = ttl.create_cb "b" in(%t : !tensor) : !cb
  // CHECK: ttl.create_cb "c" in(%{{.+}} : tensor<128x64xf32, #dram_tiled>) {byte_offset = 4096 : i64} : !cb
  %c = ttl.create_cb "c" in(%t : !tensor) {byte_offset = 4096 : i64} : !cb
  ttl.datamovement_thread "reader" {
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    // CHECK: ttl.grid_slice %{{.+}} {block_factors = array<i64: 2, 1>} : !accessor
    %w = ttl.grid_slice %acc {block_factors = array<i64: 2, 1>} : !accessor
  }
}

// CHECK: func.func private @attributes() attributes {range = #ttcore.core_range<(1), (3)>}
func.func private @attributes() attributes {range = #ttcore.core_range<(1), (3)>}
