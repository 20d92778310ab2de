// RUN: ttl-opt %s --ttl-allocate-circular-buffers=strict --split-input-file --verify-diagnostics

// More buffers, or larger ones, than the chip has room for.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>

// expected-error @+1 {{'many' uses 33 circular buffers, but wormhole_b0 has only 32: use one buffer for tensors that are needed one after the other}}
ttl.program @many() attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{'b0' takes 4096 bytes (1x1 tiles of Float16_b, 2 blocks)}}
  %b0 = ttl.create_cb "b0" : !cb
  // expected-note @+1 {{'b1' takes 4096 bytes (1x1 tiles of Float16_b, 2 blocks)}}
  %b1 = ttl.create_cb "b1" : !cb
  // expected-note @+1 {{'b2' takes 4096 bytes (1x1 tiles of Float16_b, 2 blocks)}}
  %b2 = ttl.create_cb "b2" : !cb
  // expected-note @+1 {{'b3' takes 4096 bytes (1x1 tiles of Float16_b, 2 blocks)}}
  %b3 = ttl.create_cb "b3" : !cb
  // expected-note @+1 {{'b4' takes 4096 bytes (1x1 tiles of Float16_b, 2 blocks)}}
  %b4 = ttl.create_cb "b4" : !cb
  // expected-note @+1 {{'b5' takes 4096 bytes (1x1 tiles of Float16_b, 2 blocks)}}
  %b5 = ttl.create_cb "b5" : !cb
  // expected-note @+1 {{'b6' takes 4096 bytes (1x1 tiles of Float16_b, 2 blocks)}}
  %b6 = ttl.create_cb "b6" : !cb
  // expected-note @+1 {{'b7' takes 4096 bytes (1x1 tiles of Float16_b, 2 blocks)}}
  %b7 = ttl.create_cb "b7" : !cb
  %b8 = ttl.create_cb "b8" : !cb
  %b9 = ttl.create_cb "b9" : !cb
  %b10 = ttl.create_cb "b10" : !cb
  %b11 = ttl.create_cb "b11" : !cb
  %b12 = ttl.create_cb "b12" : !cb
  %b13 = ttl.create_cb "b13" : !cb
  %b14 = ttl.create_cb "b14" : !cb
  %b15 = ttl.create_cb "b15" : !cb
  %b16 = ttl.create_cb "b16" : !cb
  %b17 = ttl.create_cb "b17" : !cb
  %b18 = ttl.create_cb "b18" : !cb
  %b19 = ttl.create_cb "b19" : !cb
  %b20 = ttl.create_cb "b20" : !cb
  %b21 = ttl.create_cb "b21" : !cb
  %b22 = ttl.create_cb "b22" : !cb
  %b23 = ttl.create_cb "b23" : !cb
  %b24 = ttl.create_cb "b24" : !cb
  %b25 = ttl.create_cb "b25" : !cb
  %b26 = ttl.create_cb "b26" : !cb
  %b27 = ttl.create_cb "b27" : !cb
  %b28 = ttl.create_cb "b28" : !cb
  %b29 = ttl.create_cb "b29" : !cb
  %b30 = ttl.create_cb "b30" : !cb
  %b31 = ttl.create_cb "b31" : !cb
  %b32 = ttl.create_cb "b32" : !cb
  ttl.thread @t on riscv_1 (%b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9, %b10, %b11, %b12, %b13, %b14, %b15, %b16, %b17, %b18, %b19, %b20, %b21, %b22, %b23, %b24, %b25, %b26, %b27, %b28, %b29, %b30, %b31, %b32) : !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb, !cb
}
func.func @t(%b0: !cb, %b1: !cb, %b2: !cb, %b3: !cb, %b4: !cb, %b5: !cb, %b6: !cb, %b7: !cb, %b8: !cb, %b9: !cb, %b10: !cb, %b11: !cb, %b12: !cb, %b13: !cb, %b14: !cb, %b15: !cb, %b16: !cb, %b17: !cb, %b18: !cb, %b19: !cb, %b20: !cb, %b21: !cb, %b22: !cb, %b23: !cb, %b24: !cb, %b25: !cb, %b26: !cb, %b27: !cb, %b28: !cb, %b29: !cb, %b30: !cb, %b31: !cb, %b32: !cb) {
  return
}

