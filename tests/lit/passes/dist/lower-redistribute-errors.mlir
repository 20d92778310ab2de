// RUN: ttl-opt %s --ttl-lower-redistribute --split-input-file --verify-diagnostics

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
!u = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [4], dims = [0]>>
// expected-error @+1 {{the distributed tensors of a function are on one mesh, found #ttl.placement<mesh = [2], dims = [0]> and #ttl.placement<mesh = [4], dims = [0]>}}
func.func @f(%t: !t, %u: !u) {
  return
}

// -----

// expected-error @+1 {{a distributed tensor of a function has scalars, which are stored as tiles: write elements in place of '!ttcore.tile<32x32, f32>'}}
func.func @f(%t: !ttl.dist_tensor<2x2x!ttcore.tile<32x32, f32>, #ttl.placement<mesh = [2], dims = [0]>>) {
  return
}

// -----

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
func.func private @g(!t) -> !t
func.func @f(%t: !t) -> !t {
  // expected-error @+1 {{cannot take or make a distributed tensor: use ttl.extract_shard before it and ttl.from_shards after it}}
  %u = func.call @g(%t) : (!t) -> !t
  return %u : !t
}

// -----

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
func.func @f(%t: !t) -> tensor<4x8xf32> {
  %s = ttl.extract_shard %t
  // expected-error @+1 {{result 0 is a tensor of each chip: return it as a distributed tensor, with ttl.from_shards; found 'tensor<4x8xf32>'}}
  return %s : tensor<4x8xf32>
}

// -----

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
// expected-error @+1 {{a function with distributed tensors must have one block}}
func.func @f(%t: !t) -> !t {
  llvm.br ^bb1
^bb1:
  return %t : !t
}
