// RUN: ttl-opt %s --ttl-verify-protocol --verify-diagnostics

// Correct threads: loops in loops, branches in loops, loops in branches, and while loops.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @nested_loops(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @+1 {{the block is acquired here}}
      %a = ttl.cb_reserve %dfb : !block
      scf.for %j = %c0 to %m step %c1 {
        %x = ttl.copy %s, %a : !slice, !block
        ttl.wait %x
        // expected-warning @+1 {{this copies from a block of 'dfb', which reserve() returned, to a tensor: tt-lang's compiler refuses this for a card; push the block, and copy from the block that wait() returns}}
        %w = ttl.copy %a, %s : !block, !slice
        ttl.wait %w
      }
      %y = ttl.copy %s, %a : !slice, !block
      ttl.wait %y
      ttl.cb_push %a : !block
    }
  }
}

ttl.kernel @branch_in_loop(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    scf.for %i = %c0 to %n step %c1 {
      %a = ttl.cb_reserve %dfb : !block
      %x = ttl.copy %s, %a : !slice, !block
      scf.if %cond {
        ttl.wait %x
        ttl.cb_push %a : !block
      } else {
        ttl.dma_barrier
        ttl.cb_push %a : !block
      }
    }
  }
}

ttl.kernel @loop_in_branch(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %dfb : !block
    scf.if %cond {
      scf.for %i = %c0 to %n step %c1 {
        %x = ttl.copy %s, %a : !slice, !block
        ttl.wait %x
        // expected-warning @+1 {{this copies from a block of 'dfb', which reserve() returned, to a tensor: tt-lang's compiler refuses this for a card; push the block, and copy from the block that wait() returns}}
        %w = ttl.copy %a, %s : !block, !slice
        ttl.wait %w
      }
    }
    %y = ttl.copy %s, %a : !slice, !block
    ttl.wait %y
    ttl.cb_push %a : !block
  }
}

// The condition runs last before the ops after the loop.
ttl.kernel @while_loop(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_reserve %dfb : !block
    scf.while : () -> () {
      %x = ttl.copy %s, %a : !slice, !block
      ttl.wait %x
      scf.condition(%cond)
    } do {
      // expected-warning @+1 {{this copies from a block of 'dfb', which reserve() returned, to a tensor: tt-lang's compiler refuses this for a card; push the block, and copy from the block that wait() returns}}
      %w = ttl.copy %a, %s : !block, !slice
      ttl.wait %w
      scf.yield
    }
    ttl.cb_push %a : !block
  }
}

// Two loops and a branch carry two blocks.
ttl.kernel @carried(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    %a = ttl.cb_reserve %dfb : !block
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %a) -> (!block) {
      %d = scf.for %j = %c0 to %m step %c1 iter_args(%e = %c) -> (!block) {
        %x = ttl.copy %s, %e : !slice, !block
        ttl.wait %x
        %next = ttl.cb_reserve %dfb : !block
        ttl.cb_push %e : !block
        scf.yield %next : !block
      }
      %f = scf.if %cond -> (!block) {
        %y = ttl.copy %s, %d : !slice, !block
        ttl.wait %y
        ttl.cb_push %d : !block
        %g = ttl.cb_reserve %dfb : !block
        scf.yield %g : !block
      } else {
        scf.yield %d : !block
      }
      scf.yield %f : !block
    }
    %z = ttl.copy %s, %r : !slice, !block
    ttl.wait %z
    ttl.cb_push %r : !block
  }
}

// An assertion that always fails ends its path, as `raise` does, so that ops after it break no rule.
ttl.kernel @raises(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %false = arith.constant false
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %n, %m = ttl.core {dims = 2 : i64} : index, index
    %cond = arith.cmpi eq, %n, %c0 : index
    %a = ttl.cb_reserve %dfb : !block
    scf.if %cond {
      ttl.assert %false, "not this node"
    } else {
      %x = ttl.copy %s, %a : !slice, !block
      ttl.wait %x
    }
    ttl.cb_push %a : !block
    %b = ttl.cb_reserve %dfb : !block
    %y = ttl.copy %s, %b : !slice, !block
    ttl.assert %false, "the end"
    ttl.cb_push %b : !block
  }
}
