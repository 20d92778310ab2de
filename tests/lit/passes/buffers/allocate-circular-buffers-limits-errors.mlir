// RUN: ttl-opt %s "--pass-pipeline=builtin.module(ttl-allocate-circular-buffers{strict=true})" --split-input-file --verify-diagnostics

// More than the chip has, also because of buffers that the compiler added.

!t = !ttcore.tile<32x32, f32>
!small = !ttl.cb<[1, 1], !t, 1>
!large = !ttl.cb<[2, 1], !t, 1>

// expected-error @+1 {{'many' uses 33 circular buffers (1 made by the compiler), but wormhole_b0 has only 32: use one buffer for tensors that are needed one after the other}}
ttl.program @many() attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{'b0' takes 4096 bytes (1x1 tiles of Float32, 1 block)}}
  %b0 = ttl.create_cb "b0" : !small
  // expected-note @+1 {{'b1' takes 4096 bytes (1x1 tiles of Float32, 1 block)}}
  %b1 = ttl.create_cb "b1" : !small
  // expected-note @+1 {{'b2' takes 4096 bytes (1x1 tiles of Float32, 1 block)}}
  %b2 = ttl.create_cb "b2" : !small
  // expected-note @+1 {{'b3' takes 4096 bytes (1x1 tiles of Float32, 1 block)}}
  %b3 = ttl.create_cb "b3" : !small
  // expected-note @+1 {{'b4' takes 4096 bytes (1x1 tiles of Float32, 1 block)}}
  %b4 = ttl.create_cb "b4" : !small
  // expected-note @+1 {{'b5' takes 4096 bytes (1x1 tiles of Float32, 1 block)}}
  %b5 = ttl.create_cb "b5" : !small
  // expected-note @+1 {{'b6' takes 4096 bytes (1x1 tiles of Float32, 1 block)}}
  %b6 = ttl.create_cb "b6" : !small
  %b7 = ttl.create_cb "b7" : !small
  %b8 = ttl.create_cb "b8" : !small
  %b9 = ttl.create_cb "b9" : !small
  %b10 = ttl.create_cb "b10" : !small
  %b11 = ttl.create_cb "b11" : !small
  %b12 = ttl.create_cb "b12" : !small
  %b13 = ttl.create_cb "b13" : !small
  %b14 = ttl.create_cb "b14" : !small
  %b15 = ttl.create_cb "b15" : !small
  %b16 = ttl.create_cb "b16" : !small
  %b17 = ttl.create_cb "b17" : !small
  %b18 = ttl.create_cb "b18" : !small
  %b19 = ttl.create_cb "b19" : !small
  %b20 = ttl.create_cb "b20" : !small
  %b21 = ttl.create_cb "b21" : !small
  %b22 = ttl.create_cb "b22" : !small
  %b23 = ttl.create_cb "b23" : !small
  %b24 = ttl.create_cb "b24" : !small
  %b25 = ttl.create_cb "b25" : !small
  %b26 = ttl.create_cb "b26" : !small
  %b27 = ttl.create_cb "b27" : !small
  %b28 = ttl.create_cb "b28" : !small
  %b29 = ttl.create_cb "b29" : !small
  %b30 = ttl.create_cb "b30" : !small
  %b31 = ttl.create_cb "b31" : !small
  // expected-note @+1 {{'tmp' takes 8192 bytes (2x1 tiles of Float32, 1 block, made by the compiler)}}
  %made = ttl.create_cb "tmp" {compiler_made} : !large
  ttl.thread @many_compute on compute (%b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9, %b10, %b11, %b12, %b13, %b14, %b15, %b16, %b17, %b18, %b19, %b20, %b21, %b22, %b23, %b24, %b25, %b26, %b27, %b28, %b29, %b30, %b31, %made) : !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !small, !large
}
func.func @many_compute(%b0: !small, %b1: !small, %b2: !small, %b3: !small, %b4: !small, %b5: !small, %b6: !small, %b7: !small, %b8: !small, %b9: !small, %b10: !small, %b11: !small, %b12: !small, %b13: !small, %b14: !small, %b15: !small, %b16: !small, %b17: !small, %b18: !small, %b19: !small, %b20: !small, %b21: !small, %b22: !small, %b23: !small, %b24: !small, %b25: !small, %b26: !small, %b27: !small, %b28: !small, %b29: !small, %b30: !small, %b31: !small, %made: !large) attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %x0 = ttl.cb_reserve %b0 : !ttl.block<tensor<1x1x!t>, !small>
  %x1 = ttl.cb_reserve %b1 : !ttl.block<tensor<1x1x!t>, !small>
  %x2 = ttl.cb_reserve %b2 : !ttl.block<tensor<1x1x!t>, !small>
  %x3 = ttl.cb_reserve %b3 : !ttl.block<tensor<1x1x!t>, !small>
  %x4 = ttl.cb_reserve %b4 : !ttl.block<tensor<1x1x!t>, !small>
  %x5 = ttl.cb_reserve %b5 : !ttl.block<tensor<1x1x!t>, !small>
  %x6 = ttl.cb_reserve %b6 : !ttl.block<tensor<1x1x!t>, !small>
  %x7 = ttl.cb_reserve %b7 : !ttl.block<tensor<1x1x!t>, !small>
  %x8 = ttl.cb_reserve %b8 : !ttl.block<tensor<1x1x!t>, !small>
  %x9 = ttl.cb_reserve %b9 : !ttl.block<tensor<1x1x!t>, !small>
  %x10 = ttl.cb_reserve %b10 : !ttl.block<tensor<1x1x!t>, !small>
  %x11 = ttl.cb_reserve %b11 : !ttl.block<tensor<1x1x!t>, !small>
  %x12 = ttl.cb_reserve %b12 : !ttl.block<tensor<1x1x!t>, !small>
  %x13 = ttl.cb_reserve %b13 : !ttl.block<tensor<1x1x!t>, !small>
  %x14 = ttl.cb_reserve %b14 : !ttl.block<tensor<1x1x!t>, !small>
  %x15 = ttl.cb_reserve %b15 : !ttl.block<tensor<1x1x!t>, !small>
  %x16 = ttl.cb_reserve %b16 : !ttl.block<tensor<1x1x!t>, !small>
  %x17 = ttl.cb_reserve %b17 : !ttl.block<tensor<1x1x!t>, !small>
  %x18 = ttl.cb_reserve %b18 : !ttl.block<tensor<1x1x!t>, !small>
  %x19 = ttl.cb_reserve %b19 : !ttl.block<tensor<1x1x!t>, !small>
  %x20 = ttl.cb_reserve %b20 : !ttl.block<tensor<1x1x!t>, !small>
  %x21 = ttl.cb_reserve %b21 : !ttl.block<tensor<1x1x!t>, !small>
  %x22 = ttl.cb_reserve %b22 : !ttl.block<tensor<1x1x!t>, !small>
  %x23 = ttl.cb_reserve %b23 : !ttl.block<tensor<1x1x!t>, !small>
  %x24 = ttl.cb_reserve %b24 : !ttl.block<tensor<1x1x!t>, !small>
  %x25 = ttl.cb_reserve %b25 : !ttl.block<tensor<1x1x!t>, !small>
  %x26 = ttl.cb_reserve %b26 : !ttl.block<tensor<1x1x!t>, !small>
  %x27 = ttl.cb_reserve %b27 : !ttl.block<tensor<1x1x!t>, !small>
  %x28 = ttl.cb_reserve %b28 : !ttl.block<tensor<1x1x!t>, !small>
  %x29 = ttl.cb_reserve %b29 : !ttl.block<tensor<1x1x!t>, !small>
  %x30 = ttl.cb_reserve %b30 : !ttl.block<tensor<1x1x!t>, !small>
  %x31 = ttl.cb_reserve %b31 : !ttl.block<tensor<1x1x!t>, !small>
  %y = ttl.cb_reserve %made : !ttl.block<tensor<2x1x!t>, !large>
  ttl.cb_push %x0 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x1 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x2 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x3 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x4 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x5 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x6 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x7 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x8 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x9 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x10 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x11 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x12 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x13 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x14 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x15 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x16 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x17 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x18 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x19 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x20 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x21 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x22 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x23 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x24 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x25 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x26 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x27 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x28 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x29 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x30 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x31 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %y : !ttl.block<tensor<2x1x!t>, !large>
  return
}

// -----

// expected-error @+1 {{blocks that land over pipes do not fit: buffers, landing slots and counters take 2097152 bytes of L1, but wormhole_b0 has only 1395712}}
ttl.program @landing() attributes {grid = #ttcore.grid<2x1>} {
  // expected-note @+1 {{'net' has 8 landing slots of 262144 bytes: send smaller blocks, or let fewer pipes end at one node}}
  %net = ttl.create_landing "net" : !ttl.landing<[8, 8], !ttcore.tile<32x32, f32>, 8>
}
