// RUN: ttl-opt %s --ttl-replace-waited-blocks --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @condition() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a" : !cb
  ttl.compute_thread "compute" {
    %true = arith.constant true
    // expected-note @+1 {{acquired here}}
    %a = ttl.cb_wait %a_dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    scf.if %true {
      // expected-error @+1 {{this changes a block of 'a' inside a condition or loop, but the thread waited for it outside: change a variable there; write block = block + x in place of block += x, or block = x in place of block.store(x)}}
      ttl.block_store %a, %e : !block, !e
    }
    ttl.cb_pop %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @twice() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a" : !cb
  ttl.compute_thread "compute" {
    // expected-note @+1 {{acquired here}}
    %a = ttl.cb_wait %a_dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    // expected-error @+1 {{stores into a block of 'a', which this thread waited for, twice: a block that was waited for can be replaced only once}}
    ttl.block_store %a, %e : !block, !e
    ttl.block_store %a, %e : !block, !e
    ttl.cb_pop %a : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @accumulates() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a" : !cb
  ttl.compute_thread "compute" {
    %one = arith.constant 1 : i32
    // expected-note @+1 {{acquired here}}
    %a = ttl.cb_wait %a_dfb : !block
    // expected-error @+1 {{stores into a block of 'a', which this thread waited for, with acc=True: compute the sum with '+', and store that}}
    ttl.block_store %a, %a accumulate %one : !block, !block
    ttl.cb_pop %a : !block
  }
}
