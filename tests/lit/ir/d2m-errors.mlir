// RUN: ttl-opt %s --split-input-file --verify-diagnostics

!t = !ttcore.tile<32x32, f32>

func.func @f(%t: !t) {
  // expected-error @+1 {{custom op 'd2m.remote_lod' is not supported: unknown op of d2m: 'remote_lod'; did you mean remote_load?}}
  d2m.remote_lod %t
  return
}

// -----

// expected-error @+1 {{unknown type of d2m: 'local_sem'; expected cb, mem_tx, local_semaphore or global_semaphore}}
func.func private @f(!d2m.local_sem)

// -----

// expected-error @+1 {{unknown direction of a transfer: 'reed'; expected read, write or mcast_write}}
func.func private @f(!d2m.mem_tx<reed>)

// -----

// expected-error @+1 {{the blocks of a queue must be tensors or memrefs, found 'i32'}}
func.func private @f(!d2m.cb<i32>)

// -----

// expected-error @+1 {{the blocks of a queue must be tensors or memrefs with a rank, found 'tensor<*xf32>'}}
func.func private @f(!d2m.cb<tensor<*xf32>>)

// -----

// expected-error @+1 {{unknown kind of thread: 'unifed'; expected compute, datamovement or unified}}
func.func private @f() attributes {a = #d2m.thread<unifed>}

// -----

// expected-error @+1 {{unknown attribute of d2m: 'thred'; did you mean thread?}}
func.func private @f() attributes {a = #d2m.thred<unified>}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t) {
  // expected-error @+1 {{'d2m.tile_exp' op must have 1 operand, found 2}}
  %r = "d2m.tile_exp"(%t, %t) : (!t, !t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t) {
  // expected-error @+1 {{'d2m.tile_reduce_sum' op needs the attribute reduce_dim: #d2m<reduce_dim R>, C or RC}}
  %r = "d2m.tile_reduce_sum"(%t, %t, %t) : (!t, !t, !t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t) {
  // expected-error @+1 {{'d2m.tile_bcast' op needs the attribute bcast_type: #d2m<tile_bcast_type row>, col, scalar or none}}
  %r = "d2m.tile_bcast"(%t) : (!t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t) {
  // expected-error @+1 {{'d2m.tile_clamp_scalar' op needs the attributes min and max}}
  %r = "d2m.tile_clamp_scalar"(%t) : (!t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t) {
  // expected-error @+1 {{'d2m.tile_clamp_scalar' op needs min and max of one type, f32 or i32}}
  %r = "d2m.tile_clamp_scalar"(%t) {min = 0 : i32, max = 1.0 : f32} : (!t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t) {
  // expected-error @+1 {{'d2m.tile_clamp_scalar' op must have numbers as min and max, found "a"}}
  %r = "d2m.tile_clamp_scalar"(%t) {min = "a", max = 1.0 : f32} : (!t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t) {
  // expected-error @+1 {{'d2m.tile_selu' op needs the attributes scale and alpha}}
  %r = "d2m.tile_selu"(%t) : (!t) -> !t
  return
}

// -----

func.func @f(%t: tensor<2x2xf32>) {
  // expected-error @+1 {{'d2m.tile_abs' op must have operands that are tiles or numbers, found 'tensor<2x2xf32>'}}
  %r = "d2m.tile_abs"(%t) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t) {
  // expected-error @+1 {{'d2m.tile_abs' op must have one result, found 0}}
  "d2m.tile_abs"(%t) : (!t) -> ()
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%t: !t) {
  // expected-error @+1 {{'d2m.tile_abs' op must have results that are tiles or numbers, found 'tensor<2xf32>'}}
  %r = "d2m.tile_abs"(%t) : (!t) -> tensor<2xf32>
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have an output}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs() {
  ^u:
  }
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have a thread}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = []} ins() outs(%m : !m)
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have one region for each of its 2 threads, found 1}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>, #d2m.thread<compute>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op has no region for thread 0, so the thread must name a function: #d2m.thread<compute, @name>}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins() outs(%m : !m)
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have regions of one block}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {}
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have a #ttcore.grid<YxX> as its grid, found 3 : i64}}
  d2m.generic {block_factors = [], grid = 3, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have a grid of the rank of its output's, 2, found 1}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

!m = memref<2x3x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have an output whose grid is a multiple of its own: dimension 1 has 3 blocks for 2 cores}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have one indexing map for each of its 2 operands, found 1}}
  d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%m : !m) {
  ^u:
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have one block factor for each of its 2 iterators, found 1}}
  d2m.generic {block_factors = [1], grid = #ttcore.grid<2x2>, indexing_maps = [#id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have block factors of at least 1, found 0}}
  d2m.generic {block_factors = [1, 0], grid = #ttcore.grid<2x2>, indexing_maps = [#id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have indexing maps of 1 dimensions, one for each iterator, found affine_map<(d0, d1) -> (d0, d1)>}}
  d2m.generic {block_factors = [1], grid = #ttcore.grid<2x2>, indexing_maps = [#id], iterator_types = [#p], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

#twice = affine_map<(d0, d1) -> (d0, d0)>
#p = #ttcore.iterator_type<parallel>
!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have indexing maps whose results are different dimensions or 0, found affine_map<(d0, d1) -> (d0, d0)>}}
  d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#twice], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#p = #ttcore.iterator_type<parallel>
!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{'d2m.generic' op must have the same indexing map for all outputs, found affine_map<(d0, d1) -> (d0, d1)> and affine_map<(d0, d1) -> (d1, d0)>}}
  d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#id, #swap], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]} ins() outs(%m, %n : !m, !m) {
  ^u:
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
!n = memref<2x4x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m, %n: !n) {
  // expected-error @+1 {{'d2m.generic' op must have as many blocks in operand 0 as dimension 1 has steps and cores: expected 2, found 4}}
  d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#id, #id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]} ins(%n : !n) outs(%m : !m) {
  ^u:
  }
  return
}

