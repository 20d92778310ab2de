// A kernel on four nodes, whose file has its inputs and expected results. It runs on both
// engines and with every kind of schedule.
// RUN: ttl-jit run %s --engine=jit --stats 2>&1 | FileCheck %s
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=jit --schedule=greedy --dma=eager
// RUN: ttl-jit run %s --engine=jit '--schedule=parallel(2)'
// RUN: ttl-jit run %s --engine=interp '--schedule=parallel(3)'
// RUN: ttl-jit run %s --engine=interp --schedule=random --seed=3
// CHECK: kernel add: grid 2x2, 4 nodes
// CHECK-NEXT: engines: reader=jit writer=jit compute=jit
// CHECK: run: 2 launches,
// CHECK: blocks: 48 pushed, 48 popped
// CHECK: context switches: {{[1-9]}}

!tensor = tensor<64x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @add(%a: !tensor, %b: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<2x2>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %x, %row = ttl.core : index, index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %b_acc = ttl.tensor_accessor %b : !tensor -> !ttl.accessor<!tensor>
    scf.for %column = %x to %c4 step %c2 {
      %a_blk = ttl.cb_reserve %a_cb : !block
      %b_blk = ttl.cb_reserve %b_cb : !block
      %a_part = ttl.index_accessor %a_acc[%row, %column] : !ttl.accessor<!tensor> -> !slice
      %b_part = ttl.index_accessor %b_acc[%row, %column] : !ttl.accessor<!tensor> -> !slice
      %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
      %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
      ttl.wait %a_xf
      ttl.wait %b_xf
      ttl.cb_push %a_blk : !block
      ttl.cb_push %b_blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %x, %row = ttl.core : index, index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    scf.for %column = %x to %c4 step %c2 {
      %y_blk = ttl.cb_wait %y_cb : !block
      %y_part = ttl.index_accessor %y_acc[%row, %column] : !ttl.accessor<!tensor> -> !slice
      %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
      ttl.wait %y_xf
      ttl.cb_pop %y_blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %x, %row = ttl.core : index, index
    scf.for %column = %x to %c4 step %c2 {
      %a_blk = ttl.cb_wait %a_cb : !block
      %b_blk = ttl.cb_wait %b_cb : !block
      %y_blk = ttl.cb_reserve %y_cb : !block
      %sum = ttl.block_add %a_blk, %b_blk : (!block, !block) -> !value
      ttl.block_store %y_blk, %sum : !block, !value
      ttl.cb_push %y_blk : !block
      ttl.cb_pop %b_blk : !block
      ttl.cb_pop %a_blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %b = ttltest.iota {start = 1.0, step = -0.5} : !tensor
  %y = ttltest.full 7.0 : !tensor
  %expected = ttltest.iota {start = 1.0, step = 0.5} : !tensor
  ttl.launch @add(%a, %b, %y) : !tensor, !tensor, !tensor
  ttltest.expect_eq %y, %expected : !tensor, !tensor
  // One tensor is passed for two arguments, so the kernel works in place.
  ttl.launch @add(%y, %b, %y) : !tensor, !tensor, !tensor
  %twice = ttltest.iota {start = 2.0, step = 0.0} : !tensor
  ttltest.expect_close %y, %twice ulp 0 : !tensor, !tensor
  return
}
