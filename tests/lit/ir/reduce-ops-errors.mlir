// RUN: ttl-opt %s --split-input-file --verify-diagnostics

!t = !ttcore.tile<32x32, f32>
func.func @shape(%x: tensor<2x3x!t>) {
  // expected-error @+1 {{'ttl.block_reduce_sum' op result has extent 3 in dimension 1, expected 1}}
  %0 = ttl.block_reduce_sum %x {dims = array<i64: 1>} : (tensor<2x3x!t>) -> tensor<2x3x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @order(%x: tensor<2x3x!t>) {
  // expected-error @+1 {{'ttl.block_reduce_max' op dims must be ascending numbers from 0 to 1 for a block of rank 2, found (1, 0)}}
  %0 = ttl.block_reduce_max %x {dims = array<i64: 1, 0>} : (tensor<2x3x!t>) -> tensor<1x1x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @none(%x: tensor<2x3x!t>) {
  // expected-error @+1 {{'ttl.block_reduce_max' op dims must name at least one dimension}}
  %0 = ttl.block_reduce_max %x {dims = array<i64>} : (tensor<2x3x!t>) -> tensor<2x3x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @leading(%x: tensor<4x2x3x!t>) {
  // expected-error @+1 {{'ttl.block_reduce_sum' op must reduce at least one of the two innermost dimensions}}
  %0 = ttl.block_reduce_sum %x {dims = array<i64: 0>} : (tensor<4x2x3x!t>) -> tensor<1x2x3x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @ranks(%x: tensor<4x2x3x!t>) {
  // expected-error @+1 {{'ttl.block_reduce_sum' op operand and result must have the same rank, found shapes (4, 2, 3) and (2, 1)}}
  %0 = ttl.block_reduce_sum %x {dims = array<i64: 2>} : (tensor<4x2x3x!t>) -> tensor<2x1x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @wide(%x: tensor<2x3x!t>) {
  // expected-error @+1 {{'ttl.block_bcast' op operand has extent 3 in dimension 1, expected 1}}
  %0 = ttl.block_bcast %x {dims = array<i64: 1>} : (tensor<2x3x!t>) -> tensor<2x3x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @rank(%x: tensor<4x2x3x!t>) {
  // expected-error @+1 {{'ttl.block_transpose' op can only transpose a block of rank 2, found shape (4, 2, 3)}}
  %0 = ttl.block_transpose %x : (tensor<4x2x3x!t>) -> tensor<4x3x2x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @transposed(%x: tensor<2x3x!t>) {
  // expected-error @+1 {{'ttl.block_transpose' op the transpose of a block of shape (2, 3) must have shape (3, 2), found (2, 3)}}
  %0 = ttl.block_transpose %x : (tensor<2x3x!t>) -> tensor<2x3x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @tile(%x: !t) {
  // expected-error @+1 {{'ttl.tile_bcast' op dims must be [0], [1] or [0, 1], found (2,)}}
  %0 = ttl.tile_bcast %x {dims = array<i64: 2>} : (!t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @reduced(%x: !t) {
  // expected-error @+1 {{'ttl.tile_reduce_sum' op dims must be [0], [1] or [0, 1], found (1, 0)}}
  %0 = ttl.tile_reduce_sum %x scaling %x {dims = array<i64: 1, 0>} : (!t, !t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @max(%x: !t) {
  // expected-error @+1 {{'ttl.tile_reduce_max' op dims must be [0], [1] or [0, 1], found (0, 0)}}
  %0 = ttl.tile_reduce_max %x scaling %x {dims = array<i64: 0, 0>} : (!t, !t) -> !t
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @numbers(%x: !t, %p: f32) {
  // expected-error @+1 {{'ttl.tile_clamp' op must have 2 numeric operands, found 1}}
  %0 = ttl.tile_clamp %x, %p : (!t, f32) -> !t
  return
}

// -----

func.func @bits(%d: i32, %p: f32) {
  // expected-error @+1 {{'ttkernel.add_unary_tile' op must have 1 numeric operand, found 2}}
  ttkernel.add_unary_tile(%d, %p, %p) : (i32, f32, f32) -> ()
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @shapes(%x: tensor<1x1x!t>, %y: tensor<1x2x!t>) {
  // expected-error @+1 {{'ttl.block_where' op operands and result must have the same shape: operand has (1, 2), result has (1, 1)}}
  %0 = ttl.block_where %x, %x, %y : (tensor<1x1x!t>, tensor<1x1x!t>, tensor<1x2x!t>) -> tensor<1x1x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @view_rank(%x: tensor<2x3x!t>) {
  // expected-error @+1 {{'ttl.block_view' op map must lead from 3 coordinates to 2, found affine_map<(d0, d1) -> (d0, d1)>}}
  %0 = ttl.block_view %x, affine_map<(d0, d1) -> (d0, d1)> : (tensor<2x3x!t>) -> tensor<1x2x3x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @view_expression(%x: tensor<2x3x!t>) {
  // expected-error @+1 {{'ttl.block_view' op map must have only coordinates and constants, found affine_map<(d0, d1) -> (d0 + 1, d1)>}}
  %0 = ttl.block_view %x, affine_map<(d0, d1) -> (d0 + 1, d1)> : (tensor<2x3x!t>) -> tensor<2x3x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @view_extent(%x: tensor<2x3x!t>) {
  // expected-error @+1 {{'ttl.block_view' op extents differ: dimension 1 of the operand has 3, dimension 1 of the result 2}}
  %0 = ttl.block_view %x, affine_map<(d0, d1) -> (d0, d1)> : (tensor<2x3x!t>) -> tensor<2x2x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @view_constant(%x: tensor<2x3x!t>) {
  // expected-error @+1 {{'ttl.block_view' op coordinate 2 is outside dimension 0 of the operand, which has 2}}
  %0 = ttl.block_view %x, affine_map<(d0) -> (2, d0)> : (tensor<2x3x!t>) -> tensor<3x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
func.func @products(%x: tensor<2x1x1x!t>, %y: tensor<3x1x1x!t>) {
  // expected-error @+1 {{'ttl.block_matmul' op the leading extents of a matrix product must be equal or 1, found (2, 1, 1) @ (3, 1, 1)}}
  %0 = ttl.block_matmul %x, %y : (tensor<2x1x1x!t>, tensor<3x1x1x!t>) -> tensor<3x1x1x!t>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!i = !ttcore.tile<32x32, si32>
func.func @view_type(%x: tensor<1x3x!t>) {
  // expected-error @+1 {{'ttl.block_view' op operand and result must be computed in one type, found 'tensor<1x3x!ttcore.tile<32x32, f32>>' and 'tensor<3x!ttcore.tile<32x32, si32>>'}}
  %0 = ttl.block_view %x, affine_map<(d0) -> (0, d0)> : (tensor<1x3x!t>) -> tensor<3x!i>
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%b: !block, %i: index) {
  // expected-error @+1 {{'ttl.bcast_tile' op dims must be [0], [1] or [0, 1], found ()}}
  %t = ttl.bcast_tile %b[%i] {dims = array<i64>} : !block -> !ttcore.tile<32x32, f32>
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%b: !block, %i: index, %t: !ttcore.tile<32x32, f32>) {
  // expected-error @+1 {{'ttl.reduce_tile' op dims must be [0], [1] or [0, 1], found ()}}
  ttl.reduce_tile sum %b[%i] scaling %b[%i] into %t {dims = array<i64>} : !block, !block, !ttcore.tile<32x32, f32>
  return
}
