// RUN: ttl-opt %s --ttl-allocate-circular-buffers --verify-diagnostics

// Resources beyond the chip's are emulated with a warning; with `strict` they are errors.

// expected-warning @+1 {{blocks that land over pipes do not fit: buffers, landing slots and counters take 2097152 bytes of L1, but wormhole_b0 has only 1395712; the kernel runs as if L1 were large enough}}
ttl.program @landing() attributes {grid = #ttcore.grid<2x1>} {
  // expected-note @+1 {{'net' has 8 landing slots of 262144 bytes: send smaller blocks, or let fewer pipes end at one node}}
  %net = ttl.create_landing "net" : !ttl.landing<[8, 8], !ttcore.tile<32x32, f32>, 8>
}
