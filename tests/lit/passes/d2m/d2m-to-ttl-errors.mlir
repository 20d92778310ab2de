// RUN: ttl-opt %s --d2m-to-ttl --split-input-file --verify-diagnostics

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func private @g() -> index
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    // expected-error @+1 {{'func.call' is not supported in a d2m.generic: loads, stores and copies of shards and tiles, queues, semaphores, linalg.generic on tiles, operations on tiles, d2m.tile_matmul_block, index ops, loops and arithmetic of numbers are}}
    %k = func.call @g() : () -> index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m, %k: index) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    // expected-error @+1 {{needs a number that the kernel cannot have: one that is made in the region, of indices and constants, is supported}}
    d2m.remote_load %x %m[%i, %k] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m, %o: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    // expected-error @+1 {{moves data of a tensor that is not an operand of the d2m.generic: add it to ins(..) or outs(..)}}
    d2m.remote_load %x %o[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    // expected-error @+1 {{reads a block before anything is written into it}}
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %v = tensor.empty() : tensor<2xf32>
    // expected-error @+1 {{'arith.addf' is supported for numbers only in a d2m.generic, not for tensors}}
    %w = arith.addf %v, %v : tensor<2xf32>
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    // expected-error @+1 {{has dimension 2 of only 2 of the grid}}
    %k = d2m.core_index(2) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    // expected-error @+1 {{has dimension 0 of only 0 of the iteration space; a d2m.generic without block_factors has core_index only}}
    %k = d2m.block_index(0) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !b
    %z = memref.alloc() : !b
    // expected-error @+1 {{carries a block into which nothing was written before the loop}}
    scf.for %k = %zero to %one step %one {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : !b) outs(%x : !b) {
    ^bb0(%a: !t, %out: !t):
      linalg.yield %a : !t
    }
      d2m.remote_load %z %m[%i, %j] : !b, !m
    }
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    // expected-error @+1 {{must have bounds of one expression each}}
    affine.for %k = 0 to min affine_map<(d0) -> (d0, 2)>(%one) {
      %x = memref.alloc() : !b
      d2m.remote_load %x %m[%i, %j] : !b, !m
      d2m.remote_store %n[%i, %j] %x : !m, !b
    }
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c = arith.cmpi eq, %i, %zero : index
    // expected-error @+1 {{has results, which is not supported in a d2m.generic}}
    %k = scf.if %c -> index {
      scf.yield %zero : index
    } else {
      scf.yield %one : index
    }
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    // expected-note @+1 {{the block is this one}}
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%j, %i] : !b, !m
    %c = arith.cmpi eq, %i, %zero : index
    // expected-error @+1 {{writes a block that is used after it, which is not supported}}
    scf.if %c {
      d2m.remote_load %x %m[%i, %j] : !b, !m
    }
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
!i = !ttcore.tile<32x32, si32>
!im = memref<2x2x1x1x!i, #ttcore.shard<4096x4096, 1>>
!ib = memref<1x1x!i>
func.func @f(%m: !im, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !im) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !ib
    d2m.remote_load %x %m[%i, %j] : !ib, !im
    %s = tensor.empty() : tensor<1x1x!t>
    // expected-error @+1 {{carries a block whose tiles change their type}}
    %y = scf.for %k = %zero to %one step %one iter_args(%acc = %s) -> (tensor<1x1x!t>) {
      %e = tensor.empty() : tensor<1x1x!t>
      %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !ib) outs(%acc : tensor<1x1x!t>) {
      ^bb0(%a: !i, %out: !t):
        %0 = "d2m.tile_add"(%out, %out) : (!t, !t) -> !t
        %r = "d2m.tile_typecast"(%0) : (!t) -> !i
        %q = "d2m.dst_reinterpret_cast"(%r) : (!i) -> !t
        linalg.yield %q : !t
      } -> tensor<1x1x!t>
      scf.yield %w : tensor<1x1x!t>
    }
    d2m.remote_store %n[%i, %j] %y : !m, tensor<1x1x!t>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.get_cb(1) : !d2m.cb<!b>
    // expected-error @+1 {{pushes a slot that was not reserved before}}
    d2m.push %q : !d2m.cb<!b>
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.get_cb(1) : !d2m.cb<!b>
    // expected-error @+1 {{frees a block that was not waited for before}}
    d2m.pop %q : !d2m.cb<!b>
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.get_cb(1) : !d2m.cb<!b>
    %b = d2m.reserve %q : !d2m.cb<!b> -> !b
    // expected-error @+1 {{copies a number of elements from an address, which is not supported: a copy of a shard has <0> elements}}
    %t = d2m.dma_read %m[%i, %j], %b, <1> : (!m, !b) -> !d2m.mem_tx<read>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %b = memref.alloc() : !b
    // expected-error @+1 {{copies to or from memory that is no block of a queue, which is not supported: d2m.reserve and d2m.wait return blocks}}
    %t = d2m.dma_read %m[%i, %j], %b, <0> : (!m, !b) -> !d2m.mem_tx<read>
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.get_cb(1) : !d2m.cb<!b>
    %b = d2m.reserve %q : !d2m.cb<!b> -> !b
    // expected-error @+1 {{must have one index for each of the 2 dimensions of the grid, found 1}}
    %t = d2m.dma_read %m[%i], %b, <0> : (!m, !b) -> !d2m.mem_tx<read>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.get_cb(1) : !d2m.cb<!b>
    %b = d2m.wait %q : !d2m.cb<!b> -> !b
    // expected-error @+1 {{writes to several cores or chips, which is not supported: load the block on each core}}
    %t = d2m.dma_write %b, %b core[%i, %j] mcast[%i, %j], <0> : (!b, !b) -> !d2m.mem_tx<mcast_write>
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    // expected-error @+1 {{is the queue of operand 5, but the d2m.generic has 2 operands}}
    %q = d2m.get_cb(5) : !d2m.cb<!b>
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    // expected-error @+1 {{has blocks that a circular buffer cannot have: 'memref<?x1x!ttcore.tile<32x32, f32>>'}}
    %q = d2m.get_cb(0) : !d2m.cb<memref<?x1x!t>>
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement>, #d2m.thread<compute>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.get_cb(1) : !d2m.cb<!b>
  }, {
    // expected-error @+1 {{has other blocks than the same queue in another region: 'memref<2x1x!ttcore.tile<32x32, f32>>'}}
    %q = d2m.get_cb(0) : !d2m.cb<memref<2x1x!t>>
    %w = d2m.reserve %q : !d2m.cb<memref<2x1x!t>> -> memref<2x1x!t>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
!w = memref<1x4x1x1x!t, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !w, %n: !m) {
  // expected-error @+1 {{has a queue that no region fills and empties, for operand 0, which does not have a shard for each core}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<compute>]} ins(%m : !w) outs(%n : !m) {
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.wait %q : !d2m.cb<!b> -> !b
    %e = d2m.get_cb(1) : !d2m.cb<!b>
    %o = d2m.reserve %e : !d2m.cb<!b> -> !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{has a queue whose blocks are not the shards of operand 0}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<compute>]} ins(%m : !m) outs(%n : !m) {
    %q = d2m.get_cb(0) : !d2m.cb<memref<2x1x!t>>
    %w = d2m.wait %q : !d2m.cb<memref<2x1x!t>> -> memref<2x1x!t>
    %e = d2m.get_cb(1) : !d2m.cb<!b>
    %o = d2m.reserve %e : !d2m.cb<!b> -> !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{uses a queue several times that no region fills and empties, for operand 0}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<compute>]} ins(%m : !m) outs(%n : !m) {
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.wait %q : !d2m.cb<!b> -> !b
    %w2 = d2m.wait %q : !d2m.cb<!b> -> !b
    %e = d2m.get_cb(1) : !d2m.cb<!b>
    %o = d2m.reserve %e : !d2m.cb<!b> -> !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{has a unified thread beside other threads}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>, #d2m.thread<compute>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }, {
    %q = d2m.core_index(0) : index
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{needs 2 compute threads and 0 data movement threads, but a core has 1 and 2; an operand whose data no region moves needs one for its inputs, and one for its outputs}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<compute>, #d2m.thread<compute>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }, {
    %q = d2m.core_index(0) : index
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
!e = memref<2x2x1x1xf32, #ttcore.shard<4x4, 1>>
!v = memref<2x2x1x1xf32, #ttcore.view<4>>
func.func @f(%s: !e, %n: !e) {
  %m = d2m.view_layout %s remapping = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)> : !e -> !v
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !v) outs(%n : !e) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : memref<1x1xf32>
    // expected-error @+1 {{moves a shard of a view of a tensor without tiles, which is not supported: views of tiled tensors are}}
    d2m.remote_load %x %m[%i, %j] : memref<1x1xf32>, !v
    d2m.remote_store %n[%i, %j] %x : !e, memref<1x1xf32>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    // expected-error @+1 {{stores on other chips, which is not supported: a module runs on one chip}}
    d2m.remote_store %n[%i, %j] %x devices startDevice[%i] deviceMcastShape[%j] : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
