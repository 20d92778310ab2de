// Row-major tensors, a page per row of the innermost dimension, of rank 3.
// feature: Row-major tensors

!tensor = tensor<2x6x16xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
!cb = !ttl.cb<[1, 3, 16], f32, 2>
!block = !ttl.block<tensor<1x3x16xf32>, !cb>
!slice = !ttl.tensor_slice<[1, 3, 16], !tensor>

ttl.kernel @rows(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "a_cb" : !cb
  ttl.datamovement_thread "reader" {
    %n = ttl.core_linear : index
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c6 step %c3 {
      %blk = ttl.cb_reserve %cb : !block
      %part = ttl.index_accessor %acc[%n, %i, %c0] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %n = ttl.core_linear : index
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c6 step %c3 {
      %blk = ttl.cb_wait %cb : !block
      %part = ttl.index_accessor %acc[%n, %i, %c0] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %blk, %part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @rows(%a, %y) : !tensor, !tensor
  ttltest.expect_eq %y, %a : !tensor, !tensor
  return
}
