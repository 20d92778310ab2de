// RUN: ttl-opt %s --ttl-verify-lowered --split-input-file --verify-diagnostics
// RUN: ttl-opt %s --ttl-validate --split-input-file --verify-diagnostics
// RUN: not ttl-opt %s --pass-pipeline='builtin.module(func.func(ttl-verify-lowered{internal=true}))' 2>&1 | FileCheck %s

// If an op is not lowered in the pipeline, this is an error of the compiler.
// CHECK: error: internal error: 'ttl.core' is left after stage 'ttkernel'; please report it

ttl.program @left() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @left_thread on riscv_1 ()
}
func.func @left_thread() {
  // expected-error @+1 {{'ttl.core' is left: ttl-verify-lowered expects threads as stage 'ttkernel' makes them; run ttl-to-ttkernel, or ttl-lower-compute, ttl-lower-data-movement and ttl-lower-synchronization, before it}}
  %x, %y = ttl.core : index, index
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
ttl.program @arguments() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @thread on riscv_1 (%a) : !cb
}
// expected-error @+1 {{the thread's function 'thread' still has arguments: ttl-verify-lowered expects threads as stage 'ttkernel' makes them}}
func.func @thread(%a: !cb) {
  return
}

// -----

// Functions that are not threads are not checked.
func.func @main() {
  %x, %y = ttl.core : index, index
  return
}
