// Writes elements of integers, of which all bits must stay: as a float, the bits of -1 are a NaN.

!tensor = tensor<32x32xsi32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, si32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, si32>>, !cb>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @integer_elements(%x: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c31 = arith.constant 31 : index
    %n = arith.constant -2 : i32
    %acc = ttl.tensor_accessor %x : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %x_cb : !block
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %part, %blk : !slice, !block
    ttl.wait %xf
    scf.for %i = %c0 to %c7 step %c1 {
      %v = ttl.element_read %blk[%c0, %i] : !block
      ttl.element_write %v, %blk[%c31, %i] : !block
    }
    %bits = arith.bitcast %n : i32 to f32
    ttl.element_write %bits, %blk[%c7, %c7] : !block
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %x_cb : !block
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %blk, %part : !block, !slice
    ttl.wait %xf
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %x = ttltest.iota {start = -3.0 : f64, step = 1.0 : f64} : !tensor
  %y = ttltest.full 0.0 : !tensor
  ttl.launch @integer_elements(%x, %y) : !tensor, !tensor
  return
}
