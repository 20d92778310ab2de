// The program loads a block and stores nothing, which is a warning.
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>, #ttcore.memory_space<l1>>
!b = memref<1x1x!t, #ttcore.memory_space<l1>>
!q = !d2m.cb<!b>

func.func @f(%x: !m, %y: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [],
               threads = [#d2m.thread<unified>]} ins(%x : !m) outs(%y : !m) {
    %row = d2m.core_index(0) : index
    %column = d2m.core_index(1) : index
    %block = memref.alloc() : !b
    d2m.remote_load %block %x[%row, %column] : !b, !m
  }
  return
}
