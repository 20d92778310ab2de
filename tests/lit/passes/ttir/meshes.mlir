// RUN: ttl-opt %s --ttl-lower-redistribute --ttir-to-ttl | FileCheck %s

// Kernels run on the four devices of the mesh. A collective works on tensors of the devices.

!rows = !ttl.dist_tensor<64x64xf32, #ttl.placement<mesh = [4], dims = [0]>>
!whole = !ttl.dist_tensor<64x64xf32, #ttl.placement<mesh = [4], dims = [-1]>>

// CHECK-LABEL: func.func @main(
// CHECK: ttl.launch @main_0_exp
// CHECK: ttl.collective "all_gather" %{{.*}} : tensor<16x64xf32, #{{.*}}> -> tensor<64x64xf32, #{{.*}}>
// CHECK: ttl.launch @main_1_sum
// CHECK: ttl.kernel @main_0_exp({{.*}}grid = #ttcore.grid<4x1>, ttl.devices = 4 : i64, ttl.mesh = array<i64: 4>
// CHECK: ttl.kernel @main_1_sum({{.*}}grid = #ttcore.grid<4x1>, ttl.devices = 4 : i64, ttl.mesh = array<i64: 4>
// CHECK: %[[CORE:.*]]:2 = ttl.core
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: arith.remui %[[CORE]]#0, %[[ONE]]
func.func @main(%t: !rows) -> !ttl.dist_tensor<64x1xf32, #ttl.placement<mesh = [4], dims = [-1]>> {
  %a = ttl.extract_shard %t : !rows -> tensor<16x64xf32>
  %b = "ttir.exp"(%a) : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %u = ttl.from_shards %b : tensor<16x64xf32> -> !rows
  %v = ttl.redistribute %u : !rows -> !whole
  %c = ttl.extract_shard %v : !whole -> tensor<64x64xf32>
  %d = "ttir.sum"(%c) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x64xf32>) -> tensor<64x1xf32>
  %w = ttl.from_shards %d : tensor<64x1xf32> -> !ttl.dist_tensor<64x1xf32, #ttl.placement<mesh = [4], dims = [-1]>>
  return %w : !ttl.dist_tensor<64x1xf32, #ttl.placement<mesh = [4], dims = [-1]>>
}