!e = memref<2x2x1x1xf32, #ttcore.shard<4x4, 1>>
func.func @f(%m: !e, %n: !e) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !e) outs(%n : !e) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : memref<1x1xf32>
    d2m.remote_load %x %m[%i, %j] : memref<1x1xf32>, !e
    %y = memref.alloc() : memref<1x1xf32>
    %c = memref.alloc() : memref<1x1xf32>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<1x1xf32>) outs(%y : memref<1x1xf32>) {
    ^bb0(%a: f32, %out: f32):
      linalg.yield %a : f32
    }
    // expected-error @+1 {{stores a computed block that has no tiles, which is not supported}}
    d2m.remote_store %n[%i, %j] %y : !e, memref<1x1xf32>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func private @k()
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{runs a function that must have a body of one block, no arguments and no results: @k}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<compute, @k>]} ins(%m : !m) outs(%n : !m)
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m, %s: !d2m.local_semaphore) {
  // expected-error @+1 {{has a semaphore that the function does not create: '!d2m.local_semaphore'}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) additionalArgs(%s : !d2m.local_semaphore) {
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
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{has regions with arguments that are not the same semaphores: 'index'}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
  ^u(%s: index):
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
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %k = %zero to %one step %one {
    // expected-error @+1 {{is supported at the top of a func.func only}}
    d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
    }
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: tensor<2x2xf32>, %n: !m) {
  // expected-error @+1 {{has an operand that is not on the device: 'tensor<2x2xf32>'}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : tensor<2x2xf32>) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!h = !ttcore.tile<32x32, bfp_bf8>
!m = memref<2x2x1x1x!h, #ttcore.shard<1088x1088, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{has an operand that must have elements of f32, bf16, f16, si32, u32, u16 or u8, found 'memref<2x2x1x1x!ttcore.tile<32x32, bfp_bf8>, #ttcore.shard<1088x1088, 1>>'}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : memref<1x1x!h>
    d2m.remote_store %n[%i, %j] %x : !m, memref<1x1x!h>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<1x1x4611686018427387904x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{has an operand that has more elements than a number of 64 bits can count, found 'memref<1x1x4611686018427387904x1x!ttcore.tile<32x32, f32>, #ttcore.shard<4096x4096, 1>>'}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<1x1>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.reserve %q : !d2m.cb<!b> -> !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    // expected-error @+1 {{loads from a tensor into which the d2m.generic also stores, which is not supported: the order of both would not be fixed}}
    d2m.remote_load %x %n[%i, %j] : !b, !m
    d2m.remote_store %n[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
#L = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!x = tensor<2x2x1x1x!t, #L>
!s = tensor<1x1x!t>
func.func @f(%m: !x) -> (!x, !x) {
  %n = d2m.empty() : !x
  // expected-error @+1 {{writes a tensor that has other uses: write a d2m.empty of its own}}
  %r = d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !x) outs(%n : !x) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %e = tensor.empty() : !s
    %x = d2m.remote_load %e %m[%i, %j] : !s, !x -> !s
    %w = d2m.remote_store %n[%i, %j] %x : !x, !s -> !x
    d2m.yield %w : (!x)
  } : !x
  return %r, %n : !x, !x
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%s: !m, %n: !m) {
  // expected-note @+1 {{the remapping is affine_map<(d0, d1) -> (d1, d0)>}}
  %m = d2m.view_layout %s remapping = affine_map<(d0, d1) -> (d1, d0)> : !m -> !m
  // expected-error @+1 {{reads a view whose remapping does not lead from the 4 indices of the view to the 4 of its input}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
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
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%s: memref<2x2x32x32xf32, #ttcore.shard<128x4, 1>>, %n: !m) {
  %m = d2m.view_layout %s remapping = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)> {reinterpretLayout = true} : memref<2x2x32x32xf32, #ttcore.shard<128x4, 1>> -> !m
  // expected-error @+1 {{reads a view of tiles as elements, or the reverse, which is not supported: d2m.to_layout copies a tensor into the other form}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
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
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%s: !m, %n: !m) {
  %m = "d2m.composite_view"(%s) <{dim = 0 : si32}> : (!m) -> !m
  // expected-error @+1 {{stores into a d2m.composite_view, which is not supported: store into its parts with one d2m.generic each}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%n : !m) outs(%m : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %n[%i, %j] : !b, !m
    d2m.remote_store %m[%i, %j] %x : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%s: memref<2x2x1x1x!t>, %n: !m) {
  %m = d2m.view_layout %s remapping = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)> : memref<2x2x1x1x!t> -> !m
  // expected-error @+1 {{has an operand that must be a tensor with a #ttcore.metal_layout, or a memref with a #ttcore.shard or #ttcore.interleaved, found 'memref<2x2x1x1x!ttcore.tile<32x32, f32>>'}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
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
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
#rows = affine_map<(d0, d1) -> (d0, 0)>
!o = memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m, %n: memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>) {
  d2m.generic {block_factors = [1, 2], grid = #ttcore.grid<2x1>, indexing_maps = [#id, #rows], iterator_types = [#p, #r], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>) {
    // expected-error @+1 {{a blocking loop must be an affine.for or scf.for without results, for one of the 2 dimensions of the block factors}}
    affine.for %k = 0 to 2 {
    } {d2m.blocking_loop = 2}
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      %r = "d2m.tile_add"(%a, %out) : (!t, !t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %zero] %z : !o, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
#rows = affine_map<(d0, d1) -> (d0, 0)>
!o = memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m, %n: memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>) {
  d2m.generic {block_factors = [1, 2], grid = #ttcore.grid<2x1>, indexing_maps = [#id, #rows], iterator_types = [#p, #r], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %z = memref.alloc() : !b
    // expected-error @+1 {{is beside a blocking loop, which is not supported: move it into the innermost one}}
    d2m.remote_store %n[%i, %zero] %z : !o, !b
    affine.for %k = 0 to 2 {
    } {d2m.blocking_loop = 1}
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
#rows = affine_map<(d0, d1) -> (d0, 0)>
!o = memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m, %n: memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>) {
  d2m.generic {block_factors = [1, 2], grid = #ttcore.grid<2x1>, indexing_maps = [#id, #rows], iterator_types = [#p, #r], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    // expected-error @+1 {{continues a partial result in a loop of its own in a step of a reduction, which is not supported}}
    scf.for %k = %zero to %one step %one {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      %r = "d2m.tile_add"(%a, %out) : (!t, !t) -> !t
      linalg.yield %r : !t
    }
    }
    d2m.remote_store %n[%i, %zero] %z : !o, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
#rows = affine_map<(d0, d1) -> (d0, 0)>
!o = memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>
!i = !ttcore.tile<32x32, si32>
!im = memref<2x2x1x1x!i, #ttcore.shard<4096x4096, 1>>
!io = memref<2x1x1x1x!i, #ttcore.shard<4096x4096, 1>>
!ib = memref<1x1x!i>
func.func @f(%m: !im, %n: !io) {
  d2m.generic {block_factors = [1, 2], grid = #ttcore.grid<2x1>, indexing_maps = [#id, #rows], iterator_types = [#p, #r], threads = [#d2m.thread<unified>]} ins(%m : !im) outs(%n : !io) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %x = memref.alloc() : !ib
    d2m.remote_load %x %m[%i, %j] : !ib, !im
    %z = memref.alloc() : !ib
    // expected-error @+1 {{continues a partial result whose tiles are not floats, which is not supported}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !ib) outs(%z : !ib) {
    ^bb0(%a: !i, %out: !i):
      %r = "d2m.tile_add"(%a, %out) : (!i, !i) -> !i
      linalg.yield %r : !i
    }
    d2m.remote_store %n[%i, %zero] %z : !io, !ib
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
#rows = affine_map<(d0, d1) -> (d0, 0)>
!o = memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m, %n: memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>) {
  d2m.generic {block_factors = [1, 2], grid = #ttcore.grid<2x1>, indexing_maps = [#id, #rows], iterator_types = [#p, #r], threads = [#d2m.thread<compute>]} ins(%m : !m) outs(%n : memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    // expected-error @+1 {{continues a partial result in a region that is a thread of its own, which is not supported}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      %r = "d2m.tile_add"(%a, %out) : (!t, !t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %zero] %z : !o, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
#rows = affine_map<(d0, d1) -> (d0, 0)>
!o = memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>
func.func @f(%m: !m, %n: memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>) {
  d2m.generic {block_factors = [1, 2], grid = #ttcore.grid<2x1>, indexing_maps = [#id, #rows], iterator_types = [#p, #r], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : memref<2x1x1x1x!t, #ttcore.shard<4096x4096, 1>>) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %y = memref.alloc() : !b
    // expected-error @+1 {{continues a partial result that another partial result depends on, which is not supported: use two d2m.generic}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%y : !b) {
    ^bb0(%a: !t, %out: !t):
      %r = "d2m.tile_add"(%a, %out) : (!t, !t) -> !t
      linalg.yield %r : !t
    }
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      %r = "d2m.tile_add"(%a, %out) : (!t, !t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %zero] %z : !o, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    %z2 = memref.alloc() : memref<1x1xf32>
    // expected-error @+1 {{a linalg.generic with several outputs is not supported: write one for each output}}
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z, %z2 : !b, memref<1x1xf32>) {
    ^bb0(%a: !t, %out: !t, %out2: f32):
      linalg.yield %a, %out2 : !t, f32
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    // expected-error @+1 {{indexing maps of linalg.generic may only have iterators and constants, found affine_map<(d0, d1) -> (d0 + d1, d1)>}}
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1, d1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      linalg.yield %a : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    // expected-error @+1 {{reads a number that is not f32, which is not supported: 'index'}}
    linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> ()>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %i : !b, index) outs(%z : !b) {
    ^bb0(%a: !t, %k: index, %out: !t):
      linalg.yield %a : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{reads the output before anything is written into it}}
      %r = "d2m.tile_exp"(%out) : (!t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{reads a value that is neither a tile of the body nor a number of f32: 'index'}}
      %r = "d2m.tile_mul"(%a, %i) : (!t, index) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %h = arith.constant 0.5 : f32
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      %f = d2m.tile_fill(%h) : f32 -> !t
      // expected-error @+1 {{'d2m.tile_exp' must have an operand that is a tile}}
      %r = "d2m.tile_exp"(%f) : (!t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, si32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{'d2m.tile_exp' is not supported for tiles of integers: of those, tile_add, tile_sub, tile_mul, tile_maximum, tile_minimum, tile_eq, tile_ne, tile_lt, tile_le and tile_where are}}
      %r = "d2m.tile_exp"(%a) : (!t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %h = arith.constant 0.5 : f32
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      %f = d2m.tile_fill(%h) : f32 -> !t
      // expected-error @+1 {{'d2m.tile_typecast' must convert a tile}}
      %r = "d2m.tile_typecast"(%f) : (!t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{'d2m.tile_typecast' converts between formats that are not supported: f32, bf16, f16, si32 and u32 are, but for one integer format to the other}}
      %c = "d2m.tile_typecast"(%a) : (!t) -> !ttcore.tile<32x32, bfp_bf8>
      %r = "d2m.tile_typecast"(%c) : (!ttcore.tile<32x32, bfp_bf8>) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, si32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{'d2m.tile_matmul' must have operands that are tiles of floats}}
      %r = "d2m.tile_matmul"(%a, %a, %out) : (!t, !t, !t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %x : !b, !b) outs(%z : !b) {
    ^bb0(%a: !t, %c: !t, %out: !t):
      // expected-error @+1 {{'d2m.tile_matmul' must have one iterator of rows, one of columns and one reduction iterator}}
      %r = "d2m.tile_matmul"(%a, %c, %out) : (!t, !t, !t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, si32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{'d2m.tile_reduce_sum' must reduce a tile of floats}}
      %r = "d2m.tile_reduce_sum"(%a, %a, %out) {reduce_dim = #d2m<reduce_dim R>} : (!t, !t, !t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (0, 0)>], iterator_types = ["reduction", "reduction"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{'d2m.tile_reduce_sum' reduces more dimensions of the block than of its tiles, which is not supported: reduce the others with d2m.tile_add or d2m.tile_maximum first}}
      %r = "d2m.tile_reduce_sum"(%a, %a, %out) {reduce_dim = #d2m<reduce_dim R>} : (!t, !t, !t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, si32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{'d2m.tile_add' must combine tiles of floats with the output}}
      %r = "d2m.tile_add"(%a, %out) : (!t, !t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
!w = memref<2x2x1x65x!t, #ttcore.shard<266240x4096, 1>>
func.func @f(%m: !w, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !w) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : memref<1x65x!t>
    d2m.remote_load %x %m[%i, %j] : memref<1x65x!t>, !w
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<1x65x!t>) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{'d2m.tile_add' combines more than 64 tiles of a block, which is not supported: use more steps of smaller blocks}}
      %r = "d2m.tile_add"(%a, %out) : (!t, !t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
!w = memref<2x2x2x1x1x1x!t, #ttcore.shard<4096x4096x4096, 1>>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @f(%m: !w, %n: !w) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !w) outs(%n : !w) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : memref<1x1x1x!t>
    d2m.remote_load %x %m[%i, %j, %j] : memref<1x1x1x!t>, !w
    %z = memref.alloc() : memref<1x1x1x!t>
    linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : memref<1x1x1x!t>) outs(%z : memref<1x1x1x!t>) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{'d2m.tile_transpose' is supported for tiles of two iterators}}
      %r = "d2m.tile_transpose"(%a) : (!t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j, %j] %z : !w, memref<1x1x1x!t>
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{'d2m.tile_bitwise_not' is not supported}}
      %r = "d2m.tile_bitwise_not"(%a) : (!t) -> !t
      linalg.yield %r : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %f = arith.constant 0.5 : f32
    %z = memref.alloc() : !b
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      // expected-error @+1 {{'arith.addf' is not supported in a linalg.generic: d2m.tile_* and d2m.tile_fill are, on tiles}}
      %h = arith.addf %f, %f : f32
      linalg.yield %a : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, si32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
    %f = arith.constant 0.5 : f32
    %z = memref.alloc() : !b
    // expected-error @+1 {{fills a block whose elements are not tiles of floats}}
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      %h = d2m.tile_fill(%f) : f32 -> !t
      linalg.yield %h : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
!w = memref<2x2x1x2x!t, #ttcore.shard<8192x4096, 1>>
func.func @f(%m: !w, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !w) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : memref<1x2x!t>
    d2m.remote_load %x %m[%i, %j] : memref<1x2x!t>, !w
    %z = memref.alloc() : !b
    // expected-error @+1 {{the yielded tile depends on iterator 1, which is not one of the output}}
    linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<1x2x!t>) outs(%z : !b) {
    ^bb0(%a: !t, %out: !t):
      linalg.yield %a : !t
    }
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
!w = memref<2x2x2x1x1x1x!t, #ttcore.shard<4096x4096x4096, 1>>
func.func @f(%m: !w, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !w) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : memref<1x1x1x!t>
    d2m.remote_load %x %m[%i, %j, %j] : memref<1x1x1x!t>, !w
    %z = memref.alloc() : !b
    // expected-error @+1 {{is supported for blocks of two dimensions}}
    "d2m.tile_matmul_block"(%x, %x, %z) : (memref<1x1x1x!t>, memref<1x1x1x!t>, !b) -> ()
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
!w = memref<2x2x1x2x!t, #ttcore.shard<8192x4096, 1>>
func.func @f(%m: !w, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !w) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    %x = memref.alloc() : memref<1x2x!t>
    d2m.remote_load %x %m[%i, %j] : memref<1x2x!t>, !w
    %z = memref.alloc() : !b
    // expected-error @+1 {{multiplies blocks whose shapes do not fit: (1, 2) and (1, 2)}}
    "d2m.tile_matmul_block"(%x, %x, %z) : (memref<1x2x!t>, memref<1x2x!t>, !b) -> ()
    d2m.remote_store %n[%i, %j] %z : !m, !b
  }
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %i = d2m.core_index(0) : index
    %j = d2m.core_index(1) : index
    // expected-warning @+2 {{this program stores nothing, so what it computes is lost; expected d2m.remote_store, d2m.dma_write or d2m.reserve in it}}
    %x = memref.alloc() : !b
    d2m.remote_load %x %m[%i, %j] : !b, !m
  }
  return
}

// -----

func.func private @alone() attributes {d2m.thread = #d2m.thread<compute>} {
  // expected-error @+1 {{needs a d2m.generic that runs this thread: alone, it can have a memref with a #ttcore.shard or a semaphore, found 'i32'}}
  %n = d2m.get_arg(0) : i32
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{has dm_core = 1 at threads 0 and 1: a core runs one thread, so one of them must have dm_core = 0}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement, dm_core = 1>, #d2m.thread<datamovement, dm_core = 1>]} ins(%m : !m) outs(%n : !m) {
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.reserve %q : !d2m.cb<!b> -> !b
  }, {
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.reserve %q : !d2m.cb<!b> -> !b
  }
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{has dm_core = 2 at thread 0: the cores that move data are 0 and 1}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement, dm_core = 2>]} ins(%m : !m) outs(%n : !m) {
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.reserve %q : !d2m.cb<!b> -> !b
  }
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>
func.func @f(%m: !m, %n: !m) {
  // expected-error @+1 {{has dm_core = 0 at thread 0, which is no datamovement thread}}
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<compute, dm_core = 0>]} ins(%m : !m) outs(%n : !m) {
    %q = d2m.get_cb(0) : !d2m.cb<!b>
    %w = d2m.reserve %q : !d2m.cb<!b> -> !b
  }
  return
}
