// Threads that name their processors, in another order than the processors:
// ttl-microcores-to-threads makes compute and data movement threads of them. Some have the name of
// the design documents, ttl.thread, and short roles.

#chip = #ttl.microcore_config<[@noc0 : data_movement, @noc1 : data_movement, @unpack : compute,
                               @math : compute, @pack : compute]>
!tensor = tensor<64x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @square(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.tile_proc microcores = #chip {
    ttl.thread @math "compute" {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.for %i = %c0 to %c2 step %c1 {
        %x = ttl.cb_wait %a_dfb : !block
        %out = ttl.cb_reserve %y_dfb : !block
        %product = ttl.block_mul %x, %x : (!block, !block) -> !e
        ttl.block_store %out, %product : !block, !e
        ttl.cb_push %out : !block
        ttl.cb_pop %x : !block
      }
    }
    ttl.microcore_thread @noc1 "reader" {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
      scf.for %i = %c0 to %c2 step %c1 {
        %from = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
        %in = ttl.cb_reserve %a_dfb : !block
        %read = ttl.copy %from, %in : !slice, !block
        ttl.wait %read
        ttl.cb_push %in : !block
      }
    }
    ttl.microcore_thread @noc0 "writer" {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
      scf.for %i = %c0 to %c2 step %c1 {
        %result = ttl.cb_wait %y_dfb : !block
        %to = ttl.index_accessor %acc[%i, %c0] : !ttl.accessor<!tensor> -> !slice
        %write = ttl.copy %result, %to : !block, !slice
        ttl.wait %write
        ttl.cb_pop %result : !block
      }
    }
  }
}

func.func @main() {
  %a = ttltest.full 1.5 : !tensor
  %y = ttltest.full -1.0 : !tensor
  %expected = ttltest.full 2.25 : !tensor
  ttl.launch @square(%a, %y) : !tensor, !tensor
  ttltest.expect_eq %y, %expected : !tensor, !tensor
  return
}
