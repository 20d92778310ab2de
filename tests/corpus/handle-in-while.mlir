// Handles of copies that while loops carry to the next iteration, and from the condition into
// the body, to which MLIR's canonicalizer moves the wait.
// feature: Blocks and handles in variables

!tensor = tensor<128x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @search(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "a_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    // Reads the rows 0 to i of the tensor, one over the other.
    scf.for %i = %c0 to %c2 step %c1 {
      %blk = ttl.cb_reserve %cb : !block
      %last = scf.while (%j = %c0) : (index) -> index {
        %part = ttl.index_accessor %acc[%j, %c0] : !ttl.accessor<!tensor> -> !slice
        %xf = ttl.copy %part, %blk : !slice, !block
        %more = arith.cmpi slt, %j, %i : index
        scf.if %more {
          ttl.wait %xf
        }
        scf.condition(%more) %j : index
      } do {
      ^bb0(%j: index):
        %next = arith.addi %j, %c1 : index
        scf.yield %next : index
      }
      ttl.dma_barrier
      ttl.cb_push %blk : !block
    }
    scf.for %i = %c2 to %c4 step %c1 {
      %blk = ttl.cb_reserve %cb : !block
      %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
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
    // Writes the row i + 1 times. Each iteration waits for the copy of the one before.
    scf.for %i = %c0 to %c4 step %c1 {
      %blk = ttl.cb_wait %cb : !block
      %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
      %xf0 = ttl.copy %blk, %part : !block, !slice
      %last:2 = scf.while (%xf = %xf0, %j = %c0) : (!ttl.xf, index) -> (!ttl.xf, index) {
        %more = arith.cmpi slt, %j, %i : index
        scf.condition(%more) %xf, %j : !ttl.xf, index
      } do {
      ^bb0(%xf: !ttl.xf, %j: index):
        ttl.wait %xf
        %next = arith.addi %j, %c1 : index
        %again = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
        %started = ttl.copy %blk, %again : !block, !slice
        scf.yield %started, %next : !ttl.xf, index
      }
      ttl.wait %last#0
      ttl.cb_pop %blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @search(%a, %y) : !tensor, !tensor
  ttltest.expect_eq %y, %a : !tensor, !tensor
  return
}
