// RUN: ttl-opt %s --remove-dead-values --canonicalize | FileCheck %s

// Upstream passes see through RegionBranchOpInterface which values enter and leave a region.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

// A yielded value without users is not computed; a stored value is.
// CHECK-LABEL: func.func @results
func.func @results(%a: !block, %y: !block) {
  // CHECK: %[[R:.+]] = ttl.compute_region ins(%{{.+}} : !block) {
  // CHECK-NOT: ttl.block_exp
  // CHECK: ttl.block_abs
  // CHECK-NEXT: ttl.yield %{{.+}} : tensor<1x1x!ttcore.tile<32x32, f32>>
  %r:2 = ttl.compute_region ins(%a : !block) {
  ^bb0(%p: !block):
    %0 = ttl.block_exp %p : (!block) -> !e
    %1 = ttl.block_abs %p : (!block) -> !e
    ttl.yield %0, %1 : !e, !e
  } -> !e, !e
  ttl.block_store %y, %r#1 : !block, !e
  // CHECK: ttl.compute_region
  // CHECK: ttl.block_neg
  // CHECK: ttl.yield %{{.+}} : tensor<1x1x!ttcore.tile<32x32, f32>>
  ttl.compute_region ins(%a : !block) outs(%y : !block) {
  ^bb0(%p: !block):
    %0 = ttl.block_neg %p : (!block) -> !e
    ttl.yield %0 : !e
  }
  return
}
