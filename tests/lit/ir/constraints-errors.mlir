// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Constraints of operands, results and attributes, in MLIR's generic form: the dialects' own form
// cannot express most of these mistakes.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!other = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>>
func.func @f(%cb: !cb) {
  // expected-error @+1 {{'ttl.cb_wait' op failed to verify that block is a slot of the buffer}}
  %0 = "ttl.cb_wait"(%cb) : (!cb) -> !other
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!other = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>>
func.func @f(%cb: !cb) {
  // expected-error @+1 {{'ttl.held_block' op failed to verify that block is a slot of the buffer}}
  %0 = "ttl.held_block"(%cb) {older = 0 : i32} : (!cb) -> !other
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ttl.tensor_accessor' op operand #0 must be ranked tensor, but got 'i32'}}
  %0 = "ttl.tensor_accessor"(%i) : (i32) -> !ttl.accessor<tensor<1xf32>>
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ttl.tile_exp' op operand #0 must be tile, but got 'i32'}}
  %0 = "ttl.tile_exp"(%i) : (i32) -> !ttcore.tile<32x32, f32>
  return
}

// -----

func.func @f(%t: tensor<1xf32>) {
  // expected-error @+1 {{'ttl.block_exp' op operand #0 must be block or tensor of tiles, but got 'tensor<1xf32>'}}
  %0 = "ttl.block_exp"(%t) : (tensor<1xf32>) -> tensor<1x!ttcore.tile<32x32, f32>>
  return
}

// -----

func.func @f(%t: tensor<1x!ttcore.tile<32x32, f32>>) {
  // expected-error @+1 {{'ttl.block_exp' op result #0 must be tensor of tiles, but got 'tensor<1xf32>'}}
  %0 = "ttl.block_exp"(%t) : (tensor<1x!ttcore.tile<32x32, f32>>) -> tensor<1xf32>
  return
}

// -----

// expected-error @+1 {{'ttl.create_pipe' op attribute 'dst_range' failed to satisfy constraint: one slice per dimension}}
%p = "ttl.create_pipe"() {src = array<i64: 0>, dst_range = [1]} : () -> !ttl.pipe

// -----

!cb = !ttl.cb<[1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x!ttcore.tile<32x32, f32>>, !cb>
func.func @f(%y: !block) {
  // expected-error @+1 {{custom op 'ttl.compute' 'ttl.compute' op attribute 'iterator_types' failed to satisfy constraint: iterator kinds}}
  ttl.compute ins() outs(%y : !block) attributes {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} {
  ^bb0(%o: !ttcore.tile<32x32, f32>):
    ttl.yield %o : !ttcore.tile<32x32, f32>
  }
  return
}

// -----

func.func @f(%i: i32, %p: !ttl.pipe) {
  // expected-error @+1 {{'ttl.copy' op operand #0 must be part of a tensor, block or pipe, but got 'i32'}}
  %0 = "ttl.copy"(%i, %p) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (i32, !ttl.pipe) -> !ttl.xf
  return
}

// -----

func.func @f(%i: i32, %t: tensor<1xf32>) {
  // expected-error @+1 {{'ttl.copy_buffer' op operand #0 must be tensor, accessor, circular buffer or block, but got 'i32'}}
  %0 = ttl.copy %i, %t : i32, tensor<1xf32>
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'ttl.is_pipe_src' op operand #0 must be pipe or net of pipes, but got 'i32'}}
  %0 = "ttl.is_pipe_src"(%i) : (i32) -> i1
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttkernel.get_compile_time_arg_val' op result #0 must be buffer or i32, but got 'index'}}
  %0 = "ttkernel.get_compile_time_arg_val"() {index = 0 : i32} : () -> index
  return
}
