// RUN: ttl-opt %s --ttl-canonicalize | FileCheck %s

// Ops of tt-lang's own ttl dialect name buffers instead of blocks: a release means the oldest open block,
// a copy means the latest one.

!tensor = tensor<128x64xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, bf16>>, !cb>
!e = tensor<2x1x!ttcore.tile<32x32, bf16>>

// CHECK-LABEL: ttl.kernel @blocks
ttl.kernel @blocks(%t: !tensor) attributes {grid = #ttcore.grid<8x8>} {
  %a = ttl.bind_cb {cb_index = 0} : !cb
  %y = ttl.bind_cb {cb_index = 16} : !cb
  // CHECK: ttl.datamovement_thread "reader"
  ttl.datamovement_thread "reader" {
    // CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : index
    // CHECK-DAG: %[[CORE:.+]]:2 = ttl.core : index, index
    %i = ttl.core_x : index
    %j = ttl.core_y : index
    // CHECK: %[[OLD:.+]] = ttl.cb_reserve
    ttl.cb_reserve %a : !cb -> !e
    // CHECK: %[[ACC:.+]] = ttl.tensor_accessor
    // CHECK: %[[S:.+]] = ttl.index_accessor %[[ACC]][%{{.+}}#0, %{{.+}}#1]
    // CHECK: %[[X:.+]] = ttl.copy %[[S]], %[[OLD]]
    %s = ttl.tensor_slice %t[%i, %j] : !tensor -> !tensor
    %x = ttl.copy %s, %a : (!tensor, !cb) -> !ttl.transfer_handle<read>
    // CHECK: %[[NEW:.+]] = ttl.cb_reserve
    ttl.cb_reserve %a : !cb -> !e
    // CHECK: %[[S1:.+]] = ttl.index_accessor %{{.+}}[%[[ZERO]], %[[ZERO]]]
    // CHECK: %[[X1:.+]] = ttl.copy %[[S1]], %[[NEW]]
    %x1 = ttl.copy %t, %a : (!tensor, !cb) -> !ttl.transfer_handle<read>
    // CHECK: ttl.wait %[[X]]
    // CHECK: ttl.wait %[[X1]]
    ttl.wait %x : !ttl.transfer_handle<read>
    ttl.wait %x1 : !ttl.transfer_handle<read>
    // CHECK: ttl.cb_push %[[OLD]]
    // CHECK: ttl.cb_push %[[NEW]]
    ttl.cb_push %a : !cb
    ttl.cb_push %a : !cb
  }
  // CHECK: ttl.datamovement_thread "writer"
  ttl.datamovement_thread "writer" {
    // CHECK: %[[B:.+]] = ttl.cb_wait
    // CHECK: ttl.copy %[[B]], %{{.+}} : !block
    // CHECK: ttl.cb_pop %[[B]]
    ttl.cb_wait %y : !cb -> !e
    %x = ttl.copy %y, %t : (!cb, !tensor) -> !ttl.transfer_handle<write>
    ttl.wait %x : !ttl.transfer_handle<write>
    ttl.cb_pop %y : !cb
  }
  // CHECK: ttl.compute_thread "compute"
  ttl.compute_thread "compute" {
    // CHECK: %[[V:.+]] = ttl.cb_wait
    // CHECK: %[[O:.+]] = ttl.cb_reserve
    // CHECK: %[[E:.+]] = ttl.block_exp %[[V]] : (!block) -> tensor<2x1x!ttcore.tile<32x32, f32>>
    // CHECK: ttl.block_store %[[O]], %[[E]]
    // CHECK: ttl.cb_push %[[O]]
    // CHECK: ttl.cb_pop %[[V]]
    %v = ttl.cb_wait %a : !cb -> !e
    %o = ttl.cb_reserve %y : !block
    %w = ttl.attach_cb %v, %a : (!e, !cb) -> !e
    %e = ttl.exp %w : !e -> !e
    ttl.block_store %o, %e : !block, !e
    ttl.cb_push %y : !cb
    ttl.cb_pop %a : !cb
  }
}

// Coordinates of a copy become a slice that starts there. An accessor may already be the window
// of a node.
// CHECK-LABEL: ttl.kernel @coordinates
ttl.kernel @coordinates(%t: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.bind_cb {cb_index = 0} : !cb
  // CHECK: ttl.datamovement_thread "reader"
  ttl.datamovement_thread "reader" {
    // CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : index
    // CHECK-DAG: %[[TWO:.+]] = arith.constant 2 : index
    // CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %out = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %window = ttl.grid_slice %out {block_factors = array<i64: 4, 2>} : !ttl.accessor<!tensor>
    %b = ttl.cb_reserve %a : !block
    // CHECK: %[[S:.+]] = ttl.index_accessor %{{.+}}[%[[TWO]], %[[ONE]]] : !accessor -> !slice
    // CHECK: ttl.copy %[[S]], %[[B:.+]] : !slice, !block
    %x = ttl.copy %acc, %b {src_coords = [2, 1]} : !ttl.accessor<!tensor>, !block
    ttl.wait %x
    // CHECK: %[[D:.+]] = ttl.index_accessor %{{.+}}[%[[ONE]], %[[ZERO]]] : !accessor -> !slice
    // CHECK: ttl.copy %[[B]], %[[D]] : !block, !slice
    %z = ttl.copy %b, %window {dst_coords = [1, 0]} : !block, !ttl.accessor<!tensor>
    ttl.wait %z
    ttl.cb_push %b : !block
  }
}

// A tile is stored at its place in a reserved block: in the only tile, or in the tile of the loops'
// iteration.
!t = !ttcore.tile<32x32, bf16>
// CHECK-LABEL: ttl.kernel @stores
ttl.kernel @stores() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.bind_cb {cb_index = 0} : !cb
  %y = ttl.bind_cb {cb_index = 16} : !cb
  // CHECK: ttl.compute_thread "compute"
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // CHECK-NOT: ttl.init_sfpu
    ttl.init_sfpu(%a, %y) : !cb, !cb
    %in = ttl.cb_wait %a : !block
    // CHECK: %[[OUT:.+]] = ttl.cb_reserve
    %out = ttl.cb_reserve %y : !cb -> !e
    // CHECK: scf.for %[[I:.+]] = %c0 to %c2 step %c1
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c1 step %c1 {
        // CHECK: ttl.get_tile %{{.+}}[%[[I]]]
        %n = ttl.linearized_index affine_map<(d0, d1) -> (d0 + d1)> : index
        %0 = ttl.get_tile %in[%n] : !block -> !t
        // CHECK: ttl.pack_tile %{{.+}}, %[[OUT]][%[[I]]]
        ttl.store %0, %out : !t, !e
      }
    }
    ttl.cb_pop %a : !cb
    ttl.cb_push %y : !cb
  }
}
