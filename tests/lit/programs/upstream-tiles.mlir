// Copies with coordinates, and tiles that are stored one by one, as tt-lang writes them.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --stage=input

!tensor = tensor<64x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[2, 1], !t, 2>
!block = !ttl.block<tensor<2x1x!t>, !cb>

ttl.kernel @negate(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.bind_cb {cb_index = 0, buffer_factor = 2} : !cb
  %y_cb = ttl.bind_cb {cb_index = 16, buffer_factor = 2} : !cb
  ttl.datamovement_thread "reader" {
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %a_cb : !block
    %xf = ttl.copy %acc, %blk {src_coords = [0, 0]} : !ttl.accessor<!tensor>, !block
    ttl.wait %xf
    ttl.cb_push %blk : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    ttl.init_sfpu(%a_cb, %y_cb) : !cb, !cb
    %in = ttl.cb_wait %a_cb : !block
    %out = ttl.cb_reserve %y_cb : !cb -> tensor<2x1x!t>
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c1 step %c1 {
        %n = ttl.linearized_index affine_map<(d0, d1) -> (d0 + d1)> : index
        %0 = ttl.get_tile %in[%n] {dst_idx = 0 : i32} : !block -> !t
        %1 = ttl.tile_neg %0 {dst_idx = 0 : i32} : (!t) -> !t
        ttl.store %1, %out : !t, tensor<2x1x!t>
      }
    }
    ttl.cb_push %y_cb : !cb
    ttl.cb_pop %a_cb : !cb
  }
  ttl.datamovement_thread "writer" {
    %blk = ttl.cb_wait %y_cb : !block
    %xf = ttl.copy %blk, %y {dst_coords = [0, 0]} : !block, !tensor
    ttl.wait %xf
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %a = ttltest.iota {start = 1.0} : !tensor
  %y = ttltest.full 0.0 : !tensor
  ttl.launch @negate(%a, %y) : !tensor, !tensor
  %expected = ttltest.iota {start = -1.0, step = -1.0} : !tensor
  ttltest.expect_eq %y, %expected : !tensor, !tensor
  return
}
