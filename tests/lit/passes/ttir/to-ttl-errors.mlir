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
