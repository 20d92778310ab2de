// RUN: ttl-opt %s | FileCheck %s
// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --canonicalize | FileCheck %s --check-prefix=CANON

!rows = !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, -1]>>
!both = !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, 1]>>
!whole = !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [-1, -1]>>
!sums = !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [sum, -1]>>

// CHECK-LABEL: func.func private @types(
// CHECK-SAME: !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, -1]>>,
// CHECK-SAME: !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, -1]>>,
// CHECK-SAME: !ttl.dist_tensor<16xf32, #ttl.placement<mesh = [4, 2], dims = [0, 0]>>,
// CHECK-SAME: !ttl.dist_tensor<4x2x!ttcore.tile<32x32, f32>, #ttl.placement<mesh = [4], dims = [0]>>,
// CHECK-SAME: !ttl.dist_tensor<f32, #ttl.placement<mesh = [2], dims = [sum]>>)
func.func private @types(
    !rows, !ttl.dist_tensor<8192x784xbf16, <mesh = [4, 2], dims = [0, -1]>>,
    !ttl.dist_tensor<16xf32, #ttl.placement<mesh = [4, 2], dims = [0, 0]>>,
    !ttl.dist_tensor<4x2x!ttcore.tile<32x32, f32>, #ttl.placement<mesh = [4], dims = [0]>>,
    !ttl.dist_tensor<f32, #ttl.placement<mesh = [2], dims = [sum]>>)

// Text in the spelling of the design documents.
// CHECK-LABEL: func.func private @design(
// CHECK-SAME: !ttl.dist_tensor<64x16xf32, #ttl.placement<mesh = [4, 2], dims = [0, 1]>>,
// CHECK-SAME: !ttl.dist_tensor<64x16xf32, #ttl.placement<mesh = [4, 2], dims = [0, 1]>>,
// CHECK-SAME: !ttl.dist_tensor<64x16xf32, #ttl.placement<mesh = [4, 2], dims = [0, 1]>>,
// CHECK-SAME: !ttl.dist_tensor<16x8xf32, #ttl.placement<mesh = [4, 2], dims = [-1, -1]>>)
func.func private @design(
    !ttl.dist_tensor<grid = [4, 2], shard = [16, 8], f32>,
    !ttl.dist_tensor<grid=[4,2], shard=[16,8], f32, sharded, DRAM>,
    !ttl.dist_tensor<[4, 2], [16, 8], f32, sharded, dram>,
    !ttl.dist_tensor<grid = [4, 2], shard = [16, 8], f32, replicated>)

// CHECK-LABEL: func.func @ops(
// CHECK: %[[PART:.*]] = ttl.extract_shard %arg0 : !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, -1]>> -> tensor<2048x784xbf16>
// CHECK: %[[T:.*]] = ttl.from_shards %[[PART]] : tensor<2048x784xbf16> -> !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, -1]>>
// CHECK: ttl.redistribute %[[T]] : !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, -1]>> -> !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, 1]>>
func.func @ops(%t: !rows) -> !both {
  %part = ttl.extract_shard %t : !rows -> tensor<2048x784xbf16>
  %u = ttl.from_shards %part : tensor<2048x784xbf16> -> !rows
  %v = ttl.redistribute %u : !rows -> !both
  return %v : !both
}

// Types and strategies in the spelling of the design documents.
// CHECK-LABEL: func.func @short(
// CHECK: ttl.extract_shard %arg0 : !ttl.dist_tensor<{{.*}}> -> tensor<2048x784xbf16>
// CHECK: ttl.redistribute %arg0 : {{.*}} -> !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [-1, -1]>>
// CHECK: ttl.redistribute %arg0 : {{.*}} -> !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, 1]>>
func.func @short(%t: !rows) -> (tensor<2048x784xbf16>, !whole, !both) {
  %part = ttl.extract_shard %t
  %u = ttl.redistribute %t strategy=replicated
  %v = ttl.redistribute %t strategy = sharded
  return %part, %u, %v : tensor<2048x784xbf16>, !whole, !both
}

// CHECK-LABEL: func.func @collective(
// CHECK: ttl.collective "all_to_all" %arg0 axis 1 of [2, 4] dims 0 to 1 sends 192 {ttcore.shard_group = #ttcore.shard_group<0, 1>} : tensor<8x8xf32> -> tensor<32x2xf32>
// CHECK: ttl.collective "all_reduce" %arg0 axis 0 of [2, 4] dims -2 to -1 sends 256 : tensor<8x8xf32> -> tensor<8x8xf32>
func.func @collective(%a: tensor<8x8xf32>) -> (tensor<32x2xf32>, tensor<8x8xf32>) {
  %b = ttl.collective "all_to_all" %a axis 1 of [2, 4] dims 0 to 1 sends 192 {ttcore.shard_group = #ttcore.shard_group<0, 1>} : tensor<8x8xf32> -> tensor<32x2xf32>
  %c = ttl.collective "all_reduce" %a axis 0 of [2, 4] dims -2 to -1 sends 256 : tensor<8x8xf32> -> tensor<8x8xf32>
  return %b, %c : tensor<32x2xf32>, tensor<8x8xf32>
}

// CANON-LABEL: func.func @same_placement(
// CANON-NEXT: return %arg0
func.func @same_placement(%t: !rows) -> !rows {
  %u = ttl.redistribute %t : !rows -> !rows
  return %u : !rows
}

// CANON-LABEL: func.func @chain(
// CANON-NEXT: %[[U:.*]] = ttl.redistribute %arg0 : !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, -1]>> -> !ttl.dist_tensor<8192x784xbf16, #ttl.placement<mesh = [4, 2], dims = [0, 1]>>
// CANON-NEXT: return %[[U]]
func.func @chain(%t: !rows) -> !both {
  %u = ttl.redistribute %t : !rows -> !whole
  %v = ttl.redistribute %u : !whole -> !both
  return %v : !both
}

// Not folded: another op needs the placement between, or the order of the sums would change.
// CANON-LABEL: func.func @kept_chains(
// CANON-COUNT-4: ttl.redistribute
func.func @kept_chains(%t: !rows, %s: !sums) -> (!whole, !both, !both) {
  %u = ttl.redistribute %t : !rows -> !whole
  %v = ttl.redistribute %u : !whole -> !both
  %w = ttl.redistribute %s : !sums -> !whole
  %x = ttl.redistribute %w : !whole -> !both
  return %u, %v, %x : !whole, !both, !both
}

// CANON-LABEL: func.func @there_and_back(
// CANON-NEXT: return %arg0, %arg1
func.func @there_and_back(%t: !rows, %s: tensor<2048x784xbf16>) -> (!rows, tensor<2048x784xbf16>) {
  %part = ttl.extract_shard %t : !rows -> tensor<2048x784xbf16>
  %u = ttl.from_shards %part : tensor<2048x784xbf16> -> !rows
  %v = ttl.from_shards %s : tensor<2048x784xbf16> -> !rows
  %w = ttl.extract_shard %v : !rows -> tensor<2048x784xbf16>
  return %u, %w : !rows, tensor<2048x784xbf16>
}

// Not folded: the parts become those of a tensor with another placement.
// CANON-LABEL: func.func @other_placement(
// CANON: ttl.extract_shard
// CANON: ttl.from_shards
func.func @other_placement(%t: !rows) -> !ttl.dist_tensor<2048x784xbf16, #ttl.placement<mesh = [4, 2], dims = [-1, -1]>> {
  %part = ttl.extract_shard %t : !rows -> tensor<2048x784xbf16>
  %u = ttl.from_shards %part : tensor<2048x784xbf16> -> !ttl.dist_tensor<2048x784xbf16, #ttl.placement<mesh = [4, 2], dims = [-1, -1]>>
  return %u : !ttl.dist_tensor<2048x784xbf16, #ttl.placement<mesh = [4, 2], dims = [-1, -1]>>
}
