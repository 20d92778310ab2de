// Copies between a tensor whose pages are in banks of L1 and another tensor; both have padding.

!from = tensor<40x70xbf16, #ttl.tensor_encoding<l1, #ttl.layout<interleaved, tile = 32x32>>>
!to = tensor<40x70xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 3], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x3x!ttcore.tile<32x32, bf16>>, !cb>
!source = !ttl.tensor_slice<[1, 3], !from>
!target = !ttl.tensor_slice<[1, 3], !to>

ttl.kernel @l1(%a: !from, %y: !to) attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "a_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %acc = ttl.tensor_accessor %a : !from -> !ttl.accessor<!from>
    scf.for %i = %c0 to %c2 step %c1 {
      %blk = ttl.cb_reserve %cb : !block
      %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!from> -> !source
      %xf = ttl.copy %part, %blk : !source, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %acc = ttl.tensor_accessor %y : !to -> !ttl.accessor<!to>
    scf.for %i = %c0 to %c2 step %c1 {
      %blk = ttl.cb_wait %cb : !block
      %part = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!to> -> !target
      %xf = ttl.copy %blk, %part : !block, !target
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
}

func.func @main() {
  %a = ttltest.random 3 : !from
  %y = ttltest.full -1.0 : !to
  ttl.launch @l1(%a, %y) : !from, !to
  return
}
