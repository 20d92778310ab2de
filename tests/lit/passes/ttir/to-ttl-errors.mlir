// RUN: ttl-opt %s --ttir-to-ttl --split-input-file --verify-diagnostics

// expected-error @+1 {{argument 0 must be a tensor of known extents without a layout, such as tensor<64x128xf32>; found 'memref<4xf32>'}}
func.func @f(%a: memref<4xf32>) -> tensor<1xf32> {
  %0 = "ttir.ones"() <{shape = array<i32: 1>}> : () -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @f() -> tensor<1xf32> {
  %0 = "ttir.ones"() <{shape = array<i32: 1>}> : () -> tensor<1xf32>
  // expected-error @+1 {{'arith.constant' op cannot run in a function of ttir ops, which may have those and return}}
  %1 = arith.constant 1 : i32
  return %0 : tensor<1xf32>
}

// -----

#layout = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @+1 {{'ttir.empty' op has a tensor with a layout, which is not supported: kernels choose layouts, and only ttir.to_layout may name a #ttcore.metal_layout; found 'tensor<4xf32, #ttl.tensor_encoding}}
  %0 = ttir.empty() : tensor<4xf32, #layout>
  return
}

// -----

// expected-error @+1 {{a function of ttir ops must have one block}}
func.func @f() -> tensor<1xf32> {
  %0 = "ttir.ones"() <{shape = array<i32: 1>}> : () -> tensor<1xf32>
  llvm.br ^next
^next:
  return %0 : tensor<1xf32>
}

// -----

#layout = #ttcore.metal_layout<logical_shape = 64x384, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!stored = tensor<1x1x64x384xf32, #layout>
func.func @f(%a: tensor<64x384xf32>) -> tensor<64x384xf32> {
  %0 = ttir.empty() : !stored
  // expected-error @+1 {{'ttir.to_layout' op asks for a layout that is not supported: its elements must be tiles of 32x32}}
  %1 = ttir.to_layout %a, %0 : tensor<64x384xf32> into !stored -> !stored
  %2 = ttir.empty() : tensor<64x384xf32>
  %3 = ttir.to_layout %1, %2 : !stored into tensor<64x384xf32> -> tensor<64x384xf32>
  return %3 : tensor<64x384xf32>
}

// -----

#layout = #ttcore.metal_layout<logical_shape = 64x384, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, dram, sharded>
!stored = tensor<1x1x2x12x!ttcore.tile<32x32, f32>, #layout>
func.func @f(%a: tensor<64x384xf32>) -> tensor<64x384xf32> {
  %0 = ttir.empty() : !stored
  // expected-error @+1 {{'ttir.to_layout' op asks for a layout that is not supported: shards must be in l1}}
  %1 = ttir.to_layout %a, %0 : tensor<64x384xf32> into !stored -> !stored
  %2 = ttir.empty() : tensor<64x384xf32>
  %3 = ttir.to_layout %1, %2 : !stored into tensor<64x384xf32> -> tensor<64x384xf32>
  return %3 : tensor<64x384xf32>
}

// -----

#layout = #ttcore.metal_layout<logical_shape = 64x384, dim_alignments = 32x512, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!stored = tensor<1x1x2x16x!ttcore.tile<32x32, f32>, #layout>
func.func @f(%a: tensor<64x384xf32>) -> tensor<64x384xf32> {
  %0 = ttir.empty() : !stored
  // expected-error @+1 {{'ttir.to_layout' op asks for a layout that is not supported: its shards have 2x16 tiles, but the tensor has 2x12: padding of whole tiles is not supported}}
  %1 = ttir.to_layout %a, %0 : tensor<64x384xf32> into !stored -> !stored
  %2 = ttir.empty() : tensor<64x384xf32>
  %3 = ttir.to_layout %1, %2 : !stored into tensor<64x384xf32> -> tensor<64x384xf32>
  return %3 : tensor<64x384xf32>
}

// -----

#layout = #ttcore.metal_layout<logical_shape = 64x384, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!stored = tensor<2x12x1x1x!ttcore.tile<32x32, f32>, #layout>
func.func @f(%a: tensor<64x384xf32>) -> tensor<64x384xf32> {
  %0 = ttir.empty() : !stored
  // expected-error @+1 {{'ttir.to_layout' op asks for a layout that is not supported: a grid may have 8x8 cores, or 64 in a line}}
  %1 = ttir.to_layout %a, %0 : tensor<64x384xf32> into !stored -> !stored
  %2 = ttir.empty() : tensor<64x384xf32>
  %3 = ttir.to_layout %1, %2 : !stored into tensor<64x384xf32> -> tensor<64x384xf32>
  return %3 : tensor<64x384xf32>
}

// -----

#layout = #ttcore.metal_layout<logical_shape = 2x32x64, dim_alignments = 1x32x32, collapsed_intervals = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>, l1, sharded>
!stored = tensor<1x1x1x2x1x2x!ttcore.tile<32x32, f32>, #layout>
func.func @f(%a: tensor<2x32x64xf32>) -> tensor<2x32x64xf32> {
  %0 = ttir.empty() : !stored
  // expected-error @+1 {{'ttir.to_layout' op asks for a layout that is not supported: all dimensions but the last must be collapsed into one}}
  %1 = ttir.to_layout %a, %0 : tensor<2x32x64xf32> into !stored -> !stored
  %2 = ttir.empty() : tensor<2x32x64xf32>
  %3 = ttir.to_layout %1, %2 : !stored into tensor<2x32x64xf32> -> tensor<2x32x64xf32>
  return %3 : tensor<2x32x64xf32>
}

// -----

#layout = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!stored = tensor<1x1x2x2x!ttcore.tile<32x32, u16>, #layout>
func.func @f(%a: tensor<64x64xui16>) -> tensor<64x64xui16> {
  %0 = ttir.empty() : !stored
  // expected-error @+1 {{'ttir.to_layout' op asks for a layout that is not supported: the device has no such elements}}
  %1 = ttir.to_layout %a, %0 : tensor<64x64xui16> into !stored -> !stored
  %2 = ttir.empty() : tensor<64x64xui16>
  %3 = ttir.to_layout %1, %2 : !stored into tensor<64x64xui16> -> tensor<64x64xui16>
  return %3 : tensor<64x64xui16>
}
