// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Forms of ttl.compute that the verifier refuses.

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.compute' op must have one indexing map per operand, found 1 map for 2 operands}}
  ttl.compute ins(%a : !block) outs(%a : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t, %y: !t):
    ttl.yield %x : !t
  }
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.compute' op indexing map 0 maps 2 iterators to 2 coordinates; expected 1 iterator and 2 coordinates}}
  ttl.compute ins() outs(%a : !block) attributes {indexing_maps = [#id], iterator_types = [#p]} {
  ^bb0(%y: !t):
    ttl.yield %y : !t
  }
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.compute' op iterator 1 has two different extents: 2 and 1}}
  ttl.compute ins(%b : !tall_block) outs(%a : !block) attributes {indexing_maps = [#id, #id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t, %y: !t):
    ttl.yield %x : !t
  }
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.compute' op the body must have one argument per operand, found 1 argument for 2 operands}}
  ttl.compute ins(%a : !block) outs(%a : !block) attributes {indexing_maps = [#id, #id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t):
    ttl.yield %x : !t
  }
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.compute' op a body argument has type '!ttcore.tile<32x32, bf16>', but its operand has elements of type '!ttcore.tile<32x32, f32>'}}
  ttl.compute ins() outs(%a : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%x: !ttcore.tile<32x32, bf16>):
    ttl.yield %x : !ttcore.tile<32x32, bf16>
  }
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  // expected-error @+1 {{'ttl.compute' op must yield one tile per output, found 2 values for 1 outputs}}
  ttl.compute ins() outs(%a : !block) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t):
    ttl.yield %x, %x : !t, !t
  }
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!tall = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!tall_block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !tall>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!e = tensor<1x2x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %b: !tall_block) {
  %flag = arith.constant 1 : i32
  // expected-error @+1 {{'ttl.compute' op must have one accumulate flag per output, found 2 flags for 1 outputs}}
  ttl.compute ins() outs(%a : !block) accumulate(%flag, %flag) attributes {indexing_maps = [#id], iterator_types = [#p, #p]} {
  ^bb0(%x: !t):
    ttl.yield %x : !t
  }
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block) {
  // expected-error @+1 {{'ttl.compute' op must have at least one output}}
  "ttl.compute"() <{indexing_maps = [], iterator_types = [#p, #p], operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
    "ttl.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

func.func @f(%a: !block, %i: index) {
  // expected-error @+1 {{'ttl.compute' op has offsets of a window, but no extents}}
  "ttl.compute"(%a, %i, %i) <{indexing_maps = [#id], iterator_types = [#p, #p], operandSegmentSizes = array<i32: 0, 1, 0, 2>}> ({
  ^bb0(%x: !t):
    "ttl.yield"(%x) : (!t) -> ()
  }) : (!block, index, index) -> ()
  return
}

// -----

#parallel = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%a: !block) {
  // expected-error @+1 {{'ttl.compute' op indexing map 0 must consist of iterators and constants, found affine_map<(d0) -> (d0 + 1)>}}
  ttl.compute ins() outs(%a : !block)
      attributes {indexing_maps = [affine_map<(d0) -> (d0 + 1)>], iterator_types = [#parallel]} {
  ^bb0(%t: !ttcore.tile<32x32, f32>):
    ttl.yield %t : !ttcore.tile<32x32, f32>
  }
  return
}

// -----

#parallel = #ttcore.iterator_type<parallel>
!cb = !ttl.cb<[2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%a: !block, %n: i32) {
  // expected-error @+1 {{'ttl.compute' op must yield tiles, found 'i32'}}
  ttl.compute ins() outs(%a : !block)
      attributes {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [#parallel]} {
  ^bb0(%t: !ttcore.tile<32x32, f32>):
    ttl.yield %n : i32
  }
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

func.func @no_yield(%a: !block, %y: !block) {
  "ttl.compute"(%a, %y) <{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>],
      operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
  ^bb0(%t: !ttcore.tile<32x32, f32>, %o: !ttcore.tile<32x32, f32>):
    // expected-error @+1 {{block with no terminator}}
    %0 = ttl.tile_exp %t : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  }) : (!block, !block) -> ()
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

func.func @other_terminator(%a: !block, %y: !block) {
  // expected-error @+2 {{'ttl.compute' op expects regions to end with 'ttl.yield', found 'llvm.unreachable'}}
  // expected-note @+1 {{in custom textual format, the absence of terminator implies 'ttl.yield'}}
  "ttl.compute"(%a, %y) <{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>],
      operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
  ^bb0(%t: !ttcore.tile<32x32, f32>, %o: !ttcore.tile<32x32, f32>):
    llvm.unreachable
  }) : (!block, !block) -> ()
  return
}
