// RUN: ttl-opt %s --ttl-verify-protocol --ttl-name-held-blocks | FileCheck %s

!tensor = tensor<32x256xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// CHECK-LABEL: ttl.kernel @ahead
ttl.kernel @ahead(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  // CHECK: %[[CB:.+]] = ttl.create_cb
  %a_cb = ttl.create_cb "a_cb" : !cb
  // CHECK: ttl.datamovement_thread "reader"
  // CHECK: %[[FIRST:.+]] = ttl.cb_reserve
  // CHECK: scf.for {{.*}} iter_args(%[[XF:.+]] = %{{.+}}) -> (!ttl.xf)
  // CHECK-NEXT: %[[OLD:.+]] = ttl.held_block %[[CB]][0] {reserved}
  // CHECK: %[[NEXT:.+]] = ttl.cb_reserve
  // CHECK: ttl.cb_push %[[OLD]]
  // CHECK-NEXT: scf.yield %{{.+}} : !ttl.xf
  // CHECK: %[[LAST:.+]] = ttl.held_block %[[CB]][0] {reserved}
  // CHECK: ttl.cb_push %[[LAST]]
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %first = ttl.cb_reserve %a_cb : !block
    %first_xf = ttl.copy %part, %first : !slice, !block
    %last:2 = scf.for %i = %c1 to %c8 step %c1 iter_args(%blk = %first, %xf = %first_xf) -> (!block, !ttl.xf) {
      %next_part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %next = ttl.cb_reserve %a_cb : !block
      %next_xf = ttl.copy %next_part, %next : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
      scf.yield %next, %next_xf : !block, !ttl.xf
    }
    ttl.wait %last#1
    ttl.cb_push %last#0 : !block
  }
  // The branch passes on only the younger one of the two blocks.
  // CHECK: ttl.datamovement_thread "writer"
  // CHECK: scf.if
  // CHECK: ttl.cb_wait
  // CHECK: } else {
  // CHECK: ttl.cb_wait
  // CHECK: }
  // CHECK-NEXT: %[[EITHER:.+]] = ttl.held_block %[[CB]][1] :
  // CHECK: ttl.copy %[[EITHER]]
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %older = ttl.cb_wait %a_cb : !block
    %x0 = ttl.copy %older, %part : !block, !slice
    ttl.wait %x0
    %either = scf.if %true -> (!block) {
      %b = ttl.cb_wait %a_cb : !block
      scf.yield %b : !block
    } else {
      %c = ttl.cb_wait %a_cb : !block
      scf.yield %c : !block
    }
    %x1 = ttl.copy %either, %part : !block, !slice
    ttl.wait %x1
    ttl.cb_pop %older : !block
    ttl.cb_pop %either : !block
  }
}

// CHECK-LABEL: ttl.kernel @in_a_while
ttl.kernel @in_a_while(%a: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  // CHECK: %[[CB:.+]] = ttl.create_cb
  %a_cb = ttl.create_cb "a_cb" : !cb
  // CHECK: scf.while {{.*}} : (index) -> index
  // CHECK: } do {
  // CHECK: %[[OLD:.+]] = ttl.held_block %[[CB]][0] {reserved}
  // CHECK: ttl.cb_reserve
  // CHECK: ttl.cb_push %[[OLD]]
  // CHECK: %[[LAST:.+]] = ttl.held_block %[[CB]][0] {reserved}
  // CHECK-NEXT: ttl.cb_push %[[LAST]]
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %first = ttl.cb_reserve %a_cb : !block
    %first_xf = ttl.copy %part, %first : !slice, !block
    ttl.wait %first_xf
    %last:2 = scf.while (%i = %c0, %b = %first) : (index, !block) -> (index, !block) {
      %goes_on = arith.cmpi slt, %i, %c8 : index
      scf.condition(%goes_on) %i, %b : index, !block
    } do {
    ^bb0(%i: index, %b: !block):
      %next = ttl.cb_reserve %a_cb : !block
      %next_xf = ttl.copy %part, %next : !slice, !block
      ttl.wait %next_xf
      ttl.cb_push %b : !block
      %n = arith.addi %i, %c1 : index
      scf.yield %n, %next : index, !block
    }
    ttl.cb_push %last#1 : !block
  }
  ttl.datamovement_thread "writer" {
    %b = ttl.cb_wait %a_cb : !block
    ttl.cb_pop %b : !block
  }
}
