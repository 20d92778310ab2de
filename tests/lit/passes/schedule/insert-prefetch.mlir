// Several iterations are read together; the iterations that are left over are read one by one.
// RUN: ttl-opt %s --transform-interpreter --split-input-file | FileCheck %s

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// CHECK: ![[CB:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
// CHECK-LABEL: ttl.kernel @constant
ttl.kernel @constant(%a: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  // CHECK: ttl.create_cb "a" : ![[CB]]
  %a_cb = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    // CHECK: scf.for %[[I:.+]] = %c0{{.*}} to %c9{{.*}} step %c3{{.*}} {
    // CHECK-DAG: ttl.index_accessor %{{.+}}[%c0, %[[I]]]
    // CHECK-DAG: %[[I1:.+]] = arith.addi %[[I]], %c1{{.*}}
    // CHECK-DAG: %[[I2:.+]] = arith.addi %[[I]], %c2{{.*}}
    // CHECK: %[[B0:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[X0:.+]] = ttl.copy %{{.+}}, %[[B0]]
    // CHECK-NEXT: %[[B1:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[X1:.+]] = ttl.copy %{{.+}}, %[[B1]]
    // CHECK-NEXT: %[[B2:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[X2:.+]] = ttl.copy %{{.+}}, %[[B2]]
    // CHECK-NEXT: ttl.wait %[[X0]]
    // CHECK-NEXT: ttl.cb_push %[[B0]]
    // CHECK-NEXT: ttl.wait %[[X1]]
    // CHECK-NEXT: ttl.cb_push %[[B1]]
    // CHECK-NEXT: ttl.wait %[[X2]]
    // CHECK-NEXT: ttl.cb_push %[[B2]]
    // CHECK-NEXT: } {groups}
    // CHECK-NEXT: scf.for %{{.+}} = %c9{{.*}} to %c10 step %c1 {
    // CHECK: } {rest}
    // CHECK-NOT: scf.for %
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %groups, %rest = transform.ttl.insert_prefetch %l {distance = 3}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %groups "groups" : !transform.any_op
    transform.annotate %rest "rest" : !transform.any_op
    transform.yield
  }
}

// -----

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// If the bounds depend on the node, the rest begins where the groups ended. After
// ttl-expand-threads, the buffer is a function argument.
// CHECK-DAG: ![[CB:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
// CHECK-LABEL: ttl.program @node
ttl.program @node(%a: !tensor) attributes {grid = #ttcore.grid<2x2>} {
  %a_cb = ttl.create_cb "a" : !cb
  ttl.thread @reader on riscv_1 (%a_cb, %a) : !cb, !tensor
}
// CHECK: func.func @reader(%{{.+}}: ![[CB]],
func.func @reader(%a_cb: !cb, %a: !tensor) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %x, %y = ttl.core : index, index
  %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
  // CHECK: %[[NEXT:.+]] = scf.for %[[I:.+]] = %{{.+}} to %c8{{.*}} step %c4{{.*}} iter_args
  // CHECK: %[[J:.+]] = arith.addi %[[I]], %c4{{.*}}
  // CHECK: scf.yield %[[J]] : index
  // CHECK: scf.for %{{.+}} = %[[NEXT]] to %c10 step %c2 {
  scf.for %i = %x to %c10 step %c2 {
    %blk = ttl.cb_reserve %a_cb : !block
    %part = ttl.index_accessor %a_acc[%y, %i] : !acc -> !slice
    %xf = ttl.copy %part, %blk : !slice, !block
    ttl.wait %xf
    ttl.cb_push %blk : !block
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %groups, %rest = transform.ttl.insert_prefetch %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// A pipeline: reads start two iterations ahead.
// CHECK: ![[CB:.+]] = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
// CHECK-LABEL: ttl.kernel @pipeline
ttl.kernel @pipeline(%a: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  // CHECK: %[[BUF:.+]] = ttl.create_cb "a" : ![[CB]]
  %a_cb = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    // CHECK: %[[P0:.+]] = ttl.cb_reserve
    // CHECK: %[[X0:.+]] = ttl.copy %{{.+}}, %[[P0]]
    // CHECK: %[[P1:.+]] = ttl.cb_reserve
    // CHECK: %[[X1:.+]] = ttl.copy %{{.+}}, %[[P1]]
    // CHECK: %[[R:.+]]:2 = scf.for %[[I:.+]] = %c0{{.*}} to %c8{{.*}} step %c1 iter_args(%[[A:.+]] = %[[X0]], %[[B:.+]] = %[[X1]])
    // CHECK-NEXT: %[[J:.+]] = arith.addi %[[I]], %c2{{.*}}
    // CHECK-NEXT: %[[P2:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[S:.+]] = ttl.index_accessor %{{.+}}[%c0, %[[J]]]
    // CHECK-NEXT: %[[X2:.+]] = ttl.copy %[[S]], %[[P2]]
    // CHECK-NEXT: ttl.wait %[[A]]
    // CHECK-NEXT: %[[H:.+]] = ttl.held_block %[[BUF]][0] {reserved}
    // CHECK-NEXT: ttl.cb_push %[[H]]
    // CHECK-NEXT: scf.yield %[[B]], %[[X2]]
    // CHECK: ttl.wait %[[R]]#0
    // CHECK-NEXT: %[[H0:.+]] = ttl.held_block
    // CHECK-NEXT: ttl.cb_push %[[H0]]
    // CHECK-NEXT: ttl.wait %[[R]]#1
    // CHECK-NEXT: %[[H1:.+]] = ttl.held_block
    // CHECK-NEXT: ttl.cb_push %[[H1]]
    // CHECK-NOT: scf.for %
    scf.for %i = %c0 to %c10 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %steady, %few = transform.ttl.insert_prefetch %l {form = "pipeline"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!tensor = tensor<64x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// A node that may have too few iterations runs the loop in its old form.
// CHECK-LABEL: ttl.kernel @few
ttl.kernel @few(%a: !tensor) attributes {grid = #ttcore.grid<2x2>} {
  %a_cb = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "reader" {
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %x, %y = ttl.core : index, index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    // CHECK: %[[LAST:.+]] = arith.addi %{{.+}}#0, %c2{{.*}}
    // CHECK: %[[ENOUGH:.+]] = arith.cmpi slt, %[[LAST]], %c10
    // CHECK: scf.if %[[ENOUGH]] {
    // CHECK: scf.for
    // CHECK: ttl.held_block
    // CHECK: } else {
    // CHECK-NEXT: scf.for %{{.+}} = %{{.+}}#0 to %c10 step %c2 {
    scf.for %i = %x to %c10 step %c2 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %a_acc[%y, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %steady, %few = transform.ttl.insert_prefetch %l {form = "pipeline"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
