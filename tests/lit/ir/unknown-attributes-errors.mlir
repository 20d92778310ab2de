// RUN: ttl-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'ttl.kernel' op has no attribute 'compile_time_args', so no pass would read it: it may have grid}}
ttl.kernel @kernel() attributes {grid = #ttcore.grid<1x1>, compile_time_args = [1 : i32]} {
  ttl.datamovement_thread "reader" {
  }
}

// -----

ttl.kernel @kernel() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.datamovement_thread' op has no attribute 'microcore_hint', so no pass would read it: a thread has only its name}}
  ttl.datamovement_thread "reader" attributes {microcore_hint = "NOC1"} {
  }
}
