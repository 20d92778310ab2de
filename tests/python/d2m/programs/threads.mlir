// Functions are threads of a d2m.generic, and semaphores synchronize cores.

#l1 = #ttcore.memory_space<l1>
#id = affine_map<(d0, d1) -> (d0, d1)>
!t = !ttcore.tile<32x32, f32>
!m = memref<2x2x1x2x!t, #ttcore.shard<8192x4096, 1>, #l1>
!b = memref<1x2x!t, #l1>
!cb = !d2m.cb<!b>

func.func private @read() attributes {d2m.thread = #d2m.thread<datamovement>} {
  %m = d2m.get_arg(0) : !m
  %q = d2m.get_cb(0) : !cb
  %y = d2m.core_index(0) : index
  %x = d2m.core_index(1) : index
  d2m.remote_load %m[%y, %x] into %q : !m into !cb
  return
}
func.func private @compute() attributes {d2m.thread = #d2m.thread<compute>} {
  %q0 = d2m.get_cb(0) : !cb
  %q1 = d2m.get_cb(1) : !cb
  %a = d2m.wait %q0 : !cb -> !b
  %z = d2m.reserve %q1 : !cb -> !b
  affine.for %i = 0 to 2 {
    %t = affine.load %a[0, %i] : !b
    %e = "d2m.tile_exp"(%t) : (!t) -> !t
    affine.store %e, %z[0, %i] : !b
  }
  d2m.push %q1 : !cb
  d2m.pop %q0 : !cb
  return
}
func.func private @write() attributes {d2m.thread = #d2m.thread<datamovement>} {
  %n = d2m.get_arg(1) : !m
  %q = d2m.get_cb(1) : !cb
  %y = d2m.core_index(0) : index
  %x = d2m.core_index(1) : index
  d2m.remote_store %n[%y, %x] from %q : !m from !cb
  return
}
func.func @functions(%m: !m, %n: !m) {
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [],
               threads = [#d2m.thread<datamovement, @read>, #d2m.thread<compute, @compute>,
                          #d2m.thread<datamovement, @write>]} ins(%m : !m) outs(%n : !m)
  return
}

// Core (0, 0) of a row waits for the other core and then releases it, so the order of the stores is fixed.
func.func @turns(%m: !m, %n: !m) {
  %ready = d2m.create_local_semaphore <{initialValue = 0 : ui32}> -> !d2m.local_semaphore
  %done = d2m.create_local_semaphore <{initialValue = 0 : ui32}> -> !d2m.local_semaphore
  d2m.generic {block_factors = [], grid = #ttcore.grid<2x2>, indexing_maps = [], iterator_types = [],
               threads = [#d2m.thread<datamovement>]} ins(%m : !m) outs(%n : !m)
      additionalArgs(%ready, %done : !d2m.local_semaphore, !d2m.local_semaphore) {
  ^datamovement0:
    %q = d2m.get_cb(0) : !cb
    %y = d2m.core_index(0) : index
    %x = d2m.core_index(1) : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %sends = arith.cmpi eq, %x, %c0 : index
    scf.if %sends {
      d2m.semaphore_wait %ready, %c1 reset %c0 : !d2m.local_semaphore
      d2m.semaphore_set %done, %c1, core[%y, %c0] mcast[%c1, %c2] : !d2m.local_semaphore
    } else {
      d2m.semaphore_inc %ready, %c1, core[%y, %c0] : !d2m.local_semaphore
      d2m.semaphore_wait %done, %c1 reset %c0 : !d2m.local_semaphore
    }
    d2m.remote_load %m[%y, %x] into %q : !m into !cb
    d2m.remote_store %n[%y, %x] from %q : !m from !cb
  }
  return
}
