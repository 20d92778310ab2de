// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{the mesh of a placement has 1 to 4 axes, found 5}}
func.func private @f() attributes {ttl.a = #ttl.placement<mesh = [1, 1, 1, 1, 1], dims = [0, 0, 0, 0, 0]>}

// -----

// expected-error @+1 {{the extents of a mesh must be at least 1, found 0}}
func.func private @f() attributes {ttl.a = #ttl.placement<mesh = [0], dims = [0]>}

// -----

// expected-error @+1 {{the mesh of a placement has at most 1024 chips}}
func.func private @f() attributes {ttl.a = #ttl.placement<mesh = [64, 64], dims = [0, 0]>}

// -----

// expected-error @+1 {{a placement has one dimension for each of the 2 axes of the mesh, found 1}}
func.func private @f() attributes {ttl.a = #ttl.placement<mesh = [2, 2], dims = [0]>}

// -----

// expected-error @+1 {{a placement has dimensions of the tensor, -1 or sum, found -2}}
func.func private @f() attributes {ttl.a = #ttl.placement<mesh = [2], dims = [-2]>}

// -----

// expected-error @+1 {{a distributed tensor has integers, floats or tiles, found 'index'}}
func.func private @f(!ttl.dist_tensor<4xindex, #ttl.placement<mesh = [2], dims = [0]>>)

// -----

// expected-error @+1 {{the extents of a distributed tensor must be at least 1, found 0}}
func.func private @f(!ttl.dist_tensor<0xf32, #ttl.placement<mesh = [2], dims = [0]>>)

// -----

// expected-error @+1 {{a distributed tensor has at most 2^31 elements}}
func.func private @f(!ttl.dist_tensor<65536x65536xf32, #ttl.placement<mesh = [2], dims = [0]>>)

// -----

// expected-error @+1 {{#ttl.placement<mesh = [2], dims = [1]> cuts dimension 1 of a tensor with 1 dimensions}}
func.func private @f(!ttl.dist_tensor<4xf32, #ttl.placement<mesh = [2], dims = [1]>>)

// -----

// expected-error @+1 {{#ttl.placement<mesh = [2, 4], dims = [0, 0]> cuts dimension 0 of extent 12 into 8 parts, which are not equal: pad the tensor, or cut another dimension}}
func.func private @f(!ttl.dist_tensor<12xf32, #ttl.placement<mesh = [2, 4], dims = [0, 0]>>)

// -----

// expected-error @+1 {{cuts dimension 0 of extent 3 tiles into 2 parts}}
func.func private @f(!ttl.dist_tensor<3x2x!ttcore.tile<32x32, f32>, #ttl.placement<mesh = [2], dims = [0]>>)

// -----

// expected-error @+1 {{interleaved pages are in the banks of one chip, not of a mesh: write tensor<64x16xf32, #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>>}}
func.func private @f(!ttl.dist_tensor<grid = [4, 2], shard = [16, 8], f32, interleaved>)

// -----

// expected-error @+1 {{shards in l1 are on the cores of one chip, and a distributed tensor is on the chips of a mesh: write dram, or tensor<256x256xf32, #ttl.tensor_encoding<l1, <sharded, tile = 32x32, grid = 8x8, shard = 32x32>>>}}
func.func private @f(!ttl.dist_tensor<grid=[8,8], shard=[32,32], f32, sharded, L1>)

// -----

// expected-error @+1 {{unknown memory space 'L2': expected dram or l1}}
func.func private @f(!ttl.dist_tensor<grid = [4], shard = [16], f32, sharded, L2>)

// -----

// expected-error @+1 {{unknown strategy 'shared': expected sharded, replicated or interleaved}}
func.func private @f(!ttl.dist_tensor<grid = [4], shard = [16], f32, shared>)

// -----

// expected-error @+1 {{the grid has 2 extents and the shard 1: expected one of each for a dimension}}
func.func private @f(!ttl.dist_tensor<grid = [4, 2], shard = [16], f32>)

// -----

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
func.func @f(%t: !t) {
  // expected-error @+1 {{a part of '!ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>' is a 'tensor<4x8xf32>', found 'tensor<8x8xf32>'}}
  %s = ttl.extract_shard %t : !t -> tensor<8x8xf32>
  return
}

// -----

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
func.func @f(%s: tensor<4x8xbf16>) {
  // expected-error @+1 {{is a 'tensor<4x8xf32>', found 'tensor<4x8xbf16>'}}
  %t = ttl.from_shards %s : tensor<4x8xbf16> -> !t
  return
}

// -----

func.func @f(%s: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a distributed tensor, found a value of type 'tensor<4x8xf32>'}}
  %t = ttl.extract_shard %s
  return
}

// -----

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
func.func @f(%t: !t) {
  // expected-error @+1 {{a tensor on a mesh is sharded or replicated, found 'interleaved': write the type of the result, as in ttl.redistribute %t : A -> B}}
  %u = ttl.redistribute %t strategy=interleaved
  return
}

// -----

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
func.func @f(%t: !t) {
  // expected-error @+1 {{needs the type of its result: ttl.redistribute %t : A -> B}}
  %u = ttl.redistribute %t
  return
}

// -----

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
!u = !ttl.dist_tensor<8x4xf32, #ttl.placement<mesh = [2], dims = [0]>>
func.func @f(%t: !t) {
  // expected-error @+1 {{changes the placement only, and not the shape or the elements: '!ttl.dist_tensor<8x8xf32,}}
  %u = ttl.redistribute %t : !t -> !u
  return
}

// -----

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
!u = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2, 1], dims = [0, -1]>>
func.func @f(%t: !t) {
  // expected-error @+1 {{cannot go from #ttl.placement<mesh = [2], dims = [0]> to #ttl.placement<mesh = [2, 1], dims = [0, -1]>: the meshes differ}}
  %u = ttl.redistribute %t : !t -> !u
  return
}

// -----

!t = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>
!u = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [sum]>>
func.func @f(%t: !t) {
  // expected-error @+1 {{to #ttl.placement<mesh = [2], dims = [sum]>: sums cannot become partial again}}
  %u = ttl.redistribute %t : !t -> !u
  return
}

// -----

func.func @f(%a: tensor<8x8xf32>) {
  // expected-error @+1 {{expected the function all_gather, all_reduce, all_to_all, mesh_partition, reduce_scatter, found "gather"}}
  %b = ttl.collective "gather" %a axis 0 of [2] dims 0 to -1 sends 0 : tensor<8x8xf32> -> tensor<16x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x8xf32>) {
  // expected-error @+1 {{axis 1 is no axis of the mesh [2]}}
  %b = ttl.collective "all_gather" %a axis 1 of [2] dims 0 to -1 sends 0 : tensor<8x8xf32> -> tensor<16x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x8xf32>) {
  // expected-error @+1 {{a tensor with 2 dimensions cannot be cut along 2}}
  %b = ttl.collective "all_gather" %a axis 0 of [2] dims 2 to -1 sends 0 : tensor<8x8xf32> -> tensor<16x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x7xf32>) {
  // expected-error @+1 {{cannot cut 'tensor<8x7xf32>' into 2 parts along dimension 1}}
  %b = ttl.collective "all_to_all" %a axis 0 of [2] dims 0 to 1 sends 0 : tensor<8x7xf32> -> tensor<16x3xf32>
  return
}

// -----

func.func @f(%a: tensor<8x8xf32>) {
  // expected-error @+1 {{the result has the shape (16, 4) and the elements of the operand, found 'tensor<8x8xf32>'}}
  %b = ttl.collective "all_to_all" %a axis 0 of [2] dims 0 to 1 sends 0 : tensor<8x8xf32> -> tensor<8x8xf32>
  return
}
