// RUN: ttl-opt %s --ttl-lower-affine --split-input-file --verify-diagnostics

ttl.kernel @parallel() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "dm" {
    // expected-error @+1 {{a kernel cannot have affine.parallel: of the affine dialect it may have for, if, apply, min and max}}
    affine.parallel (%i) = (0) to (4) {
    }
  }
}
