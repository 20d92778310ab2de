// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Wrong hints at processors.

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.datamovement_thread' op cannot run on 'NOC2', which is no processor of a node: expected "NOC0" or "NOC1"}}
  ttl.datamovement_thread "reader" attributes {microcore_hint = "NOC2"} {
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.datamovement_thread' op cannot run on 'MATH', a processor that computes: expected "NOC0" or "NOC1"}}
  ttl.datamovement_thread "reader" attributes {microcore_hint = "MATH"} {
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.compute_thread' op cannot run on 'NOC0', a processor that moves data: expected "MATH", which names the three compute processors together}}
  ttl.compute_thread "compute" attributes {microcore_hint = "NOC0"} {
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{the other thread}}
  ttl.datamovement_thread "reader" attributes {microcore_hint = "NOC1"} {
  }
  // expected-error @+1 {{'ttl.datamovement_thread' op cannot run on NOC1, which runs another thread: a processor runs one thread, so bind them to NOC0 and NOC1}}
  ttl.datamovement_thread "writer" attributes {microcore_hint = "NOC1"} {
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>, microcores = #ttl.microcore_config<[@noc0 : data_movement]>} {
  // expected-error @+1 {{'ttl.datamovement_thread' op runs on processor 'noc1', which microcores of the kernel does not declare: add '@noc1', or leave microcores out}}
  ttl.datamovement_thread "writer" attributes {microcore_hint = "NOC1"} {
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.unified_thread' op has no attribute 'microcore_hint', so no pass would read it: a unified thread has only its name}}
  ttl.unified_thread "all" attributes {microcore_hint = "NOC1"} {
  }
}

// -----

// Wrong declarations of processors.

// expected-error @+1 {{unknown processor: 'noc2'; did you mean noc0?}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>, microcores = #ttl.microcore_config<[@noc2 : data_movement]>} {
}

// -----

// expected-error @+1 {{processor 'noc0' is of kind data_movement, found compute}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>, microcores = #ttl.microcore_config<[@noc0 : compute]>} {
}

// -----

// expected-error @+1 {{unknown kind of processor: 'dm'; expected data_movement or compute}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>, microcores = #ttl.microcore_config<[@noc0 : dm]>} {
}

// -----

// expected-error @+1 {{processor 'noc0' is there twice}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>, microcores = #ttl.microcore_config<[@noc0 : data_movement, @noc0 : data_movement]>} {
}

// -----

// expected-error @+1 {{expected all or none of the processors unpack, math and pack, which run one thread, found 1 of them}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>, microcores = #ttl.microcore_config<[@math : compute]>} {
}

// -----

// expected-error @+1 {{expected at least one processor, such as @noc0 : data_movement}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>, microcores = #ttl.microcore_config<[]>} {
}

// -----

// expected-error @+1 {{unknown chip: 'grayskull'; expected wormhole_b0 or blackhole}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>, microcores = #ttl.microcore_config<grayskull>} {
}

// -----

// Wrong threads with roles.

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    // expected-error @+1 {{'ttl.microcore_thread' op unknown processor: 'noc'; did you mean noc0?}}
    ttl.microcore_thread @noc "reader" {
    }
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    // expected-error @+1 {{'ttl.microcore_thread' op names no processor: expected one, such as @noc0}}
    ttl.microcore_thread [] "reader" {
    }
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    // expected-error @+1 {{'ttl.microcore_thread' op cannot run on [@noc0, @math]: expected @noc0, @noc1, or [@unpack, @math, @pack], whose short form is @math}}
    ttl.microcore_thread [@noc0, @math] "all" {
    }
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    // expected-error @+1 {{'ttl.microcore_thread' op has the hint "NOC1", but its role is that of NOC0}}
    ttl.microcore_thread @noc0 "reader" attributes {microcore_hint = "NOC1"} {
    }
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    // expected-error @+1 {{'ttl.microcore_thread' op cannot run on 'MATH', a processor that computes: expected "NOC0" or "NOC1"}}
    ttl.microcore_thread @noc0 "reader" attributes {microcore_hint = "MATH"} {
    }
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    // expected-note @+1 {{the other thread}}
    ttl.microcore_thread @noc0 "reader" {
    }
    // expected-error @+1 {{'ttl.microcore_thread' op cannot run on 'noc0', which runs another thread: a processor runs one thread}}
    ttl.microcore_thread @noc0 "writer" {
    }
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<[@noc0 : data_movement]> {
    // expected-error @+1 {{'ttl.microcore_thread' op runs on processor 'noc1', which microcores of the ttl.tile_proc does not declare}}
    ttl.microcore_thread @noc1 "writer" {
    }
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.datamovement_thread' op cannot be next to a ttl.tile_proc, which contains all threads of its kernel}}
  ttl.datamovement_thread "reader" {
  }
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    // expected-error @+1 {{'arith.constant' op cannot be in a ttl.tile_proc, which contains threads only: write it before the ttl.tile_proc}}
    %c0 = arith.constant 0 : index
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>, microcores = #ttl.microcore_config<wormhole_b0>} {
  // expected-error @+1 {{'ttl.tile_proc' op has microcores, and so has its kernel: leave those of the kernel out}}
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
  }
}

// -----

// Wrong bodies of threads.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "a" : !cb
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    ttl.microcore_thread @noc0 "reader" {
      %a = ttl.cb_wait %cb : !block
      %b = ttl.cb_reserve %cb : !block
      // expected-error @+1 {{'ttl.block_store' op cannot compute on blocks in a data movement thread}}
      ttl.block_store %b, %a : !block, !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "a" : !cb
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    ttl.microcore_thread @math "compute" {
      // expected-error @+1 {{'ttl.dma_barrier' op cannot move data in a compute thread}}
      ttl.dma_barrier
    }
  }
}

// -----

// Wrong text.

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.compute_thread' op requires attribute 'name'}}
  "ttl.compute_thread"() ({
  ^bb0:
  }) : () -> ()
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    // expected-error @+1 {{'ttl.microcore_thread' op attribute 'microcore_role' failed to satisfy constraint: flat symbol ref array attribute}}
    "ttl.microcore_thread"() <{microcore_role = [1 : i32], name = ""}> ({
    ^bb0:
    }) : () -> ()
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<wormhole_b0> {
    // expected-error @+1 {{'ttl.microcore_thread' op requires attribute 'microcore_role'}}
    "ttl.microcore_thread"() <{name = ""}> ({
    ^bb0:
    }) : () -> ()
  }
}

// -----

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{expected 'on' and a processor after the function: @reader on riscv_1 (...)}}
  ttl.thread @reader ()
}

// -----

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{unknown processor: 'riscv_2'; expected riscv_1, riscv_0 or compute}}
  ttl.thread @reader on riscv_2 ()
}
