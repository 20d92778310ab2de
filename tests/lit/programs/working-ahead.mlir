// Both threads start the next transfer before they wait for the last one: the loops
// carry blocks and handles, and transfer ids rotate. With three slots, the second block is sometimes
// before the first one in memory.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=jit --schedule=random --seed=4
// RUN: ttl-opt %s --ttl-to-ttkernel | FileCheck %s
// CHECK-LABEL: func.func @ahead__reader
// CHECK: scf.for {{.*}} iter_args(
// CHECK: ttkernel.cb_reserve_back(%{{.+}}, %c2_i32)
// CHECK: ttkernel.noc_async_read_set_trid(%[[NEXT:[a-z0-9]+]])
// CHECK: ttkernel.noc_async_read_barrier_with_trid(%[[OLD:[a-z0-9]+]])
// CHECK: scf.yield {{.*}}%[[NEXT]], %[[OLD]]

!tensor = tensor<32x256xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @ahead(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
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
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %first = ttl.cb_wait %a_cb : !block
    %first_xf = ttl.copy %first, %part : !block, !slice
    %last:2 = scf.for %i = %c1 to %c8 step %c1 iter_args(%blk = %first, %xf = %first_xf) -> (!block, !ttl.xf) {
      %next_part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %next = ttl.cb_wait %a_cb : !block
      %next_xf = ttl.copy %next, %next_part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
      scf.yield %next, %next_xf : !block, !ttl.xf
    }
    ttl.wait %last#1
    ttl.cb_pop %last#0 : !block
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @ahead(%a, %y) : !tensor, !tensor
  ttltest.expect_eq %y, %a : !tensor, !tensor
  return
}
