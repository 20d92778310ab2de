// options: --trust
// Prints, signposts, elements of blocks and functions of the host, between transfers.

!tensor = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 2], !tensor>

ttl.kernel @host_ops(%x: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c40 = arith.constant 40 : index
    %acc = ttl.tensor_accessor %x : !tensor -> !ttl.accessor<!tensor>
    ttl.print_tensor %acc pages 1 : !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c3 step %c1 {
      %blk = ttl.cb_reserve %x_cb : !block
      ttl.print_block %blk : !block
      %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.signpost begin "elements"
      %v = ttl.element_read %blk[%i, %c40] : !block
      %n = arith.index_cast %i : index to i32
      %big = arith.cmpf ogt, %v, %v : f32
      ttl.print "i={} v={:.2f} {!r:>6}|\0A", %n, %v, %big : i32, f32, i1
      %root = ttl.call_host "fabsf" in "libm.so.6" (%v) : (f32) -> f32
      ttl.element_write %root, %blk[%c3, %i] : !block
      ttl.signpost end "elements"
      %false = arith.constant false
      %holds = arith.cmpf oge, %root, %v : f32
      ttl.assert %holds, "{} is less than {}", %root, %v : f32, f32
      ttl.cb_push %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %a = ttl.cb_wait %x_cb : !block
      %b = ttl.cb_reserve %y_cb : !block
      ttl.print_block %a : !block
      %sum = ttl.block_add %a, %a : (!block, !block) -> !value
      ttl.block_store %b, %sum : !block, !value
      ttl.print_block %b {thread = "pack"} : !block
      ttl.print_buffer %y_cb : !cb
      ttl.cb_push %b : !block
      ttl.cb_pop %a : !block
      ttl.signpost point "done"
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c3 step %c1 {
      %blk = ttl.cb_wait %y_cb : !block
      %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
      %xf = ttl.copy %blk, %part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
}

func.func @main() {
  %x = ttltest.iota {start = -5.0 : f64, step = 0.5 : f64} : !tensor
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @host_ops(%x, %y) : !tensor, !tensor
  return
}
