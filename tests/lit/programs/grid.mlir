// A grid that is larger than the chip runs with a warning, and is refused with --strict. On a
// chip that is large enough, there is no warning.
// RUN: ttl-jit run %s 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not ttl-jit run %s --strict 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: ttl-jit run %s --strict --arch=blackhole 2>&1 | count 0
// RUN: ttl-jit run %s --strict --arch=wormhole_b0@9x9 2>&1 | count 0
// WARN: warning: grid 9x9 is larger than wormhole_b0's 8x8; it runs as if the chip were that large
// STRICT: error: grid 9x9 is larger than wormhole_b0's 8x8; choose a larger chip with --arch NAME@COLUMNSxROWS

ttl.kernel @wide() attributes {grid = #ttcore.grid<9x9>} {
  ttl.datamovement_thread "worker" {
  }
}

func.func @main() {
  ttl.launch @wide()
  return
}
