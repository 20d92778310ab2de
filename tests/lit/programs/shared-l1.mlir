// 'y_cb' is reserved after the last block of 'a_cb' was popped: they share memory, and the map
// of L1 shows this.
// RUN: ttl-jit run %s --engine=jit --dump=l1 2>&1 | FileCheck %s
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=jit --schedule=random --seed=2
// CHECK: // ----- l1: phases
// CHECK-NEXT: L1 of each core of wormhole_b0: 1499136 bytes
// CHECK-NEXT:   0x000000 to 0x019400   103424 B     reserved
// CHECK-NEXT:   0x019400 to 0x01b400     8192 B   0 a_cb      |####################....................| 2 blocks of 1 page of 4096 B Float32; shares memory with y_cb
// CHECK-NEXT:   0x019400 to 0x01a400     4096 B   2 y_cb      |##########..............................| 1 block of 1 page of 4096 B Float32; shares memory with a_cb
// CHECK-NEXT:   0x01b400 to 0x01d400     8192 B   1 mid_cb    |....................####################| 2 blocks of 1 page of 4096 B Float32
// CHECK-NEXT:   0x01d400 to 0x16e000  1379328 B     free
// CHECK-NEXT:   buffers take 16384 of 1395712 bytes; 4096 bytes are saved by sharing

// Memory that is shared by mistake is found, whether the user or the compiler made the mistake.
// RUN: ttl-opt %s --ttl-to-ttkernel | sed 's/"mid_cb" {address = [0-9]*/"mid_cb" {address = 103424/' >%t.mlir
// RUN: not ttl-jit run %t.mlir --engine=jit 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not ttl-jit run %t.mlir --engine=interp 2>&1 | FileCheck %s --check-prefix=OVERLAP
// OVERLAP: error: ttl.cb_reserve: '{{.*}}' and 'a_cb' share memory, and a block of 'a_cb' is still in use
// OVERLAP: note: the block that is still in use was acquired

!tensor = tensor<32x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!one = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!one_block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !one>

ttl.kernel @phases(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %mid_cb = ttl.create_cb "mid_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !one
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c2 step %c1 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %y_cb : !one_block
    scf.for %i = %c0 to %c4 step %c1 {
      %part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %blk, %part : !one_block, !slice
      ttl.wait %xf
    }
    ttl.cb_pop %blk : !one_block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %a_blk = ttl.cb_wait %a_cb : !block
      %mid_blk = ttl.cb_reserve %mid_cb : !block
      %double = ttl.block_add %a_blk, %a_blk : (!block, !block) -> !value
      ttl.block_store %mid_blk, %double : !block, !value
      ttl.cb_push %mid_blk : !block
      ttl.cb_pop %a_blk : !block
    }
    %y_blk = ttl.cb_reserve %y_cb : !one_block
    %p = ttl.cb_wait %mid_cb : !block
    %q = ttl.cb_wait %mid_cb : !block
    %difference = ttl.block_sub %q, %p : (!block, !block) -> !value
    ttl.block_store %y_blk, %difference : !one_block, !value
    ttl.cb_push %y_blk : !one_block
    ttl.cb_pop %p : !block
    ttl.cb_pop %q : !block
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @phases(%a, %y) : !tensor, !tensor
  // Twice the distance between two neighbouring tiles.
  %expected = ttltest.full 64.0 : !tensor
  ttltest.expect_eq %y, %expected : !tensor, !tensor
  return
}
