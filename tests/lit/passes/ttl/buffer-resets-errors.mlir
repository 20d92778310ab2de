// RUN: ttl-opt %s --ttl-insert-copy-waits --ttl-insert-releases --ttl-verify-protocol --split-input-file --verify-diagnostics

// A block that was acquired before a reset must not be used after it.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @use_after() attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  %e = ttl.create_cb "e" : !cb
  ttl.datamovement_thread "r" {
    ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
  }
  ttl.compute_thread "c" {
    %c1 = arith.constant 1.0 : f32
    %v = ttl.block_fill %c1 : !value
    // expected-note @+1 {{the block is acquired here}}
    %b = ttl.cb_reserve %d : !block
    // expected-note @+1 {{the reset is here}}
    ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
    // expected-error @+1 {{cannot store into a block of 'd': the reset in line 21 dropped it; acquire a block after the reset}}
    ttl.block_store %b, %v : !block, !value
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @release_after() attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  ttl.datamovement_thread "r" {
    // expected-note @+1 {{the block is acquired here}}
    %b = ttl.cb_reserve %d : !block
    // expected-note @+1 {{the reset is here}}
    ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
    // expected-error @+1 {{cannot push a block of 'd': the reset in line 38 dropped it; acquire a block after the reset}}
    ttl.cb_push %b : !block
  }
}

// -----

// Blocks of other buffers stay valid.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @other_buffer() attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  %e = ttl.create_cb "e" : !cb
  ttl.compute_thread "c" {
    %c1 = arith.constant 1.0 : f32
    %v = ttl.block_fill %c1 : !value
    %b = ttl.cb_reserve %d : !block
    %unused = ttl.cb_reserve %e : !block
    ttl.cb_reset 0 "ttl.reset_dfbs" %e : !cb
    ttl.block_store %b, %v : !block, !value
    ttl.cb_push %b : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @nested() attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  ttl.datamovement_thread "r" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    // expected-note @+1 {{the outer loop is here}}
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %c3 step %c1 {
        // expected-error @+1 {{ttl.reset_dfbs() may be in one loop, not in nested loops: move it out of the inner loop}}
        ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
      }
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

ttl.kernel @unknown_rounds() attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  ttl.datamovement_thread "r" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = ttl.semaphore_value %s : !ttl.semaphore
    %end = arith.index_cast %n : i32 to index
    // expected-note @+1 {{the loop is here}}
    scf.for %i = %c0 to %end step %c1 {
      // expected-error @+1 {{ttl.reset_dfbs() must execute a compile-time-known number of times on each launch node, but the bounds of the loop around it are known only at run time: move it out of the loop, or make the bounds constants}}
      ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

ttl.kernel @condition_on_data() attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  ttl.datamovement_thread "r" {
    %c1 = arith.constant 1 : i32
    %n = ttl.semaphore_value %s : !ttl.semaphore
    %is = arith.cmpi eq, %n, %c1 : i32
    // expected-note @+1 {{the condition is here}}
    scf.if %is {
      // expected-error @+1 {{ttl.reset_dfbs() must execute a compile-time-known number of times on each launch node, but a condition that depends on data decides whether it runs: put it under conditions on the node's coordinates, or under none}}
      ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

ttl.kernel @missing() attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  ttl.datamovement_thread "r" {
    // expected-error @+1 {{ttl.reset_dfbs() is never called by c(): all threads of a node meet at a reset, so each of them must call it}}
    ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
  }
  // expected-note @+1 {{c() is here}}
  ttl.compute_thread "c" {
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

ttl.kernel @other_buffers() attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  %e = ttl.create_cb "e" : !cb
  ttl.datamovement_thread "r" {
    // expected-note @+1 {{the other thread resets here}}
    ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
  }
  ttl.compute_thread "c" {
    // expected-error @+1 {{ttl.reset_dfbs() names other buffers here than in another thread: all threads must name the same buffers at a reset}}
    ttl.cb_reset 0 "ttl.reset_dfbs" %d, %e : !cb, !cb
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

ttl.kernel @other_order() attributes {grid = #ttcore.grid<2x1>} {
  %d = ttl.create_cb "d" : !cb
  ttl.datamovement_thread "r" {
    // expected-error @+1 {{ttl.reset_dfbs() is reset 1 of r() on node (0, 0), but c() reaches another one there: all threads must reach the same resets in the same order}}
    ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
    ttl.cb_reset 1 "ttl.reset_dfbs" %d : !cb
  }
  ttl.compute_thread "c" {
    // expected-note @+1 {{c() reaches this one}}
    ttl.cb_reset 1 "ttl.reset_dfbs" %d : !cb
    ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

ttl.kernel @other_count() attributes {grid = #ttcore.grid<2x1>} {
  %d = ttl.create_cb "d" : !cb
  ttl.datamovement_thread "r" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      // expected-error @+1 {{ttl.reset_dfbs(): on node (0, 0) r() reaches 3 resets, but c() only 1: all threads of a node must reach a reset equally often}}
      ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
    }
  }
  ttl.compute_thread "c" {
    ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
  }
}
