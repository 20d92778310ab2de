// A core increments the semaphore of a core in column 2, but the grid has columns 0 and 1.
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x1x!t, #ttcore.shard<4096x4096, 1>, #ttcore.memory_space<l1>>
!b = memref<1x1x!t, #ttcore.memory_space<l1>>
!q = !d2m.cb<!b>

func.func @f(%x: !m, %y: !m) {
  %s = d2m.create_local_semaphore <{initialValue = 0 : ui32}> -> !d2m.local_semaphore
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [],
               threads = [#d2m.thread<datamovement>, #d2m.thread<datamovement>, #d2m.thread<compute>]}
      ins(%x : !m) outs(%y : !m) additionalArgs(%s : !d2m.local_semaphore) {
    %s0 = d2m.get_arg(2) : !d2m.local_semaphore
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    d2m.semaphore_inc %s0, %one, core[%one, %two] : !d2m.local_semaphore
    %in = d2m.get_cb(0) : !q
    %row = d2m.core_index(0) : index
    %column = d2m.core_index(1) : index
    d2m.remote_load %x[%row, %column] into %in : !m into !q
  }, {
    %out = d2m.get_cb(1) : !q
    %row = d2m.core_index(0) : index
    %column = d2m.core_index(1) : index
    d2m.remote_store %y[%row, %column] from %out : !m from !q
  }, {
    %in = d2m.get_cb(0) : !q
    %out = d2m.get_cb(1) : !q
    %a = d2m.wait %in : !q -> !b
    %r = d2m.reserve %out : !q -> !b
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]} ins(%a : !b) outs(%r : !b) {
    ^bb0(%p: !t, %o: !t):
      %e = "d2m.tile_exp"(%p) : (!t) -> !t
      linalg.yield %e : !t
    }
    d2m.push %out : !q
    d2m.pop %in : !q
  }
  return
}
