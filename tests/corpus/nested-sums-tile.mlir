// The kernel of nested-sums.mlir with blocks of one tile: all values fit into registers.
// Three nested loops carry two values; the middle loop exchanges them. The loop after the
// nest continues with one of the two.

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @nested_tile(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true, dst_full_sync_en = true>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    ttl.wait %a_xf
    ttl.cb_push %a_blk : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %a_blk = ttl.cb_wait %a_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %two = arith.constant 2 : index
    %zero = arith.constant 0.0 : f32
    %start = ttl.block_fill %zero : !value
    %half = arith.constant 0.5 : f32
    %first = ttl.block_fill %half : !value
    %sum:2 = scf.for %i = %c0 to %three step %one iter_args(%s = %start, %t = %first) -> (!value, !value) {
      %part:2 = scf.for %j = %c0 to %two step %one iter_args(%u = %s, %v = %t) -> (!value, !value) {
        %inner = scf.for %k = %c0 to %two step %one iter_args(%w = %u) -> (!value) {
          %p = ttl.block_matmul %a_blk, %a_blk acc %w : (!block, !block, !value) -> !value
          scf.yield %p : !value
        }
        %next = ttl.block_add %v, %a_blk : (!value, !block) -> !value
        scf.yield %next, %inner : !value, !value
      }
      scf.yield %part#0, %part#1 : !value, !value
    }
    %shrunk = scf.for %j = %c0 to %two step %one iter_args(%u = %sum#0) -> (!value) {
      %tanh = ttl.block_tanh %u : (!value) -> !value
      scf.yield %tanh : !value
    }
    %result = ttl.block_sub %shrunk, %sum#1 : (!value, !value) -> !value
    ttl.block_store %y_blk, %result : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %a_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %y_blk = ttl.cb_wait %y_cb : !block
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @nested_tile(%a, %y) : !tensor, !tensor
  return
}
