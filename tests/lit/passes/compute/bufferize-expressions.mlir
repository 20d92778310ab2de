// RUN: ttl-opt %s --ttl-bufferize-expressions --split-input-file --verify-diagnostics | FileCheck %s

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, bf16>>, !cb>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>

// Each expression is computed into its own Float32 block, which its users read. The block is
// popped after the last user.
// CHECK-LABEL: ttl.kernel @unfused
ttl.kernel @unfused() attributes {grid = #ttcore.grid<1x1>} {
  // CHECK-DAG: %[[ABUF:.+]] = ttl.create_cb "a_dfb"
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  // CHECK-DAG: %[[TMP:.+]] = ttl.create_cb "tmp" {compiler_made} : !cb{{[0-9]*}}
  // CHECK-DAG: %[[TMP1:.+]] = ttl.create_cb "tmp1" {compiler_made} : !cb{{[0-9]*}}
  // CHECK: ttl.compute_thread "compute"
  ttl.compute_thread "compute" {
    %flag = arith.constant 1 : i32
    // CHECK: %[[A:.+]] = ttl.cb_wait %[[ABUF]]
    // CHECK: %[[Y:.+]] = ttl.cb_reserve
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    // CHECK: %[[R:.+]] = ttl.cb_reserve %[[TMP]]
    // CHECK: ttl.compute ins(%[[A]] : {{.+}}) outs(%[[R]] :
    // CHECK: ttl.tile_exp
    // CHECK: ttl.cb_push %[[R]]
    // CHECK: %[[E:.+]] = ttl.cb_wait %[[TMP]]
    %e = ttl.block_exp %a : (!block) -> !e
    // CHECK: ttl.compute ins(%[[A]], %[[E]]
    // CHECK: ttl.tile_mul
    // CHECK: %[[M:.+]] = ttl.cb_wait %[[TMP1]]
    %m = ttl.block_mul %a, %e : (!block, !e) -> !e
    // CHECK: ttl.compute ins(%[[M]] : {{.+}}) outs(%[[Y]] : {{.+}}) accumulate
    // CHECK: ttl.cb_pop %[[M]]
    // CHECK: ttl.compute ins(%[[E]] : {{.+}}) outs(%[[Y]] : {{.+}}) attributes
    // CHECK: ttl.cb_pop %[[E]]
    ttl.block_store %y, %m accumulate %flag : !block, !e
    ttl.block_store %y, %e : !block, !e
    ttl.cb_pop %a : !block
    ttl.cb_push %y : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
ttl.kernel @carried() attributes {grid = #ttcore.grid<1x1>} {
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant 1.0 : f32
    %y = ttl.cb_reserve %y_dfb : !block
    // expected-error @+1 {{cannot be bufferized, because its value is carried by a loop or returned by a branch}}
    %init = ttl.block_fill %f : !e
    %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %init) -> (!e) {
      %n = ttl.block_neg %x : (!e) -> !e
      scf.yield %n : !e
    }
    ttl.block_store %y, %r : !block, !e
    ttl.cb_push %y : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
ttl.kernel @carried_in() attributes {grid = #ttcore.grid<1x1>} {
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %c = arith.constant true
    %f = arith.constant 1.0 : f32
    %y = ttl.cb_reserve %y_dfb : !block
    %r = scf.execute_region -> !e {
      %cast = builtin.unrealized_conversion_cast %f : f32 to !e
      scf.yield %cast : !e
    }
    // expected-error @+1 {{an operand is in no block, because its definition cannot be bufferized}}
    ttl.block_store %y, %r : !block, !e
    ttl.cb_push %y : !block
  }
}
