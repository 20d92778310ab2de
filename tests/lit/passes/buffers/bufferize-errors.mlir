// RUN: ttl-opt %s --ttl-bufferize --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @t on compute (%a) : !cb
}
func.func @t(%a: !cb) {
  %0 = ttl.cb_wait %a : !block
  // expected-error @+1 {{a block expression is in no buffer: run ttl-form-compute before ttl-bufferize}}
  %1 = ttl.block_exp %0 : (!block) -> !value
  ttl.cb_pop %0 : !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = ttl.cb_wait %a : !block
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%2 = %0) -> (!block) {
    // expected-error @+1 {{uses a block whose wait or reserve is not known here: run ttl-name-held-blocks first}}
    ttl.cb_pop %2 : !block
    %3 = ttl.cb_wait %a : !block
    scf.yield %3 : !block
  }
  ttl.cb_pop %1 : !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @t on compute (%a) : !cb
}
func.func @t(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = ttl.cb_wait %a : !block
    %1 = ttl.cb_wait %a : !block
    %2 = ttl.get_tile %1[%c0] {dst_idx = 0 : i32} : !block -> !t
    // expected-error @+1 {{cannot release this block here, because its place in the buffer depends on the path: only scf.for, scf.if and scf.while may contain such a release}}
    scf.execute_region {
      ttl.cb_pop %0 : !block
      ttl.cb_pop %1 : !block
      scf.yield
    }
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  %0 = ttl.cb_wait %a : !block
  %1 = ttl.cb_wait %a : !block
  ttl.print_block %1 : !block
  ttcpp.call "g" in "f.hpp"() uses (%a : !cb) inspects [0] : () -> ()
  ttcpp.call "h" in "f.hpp"() uses (%a : !cb) effects [#ttcpp.effect<push, 0, 1>] : () -> ()
  // expected-error @+1 {{the C++ function 'f' may move a buffer of which this thread holds several blocks at once: hold one block at a time, or state that the function only inspects the buffer}}
  ttcpp.call "f" in "f.hpp"() uses (%a : !cb) : () -> ()
  ttl.cb_pop %0 : !block
  ttl.cb_pop %1 : !block
  return
}
