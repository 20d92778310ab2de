// Buffers in the memory of sharded tensors: no data is copied, the map of L1 shows that the buffers
// take no memory, and the emitted code names what the host must set up.
// RUN: ttl-jit run %s --engine=jit --dump=l1 2>&1 | FileCheck %s
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=jit --schedule=greedy
// RUN: ttl-jit run %s --engine=jit '--schedule=parallel(2)'
// RUN: ttl-jit run %s --engine=interp '--schedule=parallel(3)'
// RUN: ttl-jit run %s --engine=interp --schedule=random --seed=3
// CHECK: // ----- l1: twice
// CHECK-NEXT: L1 of each core of wormhole_b0: 1499136 bytes
// CHECK-NEXT:   0x000000 to 0x019400   103424 B     reserved
// CHECK-NEXT:   0x019400 to 0x16e000  1395712 B     free
// CHECK-NEXT:   buffers take 0 of 1395712 bytes
// CHECK-NEXT:   buffer 0 'a_cb' takes no L1 of its own: it is the part of tensor 'a' from byte 0 of each shard on, 2 blocks of 1 page of 4096 B Float32
// CHECK-NEXT:   buffer 1 'y_cb' takes no L1 of its own: it is the part of tensor 'y' from byte 4096 of each shard on, 2 blocks of 1 page of 4096 B Float32

// RUN: ttl-opt %s --ttl-to-ttkernel --mlir-print-debuginfo | ttl-translate --ttkernel-to-cpp | FileCheck %s --check-prefix=CPP
// CPP: // Thread 'publisher' of kernel 'twice'
// CPP: // The host provides for each core:
// CPP-NEXT: //   circular buffer 0 ('a_cb') at the globally allocated address of tensor 'a', address_offset 0, total_size 8192
// CPP: cb_reserve_back(a_cb, 2);
// CPP-NEXT: cb_push_back(a_cb, 2);
// CPP: // Thread 'compute' of kernel 'twice'
// CPP: //   circular buffer 0 ('a_cb') at the globally allocated address of tensor 'a', address_offset 0, total_size 8192
// CPP-NEXT: //   circular buffer 1 ('y_cb') at the globally allocated address of tensor 'y', address_offset 4096, total_size 8192

// A node without a shard, and a shard that is not full.
// RUN: sed -e 's/<2x1>} {/<3x1>} {/' %s > %t.grid.mlir
// RUN: not ttl-jit run %t.grid.mlir --engine=interp 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: error: buffer 'a_cb' is part of tensor 'a', but no shard of it is on these nodes: (2,0) [1]; shard the tensor over all nodes of the kernel, or run the kernel on a smaller grid
// RUN: sed -e 's/tensor<192x32xf32/tensor<160x32xf32/' %s > %t.part.mlir
// RUN: not ttl-jit run %t.part.mlir --engine=jit 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: buffer 'y_cb' is part of tensor 'y', but the shard of node (1, 0) has no page 2: make the buffer smaller, or the shards so that they divide the tensor

// A second publish waits until all blocks are popped. It hangs if no thread pops them.
// RUN: sed -e 's/%%again = arith.constant 0/%%again = arith.constant 1/' %s > %t.twice.mlir
// RUN: ttl-jit run %t.twice.mlir --engine=jit
// RUN: ttl-jit run %t.twice.mlir --engine=interp
// RUN: sed -e 's/%%c2 = arith.constant 2/%%c2 = arith.constant 1/' %t.twice.mlir > %t.hangs.mlir
// RUN: not ttl-jit run %t.hangs.mlir --engine=jit 2>&1 | FileCheck %s --check-prefix=HANGS
// RUN: not ttl-jit run %t.hangs.mlir --engine=interp 2>&1 | FileCheck %s --check-prefix=HANGS
// HANGS: error: ttl.cb_reserve: deadlock: producer waits for a free block that no consumer will pop
// HANGS: note: publisher() waits to reserve 2 blocks of 'a_cb': needed 2 blocks, free 1 block, capacity 2 blocks
// HANGS: note: the consumer of a_cb is compute(), finished

#shards = #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 2x1, shard = 96x32>>
!tensor = tensor<192x32xf32, #shards>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @twice(%a: !tensor loc("a"), %y: !tensor loc("y")) attributes {grid = #ttcore.grid<2x1>} {
  %a_cb = ttl.create_cb "a_cb" in(%a : !tensor) : !cb
  %y_cb = ttl.create_cb "y_cb" in(%y : !tensor) {byte_offset = 4096 : i64} : !cb
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %a_cb : !cb
    %again = arith.constant 0 : index
    %node = ttl.core_linear : index
    %twice = arith.cmpi slt, %node, %again : index
    scf.if %twice {
      ttl.cb_publish %a_cb : !cb
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %a_blk = ttl.cb_wait %a_cb : !block
      %y_blk = ttl.cb_reserve %y_cb : !block
      %sum = ttl.block_add %a_blk, %a_blk : (!block, !block) -> !value
      ttl.block_store %y_blk, %sum : !block, !value
      ttl.cb_push %y_blk : !block
      ttl.cb_pop %a_blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.full 2.0 : !tensor
  %y = ttltest.full 4.0 : !tensor
  %four = ttltest.full 4.0 : !tensor
  ttl.launch @twice(%a, %y) : !tensor, !tensor
  ttltest.expect_eq %y, %four : !tensor, !tensor
  return
}
