// RUN: ttl-opt %s --ttir-to-ttl | FileCheck %s

// A reshape and a permutation become one kernel. Together they move whole tiles (a head of 64 columns is
// two tiles), so the compute thread has nothing to do.
// CHECK-LABEL: func.func @heads
// CHECK: ttl.launch @heads_0_reshape_permute(
// CHECK-NOT: ttl.launch
// CHECK: return
func.func @heads(%a: tensor<128x256xf32>) -> tensor<4x128x64xf32> {
  %0 = "ttir.reshape"(%a) <{shape = [128 : i32, 4 : i32, 64 : i32]}> : (tensor<128x256xf32>) -> tensor<128x4x64xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0, 2>}> : (tensor<128x4x64xf32>) -> tensor<4x128x64xf32>
  return %1 : tensor<4x128x64xf32>
}

// A value with two users is computed once.
// CHECK-LABEL: func.func @shared
// CHECK: ttl.launch @shared_0_reshape(
// CHECK: ttl.launch @shared_1_permute(
// CHECK: ttl.launch @shared_2_slice_static(
func.func @shared(%a: tensor<64x64xf32>) -> (tensor<64x2x32xf32>, tensor<1x64x32xf32>) {
  %0 = "ttir.reshape"(%a) <{shape = [2 : i32, 64 : i32, 32 : i32]}> : (tensor<64x64xf32>) -> tensor<2x64x32xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x64x32xf32>) -> tensor<64x2x32xf32>
  %2 = "ttir.slice_static"(%0) <{begins = [1 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 64 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x64x32xf32>) -> tensor<1x64x32xf32>
  return %1, %2 : tensor<64x2x32xf32>, tensor<1x64x32xf32>
}

// An operand that an op has twice is one tensor of the kernel.
// CHECK-LABEL: func.func @twice
// CHECK: ttl.launch @twice_0_concat(%[[A:[0-9]+]], %[[B:[0-9]+]])
func.func @twice(%a: tensor<32x64xsi32>) -> tensor<64x64xsi32> {
  %0 = "ttir.concat"(%a, %a) <{dim = 0 : si32}> : (tensor<32x64xsi32>, tensor<32x64xsi32>) -> tensor<64x64xsi32>
  return %0 : tensor<64x64xsi32>
}

// Data movement threads cannot access a single f16 element, but can move whole tiles of f16.
// CHECK-LABEL: func.func @halves
// CHECK: "ttir.slice_static"
// CHECK: ttl.launch @halves_0_slice_static(
func.func @halves(%a: tensor<64x64xf16>) -> (tensor<3x64xf16>, tensor<32x64xf16>) {
  %0 = "ttir.slice_static"(%a) <{begins = [1 : i32, 0 : i32], ends = [4 : i32, 64 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x64xf16>) -> tensor<3x64xf16>
  %1 = "ttir.slice_static"(%a) <{begins = [32 : i32, 0 : i32], ends = [64 : i32, 64 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x64xf16>) -> tensor<32x64xf16>
  return %0, %1 : tensor<3x64xf16>, tensor<32x64xf16>
}

// CHECK-LABEL: func.func @kinds
// CHECK: ttl.launch @kinds_0_permute(
// CHECK: ttl.launch @kinds_1_pad(
func.func @kinds(%a: tensor<64x32xf32>) -> (tensor<32x64xf32>, tensor<70x32xf32>) {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<64x32xf32>) -> tensor<32x64xf32>
  %1 = "ttir.pad"(%a) <{padding = array<i32: 2, 4, 0, 0>, value = 1.0 : f32}> : (tensor<64x32xf32>) -> tensor<70x32xf32>
  return %0, %1 : tensor<32x64xf32>, tensor<70x32xf32>
}

// CHECK: ttl.kernel @heads_0_reshape_permute
// CHECK-NOT: ttl.compute_thread
// CHECK: ttl.datamovement_thread "reader"
// CHECK: ttl.datamovement_thread "writer"

// The reader takes each block from the operand that has it.
// CHECK: ttl.kernel @twice_0_concat
// CHECK: scf.if
// CHECK: ttl.copy
// CHECK: } else {
// CHECK: ttl.copy

// The compute thread exchanges rows and columns.
// CHECK: ttl.kernel @kinds_0_permute
// CHECK: ttl.block_transpose

// An element is copied, or the number of the padding is written.
// CHECK: ttl.kernel @kinds_1_pad
// CHECK: ttl.create_cb "scratch0"
// CHECK: arith.andi
// CHECK: scf.if
// CHECK: ttl.element_read
// CHECK: ttl.element_write
// CHECK: } else {
// CHECK: ttl.element_write
