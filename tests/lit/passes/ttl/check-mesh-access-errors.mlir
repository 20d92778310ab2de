// RUN: ttl-opt %s --ttl-check-mesh-access --split-input-file --verify-diagnostics

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

ttl.kernel @axis(%t: !tensor) attributes {grid = #ttcore.grid<2x1x1>} {
  ttl.datamovement_thread "reader" {
    // expected-error @+1 {{ttl.mesh_shards must be a list of array<i64: dimension of the tensor, axis of the grid, extent of a part>, found [array<i64: 0, 3, 2>]}}
    %acc = ttl.tensor_accessor %t {ttl.mesh_shards = [array<i64: 0, 3, 2>]} : !tensor -> !ttl.accessor<!tensor>
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

ttl.kernel @kind(%t: !tensor) attributes {grid = #ttcore.grid<2x1x1>} {
  ttl.datamovement_thread "reader" {
    // expected-error @+1 {{must be a list of array<i64: dimension of the tensor, axis of the grid, extent of a part>, found 1 : i64}}
    %acc = ttl.tensor_accessor %t {ttl.mesh_shards = 1} : !tensor -> !ttl.accessor<!tensor>
  }
}

// -----

!tensor = tensor<128x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

ttl.kernel @extent(%t: !tensor) attributes {grid = #ttcore.grid<2x1x1>} {
  ttl.datamovement_thread "reader" {
    // expected-error @+1 {{found [array<i64: 0, 0, 0>]}}
    %acc = ttl.tensor_accessor %t {ttl.mesh_shards = [array<i64: 0, 0, 0>]} : !tensor -> !ttl.accessor<!tensor>
  }
}
