// RUN: ttl-opt %s --ttl-assign-transfer-ids | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!landing = !ttl.landing<[1, 1], !ttcore.tile<32x32, f32>, 1>
!slot = !ttl.slot<[1, 1], !ttcore.tile<32x32, f32>>

ttl.program @k() attributes {grid = #ttcore.grid<1x2>} {
  %a = ttl.create_cb "a" : !cb
  %net = ttl.create_landing "net" : !landing
  ttl.thread @receiver on riscv_1 (%a, %net) : !cb, !landing
  ttl.thread @sender on riscv_0 (%a, %net) : !cb, !landing
}

// A receive reads from its landing slot, where sent data arrive. A wait for it waits for all reads.
// CHECK-LABEL: func.func @receiver
func.func @receiver(%a: !cb, %net: !landing) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %b = ttl.cb_reserve %a : !block
  %slot = ttl.landing_slot %net[%c0] : !landing -> !slot
  // CHECK: ttl.receive
  // CHECK-NEXT: ttl.dma_barrier reads{{$}}
  %x = ttl.receive %slot, %b : !slot, !block
  ttl.wait %x
  // CHECK: scf.if
  // CHECK-NOT: ttl.dma_barrier
  %y = scf.if %true -> (!ttl.xf) {
    %z = ttl.receive %slot, %b : !slot, !block
    scf.yield %z : !ttl.xf
  } else {
    %z = ttl.receive %slot, %b : !slot, !block
    scf.yield %z : !ttl.xf
  }
  // CHECK: else
  // CHECK: }
  // CHECK-NEXT: ttl.dma_barrier reads{{$}}
  ttl.wait %y
  return
}

// A send is a write.
// CHECK-LABEL: func.func @sender
func.func @sender(%a: !cb, %net: !landing) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = ttl.cb_wait %a : !block
  %slot = ttl.landing_slot %net[%c0] : !landing -> !slot
  // CHECK: ttl.send
  // CHECK-NEXT: ttl.dma_barrier writes{{$}}
  %x = ttl.send %b, %slot to core(%c1, %c0) : !block, !slot
  ttl.wait %x
  return
}
