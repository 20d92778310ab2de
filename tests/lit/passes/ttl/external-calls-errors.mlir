// What C++ functions of the user declare about buffers counts like uses by the thread itself.
// RUN: ttl-opt %s --ttl-verify-protocol --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @no_producer() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.compute_thread "compute" {
    // expected-error @below {{the effects of 'f' wait for pages of 'a', but no thread produces any}}
    ttcpp.call "f" in "f.hpp"() uses (%a : !cb) effects [#ttcpp.effect<wait, 0, 1>] : () -> ()
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @two_producers() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.compute_thread "compute" {
    // expected-note @below {{the other thread uses it here}}
    ttcpp.call "f" in "f.hpp"() uses (%a : !cb) effects [#ttcpp.effect<push, 0, 1>] : () -> ()
  }
  ttl.datamovement_thread "reader" {
    // expected-error @below {{two threads produce 'a' on node (0, 0)}}
    ttcpp.call "f" in "f.hpp"() uses (%a : !cb) effects [#ttcpp.effect<reserve, 0, 1>] : () -> ()
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @held_block() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.compute_thread "compute" {
    // expected-note @below {{the block is acquired here}}
    %x = ttl.cb_wait %a : !block
    // expected-error @below {{the effects of 'f' wait for or pop pages of 'a', but the thread holds a block of 'a': release it before the call, or let the function leave it as it is}}
    ttcpp.call "f" in "f.hpp"() uses (%a : !cb) effects [#ttcpp.effect<pop, 0, 1>] : () -> ()
    ttl.cb_pop %x : !block
  }
  ttl.datamovement_thread "reader" {
    ttcpp.call "f" in "f.hpp"() uses (%a : !cb) : () -> ()
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @unwritten() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.compute_thread "compute" {
    // expected-note @below {{the block is acquired here}}
    %x = ttl.cb_reserve %a : !block
    ttcpp.call "f" in "f.hpp"() uses (%a : !cb) inspects [0] : () -> ()
    // expected-error @below {{cannot push a block of 'a': nobody has written it}}
    ttl.cb_push %x : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @held_reserved_block() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "reader" {
    // expected-note @below {{the block is acquired here}}
    %x = ttl.cb_reserve %a : !block
    // expected-error @below {{the effects of 'f' reserve or push pages of 'a', but the thread holds a block of 'a'}}
    ttcpp.call "f" in "f.hpp"() uses (%a : !cb) effects [#ttcpp.effect<push, 0, 1>] : () -> ()
    ttl.cb_push %x : !block
  }
}
