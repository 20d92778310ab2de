// RUN: ttl-opt %s --ttl-lower-compute --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @wraps() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @compute on compute (%a) : !cb
}

// Two of three blocks at a time: the second one is the first slot now and then.
func.func @compute(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %first = ttl.cb_wait %a : !block
    // expected-note @+1 {{acquired here}}
    %second = ttl.cb_wait %a : !block
    // expected-error @+1 {{make block_count (3) a multiple of the blocks held together}}
    %0 = ttl.get_tile %second[%c0] {dst_idx = 0 : i32} : !block -> !t
    ttl.cb_pop %first : !block
    ttl.cb_pop %second : !block
  }
  return
}
