// One kernel with several schedule files gives the same bits on both engines, in every order of
// threads, and at earlier stages, which the interpreter runs.
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=jit --schedule-file=%S/Inputs/groups.mlir
// RUN: ttl-jit run %s --engine=interp --schedule=random --seed=1 --schedule-file=%S/Inputs/groups.mlir
// RUN: ttl-jit run %s --stage=compute --schedule-file=%S/Inputs/groups.mlir
// RUN: ttl-jit run %s --engine=jit --schedule-file=%S/Inputs/pipeline.mlir
// RUN: ttl-jit run %s --engine=interp --schedule=random --seed=2 --schedule-file=%S/Inputs/pipeline.mlir
// RUN: ttl-jit run %s --stage=compute --schedule-file=%S/Inputs/pipeline.mlir
// RUN: ttl-jit run %s --stage=threads --schedule-file=%S/Inputs/pipeline.mlir
// RUN: ttl-jit run %s --engine=jit --schedule-file=%S/Inputs/tiles.mlir
// RUN: ttl-jit run %s --engine=interp --schedule=greedy --dma=eager --schedule-file=%S/Inputs/tiles.mlir
// RUN: ttl-jit run %s --stage=compute --schedule-file=%S/Inputs/tiles.mlir
// RUN: ttl-jit run %s --engine=jit --schedule-file=%S/Inputs/sequence.mlir
// RUN: ttl-jit run %s --engine=jit --stats --schedule-file=%S/Inputs/transfers.mlir 2>&1 | FileCheck %s
// CHECK: transfers of one thread in flight: at most {{[4-9]|[1-9][0-9]}},

!tensor = tensor<64x896xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[1, 4], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x4x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x4x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 4], !tensor>

// Seven blocks per row on two columns of nodes: four for one node, three for the other.
ttl.kernel @muladd(%a: !tensor, %b: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<2x2>} {
  %a_cb = ttl.create_cb "a" : !cb
  %b_cb = ttl.create_cb "b" : !cb
  %y_cb = ttl.create_cb "y" : !cb
  ttl.datamovement_thread "reader" {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c28 = arith.constant 28 : index
    %x, %row = ttl.core : index, index
    %first = arith.muli %x, %c4 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !acc
    %b_acc = ttl.tensor_accessor %b : !tensor -> !acc
    scf.for %column = %first to %c28 step %c8 {
      %a_blk = ttl.cb_reserve %a_cb : !block
      %a_part = ttl.index_accessor %a_acc[%row, %column] : !acc -> !slice
      %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
      ttl.wait %a_xf
      ttl.cb_push %a_blk : !block
      %b_blk = ttl.cb_reserve %b_cb : !block
      %b_part = ttl.index_accessor %b_acc[%row, %column] : !acc -> !slice
      %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
      ttl.wait %b_xf
      ttl.cb_push %b_blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c28 = arith.constant 28 : index
    %x, %row = ttl.core : index, index
    %first = arith.muli %x, %c4 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !acc
    scf.for %column = %first to %c28 step %c8 {
      %y_blk = ttl.cb_wait %y_cb : !block
      %y_part = ttl.index_accessor %y_acc[%row, %column] : !acc -> !slice
      %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
      ttl.wait %y_xf
      ttl.cb_pop %y_blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c28 = arith.constant 28 : index
    %x, %row = ttl.core : index, index
    %first = arith.muli %x, %c4 : index
    scf.for %column = %first to %c28 step %c8 {
      %a_blk = ttl.cb_wait %a_cb : !block
      %b_blk = ttl.cb_wait %b_cb : !block
      %y_blk = ttl.cb_reserve %y_cb : !block
      %product = ttl.block_mul %a_blk, %b_blk : (!block, !block) -> !value
      %sum = ttl.block_add %product, %a_blk : (!value, !block) -> !value
      ttl.block_store %y_blk, %sum : !block, !value
      ttl.cb_push %y_blk : !block
      ttl.cb_pop %b_blk : !block
      ttl.cb_pop %a_blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -2.0 : f64, high = 2.0 : f64} : !tensor
  %b = ttltest.full 3.0 : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @muladd(%a, %b, %y) : !tensor, !tensor, !tensor
  ttltest.expect_hash %y, "9f7edd4f3225e7d3" : !tensor
  return
}
