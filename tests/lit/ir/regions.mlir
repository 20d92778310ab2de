// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

// Regions of block expressions are printed and read again.

!cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<2x1x!ttcore.tile<32x32, f32>>

// CHECK-LABEL: func.func @regions
// CHECK-SAME: (%[[A:.+]]: !block, %[[Y:.+]]: !block)
func.func @regions(%a: !block, %y: !block) {
  // CHECK: %[[V:.+]] = ttl.block_compute {
  // CHECK:   %[[ABS:.+]] = ttl.block_abs %[[A]]
  // CHECK:   ttl.yield %[[ABS]] : tensor<2x1x!ttcore.tile<32x32, f32>>
  // CHECK: } -> tensor<2x1x!ttcore.tile<32x32, f32>>
  %v = ttl.block_compute {
    %0 = ttl.block_abs %a : (!block) -> !e
    ttl.yield %0 : !e
  } -> !e
  // CHECK: ttl.compute_region ins(%[[A]], %[[V]] : !block, tensor<2x1x!ttcore.tile<32x32, f32>>) outs(%[[Y]] : !block) keep_in_dst {
  // CHECK: ^bb0(%{{.+}}: !block, %{{.+}}: tensor<2x1x!ttcore.tile<32x32, f32>>):
  // CHECK:   ttl.yield %{{.+}} : tensor<2x1x!ttcore.tile<32x32, f32>>
  // CHECK: }{{$}}
  ttl.compute_region ins(%a, %v : !block, !e) outs(%y : !block) keep_in_dst {
  ^bb0(%p: !block, %q: !e):
    %0 = ttl.block_add %p, %q : (!block, !e) -> !e
    ttl.yield %0 : !e
  }
  // CHECK: ttl.compute_region ins() {
  // CHECK: } -> tensor<2x1x!ttcore.tile<32x32, f32>>, tensor<2x1x!ttcore.tile<32x32, f32>>
  %s:2 = ttl.compute_region ins() {
    ttl.yield %v, %v : !e, !e
  } -> !e, !e
  return
}
