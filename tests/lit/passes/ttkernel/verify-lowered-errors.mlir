// RUN: ttl-opt %s --ttl-verify-lowered --split-input-file --verify-diagnostics

ttl.program @left() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @left_thread on riscv_1 ()
}
func.func @left_thread() {
  // expected-error @+1 {{internal error: 'ttl.core' is left after lowering to ttkernel; please report it}}
  %x, %y = ttl.core : index, index
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
ttl.program @arguments() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.thread @thread on riscv_1 (%a) : !cb
}
// expected-error @+1 {{internal error: thread function still has arguments}}
func.func @thread(%a: !cb) {
  return
}

// -----

// Functions that are no threads are nobody's business here.
func.func @main() {
  %x, %y = ttl.core : index, index
  return
}