// -----

!large = !ttl.cb<[32, 16], !ttcore.tile<32x32, f32>, 1>

// expected-error @+1 {{circular buffers of 'large' take 2097152 bytes of L1 on each core, but blackhole has only 1461504; make the blocks of 'a' smaller}}
ttl.program @large() attributes {grid = #ttcore.grid<1x1>, arch = "blackhole"} {
  // expected-note @+1 {{'a' takes 2097152 bytes (32x16 tiles of Float32, 1 block)}}
  %a = ttl.create_cb "a" : !large
  ttl.thread @t on riscv_1 (%a) : !large
}
func.func @t(%a: !large) {
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>

ttl.program @twice() attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{the same index is used by 'a'}}
  %a = ttl.create_cb "a" {buffer_index = 3 : i32} : !cb
  // expected-error @+1 {{buffer index 3 is used twice}}
  %b = ttl.create_cb "b" {buffer_index = 3 : i32} : !cb
  ttl.thread @t on riscv_1 (%a, %b) : !cb, !cb
}
func.func @t(%a: !cb, %b: !cb) {
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>

ttl.program @beyond() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{circular buffer 'a' would get index 64, but no chip has more than 64 buffers: merge buffers or split the kernel}}
  %a = ttl.create_cb "a" {buffer_index = 64 : i32} : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>

ttl.program @reserved() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'a' cannot be at L1 address 4096: expected a multiple of 16 from 103424 on}}
  %a = ttl.create_cb "a" {address = 4096 : i64} : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>

ttl.program @overlap() attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{'a' is at 103424 to 107520}}
  %a = ttl.create_cb "a" {address = 103424 : i64} : !cb
  // expected-error @+1 {{'b' at L1 address 105472 overlaps 'a', and both can hold data at the same time: leave 'address' out}}
  %b = ttl.create_cb "b" {address = 105472 : i64} : !cb
  ttl.thread @t on riscv_1 (%a, %b) : !cb, !cb
}
func.func @t(%a: !cb, %b: !cb) {
  return
}

// -----

// Every node executes these ops, also in loops, but not every node has the buffer.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.program @cores() attributes {grid = #ttcore.grid<2x3>} {
  // expected-note @+1 {{the buffer is made here}}
  %a = ttl.create_cb "a" {core_ranges = #ttcore.core_range_set<[<(0, 0), (1, 1)>]>} : !cb
  ttl.thread @t on riscv_1 (%a) : !cb
}
func.func @t(%a: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @+1 {{every node acquires a block of 'a' here, but core_ranges of the buffer leave out node (0, 2): acquire it only on nodes that have the buffer, or extend core_ranges}}
    %blk = ttl.cb_reserve %a : !block
    ttl.cb_push %blk : !block
  }
  return
}

// -----

// Which nodes execute these ops depends on the node, or on numbers at run time, so the device checks it.
// Ranges that cover the grid have every node.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.program @guarded() attributes {grid = #ttcore.grid<2x2>} {
  %a = ttl.create_cb "a" {core_ranges = #ttcore.core_range_set<[<(0, 0), (0, 1)>]>} : !cb
  %b = ttl.create_cb "b" {core_ranges = #ttcore.core_range_set<[<(0, 0), (0, 1)>, <(1, 0), (1, 1)>]>} : !cb
  ttl.thread @t on riscv_1 (%a, %b) : !cb, !cb
}
func.func @t(%a: !cb, %b: !cb) {
  %c0 = arith.constant 0 : index
  %x, %y = ttl.core {dims = 2} : index, index
  %mine = arith.cmpi eq, %x, %c0 : index
  scf.if %mine {
    %blk = ttl.cb_reserve %a : !block
    ttl.cb_push %blk : !block
  }
  %blk = ttl.cb_reserve %b : !block
  ttl.cb_push %blk : !block
  return
}
