// RUN: ttl-opt %s --ttl-insert-copy-waits --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Warnings: a copy without a wait, and a copy with a wait on one path only.
ttl.kernel @warns(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    // expected-warning @+1 {{this copy is never waited for, so the thread completes it before the next statement: write wait()}}
    %never = ttl.copy %s, %a : !slice, !block
    // expected-warning @+1 {{some path has no wait() for this copy, so the thread completes it before the next statement: wait for it on every path}}
    %some = ttl.copy %s, %a : !slice, !block
    scf.if %true {
      // expected-note @+1 {{this wait() does nothing}}
      ttl.wait %some
    }
    ttl.cb_push %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// Some nodes use the block of a receive without a wait for it.
ttl.kernel @receives(%t: tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>) attributes {grid = #ttcore.grid<2>} {
  %cb = ttl.create_cb "cb" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %blk = ttl.cb_reserve %cb : !block
    // expected-note @+1 {{the receive starts here}}
    %xf = ttl.copy %p, %blk : !ttl.pipe, !block
    // expected-error @+1 {{this uses the block of a receive that only some nodes have waited for: wait for the receive before this, outside of the callbacks}}
    %v = ttl.element_read %blk[%c0, %c0] : !block
    // expected-note @+1 {{the last callback that waits for it is here}}
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      ttl.wait %xf
    }
    ttl.cb_push %blk : !block
  }
}
