// RUN: ttl-opt %s --d2m-to-ttl | FileCheck %s

#L = #ttcore.metal_layout<logical_shape = 64x128, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3, d2)>
#rows = affine_map<(d0, d1) -> (d0, 0)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>
!t = !ttcore.tile<32x32, f32>
!x = tensor<2x4x1x1x!t, #L>
!v = tensor<4x2x1x1x!t, #L>
!o = tensor<2x1x1x1x!t, #L>
!s = tensor<1x1x!t>

// A shard is read as one slice; a shard of a view is copied tile by tile. The loop over steps carries the
// sum, which is stored once.
// CHECK-LABEL: ttl.kernel @sum_0(
// CHECK-SAME: tensor<2x4x32x32xf32, #dram_tiled>
// CHECK-SAME: grid = #ttcore.grid<1x2>
// CHECK: ttl.unified_thread "sum_0"
// CHECK: ttl.core
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args
// CHECK: ttl.check_index {{.*}} {bound = 2 : i64, dim = 0 : i64
// CHECK: %[[SLICE:.*]] = ttl.index_accessor
// CHECK: ttl.copy %[[SLICE]], %{{.*}} : !slice, !block
// CHECK: ttl.cb_push
// CHECK: scf.for
// CHECK: scf.for
// CHECK: ttl.copy %{{.*}}, %{{.*}} part %{{.*}} : !slice
// CHECK: ttl.block_add
// CHECK: scf.yield
// CHECK: ttl.cb_reserve
// CHECK: ttl.block_store %{{.*}}, %[[SUM]]
// CHECK: ttl.copy
// CHECK-LABEL: func.func @sum(
// CHECK: ttl.launch @sum_0(
func.func @sum(%x: !x) -> !o {
  %v = d2m.view_layout %x remapping = #swap : !x -> !v
  %w = d2m.view_layout %v remapping = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)> : !v -> !x
  %o = d2m.empty() : !o
  %r = d2m.generic {block_factors = [1, 4], grid = #ttcore.grid<2x1>, indexing_maps = [#id, #id, #rows], iterator_types = [#p, #r], threads = [#d2m.thread<unified>]}
      ins(%x, %w : !x, !x) outs(%o : !o) {
    %i = d2m.block_index(0) : index
    %j = d2m.block_index(1) : index
    %zero = arith.constant 0 : index
    %e0 = tensor.empty() : !s
    %a = d2m.remote_load %e0 %x[%i, %j] : !s, !x -> !s
    %e1 = tensor.empty() : !s
    %b = d2m.remote_load %e1 %w[%i, %j] : !s, !x -> !s
    %e2 = tensor.empty() : !s
    %z = linalg.generic {indexing_maps = [#id, #id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a, %b : !s, !s) outs(%e2 : !s) {
    ^bb0(%u: !t, %w0: !t, %out: !t):
      %0 = "d2m.tile_mul"(%u, %w0) : (!t, !t) -> !t
      %1 = "d2m.tile_add"(%0, %out) : (!t, !t) -> !t
      linalg.yield %1 : !t
    } -> !s
    %q = d2m.remote_store %o[%i, %zero] %z : !o, !s -> !o
    d2m.yield %q : (!o)
  } : !o
  return %r : !o
}
