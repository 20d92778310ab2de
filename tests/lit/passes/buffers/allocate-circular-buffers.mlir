// RUN: ttl-opt %s --ttl-allocate-circular-buffers --split-input-file --verify-diagnostics | FileCheck %s

!tiles = !ttl.cb<[2, 1], !ttcore.tile<32x32, bf16>, 2>
!rows = !ttl.cb<[3, 5], f32, 2>

// Indices and addresses go up from the unreserved base. Addresses are aligned for DRAM; the small buffer
// is last if that avoids a gap behind it. A page is a tile or a row. A buffer that no
// thread uses is dropped.
// CHECK-LABEL: ttl.program @plain
// CHECK-NEXT: ttl.create_cb "a" {address = 111360 : i64, buffer_index = 0 : i32, page_size = 2048 : i64}
// CHECK-NEXT: ttl.create_cb "rows" {address = 127744 : i64, buffer_index = 1 : i32, page_size = 20 : i64}
// CHECK-NEXT: ttl.create_cb "b" {address = 119552 : i64, buffer_index = 2 : i32, page_size = 2048 : i64}
// CHECK-NEXT: ttl.thread
ttl.program @plain() attributes {grid = #ttcore.grid<1x1>, arch = "blackhole"} {
  %a = ttl.create_cb "a" : !tiles
  %unused = ttl.create_cb "unused" : !tiles
  %rows = ttl.create_cb "rows" : !rows
  %b = ttl.create_cb "b" : !tiles
  ttl.thread @t on riscv_1 (%a, %rows, %b) : !tiles, !rows, !tiles
}
func.func @t(%a: !tiles, %rows: !rows, %b: !tiles) {
  return
}

// -----

!tiles = !ttl.cb<[2, 1], !ttcore.tile<32x32, bf16>, 2>

// Explicit indices stay; other buffers get the free indices.
// CHECK-LABEL: ttl.program @explicit
// CHECK: "a" {{.*}} buffer_index = 0
// CHECK: "b" {{.*}} buffer_index = 1
// CHECK: "c" {{.*}} buffer_index = 2
ttl.program @explicit() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !tiles
  %b = ttl.create_cb "b" {buffer_index = 1 : i32} : !tiles
  %c = ttl.create_cb "c" : !tiles
  ttl.thread @t on riscv_1 (%a, %b, %c) : !tiles, !tiles, !tiles
}
func.func @t(%a: !tiles, %b: !tiles, %c: !tiles) {
  return
}

// -----

!large = !ttl.cb<[16, 16], !ttcore.tile<32x32, f32>, 2>
!small = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

// More than L1 has: the pass warns, and addresses continue beyond L1's end.
// CHECK-LABEL: ttl.program @large
// CHECK: ttl.create_cb "b" {address = 2200576 : i64
// expected-warning @+1 {{circular buffers of 'large' take 2105344 bytes of L1 on each core, but wormhole_b0 has only 1395712; reduce the number of blocks of 'a' (the kernel runs, because the emulated core has more)}}
ttl.program @large() attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{'a' takes 2097152 bytes (16x16 tiles of Float32, 2 blocks)}}
  %a = ttl.create_cb "a" : !large
  // expected-note @+1 {{'b' takes 8192 bytes (1x1 tiles of Float32, 2 blocks)}}
  %b = ttl.create_cb "b" : !small
  ttl.thread @t on riscv_1 (%a, %b) : !large, !small
}
func.func @t(%a: !large, %b: !small) {
  return
}

// -----

!tiles = !ttl.cb<[2, 1], !ttcore.tile<32x32, bf16>, 2>
!tensor = tensor<128x32xbf16, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, tile = 32x32, grid = 1x1, shard = 128x32>>>

// A buffer in the memory of a tensor gets an index and a page size, but no memory of its own.
// CHECK-LABEL: ttl.program @backed
// CHECK-NEXT: ttl.create_cb "a" in(%{{.+}}) {buffer_index = 0 : i32, page_size = 2048 : i64}
// CHECK-NEXT: ttl.create_cb "b" {address = 103424 : i64, buffer_index = 1 : i32, page_size = 2048 : i64}
ttl.program @backed(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" in(%t : !tensor) : !tiles
  %b = ttl.create_cb "b" : !tiles
  ttl.thread @t on riscv_1 (%a, %b) : !tiles, !tiles
}
func.func @t(%a: !tiles, %b: !tiles) {
  return
}
