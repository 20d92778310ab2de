// RUN: ttl-opt %s --ttl-assign-transfer-ids --verify-diagnostics | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 32>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.program @k(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @reuse on riscv_1 (%a, %t) : !cb, !tensor
  ttl.thread @many on riscv_0 (%a, %t) : !cb, !tensor
}

ttl.program @l(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @carried on riscv_1 (%a, %t) : !cb, !tensor
  ttl.thread @strange on riscv_0 (%a, %t) : !cb, !tensor
}

// CHECK-LABEL: func.func @reuse
func.func @reuse(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %true = arith.constant true
  %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
  %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
  %b = ttl.cb_reserve %a : !block
  %c = ttl.cb_reserve %a : !block
  // Two copies are in flight at a time. Ids start at 1; after its wait, an id is free again.
  // CHECK: ttl.copy {{.*}} {transfer_id = 1 : i32}
  %x0 = ttl.copy %s, %b : !slice, !block
  // CHECK: ttl.copy {{.*}} {transfer_id = 2 : i32}
  %x1 = ttl.copy %s, %c : !slice, !block
  ttl.wait %x0
  // CHECK: ttl.copy {{.*}} {transfer_id = 1 : i32}
  %x2 = ttl.copy %s, %b : !slice, !block
  // Every iteration uses the same id. Ids of copies around the loop stay taken.
  // CHECK: scf.for
  scf.for %i = %c0 to %c4 step %c1 {
    // CHECK: ttl.copy {{.*}} {transfer_id = 3 : i32}
    %d = ttl.cb_reserve %a : !block
    %x3 = ttl.copy %s, %d : !slice, !block
    ttl.wait %x3
    ttl.cb_push %d : !block
  }
  // A wait in one branch may not happen, so the id is free only after the branch.
  scf.if %true {
    ttl.wait %x2
    // CHECK: ttl.copy {{.*}} {transfer_id = 3 : i32}
    %x4 = ttl.copy %s, %b : !slice, !block
    ttl.wait %x4
  }
  // CHECK: ttl.copy {{.*}} {transfer_id = 1 : i32}
  %x5 = ttl.copy %s, %b : !slice, !block
  ttl.wait %x5
  ttl.wait %x1
  return
}

// There are fifteen ids. Copies without an id carry 0, and their waits wait for all copies of a direction.
// CHECK-LABEL: func.func @many
func.func @many(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
  %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
  %b = ttl.cb_wait %a : !block
  // CHECK: ttl.copy {{.*}} {transfer_id = 1 : i32}
  %x0 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 2 : i32}
  %x1 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 3 : i32}
  %x2 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 4 : i32}
  %x3 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 5 : i32}
  %x4 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 6 : i32}
  %x5 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 7 : i32}
  %x6 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 8 : i32}
  %x7 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 9 : i32}
  %x8 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 10 : i32}
  %x9 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 11 : i32}
  %x10 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 12 : i32}
  %x11 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 13 : i32}
  %x12 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 14 : i32}
  %x13 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy {{.*}} {transfer_id = 15 : i32}
  %x14 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.copy %{{.+}}, %{{.+}} : !block, !slice
  // expected-remark @+1 {{no transfer id is free for this copy: its wait() waits for all writes of this thread}}
  %x15 = ttl.copy %b, %s : !block, !slice
  ttl.wait %x0
  ttl.wait %x1
  ttl.wait %x2
  ttl.wait %x3
  ttl.wait %x4
  ttl.wait %x5
  ttl.wait %x6
  ttl.wait %x7
  ttl.wait %x8
  ttl.wait %x9
  ttl.wait %x10
  ttl.wait %x11
  ttl.wait %x12
  ttl.wait %x13
  ttl.wait %x14
  ttl.wait %x15
  return
}

// A loop starts the next copy before it waits for the last one. Its ids rotate: an
// id is used again only after its wait.
// CHECK-LABEL: func.func @carried
func.func @carried(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %true = arith.constant true
  %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
  %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
  %b = ttl.cb_wait %a : !block
  // CHECK: ttl.copy {{.*}} {transfer_id = 1 : i32}
  %x0 = ttl.copy %b, %s : !block, !slice
  // CHECK: %[[IDS:.+]]:2 = scf.for {{.*}} iter_args(%[[OLD:.+]] = %c1_i32, %[[FREE:.+]] = %c2_i32) -> (i32, i32)
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %x0) -> (!ttl.xf) {
    // CHECK: ttl.copy %{{.+}}, %{{.+}} id %[[FREE]] : !block, !slice
    %x1 = ttl.copy %b, %s : !block, !slice
    // CHECK: ttl.dma_barrier writes id %[[OLD]]
    ttl.wait %old
    // CHECK: scf.yield %[[FREE]], %[[OLD]] : i32, i32
    scf.yield %x1 : !ttl.xf
  }
  // Both ids stay taken while the last copy is in flight.
  // CHECK: ttl.copy {{.*}} {transfer_id = 3 : i32}
  %x2 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.dma_barrier writes id %[[IDS]]#0
  ttl.wait %last
  ttl.wait %x2
  // A handle that is one of two copies.
  // CHECK: %[[IF:.+]] = scf.if %{{.+}} -> (i32)
  %x3 = scf.if %true -> (!ttl.xf) {
    // CHECK: ttl.copy {{.*}} {transfer_id = 1 : i32}
    // CHECK: scf.yield %c1_i32
    %x4 = ttl.copy %b, %s : !block, !slice
    scf.yield %x4 : !ttl.xf
  } else {
    // CHECK: ttl.copy {{.*}} {transfer_id = 2 : i32}
    // CHECK: scf.yield %c2_i32
    %x5 = ttl.copy %b, %s : !block, !slice
    scf.yield %x5 : !ttl.xf
  }
  // CHECK: ttl.copy {{.*}} {transfer_id = 3 : i32}
  %x6 = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.dma_barrier writes id %[[IF]]
  ttl.wait %x3
  ttl.wait %x6
  return
}

// The loop does not rotate its handles.
// CHECK-LABEL: func.func @strange
func.func @strange(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %true = arith.constant true
  %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
  %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
  %b = ttl.cb_wait %a : !block
  // CHECK: ttl.copy %{{.+}}, %{{.+}} : !block, !slice
  // expected-remark @+1 {{cannot follow the handle of this copy through loops and branches: its wait() waits for all writes of this thread}}
  %x0 = ttl.copy %b, %s : !block, !slice
  // CHECK: scf.for %{{.+}} = %c0 to %c4 step %c1 {
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %x0) -> (!ttl.xf) {
    %next = scf.if %true -> (!ttl.xf) {
      // CHECK: ttl.copy %{{.+}}, %{{.+}} : !block, !slice
      // expected-remark @+1 {{cannot follow the handle of this copy through loops and branches: its wait() waits for all writes of this thread}}
      %x1 = ttl.copy %b, %s : !block, !slice
      // CHECK: ttl.dma_barrier writes{{$}}
      ttl.wait %old
      scf.yield %x1 : !ttl.xf
    } else {
      scf.yield %old : !ttl.xf
    }
    scf.yield %next : !ttl.xf
  }
  // CHECK: ttl.dma_barrier writes{{$}}
  ttl.wait %last
  return
}
