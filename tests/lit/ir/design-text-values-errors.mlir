// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Wrong values in spellings of the design documents.

// expected-error @+1 {{expected ','}}
func.func private @f(!ttl.dist_tensor<grid=[8,8]>)

// -----

func.func @f() {
  // expected-error @+2 {{custom op 'd2m.generic' expected 'ins'}}
  d2m.generic
  return
}

// -----

// expected-error @+1 {{expected a memory layout, found #ttcore.grid<2x2>}}
func.func private @f(tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<#ttcore.grid<2x2>>>>)

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_cb' expected numbers as shape of the blocks, such as [1, 1], found ["a"]}}
  %a = ttl.create_cb {shape = ["a"], element_type = !ttcore.tile<32x32, f32>, buffer_factor = 2}
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_cb' expected a type as element_type, found 3 : i64}}
  %a = ttl.create_cb {shape = [1, 1], element_type = 3, buffer_factor = 2}
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_cb' expected a number as buffer_factor, found "two"}}
  %a = ttl.create_cb {shape = [1, 1], element_type = !ttcore.tile<32x32, f32>, buffer_factor = "two"}
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_semaphore' initial_value must be a number of 32 bits, found 99999999999}}
  %s = ttl.create_semaphore initial_value = 99999999999
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_semaphore' is_remote must be true or false, found 3 : i64}}
  %s = ttl.create_semaphore is_remote = 3
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_pipe' expected slice(start, stop) or slice(start, stop, step)}}
  %p = ttl.create_pipe src_core=[0,0] dst_core_range=[slice(1), 0]
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  // expected-error @+1 {{custom op 'ttl.create_pipe' expected a slice such as #ttl.slice<1, 4, 1>, found "a"}}
  %p = ttl.create_pipe src_core=[0,0] dst_core_range=["a", 0]
}

// -----

ttl.kernel @k() attributes {grid = [2, 2]} {
  %s = ttl.create_semaphore
  ttl.datamovement_thread {
    // expected-error @+1 {{'ttl.semaphore_number' op the action must be set, inc, wait_eq or wait_min, found "add"}}
    "ttl.semaphore_number"(%s) {action = "add", value = 1 : i32} : (!ttl.semaphore) -> ()
  }
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
func.func @f(%a: !tensor, %i: index) {
  // expected-error @+1 {{custom op 'ttl.copy' only one end of a copy can be a part of a tensor: copy through a circular buffer}}
  %xf = ttl.copy %a[%i, %i], %a[%i, %i]
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
func.func @f(%a: !tensor, %b: !cb, %i: index) {
  // expected-error @+1 {{custom op 'ttl.copy' a copy with 'id' or 'part' needs a ttl.index_accessor of the tensor as its end}}
  %xf = ttl.copy %a[%i, %i], %b id %i
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
func.func @f(%a: !tensor, %b: !cb, %i: index) {
  // expected-error @+1 {{'ttl.copy_buffer' op has indices, and its start is given in another way too: leave out one of them}}
  %xf = ttl.copy %a[%i, %i], %b {src_coords = [0, 0]}
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{custom op 'ttl.block_reduce_sum' expected a block of tiles, found a value of type 'i32'}}
  %b = ttl.block_reduce_sum %a, %a {dims = array<i64: 1>}
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error @+1 {{custom op 'ttl.block_matmul' expected two blocks of tiles, found values of types 'i32' and 'i32'}}
  %b = ttl.block_matmul %a, %a
  return
}

// -----

!e = tensor<2x2x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e) {
  // expected-error @+1 {{custom op 'ttl.block_matmul' expected the types of 2 operands and one result, found '(tensor<2x2x!ttcore.tile<32x32, f32>>) -> tensor<2x2x!ttcore.tile<32x32, f32>>'}}
  %b = ttl.block_matmul %a, %a : (!e) -> !e
  return
}

// -----

!e = tensor<2x2x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e) {
  // expected-error @+1 {{custom op 'ttl.block_bcast' needs the dimensions and the shape of the result: write {dims = array<i64: 1>} : (tensor<2x1x!ttcore.tile<32x32, f32>>) -> tensor<2x4x!ttcore.tile<32x32, f32>>}}
  %b = ttl.block_bcast %a
  return
}

// -----

!e = tensor<2x2x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e) {
  %b = ttl.compute_region ins(%a) {
  ^bb0(%x: !e):
    %v = ttl.block_exp %x
    ttl.yield %v
  // expected-error @+1 {{custom op 'ttl.compute_region' expected only keep_in_dst after the body, found 'keep'}}
  } {keep = true}
  return
}

// -----

!e = tensor<2x2x!ttcore.tile<32x32, f32>>
func.func @f(%a: !e) {
  %b = ttl.compute_region ins(%a) {
  ^bb0(%x: !e):
    %v = ttl.block_exp %x
    ttl.yield %v
  // expected-error @+1 {{custom op 'ttl.compute_region' keep_in_dst must be true or false, found 3 : i64}}
  } {keep_in_dst = 3}
  return
}