// -----

#one = affine_map<(d0, d1) -> (d0)>
#p = #ttcore.iterator_type<parallel>
!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have an indexing map with one result for each of the 2 grid dimensions of operand 0, found affine_map<(d0, d1) -> (d0)>}}
  d2m.generic {block_factors = [1, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#one], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op has more blocks than a number of 64 bits can count}}
  d2m.generic {block_factors = [9223372036854775807, 1], grid = #ttcore.grid<2x2>, indexing_maps = [#id], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

#p = #ttcore.iterator_type<parallel>
!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.generic' op must have indexing_maps if it has iterator_types or block_factors}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [#p, #p], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
  ^u:
  }
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
!b = memref<1x2x!ttcore.tile<32x32, f32>>
func.func @f(%m: !m, %b: !b, %i: index) {
  // expected-error @+1 {{'d2m.remote_load' op must have a local block with the shape and the elements of a shard of 'memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>', found 'memref<1x2x!ttcore.tile<32x32, f32>>'}}
  d2m.remote_load %b %m[%i, %i] : !b, !m
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%m: !m, %b: !b, %i: index) {
  // expected-error @+1 {{'d2m.remote_store' op must have one index for each of the 2 dimensions of the operand's grid, found 1}}
  d2m.remote_store %m[%i] %b : !m, !b
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m, %i: index) {
  // expected-error @+1 {{'d2m.remote_load' op must load into either a local block or a queue}}
  d2m.remote_load %m[%i, %i] : !m
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m, %i: index) {
  // expected-error @+1 {{'d2m.remote_store' op must store either a local block or a block of a queue}}
  d2m.remote_store %m[%i, %i] : !m
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!ttcore.tile<32x32, f32>>
func.func @f(%m: !m, %b: !b, %i: index) {
  // expected-error @+1 {{'d2m.remote_load' op must have either mcast or mcore and mshape}}
  d2m.remote_load %b %m[%i, %i] mcore[%i, %i] mshape[%i, %i] mcast[%i] : !b, !m
  return
}

// -----

!m = memref<2x2x1x1x!ttcore.tile<32x32, f32>>
!n = memref<2x2x1x1xf32>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.view_layout' op must keep the element type unless it has reinterpretLayout, found '!ttcore.tile<32x32, f32>' and 'f32'}}
  %v = d2m.view_layout %m remapping = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : !m -> !n
  return
}

// -----

func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x2xbf16>) {
  // expected-error @+1 {{'d2m.to_layout' op must have a result of the output's type, 'tensor<2x2xbf16>', found 'tensor<2x2xf32>'}}
  %v = d2m.to_layout %a, %b : tensor<2x2xf32> into tensor<2x2xbf16> -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x2xbf16>) {
  // expected-error @+1 {{'d2m.to_layout' op must have at most one result, found 2}}
  %v, %w = d2m.to_layout %a, %b : tensor<2x2xf32> into tensor<2x2xbf16> -> tensor<2x2xbf16>, tensor<2x2xbf16>
  return
}

// -----

!m = tensor<2x2xf32>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.spatial' op must have one region for each of its 0 grid ranges, found 1}}
  d2m.spatial {grid_ranges = []} ins() outs(%m : !m) {
    d2m.spatial_yield
  }
  return
}

// -----

!m = tensor<2x2xf32>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.spatial' op must have exactly one d2m.generic in each region}}
  d2m.spatial {grid_ranges = [#ttcore.core_range<(0, 0), (1, 1)>]} ins() outs(%m : !m) {
    d2m.spatial_yield
  }
  return
}

// -----

