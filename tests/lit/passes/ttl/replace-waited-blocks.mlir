// RUN: ttl-opt %s --ttl-replace-waited-blocks | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

// After a store into a waited block, reads use the new block. Both blocks are popped.
// CHECK-LABEL: ttl.kernel @replace
// CHECK: %[[NEW:.+]] = ttl.create_cb "a_replaced" {compiler_made} : !cb1
// CHECK: scf.for
// CHECK: %[[A:.+]] = ttl.cb_wait
// CHECK: %[[E:.+]] = ttl.block_exp %[[A]]
// CHECK: %[[R:.+]] = ttl.cb_reserve %[[NEW]]
// CHECK-NEXT: ttl.block_store %[[R]], %[[E]]
// CHECK-NEXT: ttl.cb_push %[[R]]
// CHECK-NEXT: %[[W:.+]] = ttl.cb_wait %[[NEW]]
// CHECK: scf.if
// CHECK-NEXT: ttl.block_store %{{.*}}, %[[W]]
// CHECK: ttl.cb_pop %[[W]]
// CHECK-NEXT: ttl.cb_pop %[[A]]
ttl.kernel @replace() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a" : !cb
  %y_dfb = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    scf.for %i = %c0 to %c4 step %c1 {
      %a = ttl.cb_wait %a_dfb : !block
      %y = ttl.cb_reserve %y_dfb : !block
      %e = ttl.block_exp %a : (!block) -> !e
      ttl.block_store %a, %e : !block, !e
      scf.if %true {
        ttl.block_store %y, %a : !block, !block
      }
      ttl.cb_push %y : !block
      ttl.cb_pop %a : !block
    }
  }
}
