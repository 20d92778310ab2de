// A loop that carries the sum y += a @ b.

!tensor = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!tensor2 = tensor<64x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb2 = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!block2 = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !cb2>
!value2 = tensor<2x1x!ttcore.tile<32x32, f32>>
!slice2 = !ttl.tensor_slice<[2, 1], !tensor2>
!tensor3 = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb3 = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block3 = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb3>
!value3 = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice3 = !ttl.tensor_slice<[1, 1], !tensor3>

ttl.kernel @matmul_carried(%a: !tensor, %b: !tensor2, %y: !tensor3)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb2
  %y_cb = ttl.create_cb "y_cb" : !cb3
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    %b_acc = ttl.tensor_accessor %b : !tensor2 -> !ttl.accessor<!tensor2>
    %b_blk = ttl.cb_reserve %b_cb : !block2
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !ttl.accessor<!tensor2> -> !slice2
    %b_xf = ttl.copy %b_part, %b_blk : !slice2, !block2
    ttl.wait %a_xf
    ttl.wait %b_xf
    ttl.cb_push %a_blk : !block
    ttl.cb_push %b_blk : !block2
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block2
    %y_blk = ttl.cb_reserve %y_cb : !block3
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %start = ttl.block_fill %zero : !value3
    %sum = scf.for %k = %c0 to %three step %one iter_args(%acc = %start) -> (!value3) {
      %next = ttl.block_matmul %a_blk, %b_blk acc %acc : (!block, !block2, !value3) -> !value3
      scf.yield %next : !value3
    }
    ttl.block_store %y_blk, %sum : !block3, !value3
    ttl.cb_push %y_blk : !block3
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %b_blk : !block2
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor3 -> !ttl.accessor<!tensor3>
    %y_blk = ttl.cb_wait %y_cb : !block3
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor3> -> !slice3
    %y_xf = ttl.copy %y_blk, %y_part : !block3, !slice3
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block3
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %b = ttltest.random 2 {low = -4.0, high = 4.0} : !tensor2
  %y = ttltest.full 7.0 : !tensor3
  ttl.launch @matmul_carried(%a, %b, %y) : !tensor, !tensor2, !tensor3
  return
}
