// RUN: ttl-opt %s --ttl-threads-to-microcores --split-input-file --verify-diagnostics

ttl.kernel @unified() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.unified_thread' op has no processor of its own: run ttl-split-unified-threads first}}
  ttl.unified_thread "all" {
  }
}