!m = memref<1x1x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{'d2m.spatial' op must have ranges that do not overlap, found #ttcore.core_range<(0, 0), (1, 1)> and #ttcore.core_range<(1, 1), (2, 2)>}}
  d2m.spatial {grid_ranges = [#ttcore.core_range<(0, 0), (1, 1)>, #ttcore.core_range<(1, 1), (2, 2)>]} ins() outs(%m, %n : !m, !m) {
    d2m.generic {block_factors = [], grid = #ttcore.grid<1x1>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
    ^u:
    }
    d2m.spatial_yield
  }, {
    d2m.generic {block_factors = [], grid = #ttcore.grid<1x1>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins() outs(%n : !m) {
    ^u:
    }
    d2m.spatial_yield
  }
  return
}

// -----

!m = memref<1x1x1x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m) {
  // expected-error @+1 {{'d2m.spatial' op must have ranges of rows and columns, found #ttcore.core_range<(0), (1)>}}
  d2m.spatial {grid_ranges = [#ttcore.core_range<(0), (1)>]} ins() outs(%m : !m) {
    d2m.generic {block_factors = [], grid = #ttcore.grid<1x1>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins() outs(%m : !m) {
    ^u:
    }
    d2m.spatial_yield
  }
  return
}

// -----

#layout = #ttcore.metal_layout<logical_shape = 32x32, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!t = tensor<1x1x1x1x!ttcore.tile<32x32, f32>, #layout>
func.func @f(%t: !t) {
  // expected-error @+1 {{'d2m.spatial' op must have results of the types that its regions yield, found 1 results and 0 yielded values}}
  %r = d2m.spatial {grid_ranges = [#ttcore.core_range<(0, 0), (0, 0)>]} ins() outs(%t : !t) {
    %s = d2m.generic {block_factors = [], grid = #ttcore.grid<1x1>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins() outs(%t : !t) {
    ^u:
      d2m.yield %t : (!t)
    } : !t
    d2m.spatial_yield
  } : !t
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<2x2xf32>) {
  // expected-error @+1 {{'linalg.generic' op must have one indexing map for each of its 2 operands, found 1}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2x2xf32>) outs(%a : tensor<2x2xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2x2xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<2x2xf32>) {
  // expected-error @+1 {{'linalg.generic' op must have the iterator types "parallel" and "reduction", found "window"}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "window"]} ins(%a : tensor<2x2xf32>) outs(%a : tensor<2x2xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2x2xf32>
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{'linalg.generic' op must have indexing maps of its 2 iterators to the 1 dimensions of operand 0, found affine_map<(d0, d1) -> (d0, d1)>}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2xf32>) outs(%a : tensor<2xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{'linalg.generic' op must have a body with one argument for each of its 2 operands, found 1}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<2xf32>) outs(%a : tensor<2xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  } -> tensor<2xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{'linalg.generic' op must have a body whose arguments are the operands' elements: expected 'f32', found 'i32'}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<2xf32>) outs(%a : tensor<2xf32>) {
  ^bb0(%x: i32, %y: f32):
    linalg.yield %x : i32
  } -> tensor<2xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{'linalg.generic' op must end with a linalg.yield of one value for each of its 1 outputs}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<2xf32>) outs(%a : tensor<2xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield
  } -> tensor<2xf32>
  return
}

// -----

// expected-error @+1 {{unknown attribute of linalg: 'iterator'; expected iterator_type}}
func.func private @f() attributes {a = #linalg.iterator<parallel>}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'d2m.view_layout' op operand #0 must be tensor or memref, but got 'index'}}
  "d2m.view_layout"(%i) <{remapping = affine_map<(d0) -> (d0)>}> : (index) -> memref<2xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'d2m.semaphore_wait' op operand #0 must be semaphore, but got 'index'}}
  "d2m.semaphore_wait"(%i, %i) : (index, index) -> ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{'d2m.fill_arange_tile' op operand #0 must be tensor, memref or queue, but got 'index'}}
  "d2m.fill_arange_tile"(%i) : (index) -> ()
  return
}

// -----

func.func @f(%m: memref<2x2xf32>) {
  // expected-error @+1 {{'d2m.generic' op attribute 'threads' failed to satisfy constraint: threads}}
  "d2m.generic"(%m) <{block_factors = [], grid = #ttcore.grid<1x1>, indexing_maps = [], iterator_types = [], threads = [1], operandSegmentSizes = array<i32: 0, 1, 0>}> ({
  ^u:
  }) : (memref<2x2xf32>) -> ()
  return
}

// -----

func.func @f(%m: memref<2x2xf32>) {
  // expected-error @+1 {{'d2m.spatial' op attribute 'grid_ranges' failed to satisfy constraint: ranges of cores}}
  "d2m.spatial"(%m) <{grid_ranges = [1], operandSegmentSizes = array<i32: 0, 1>}> ({
  ^u:
  }) : (memref<2x2xf32>) -> ()
  return
}
