// RUN: ttl-opt %s --ttl-verify-protocol --verify-diagnostics

// A loop resets a buffer whose block was acquired before the loop.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @held_before_the_loop() attributes {grid = #ttcore.grid<1x1>} {
  %d = ttl.create_cb "d" : !cb
  ttl.datamovement_thread "r" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    // expected-error @+1 {{a block of 'd' is held before the loop in line 16, and a reset inside it drops the block on some paths only: release the block before}}
    %b = ttl.cb_reserve %d : !block
    scf.for %i = %c0 to %c3 step %c1 {
      // expected-note @+1 {{the reset is here}}
      ttl.cb_reset 0 "ttl.reset_dfbs" %d : !cb
    }
  }
}
