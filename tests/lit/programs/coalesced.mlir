// Twelve tiles in a row. On wormhole_b0, tiles of one column follow each other in their
// bank, so one transfer moves all four tiles of a block.
// RUN: ttl-jit run %s --engine=jit --stats 2>&1 | FileCheck %s
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=jit --schedule=random --seed=2
// RUN: rm -rf %t && ttl-jit run %s --emit=%t && FileCheck %s --check-prefix=CPP --input-file=%t/columns_reader.cpp
// CHECK: in 24 transfers
// On a card whose memory has fewer banks, the transfers still move the right pages.
// CPP: inline void ttl_read_pages(int32_t page, const Accessor &accessor, uint32_t l1_addr,
// CPP: ttl_read_pages({{.*}}, 4, 12, {{.+}}_page_bytes);

!tensor = tensor<128x384xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[4, 1], !tensor>
!cb = !ttl.cb<[4, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<4x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<4x1x!ttcore.tile<32x32, f32>>

ttl.kernel @columns(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c12 = arith.constant 12 : index
    %x, %row = ttl.core : index, index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %x to %c12 step %c2 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c12 = arith.constant 12 : index
    %x, %row = ttl.core : index, index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %x to %c12 step %c2 {
      %blk = ttl.cb_wait %y_cb : !block
      %part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %blk, %part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c2 = arith.constant 2 : index
    %c12 = arith.constant 12 : index
    %x, %row = ttl.core : index, index
    scf.for %i = %x to %c12 step %c2 {
      %a_blk = ttl.cb_wait %a_cb : !block
      %y_blk = ttl.cb_reserve %y_cb : !block
      %double = ttl.block_add %a_blk, %a_blk : (!block, !block) -> !value
      ttl.block_store %y_blk, %double : !block, !value
      ttl.cb_push %y_blk : !block
      ttl.cb_pop %a_blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @columns(%a, %y) : !tensor, !tensor
  %expected = ttltest.iota {step = 2.0} : !tensor
  ttltest.expect_eq %y, %expected : !tensor, !tensor
  return
}
