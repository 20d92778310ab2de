// Each of the two passes undoes the other one.
// RUN: ttl-opt %s --ttl-microcores-to-threads > %t.threads
// RUN: FileCheck %s --check-prefix=THREADS < %t.threads
// RUN: ttl-opt %s --ttl-threads-to-microcores > %t.roles
// RUN: FileCheck %s --check-prefix=ROLES < %t.roles
// RUN: ttl-opt %t.roles --ttl-microcores-to-threads | diff - %t.threads
// RUN: ttl-opt %t.threads --ttl-threads-to-microcores | diff - %t.roles

// No hint is needed if the threads are in the order of the processors.
// THREADS-LABEL: ttl.kernel @in_order
// THREADS-SAME: attributes {grid = #ttcore.grid<1x1>} {
// THREADS-NOT: tile_proc
// THREADS: ttl.datamovement_thread "reader" {
// THREADS: ttl.compute_thread "compute" {
// THREADS: ttl.datamovement_thread "writer" {
ttl.kernel @in_order() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    ttl.microcore_thread @noc0 "reader" {
    }
    ttl.microcore_thread [@unpack, @math, @pack] "compute" {
    }
    ttl.microcore_thread @noc1 "writer" {
    }
  }
}

// The second thread gets the processor that is left.
// THREADS-LABEL: ttl.kernel @swapped
// THREADS: ttl.datamovement_thread "writer" attributes {microcore_hint = "NOC1"} {
// THREADS: ttl.datamovement_thread "reader" {
ttl.kernel @swapped() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    ttl.microcore_thread @noc1 "writer" {
    }
    ttl.microcore_thread @noc0 "reader" {
    }
  }
}

// Processors that are not declared stay undeclared.
// THREADS-LABEL: ttl.kernel @one
// THREADS-SAME: microcores = #ttl.microcore_config<[@noc1 : data_movement]>
// THREADS: ttl.datamovement_thread "only" attributes {microcore_hint = "NOC1"} {
ttl.kernel @one() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<[@noc1 : data_movement]> {
    ttl.microcore_thread @noc1 "only" {
    }
  }
}

// ROLES-LABEL: ttl.kernel @without_hints
// ROLES: ttl.tile_proc microcores = #ttl.microcore_config<[@noc0 : data_movement, @noc1 : data_movement, @unpack : compute, @math : compute, @pack : compute]> {
// ROLES: ttl.microcore_thread @noc0 "reader" {
// ROLES: ttl.microcore_thread @noc1 "writer" {
// ROLES: ttl.microcore_thread [@unpack, @math, @pack] "compute" {
ttl.kernel @without_hints() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "reader" {
  }
  ttl.datamovement_thread "writer" {
  }
  ttl.compute_thread "compute" {
  }
}

// A hint stays even if the thread would get this processor without it.
// ROLES-LABEL: ttl.kernel @with_all_hints
// ROLES: ttl.microcore_thread @noc0 "reader" attributes {microcore_hint = "NOC0"} {
// ROLES: ttl.microcore_thread @noc1 "writer" attributes {microcore_hint = "NOC1"} {
// ROLES: ttl.microcore_thread [@unpack, @math, @pack] "compute" attributes {microcore_hint = "MATH"} {
ttl.kernel @with_all_hints() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "reader" attributes {microcore_hint = "NOC0"} {
  }
  ttl.datamovement_thread "writer" attributes {microcore_hint = "NOC1"} {
  }
  ttl.compute_thread "compute" attributes {microcore_hint = "MATH"} {
  }
}

// The hint of the second thread says where the first one runs.
// ROLES-LABEL: ttl.kernel @with_one_hint
// ROLES: ttl.microcore_thread @noc1 "first" {
// ROLES: ttl.microcore_thread @noc0 "second" attributes {microcore_hint = "NOC0"} {
ttl.kernel @with_one_hint() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "first" {
  }
  ttl.datamovement_thread "second" attributes {microcore_hint = "NOC0"} {
  }
}

// ROLES-LABEL: ttl.kernel @with_the_needed_hint
// ROLES: ttl.microcore_thread @noc1 "first" {
// ROLES: ttl.microcore_thread @noc0 "second" {
ttl.kernel @with_the_needed_hint() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "first" attributes {microcore_hint = "NOC1"} {
  }
  ttl.datamovement_thread "second" {
  }
}
