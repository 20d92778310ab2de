// RUN: ttl-opt %s --d2m-to-ttl --split-input-file | FileCheck %s

// The first core of each row loads a shard and sends it to the other cores of the row.
!t = !ttcore.tile<32x32, f32>
!m = memref<2x3x1x1x!t, #ttcore.shard<4096x4096, 1>>
!b = memref<1x1x!t>

// CHECK-LABEL: ttl.kernel @rows_0
// CHECK: ttl.create_pipe src = [0, 0], dst_range = [#ttl.slice<start = 1, stop = 3, step = 1>, #ttl.slice<start = 0, stop = 1, step = 1>]
// CHECK: ttl.create_pipe src = [0, 1], dst_range = [#ttl.slice<start = 1, stop = 3, step = 1>, #ttl.slice<start = 1, stop = 2, step = 1>]
// CHECK: ttl.create_pipenet "multicast0"
// CHECK: scf.if
// CHECK: ttl.copy
// CHECK: ttl.if_pipe_src
// CHECK: ttl.if_pipe_dst
func.func @rows(%x: !m, %y: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x3>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%x : !m) outs(%y : !m) {
    %row = d2m.core_index(0) : index
    %column = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %block = memref.alloc() : !b
    d2m.remote_load %block %x[%row, %c0] mcast[%c0] : !b, !m
    d2m.remote_store %y[%row, %column] %block : !m, !b
  }
  return
}

// -----

// Each core loads its own shard if shards differ in a row, if not all cores load, or if they are large.
!t = !ttcore.tile<32x32, f32>
!m = memref<2x3x1x1x!t, #ttcore.shard<4096x4096, 1>>
!l = memref<2x3x1x33x!t, #ttcore.shard<135168x4096, 1>>
!b = memref<1x1x!t>
!r = memref<1x33x!t>

// CHECK-LABEL: ttl.kernel @plain_0
// CHECK-NOT: ttl.create_pipe
// CHECK-LABEL: func.func @plain
func.func @plain(%x: !m, %w: !l, %y: !m, %z: !l) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x3>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<unified>]} ins(%x, %w : !m, !l) outs(%y, %z : !m, !l) {
    %row = d2m.core_index(0) : index
    %column = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %row, %c0 : index
    %block = memref.alloc() : !b
    d2m.remote_load %block %x[%row, %column] mcast[%c0] : !b, !m
    d2m.remote_store %y[%row, %column] %block : !m, !b
    scf.if %first {
      %other = memref.alloc() : !b
      d2m.remote_load %other %x[%row, %c0] mcast[%c0] : !b, !m
      d2m.remote_store %y[%row, %column] %other : !m, !b
    }
    %large = memref.alloc() : !r
    d2m.remote_load %large %w[%row, %c0] mcast[%c0] : !r, !l
    d2m.remote_store %z[%row, %column] %large : !l, !r
  }
  return
}
