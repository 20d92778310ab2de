// Each write is waited for after the next one was started, so the loop carries its handle.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=jit --schedule=random --seed=4

!tensor = tensor<32x256xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @spread(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %blk = ttl.cb_reserve %dfb : !block
    %xf = ttl.copy %part, %blk : !slice, !block
    ttl.wait %xf
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %dfb : !block
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %first = ttl.copy %blk, %part : !block, !slice
    %last = scf.for %i = %c1 to %c8 step %c1 iter_args(%old = %first) -> (!ttl.xf) {
      %next_part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %next = ttl.copy %blk, %next_part : !block, !slice
      ttl.wait %old
      scf.yield %next : !ttl.xf
    }
    ttl.wait %last
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %a = ttltest.full 3.0 : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @spread(%a, %y) : !tensor, !tensor
  ttltest.expect_eq %y, %a : !tensor, !tensor
  return
}
