// RUN: ttl-opt %s --ttl-lower-redistribute | FileCheck %s
// RUN: ttl-opt %s --ttl-lower-redistribute=plan=false | FileCheck %s --check-prefix=GROUPS
// RUN: ttl-opt %s --ttl-lower-redistribute=remarks=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS

!rows = !ttl.dist_tensor<64x64xf32, #ttl.placement<mesh = [2, 4], dims = [0, -1]>>
!columns = !ttl.dist_tensor<64x64xf32, #ttl.placement<mesh = [2, 4], dims = [-1, 1]>>
!turned = !ttl.dist_tensor<64x64xf32, #ttl.placement<mesh = [2, 4], dims = [1, -1]>>
!whole = !ttl.dist_tensor<64x64xf32, #ttl.placement<mesh = [2, 4], dims = [-1, -1]>>
!sums = !ttl.dist_tensor<64x64xf32, #ttl.placement<mesh = [2, 4], dims = [sum, -1]>>

// The slice is first, because it makes the tensor that is gathered smaller.
// CHECK-LABEL: func.func @slice_first(
// CHECK-SAME: %arg0: tensor<32x64xf32> {ttl.dist = !ttl.dist_tensor<64x64xf32, #ttl.placement<mesh = [2, 4], dims = [0, -1]>>})
// CHECK-SAME: -> (tensor<64x16xf32> {ttl.dist = !ttl.dist_tensor<64x64xf32, #ttl.placement<mesh = [2, 4], dims = [-1, 1]>>})
// CHECK-SAME: attributes {ttl.mesh = array<i64: 2, 4>}
// CHECK-NEXT: %[[CUT:.*]] = ttl.collective "mesh_partition" %arg0 axis 1 of [2, 4] dims -1 to 1 sends 0 : tensor<32x64xf32> -> tensor<32x16xf32>
// CHECK-NEXT: %[[ALL:.*]] = ttl.collective "all_gather" %[[CUT]] axis 0 of [2, 4] dims 0 to -1 sends 2048 : tensor<32x16xf32> -> tensor<64x16xf32>
// CHECK-NEXT: return %[[ALL]]
// REMARKS: lower-redistribute.mlir:[[@LINE+2]]:8: remark: redistributes by mesh_partition(dim 1, axis 1), 0 bytes, then all_gather(dim 0, axis 0), 2048 bytes
func.func @slice_first(%t: !rows) -> !columns {
  %u = ttl.redistribute %t : !rows -> !columns
  return %u : !columns
}

// CHECK-LABEL: func.func @turn(
// CHECK-NEXT: ttl.collective "all_to_all" %arg0 axis 0 of [2, 4] dims 0 to 1 sends 4096 : tensor<32x64xf32> -> tensor<64x32xf32>
// REMARKS: remark: redistributes by all_to_all(dim 0 to 1, axis 0), 4096 bytes
func.func @turn(%t: !rows) -> !turned {
  %u = ttl.redistribute %t : !rows -> !turned
  return %u : !turned
}

// CHECK-LABEL: func.func @add(
// CHECK-NEXT: ttl.collective "reduce_scatter" %arg0 axis 0 of [2, 4] dims -2 to 0 sends 8192 : tensor<64x64xf32> -> tensor<32x64xf32>
// CHECK-NEXT: ttl.collective "all_reduce" %arg0 axis 0 of [2, 4] dims -2 to -1 sends 16384 : tensor<64x64xf32> -> tensor<64x64xf32>
func.func @add(%t: !sums) -> (!rows, !whole) {
  %u = ttl.redistribute %t : !sums -> !rows
  %v = ttl.redistribute %t : !sums -> !whole
  return %u, %v : !rows, !whole
}

// Other ops work on the parts.
// CHECK-LABEL: func.func @parts(
// CHECK-NEXT: %[[EXP:.*]] = "ttir.exp"(%arg0)
// CHECK-NEXT: %[[ALL:.*]] = ttl.collective "all_gather" %[[EXP]]
// CHECK-NEXT: return %[[ALL]]
// REMARKS: remark: redistributes by nothing
func.func @parts(%t: !rows) -> !whole {
  %a = ttl.extract_shard %t : !rows -> tensor<32x64xf32>
  %b = "ttir.exp"(%a) : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %u = ttl.from_shards %b : tensor<32x64xf32> -> !rows
  %v = ttl.redistribute %u : !rows -> !rows
  %w = ttl.redistribute %v : !rows -> !whole
  return %w : !whole
}

// Both results need the slice, which is made once. Slices of another tensor are separate.
// CHECK-LABEL: func.func @shared(
// CHECK-COUNT-1: mesh_partition
// CHECK-NOT: mesh_partition
// CHECK-COUNT-1: all_gather
// CHECK: mesh_partition{{.*}} %arg1
// CHECK-NOT: shard_group
// GROUPS-LABEL: func.func @shared(
// GROUPS: mesh_partition{{.*}} %arg0 {{.*}} {ttcore.shard_group = #ttcore.shard_group<0, 1>}
// GROUPS: all_gather{{.*}}shard_group<0, 2>
// GROUPS: mesh_partition{{.*}} %arg0 {{.*}} {ttcore.shard_group = #ttcore.shard_group<0, 3>}
// GROUPS: mesh_partition{{.*}} %arg1 {{.*}} {ttcore.shard_group = #ttcore.shard_group<1, 1>}
!cut = !ttl.dist_tensor<64x64xf32, #ttl.placement<mesh = [2, 4], dims = [0, 1]>>
func.func @shared(%t: !rows, %s: !rows) -> (!columns, !cut, !cut) {
  %u = ttl.redistribute %t : !rows -> !columns
  %v = ttl.redistribute %t : !rows -> !cut
  %w = ttl.redistribute %s : !rows -> !cut
  return %u, %v, %w : !columns, !cut, !cut
}

// CHECK-LABEL: func.func private @declared(tensor<32x64xf32> {ttl.dist = !ttl.dist_tensor<
func.func private @declared(!rows) -> !whole

// CHECK-LABEL: func.func @others(
// CHECK-NOT: ttl.mesh
func.func @others(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
