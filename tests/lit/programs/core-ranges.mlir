// Buffers that only some nodes have. Such a node may use the buffer, whose address other nodes
// use for their own buffers. A node without the buffer gets an error.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp
// RUN: sed -e 's/cmpi ne, %node, %last/cmpi ule, %node, %last/' %s > %t.mlir
// RUN: not ttl-jit run %t.mlir --engine=jit 2>&1 | FileCheck %s
// RUN: not ttl-jit run %t.mlir --engine=interp 2>&1 | FileCheck %s
// CHECK: error: ttl.cb_reserve: this node has no 'left': its core_ranges leave the node out
// CHECK: node (2, 0)
// CHECK: the buffer is made here

!tensor = tensor<32x96xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Nodes 0 and 1 copy through "left", node 2 through "right".
ttl.kernel @sides(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<3x1>} {
  %left_cb = ttl.create_cb "left" {core_ranges = #ttcore.core_range_set<[<(0, 0), (1, 0)>]>} : !cb
  %right_cb = ttl.create_cb "right" {core_ranges = #ttcore.core_range_set<[<(2, 0), (2, 0)>]>} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %last = arith.constant 2 : index
    %node = ttl.core_linear : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_part = ttl.index_accessor %a_acc[%c0, %node] : !ttl.accessor<!tensor> -> !slice
    %is_left = arith.cmpi ne, %node, %last : index
    scf.if %is_left {
      %blk = ttl.cb_reserve %left_cb : !block
      %xf = ttl.copy %a_part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    } else {
      %blk = ttl.cb_reserve %right_cb : !block
      %xf = ttl.copy %a_part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %last = arith.constant 2 : index
    %node = ttl.core_linear : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %y_part = ttl.index_accessor %y_acc[%c0, %node] : !ttl.accessor<!tensor> -> !slice
    %is_left = arith.cmpi ne, %node, %last : index
    scf.if %is_left {
      %blk = ttl.cb_wait %left_cb : !block
      %xf = ttl.copy %blk, %y_part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    } else {
      %blk = ttl.cb_wait %right_cb : !block
      %xf = ttl.copy %blk, %y_part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @sides(%a, %y) : !tensor, !tensor
  ttltest.expect_eq %y, %a : !tensor, !tensor
  return
}
