// Programs that work tile by tile: loops, parts of memrefs, DST registers as memrefs, copies.

#l1 = #ttcore.memory_space<l1>
#dst = #ttcore.memory_space<dst>
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x2x2x!t, #ttcore.shard<8192x4096, 1>, #l1>
!b = memref<2x2x!t, #l1>
!part = memref<1x2x!t, strided<[2, 1], offset: ?>, #l1>
!cb = !d2m.cb<!b>

// The unpacker loads registers, the math engine computes in them, the packer stores them.
func.func @registers(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [],
               threads = [#d2m.thread<compute>]} ins(%m : !m) outs(%n : !m) {
  ^compute0:
    %q0 = d2m.get_cb(0) : !cb
    %q1 = d2m.get_cb(1) : !cb
    %x = d2m.wait %q0 : !cb -> !b
    %y = d2m.reserve %q1 : !cb -> !b
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %flat = memref.collapse_shape %x [[0, 1]] : !b into memref<4x!t, #l1>
    %out = memref.collapse_shape %y [[0, 1]] : !b into memref<4x!t, #l1>
    scf.for %i = %c0 to %c4 step %c1 {
      %dst = d2m.acquire_dst() : memref<4x!t, #dst>
      %a = memref.load %flat[%i] : memref<4x!t, #l1>
      memref.store %a, %dst[%c0] : memref<4x!t, #dst>
      %b = memref.load %dst[%c0] : memref<4x!t, #dst>
      %e = "d2m.tile_exp"(%b) : (!t) -> !t
      memref.store %e, %dst[%c1] : memref<4x!t, #dst>
      %d = memref.load %dst[%c1] : memref<4x!t, #dst>
      %s = "d2m.tile_add"(%d, %b) : (!t, !t) -> !t
      memref.store %s, %dst[%c2] : memref<4x!t, #dst>
      %r = memref.load %dst[%c2] : memref<4x!t, #dst>
      memref.store %r, %out[%i] : memref<4x!t, #l1>
    }
    d2m.push %q1 : !cb
    d2m.pop %q0 : !cb
  }
  return
}

// A matrix product with loops over tiles, for two parts of the output.
func.func @product(%m: !m, %w: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [],
               threads = [#d2m.thread<unified>]} ins(%m, %w : !m, !m) outs(%n : !m) {
    %y = d2m.core_index(0) : index
    %x = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = memref.alloc() : !b
    d2m.remote_load %a %m[%y, %x] : !b, !m
    %b = memref.alloc() : !b
    d2m.remote_load %b %w[%y, %x] : !b, !m
    %z = memref.alloc() : !b
    scf.for %i = %c0 to %c2 step %c1 {
      %pa = memref.subview %a[%i, 0] [1, 2] [1, 1] : !b to !part
      %pz = memref.subview %z[%i, 0] [1, 2] [1, 1] : !b to !part
      affine.for %j = 0 to 2 {
        affine.for %k = 0 to 2 {
          %ta = affine.load %pa[0, %k] : !part
          %tb = affine.load %b[%k, %j] : !b
          %tc = affine.load %pz[0, %j] : !part
          %p = "d2m.tile_matmul"(%ta, %tb, %tc) : (!t, !t, !t) -> !t
          affine.store %p, %pz[0, %j] : !part
        }
      }
    }
    d2m.remote_store %n[%y, %x] %z : !m, !b
  }
  return
}

// linalg.generic on parts of memrefs, a copy that exchanges rows and columns of tiles, and two outputs.
func.func @parts(%m: !m, %n: !m, %o: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [],
               threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n, %o : !m, !m) {
    %y = d2m.core_index(0) : index
    %x = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = memref.alloc() : !b
    d2m.remote_load %a %m[%y, %x] : !b, !m
    %s = memref.alloc() : !b
    d2m.local_copy %a, %s indexing_maps = [#swap, #id] : !b, !b
    %z = memref.alloc() : !b
    %u = memref.alloc() : !b
    scf.for %i = %c0 to %c2 step %c1 {
      %pa = memref.subview %s[%i, 0] [1, 2] [1, 1] : !b to !part
      %pz = memref.subview %z[%i, 0] [1, 2] [1, 1] : !b to !part
      %pu = memref.subview %u[%i, 0] [1, 2] [1, 1] : !b to !part
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%pa : !part) outs(%pz, %pu : !part, !part) {
      ^bb0(%in: !t, %out: !t, %other: !t):
        %v = "d2m.tile_sin"(%in) : (!t) -> !t
        %k = "d2m.tile_negative"(%v) : (!t) -> !t
        linalg.yield %v, %k : !t, !t
      }
    }
    d2m.remote_store %n[%y, %x] %z : !m, !b
    d2m.remote_store %o[%y, %x] %u : !m, !b
  }
  return
}

// From the second step on, stores add to the block in L1.
func.func @adding(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [],
               threads = [#d2m.thread<unified>]} ins(%m : !m) outs(%n : !m) {
    %y = d2m.core_index(0) : index
    %x = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %a = memref.alloc() : !b
    d2m.remote_load %a %m[%y, %x] : !b, !m
    %z = memref.alloc() : !b
    scf.for %step = %c0 to %c3 step %c1 {
      %again = arith.cmpi ne, %step, %c0 : index
      %flag = arith.extui %again : i1 to i32
      d2m.set_l1_accumulate(%flag)
      affine.for %i = 0 to 2 {
        affine.for %j = 0 to 2 {
          %t = affine.load %a[%i, %j] : !b
          scf.if %again {
            affine.store %t, %z[%i, %j] : !b
          } else {
            %e = "d2m.tile_square"(%t) : (!t) -> !t
            affine.store %e, %z[%i, %j] : !b
          }
        }
      }
    }
    d2m.remote_store %n[%y, %x] %z : !m, !b
  }
  return
}
