// Shards of three dimensions, of tiles in L1 and of rows in DRAM. A thread moves them by number; another one
// computes on the shards of its core in place.

#l1 = #ttl.tensor_encoding<l1, #ttl.layout<sharded, tile = 32x32, grid = 2x3x1, shard = 2x32x32>>
!tiles = tensor<4x96x32xf32, #l1>
#dram = #ttl.tensor_encoding<dram, #ttl.layout<sharded, grid = 2x2x2, shard = 2x2x8>>
!rows = tensor<4x4x16xf32, #dram>
!pair = !ttl.cb<[2, 1, 1], !ttcore.tile<32x32, f32>, 2>
!pair_block = !ttl.block<tensor<2x1x1x!ttcore.tile<32x32, f32>>, !pair>
!box = !ttl.cb<[2, 2, 8], f32, 2>
!own = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 1>
!own_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !own>
!value = tensor<2x1x!ttcore.tile<32x32, f32>>

ttl.kernel @by_number(%a: !tiles, %y: !tiles, %r: !rows, %s: !rows) attributes {grid = #ttcore.grid<1x1>} {
  %pair = ttl.create_cb "pair" : !pair
  %box = ttl.create_cb "box" : !box
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c6 step %c1 {
      %blk = ttl.cb_reserve %pair : !ttl.block<...>
      %xf = ttl.copy %a[%i], %blk : !ttl.xf
      ttl.wait %xf
      ttl.cb_push %blk
    }
    scf.for %i = %c0 to %c8 step %c1 {
      %blk = ttl.cb_reserve %box : !ttl.block<...>
      %last = arith.subi %c7, %i : index
      %xf = ttl.copy %r[%last], %blk : !ttl.xf
      ttl.wait %xf
      ttl.cb_push %blk
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c6 step %c1 {
      %blk = ttl.cb_wait %pair : !ttl.block<...>
      %last = arith.subi %c5, %i : index
      %xf = ttl.copy %blk, %y[%last] : !ttl.xf
      ttl.wait %xf
      ttl.cb_pop %blk
    }
    scf.for %i = %c0 to %c8 step %c1 {
      %blk = ttl.cb_wait %box : !ttl.block<...>
      %xf = ttl.copy %blk, %s[%i] : !ttl.xf
      ttl.wait %xf
      ttl.cb_pop %blk
    }
  }
}

ttl.kernel @in_place(%y: !tiles) attributes {grid = #ttcore.grid<6x1>} {
  %in = ttl.create_cb "in" in(%y : !tiles) : !own
  %out = ttl.create_cb "out" in(%y : !tiles) : !own
  ttl.datamovement_thread "publisher" {
    ttl.cb_publish %in : !own
  }
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %in : !own_block
    %b = ttl.cb_reserve %out : !own_block
    %sum = ttl.block_add %a, %a : (!own_block, !own_block) -> !value
    ttl.block_store %b, %sum : !own_block, !value
    ttl.cb_push %b : !own_block
    ttl.cb_pop %a : !own_block
  }
}

func.func @main() {
  %a = ttltest.iota : !tiles
  %y = ttltest.full 7.0 : !tiles
  %r = ttltest.iota : !rows
  %s = ttltest.full 0.0 : !rows
  ttl.launch @by_number(%a, %y, %r, %s) : !tiles, !tiles, !rows, !rows
  ttl.launch @in_place(%y) : !tiles
  return
}
