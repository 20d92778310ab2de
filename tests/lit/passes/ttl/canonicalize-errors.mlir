// RUN: ttl-opt %s --ttl-canonicalize --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.bind_cb {cb_index = 0} : !cb
  ttl.compute_thread "compute" {
    %v = ttl.cb_wait %a : !cb -> !e
    ttl.cb_pop %a : !cb
    // expected-error @+1 {{no block of this buffer is open here: expected ttl.cb_wait before}}
    ttl.cb_pop %a : !cb
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
ttl.kernel @k(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.bind_cb {cb_index = 0} : !cb
  ttl.datamovement_thread "reader" {
    // expected-error @+1 {{no block of this buffer is open here: expected ttl.cb_reserve before}}
    %x = ttl.copy %t, %a : (!tensor, !cb) -> !ttl.transfer_handle<read>
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%a: !cb, %b: !cb) {
  %v = ttl.cb_wait %a : !cb -> !e
  // expected-error @+1 {{the tensor is no block of this buffer: acquire one with ttl.cb_wait or ttl.cb_reserve}}
  %w = ttl.attach_cb %v, %b : (!e, !cb) -> !e
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%a: !cb) -> !e {
  %v = ttl.cb_wait %a : !cb -> !e
  // expected-error @+1 {{cannot take a block as a tensor: only block expressions can}}
  return %v : !e
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
func.func @f(%t: !tensor, %i: index) -> !tensor {
  // expected-error @+1 {{can only be used as an end of a copy}}
  %s = ttl.tensor_slice %t[%i, %i] : !tensor -> !tensor
  return %s : !tensor
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
func.func @f(%t: !accessor) -> !accessor {
  %w = ttl.grid_slice %t {block_factors = array<i64: 1, 1>} : !accessor
  // expected-error @+1 {{cannot take a node's window of a tensor: only ttl.index_accessor can}}
  return %w : !accessor
}

// -----

func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{this index has 2 iterators, but is in 1 loop}}
    %j = ttl.linearized_index affine_map<(d0, d1) -> (d0 * 2 + d1)> : index
  }
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t, %v: tensor<1x1x!t>) {
  // expected-error @+1 {{the view is no reserved block: acquire one with ttl.cb_reserve}}
  ttl.store %t, %v : !t, tensor<1x1x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t, %a: !ttl.cb<[2, 1], !t, 2>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = ttl.cb_reserve %a : !ttl.cb<[2, 1], !t, 2> -> tensor<2x1x!t>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{cannot find the tile of the block that is meant: expected one loop from 0 per dimension of (2, 1); or use ttl.pack_tile to name the tile}}
    ttl.store %t, %v : !t, tensor<2x1x!t>
  }
  return
}
