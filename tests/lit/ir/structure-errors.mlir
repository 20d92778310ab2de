// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Kernels, threads, programs and launches that the verifiers refuse.

// expected-error @+1 {{'ttl.kernel' op unknown architecture 'grayskull': expected wormhole_b0 or blackhole, or one of them with a grid: wormhole_b0@4x4}}
ttl.kernel @k() attributes {arch = "grayskull", grid = #ttcore.grid<1x1>} {
  ttl.compute_thread "a" {
  }
}

// -----

// expected-error @+1 {{'ttl.program' op unknown architecture 'grayskull'}}
ttl.program @p() attributes {arch = "grayskull", grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "a" : !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
}

// -----

// expected-error @+1 {{'ttl.kernel' op has 3 data movement threads, but a core can run at most two}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "a" {
  }
  ttl.datamovement_thread "b" {
  }
  ttl.datamovement_thread "c" {
  }
}

// -----

// expected-error @+1 {{'ttl.kernel' op has 2 compute threads, but a core can run at most one}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.compute_thread "a" {
  }
  ttl.compute_thread "b" {
  }
}

// -----

// expected-error @+1 {{'ttl.kernel' op must have no threads besides its unified thread, found 1: a unified thread does the work of all threads}}
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.unified_thread "a" {
  }
  ttl.compute_thread "b" {
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.compute_thread "a" {
    // expected-error @+1 {{'ttl.dma_barrier' op cannot move data in a compute thread: do that in a data movement thread, which passes blocks through circular buffers}}
    ttl.dma_barrier
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "a" {
    %f = arith.constant 0.0 : f32
    // expected-error @+1 {{'ttl.block_fill' op cannot compute on blocks in a data movement thread: do that in the compute thread, which passes blocks through circular buffers}}
    %e = ttl.block_fill %f : tensor<1x1x!ttcore.tile<32x32, f32>>
  }
}

// -----

// expected-error @+1 {{'ttl.compute_thread' op expects parent op 'ttl.kernel'}}
ttl.compute_thread "a" {
}

// -----

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.thread' op the symbol is not the name of a function: @missing}}
  ttl.thread @missing on compute ()
}

// -----

ttl.program @p() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.thread' op cannot bind values of types () to @f, which has arguments of types ('i32')}}
  ttl.thread @f on compute ()
}
func.func private @f(i32)

// -----

func.func @main() {
  // expected-error @+1 {{'ttl.launch' op the symbol is not the name of a kernel or program: @missing}}
  ttl.launch @missing()
  return
}

// -----

ttl.program @p(%t: tensor<1xf32>) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !ttl.cb<[1], f32, 2>
}
func.func @main() {
  // expected-error @+1 {{'ttl.launch' op cannot pass tensors of types () to @p, which has arguments of types ('tensor<1xf32>')}}
  ttl.launch @p()
  return
}
