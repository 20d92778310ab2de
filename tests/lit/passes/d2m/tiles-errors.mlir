// RUN: ttl-opt %s --d2m-to-ttl --split-input-file --verify-diagnostics

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    // expected-error @+1 {{must have indices of tiles that are known at compile time: loop indices of constant bounds and constants are}}
    %t = memref.load %x[%i, %c0] : !b
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    // expected-error @+1 {{accesses a tile outside of its memref: 'memref<2x2x!ttcore.tile<32x32, f32>>'}}
    %t = memref.load %x[%c2, %c0] : !b
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %y = memref.alloc() : !b
    %t = memref.load %y[%c0, %c0] : !b
    // expected-error @+1 {{stores a tile that was read before anything was written into it}}
    memref.store %t, %z[%c0, %c0] : !b
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %y = memref.alloc() : !b
    %t = memref.load %y[%c0, %c0] : !b
    // expected-error @+1 {{reads a tile before anything is written into it}}
    %e = "d2m.tile_exp"(%t) : (!t) -> !t
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    // expected-error @+1 {{this needs a block whose tiles were written one by one, but its tiles are results of different operations; a block whose tiles are all computed alike is supported}}
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %t = memref.load %x[%c0, %c0] : !b
    %e = "d2m.tile_exp"(%t) : (!t) -> !t
    %s = "d2m.tile_sin"(%t) : (!t) -> !t
    memref.store %s, %z[%c0, %c0] : !b
    memref.store %e, %z[%c0, %c1] : !b
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    // expected-error @+1 {{this needs a block whose tiles were written one by one, but its tiles are read from a block in an order that is not the one of their dimensions; a block whose tiles are all computed alike is supported}}
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %t = memref.load %x[%c0, %c0] : !b
    %u = memref.load %x[%c1, %c1] : !b
    memref.store %t, %z[%c0, %c1] : !b
    memref.store %u, %z[%c0, %c0] : !b
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    // expected-error @+1 {{must have offsets and sizes that are known at compile time: loop indices of constant bounds and constants are}}
    %s = memref.subview %x[%i, 0] [1, 2] [1, 1] : !b to memref<1x2x!t, strided<[2, 1], offset: ?>>
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    // expected-error @+1 {{leads outside of its memref: dimension 0 has 2 tiles, the subview begins at 2 and has 1}}
    %s = memref.subview %x[%c2, 0] [1, 2] [1, 1] : !b to memref<1x2x!t, strided<[2, 1], offset: ?>>
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    // expected-error @+1 {{has bounds that are not known at compile time, but its body works tile by tile: write it for a fixed number of tiles}}
    scf.for %p = %c0 to %i step %c1 {
      %t = memref.load %x[%p, %c0] : !b
      memref.store %t, %z[%p, %c0] : !b
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %y = memref.alloc() : !b
    // expected-error @+1 {{copies a tile before anything is written into it}}
    d2m.local_copy %y, %z indexing_maps = [#id, #id] : !b, !b
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    // expected-error @+1 {{must have an identity map of the block that it writes}}
    d2m.local_copy %x, %z indexing_maps = [#id, #swap] : !b, !b
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %y = memref.alloc() : memref<3x2x!t>
    // expected-error @+1 {{copies a tile that a block does not have: it reads from (2, 2) tiles and writes to (3, 2)}}
    d2m.local_copy %x, %y indexing_maps = [#id, #id] : !b, memref<3x2x!t>
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %y = memref.alloc() : memref<2x2xf32>
    // expected-error @+1 {{copies blocks that have no tiles, which is not supported}}
    d2m.local_copy %x, %y indexing_maps = [#id, #id] : !b, memref<2x2xf32>
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %y = memref.alloc() : memref<2x2xf32>
    %w = memref.alloc() : memref<2x2xf32>
    // expected-error @+1 {{copies a memref that has no tiles, which is not supported}}
    memref.copy %y, %w : memref<2x2xf32> to memref<2x2xf32>
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %k = arith.index_cast %i : index to i32
    // expected-error @+1 {{must have a flag that is known at compile time}}
    d2m.set_l1_accumulate(%k)
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %s = memref.subview %x[0, 0] [2, 1] [1, 1] : !b to memref<2x1x!t, strided<[2, 1]>>
    // expected-error @+1 {{is supported for parts of blocks if these have two dimensions that fit and transpose_b is false}}
    "d2m.tile_matmul_block"(%s, %x, %z) : (memref<2x1x!t, strided<[2, 1]>>, !b, !b) -> ()
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %w = memref.alloc() : memref<2x2xf32>
    // expected-error @+1 {{carries a value that is neither a number nor a tile nor a block of tiles: 'memref<2x2xf32>'}}
    %r = scf.for %p = %c0 to %c2 step %c1 iter_args(%a = %w) -> memref<2x2xf32> {
      %t = memref.load %x[%p, %c0] : !b
      scf.yield %a : memref<2x2xf32>
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %k = arith.constant 200000 : index
    scf.for %p = %c0 to %k step %c1 {
    // expected-error @+1 {{loops over tiles have more than 131072 operations in this region: use smaller blocks, or linalg.generic on whole ones}}
      %t = memref.load %x[%c0, %c0] : !b
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  %s = d2m.create_local_semaphore <{initialValue = 0 : ui32}> -> !d2m.local_semaphore
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement>]} ins(%m : !m) outs(%n : !m) additionalArgs(%s : !d2m.local_semaphore) {
    %q = d2m.get_cb(1) : !cb
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c1 = arith.constant 1 : index
    %x = d2m.reserve %q : !cb -> !b
    // expected-error @+1 {{must name a core, or a rectangle of cores, by two numbers each, on a grid of two dimensions}}
    d2m.semaphore_set %s, %c1, core[%i] : !d2m.local_semaphore
    d2m.push %q : !cb
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  %s = d2m.create_local_semaphore <{initialValue = 0 : ui32}> -> !d2m.local_semaphore
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement>]} ins(%m : !m) outs(%n : !m) additionalArgs(%s : !d2m.local_semaphore) {
    %q = d2m.get_cb(1) : !cb
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c1 = arith.constant 1 : index
    %x = d2m.reserve %q : !cb -> !b
    // expected-error @+1 {{changes a semaphore of another chip, which is not supported: a module runs on one chip}}
    d2m.semaphore_set %s, %c1, core[%i, %j] startDevice[%i, %j] : !d2m.local_semaphore
    d2m.push %q : !cb
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  %s = d2m.create_local_semaphore <{initialValue = 0 : ui32}> -> !d2m.local_semaphore
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement>]} ins(%m : !m) outs(%n : !m) additionalArgs(%s : !d2m.local_semaphore) {
    %q = d2m.get_cb(1) : !cb
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c1 = arith.constant 1 : index
    %x = d2m.reserve %q : !cb -> !b
    // expected-error @+1 {{increments the semaphore of several cores, which is not supported: write a loop over the cores}}
    d2m.semaphore_inc %s, %c1, core[%i, %j] mcast[%c1, %c1] : !d2m.local_semaphore
    d2m.push %q : !cb
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  %s = d2m.create_local_semaphore <{initialValue = 0 : ui32}> -> !d2m.local_semaphore
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement>]} ins(%m : !m) outs(%n : !m) {
    %q = d2m.get_cb(1) : !cb
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c1 = arith.constant 1 : index
    %x = d2m.reserve %q : !cb -> !b
    // expected-error @+1 {{uses a semaphore that is not one of the d2m.generic: add it to additionalArgs(..)}}
    d2m.semaphore_wait %s, %c1 : !d2m.local_semaphore
    d2m.push %q : !cb
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  %s = d2m.create_local_semaphore <{initialValue = 0 : ui32}> -> !d2m.local_semaphore
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement>]} ins(%m : !m) outs(%n : !m) additionalArgs(%s : !d2m.local_semaphore) {
    %q = d2m.get_cb(1) : !cb
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c1 = arith.constant 1 : index
    %x = d2m.reserve %q : !cb -> !b
    %d = d2m.get_cb(0) : !cb
    // expected-error @+1 {{copies from one queue into another one, which is not supported: copy blocks in a compute or unified region}}
    %k = d2m.local_copy from %d into %q indexing_maps = [#id, #id] : !cb, !cb -> !d2m.mem_tx<read>
    d2m.push %q : !cb
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{runs a function that does not exist: @k}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement, @k>]} ins(%m : !m) outs(%n : !m)
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func private @k() attributes {d2m.thread = #d2m.thread<datamovement>} {
  // expected-error @+1 {{is operand 5, but the d2m.generic has 2 operands}}
  %a = d2m.get_arg(5) : !m
  return
}
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement, @k>]} ins(%m : !m) outs(%n : !m)
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func private @k() attributes {d2m.thread = #d2m.thread<datamovement>} {
  // expected-error @+1 {{must have the type of operand 0, 'memref<2x2x2x2x!ttcore.tile<32x32, f32>, #ttcore.shard<8192x4096, 1>>', found 'index'}}
  %a = d2m.get_arg(0) : index
  return
}
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement, @k>]} ins(%m : !m) outs(%n : !m)
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
!g = memref<8x8x1x1xui32, #ttcore.shard<4x4, 1>>
func.func @f(%m: !m, %n: !m, %u: !g) {
  %s = d2m.create_global_semaphore(%u) {value = 0 : ui32} : !g -> !d2m.global_semaphore
  // expected-error @+1 {{uses a global semaphore that another d2m.generic uses, too, which is not supported: a semaphore lives as long as one kernel}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) additionalArgs(%s : !d2m.global_semaphore) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) additionalArgs(%s : !d2m.global_semaphore) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %y = memref.alloc() : !b
    %s = memref.subview %y[0, 0] [1, 2] [1, 1] : !b to memref<1x2x!t, strided<[2, 1]>>
    %r = memref.subview %z[0, 0] [1, 2] [1, 1] : !b to memref<1x2x!t, strided<[2, 1]>>
    // expected-error @+1 {{yields a tile that was read before anything was written into it}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : memref<1x2x!t, strided<[2, 1]>>) outs(%r : memref<1x2x!t, strided<[2, 1]>>) {
    ^bb0(%a: !t, %out: !t):
      linalg.yield %a : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}


// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %s = memref.subview %x[0, 0] [1, 2] [1, 1] : !b to memref<1x2x!t, strided<[2, 1]>>
    // expected-error @+1 {{accesses a tile outside of operand 0}}
    linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%s : memref<1x2x!t, strided<[2, 1]>>) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      linalg.yield %a : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}


// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<compute>]} ins(%m : !m) outs(%n : !m) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = d2m.get_cb(0) : !cb
    %q = d2m.get_cb(1) : !cb
    %x = d2m.wait %p : !cb -> !b
    %y = d2m.reserve %q : !cb -> !b
    %w = memref.alloc() : !b
    %t = memref.load %x[%c0, %c0] : !b
    %e = "d2m.tile_exp"(%t) : (!t) -> !t
    memref.store %t, %w[%c0, %c0] : !b
    memref.store %e, %w[%c0, %c1] : !b
    d2m.pop %p : !cb
    // expected-error @+1 {{reads a tile that was computed from a block which was freed since: free the block later}}
    %u = memref.load %w[%c0, %c0] : !b
    d2m.push %q : !cb
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<compute>]} ins(%m : !m) outs(%n : !m) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = d2m.get_cb(0) : !cb
    %q = d2m.get_cb(1) : !cb
    %x = d2m.wait %p : !cb -> !b
    %y = d2m.reserve %q : !cb -> !b
    %w = memref.alloc() : !b
    %t = memref.load %x[%c0, %c0] : !b
    %e = "d2m.tile_exp"(%t) : (!t) -> !t
    memref.store %t, %w[%c0, %c0] : !b
    memref.store %e, %w[%c0, %c1] : !b
    d2m.pop %p : !cb
    // expected-error @+1 {{reads a block that was computed from another one which was freed since: free that block later}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : !b) outs(%y : !b) {
    ^bb0(%a: !t, %out: !t):
      linalg.yield %a : !t
    }
    d2m.push %q : !cb
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    // expected-error @+1 {{this needs a block whose tiles were written one by one, but its tiles are read from different blocks; a block whose tiles are all computed alike is supported}}
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %y = memref.alloc() : !b
    d2m.remote_load %y %m[%j, %i] : !b, !m
    %t = memref.load %x[%c0, %c0] : !b
    %u = memref.load %y[%c0, %c1] : !b
    memref.store %t, %z[%c0, %c0] : !b
    memref.store %u, %z[%c0, %c1] : !b
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}


// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    // expected-error @+1 {{this needs a block whose tiles were written one by one, but some of its tiles continue a partial result and others do not; a block whose tiles are all computed alike is supported}}
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %y = memref.alloc() : !b
    %e = memref.load %y[%c0, %c0] : !b
    %t = memref.load %x[%c0, %c0] : !b
    %u = memref.load %x[%c0, %c1] : !b
    %p = "d2m.tile_matmul"(%t, %t, %e) : (!t, !t, !t) -> !t
    %q = "d2m.tile_matmul"(%u, %u, %u) : (!t, !t, !t) -> !t
    memref.store %p, %z[%c0, %c0] : !b
    memref.store %q, %z[%c0, %c1] : !b
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}


// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    // expected-error @+1 {{this needs a block whose tiles were written one by one, but its tiles are computed from different numbers; a block whose tiles are all computed alike is supported}}
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %k = arith.constant 2.0 : f32
    %l = arith.constant 3.0 : f32
    %t = memref.load %x[%c0, %c0] : !b
    %u = memref.load %x[%c0, %c1] : !b
    %p = "d2m.tile_mul"(%t, %k) : (!t, f32) -> !t
    %q = "d2m.tile_mul"(%u, %l) : (!t, f32) -> !t
    memref.store %p, %z[%c0, %c0] : !b
    memref.store %q, %z[%c0, %c1] : !b
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}


// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>>
!b = memref<2x2x!t>
!cb = !d2m.cb<!b>
func.func @f(%m: !m, %n: !m, %k: index) {
  // expected-error @+1 {{has additionalArgs that are not supported: 'index'}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) additionalArgs(%k : index) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

