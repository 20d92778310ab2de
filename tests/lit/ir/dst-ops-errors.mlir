// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Ops on DST registers that the verifiers refuse.

func.func @f() {
  // expected-error @+1 {{'ttl.acquire_dst' op index must not be negative, found -1}}
  %r = ttl.acquire_dst {index = -1 : i64} : index
  return
}

// -----

func.func @f(%r: index) {
  // expected-error @+1 {{'ttl.release_dst' op can only release a register that 'ttl.acquire_dst' took}}
  ttl.release_dst %r
  return
}

// -----

func.func @f(%s: index) {
  // expected-error @+1 {{'ttl.restore_tile_from_l1' op can only restore a tile that 'ttl.spill_tile_to_l1' stored}}
  %t = ttl.restore_tile_from_l1 %s : index -> !ttcore.tile<32x32, f32>
  return
}

// -----

func.func @f(%t: !ttcore.tile<32x32, f32>) {
  %s = ttl.spill_tile_to_l1 %t : !ttcore.tile<32x32, f32> -> index
  // expected-error @+1 {{'ttl.restore_tile_from_l1' op cannot restore a tile of type '!ttcore.tile<32x32, bf16>' from a spilled tile of type '!ttcore.tile<32x32, f32>'}}
  %u = ttl.restore_tile_from_l1 %s : index -> !ttcore.tile<32x32, bf16>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%a: !t, %b: !t, %c: !t) {
  // expected-error @+1 {{'ttl.tile_fpu_binary' op can only add a product to an accumulator}}
  %s = ttl.tile_fpu_binary add %a, %b acc %c : (!t, !t, !t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @f(%a: !t) {
  %b = ttl.tile_abs %a : (!t) -> !t
  // expected-error @+1 {{'ttl.tile_fpu_binary' op reads its operands from L1, so they must be arguments of the body}}
  %s = ttl.tile_fpu_binary mul %a, %b : (!t, !t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[2, 1], !t, 1>
!block = !ttl.block<tensor<2x1x!t>, !cb>
func.func @f(%y: !block, %i: index, %f: f32) {
  %0 = ttl.tile_fill %f {dst_idx = 1 : i32} : !t
  %1 = ttl.tile_fill %f {dst_idx = 3 : i32} : !t
  // expected-error @+1 {{'ttl.pack_tile_block' op can only pack consecutive registers, found register 3 for tile 1, but the first tile is in register 1}}
  ttl.pack_tile_block (%0, %1), %y[%i] : (!t, !t), !block
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[2, 1], !t, 1>
!block = !ttl.block<tensor<2x1x!t>, !cb>
func.func @f(%y: !block, %i: index) {
  // expected-error @+1 {{'ttl.pack_tile_block' op must pack at least one tile}}
  "ttl.pack_tile_block"(%y, %i) : (!block, index) -> ()
  return
}
