// Tiles that a compute spills and restores: the passes keep the bits, and the split says
// where the tiles are.
// RUN: ttl-jit bisect %s --start-from=compute | FileCheck %s --check-prefix=KEPT
// RUN: ttl-jit run %s --start-from=compute --engine=jit --strict --dump=dst 2>&1 | FileCheck %s
// RUN: ttl-jit run %s --start-from=compute --engine=interp
// RUN: ttl-jit run %s --start-from=compute --stage=compute
// KEPT: bisect: every pass keeps the bits (1 launch, {{[0-9]+}} versions run)
// CHECK: ttl.create_cb "{{.*}}_split3" {compiler_made}
// CHECK-NOT: ttl.spill_tile_to_l1
// CHECK-NOT: ttl.restore_tile_from_l1

!tile = !ttcore.tile<32x32, f32>
!tensor = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 2], !tensor>

ttl.kernel @spilled(%a: !tensor, %b: !tensor, %y: !tensor)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    %b_acc = ttl.tensor_accessor %b : !tensor -> !ttl.accessor<!tensor>
    %b_blk = ttl.cb_reserve %b_cb : !block
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
    ttl.wait %a_xf
    ttl.wait %b_xf
    ttl.cb_push %a_blk : !block
    ttl.cb_push %b_blk : !block
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block
    ttl.compute ins(%a_blk, %b_blk : !block, !block) outs(%y_blk : !block)
        attributes {indexing_maps = [affine_map<(i, j) -> (i, j)>,
        affine_map<(i, j) -> (i, j)>,
        affine_map<(i, j) -> (i, j)>],
        iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>]} {
    ^bb0(%ta: !tile, %tb: !tile, %ty: !tile):
      // exp(a) is spilled once and restored twice. The restored value is spilled again, masks
      // data and is masked; the same value is used while it is spilled.
      %e = ttl.tile_exp %ta : (!tile) -> !tile
      %s = ttl.spill_tile_to_l1 %e : !tile -> index
      %p = ttl.tile_mul %e, %tb : (!tile, !tile) -> !tile
      %f = ttl.restore_tile_from_l1 %s : index -> !tile
      %t = ttl.spill_tile_to_l1 %f : !tile -> index
      %g = ttl.restore_tile_from_l1 %s : index -> !tile
      %h = ttl.restore_tile_from_l1 %t : index -> !tile
      %m = ttl.tile_mask %p, %g : (!tile, !tile) -> !tile
      %n = ttl.tile_mask %h, %tb : (!tile, !tile) -> !tile
      %u = ttl.spill_tile_to_l1 %ta : !tile -> index
      %v = ttl.restore_tile_from_l1 %u : index -> !tile
      %w = ttl.tile_sub %m, %n : (!tile, !tile) -> !tile
      %q = ttl.tile_add %w, %v : (!tile, !tile) -> !tile
      ttl.yield %q : !tile
    }
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %b_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %y_blk = ttl.cb_wait %y_cb : !block
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block
  }
}

func.func @main() {
  // exp(0) = 1, and a mask of 1 makes zero: (1 * 3 masked by 1) - (1 masked by 3) + 0.
  %a = ttltest.full 0.0 : !tensor
  %b = ttltest.full 3.0 : !tensor
  %y = ttltest.full 7.0 : !tensor
  %expected = ttltest.full -1.0 : !tensor
  ttl.launch @spilled(%a, %b, %y) : !tensor, !tensor, !tensor
  ttltest.expect_eq %y, %expected : !tensor, !tensor
  return
}
