// Copies start as early, and waits are as late, as ops on the same memory allow.
// RUN: ttl-opt %s --transform-interpreter --split-input-file | FileCheck %s

!tensor = tensor<64x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Conservative: acquires and releases are not moved.
// CHECK-LABEL: ttl.kernel @conservative
ttl.kernel @conservative(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  // CHECK: ttl.create_cb "a" : !cb
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    // CHECK: %[[A:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[AX:.+]] = ttl.copy %{{.+}}, %[[A]]
    // CHECK-NEXT: %[[B:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[BX:.+]] = ttl.copy %{{.+}}, %[[B]]
    // CHECK-NEXT: ttl.wait %[[BX]]
    // CHECK-NEXT: ttl.cb_push %[[B]]
    // CHECK-NEXT: ttl.wait %[[AX]]
    // CHECK-NEXT: ttl.cb_push %[[A]]
    %a_blk = ttl.cb_reserve %a_cb : !block
    %b_blk = ttl.cb_reserve %b_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    ttl.wait %a_xf
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !acc -> !slice
    %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
    ttl.wait %b_xf
    ttl.cb_push %b_blk : !block
    ttl.cb_push %a_blk : !block
    // A reserve waits for other threads, so it stays behind the push.
    // CHECK: %[[C:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[CX:.+]] = ttl.copy
    // CHECK-NEXT: ttl.wait %[[CX]]
    // CHECK-NEXT: ttl.cb_push %[[C]]
    %c_blk = ttl.cb_reserve %a_cb : !block
    %c_xf = ttl.copy %a_part, %c_blk : !slice, !block
    ttl.wait %c_xf
    ttl.cb_push %c_blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.schedule_pipeline %k {strategy = "conservative"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!tensor = tensor<64x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Aggressive: the second reserve is moved before the first push, so "b" gets one block more.
// No op is moved over an op on "a".
// CHECK-DAG: ![[ONE:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
// CHECK-DAG: ![[TWO:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
// CHECK-LABEL: ttl.kernel @aggressive
ttl.kernel @aggressive(%a: !tensor, %b: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  // CHECK: ttl.create_cb "a" : ![[ONE]]
  // CHECK: ttl.create_cb "b" : ![[TWO]]
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !acc -> !slice
    // CHECK: %[[A:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[AX:.+]] = ttl.copy %{{.+}}, %[[A]]
    // CHECK-NEXT: %[[B:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[BX:.+]] = ttl.copy %{{.+}}, %[[B]]
    // CHECK-NEXT: ttl.wait %[[AX]]
    // CHECK-NEXT: ttl.cb_push %[[A]]
    // CHECK-NEXT: ttl.wait %[[BX]]
    // CHECK-NEXT: ttl.cb_push %[[B]]
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    ttl.wait %a_xf
    ttl.cb_push %a_blk : !block
    %b_blk = ttl.cb_reserve %b_cb : !block
    %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
    ttl.wait %b_xf
    ttl.cb_push %b_blk : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.schedule_pipeline %k {strategy = "aggressive"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

!tensor = tensor<64x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Data of another thread are read where they were read before: after the wait for the
// token. Data that this thread wrote are read after the write has completed.
// CHECK-LABEL: ttl.kernel @order
ttl.kernel @order(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %token = ttl.create_cb "token" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !acc
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !acc -> !slice
    // CHECK: %[[A:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[T:.+]] = ttl.cb_wait
    // CHECK-NEXT: ttl.cb_pop %[[T]]
    // CHECK-NEXT: %[[X:.+]] = ttl.copy
    %a_blk = ttl.cb_reserve %a_cb : !block
    %t = ttl.cb_wait %token : !block
    ttl.cb_pop %t : !block
    %xf = ttl.copy %y_part, %a_blk : !slice, !block
    ttl.wait %xf
    ttl.cb_push %a_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %y_acc = ttl.tensor_accessor %y : !tensor -> !acc
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !acc -> !slice
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !acc -> !slice
    // CHECK: ttl.datamovement_thread "writer"
    // CHECK: %[[B:.+]] = ttl.cb_wait
    // CHECK-NEXT: %[[X1:.+]] = ttl.copy %[[B]]
    // CHECK-NEXT: %[[X2:.+]] = ttl.copy %[[B]]
    // CHECK-NEXT: ttl.wait %[[X1]]
    // CHECK-NEXT: ttl.wait %[[X2]]
    // CHECK-NEXT: %[[S:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[X3:.+]] = ttl.copy %{{.+}}, %[[S]]
    // CHECK-NEXT: ttl.cb_pop %[[B]]
    // CHECK-NEXT: ttl.wait %[[X3]]
    %b = ttl.cb_wait %a_cb : !block
    %x1 = ttl.copy %b, %a_part : !block, !slice
    ttl.wait %x1
    %x2 = ttl.copy %b, %y_part : !block, !slice
    ttl.wait %x2
    ttl.cb_pop %b : !block
    %s = ttl.cb_reserve %token : !block
    %x3 = ttl.copy %a_part, %s : !slice, !block
    ttl.wait %x3
    ttl.cb_push %s : !block
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %k = transform.structured.match ops{["ttl.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.schedule_pipeline %k : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
