// RUN: ttl-opt %s --ttl-expand-threads --verify-diagnostics

// A value that threads use cannot be computed again in each thread if it has side effects.
ttl.kernel @effects() attributes {grid = #ttcore.grid<1x1>} {
  %one = arith.constant 1 : i32
  // expected-error @+1 {{this value is used by thread 'compute', but is outside of it, and cannot be computed twice: move it into the thread}}
  %n = ttl.int_add %one, %one
  ttl.compute_thread "compute" {
    %m = ttl.int_add %n, %n
  }
}
