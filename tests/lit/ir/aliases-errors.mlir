// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Errors in text that uses the spellings of tt-lang's own ttl dialect.

// expected-error @+1 {{expected the direction 'read' or 'write', found 'both'}}
func.func private @f(!ttl.transfer_handle<both>)

// -----

// expected-error @+1 {{unknown type of ttl: 'handle'; expected cb, block, xf, semaphore, accessor, tensor_slice,}}
func.func private @f(!ttl.handle)

// -----

// expected-error @+1 {{custom op 'ttl.bind_cb' expected the attribute 'cb_index' of an integer}}
%a = ttl.bind_cb {buffer_factor = 2} : !ttl.cb<[1], f32, 2>

// -----

// expected-error @+1 {{custom op 'ttl.bind_cb' buffer_factor is 3 : i64, but the type of the buffer has 2 blocks}}
%a = ttl.bind_cb {cb_index = 0, buffer_factor = 3} : !ttl.cb<[1], f32, 2>

// -----

func.func @f(%a: !ttl.cb<[1, 1], f32, 2>) {
  // expected-error @+1 {{'ttl.cb_wait_tensor' op the result has shape (1, 2), but a block of the buffer has shape (1, 1)}}
  %t = ttl.cb_wait %a : <[1, 1], f32, 2> -> tensor<1x2xf32>
  return
}

// -----

func.func @f(%a: !ttl.cb<[1, 1], f32, 2>) {
  // expected-error @+1 {{'ttl.cb_reserve_tensor' op the result has elements of type 'bf16', but those of the buffer have type 'f32'}}
  %t = ttl.cb_reserve %a : <[1, 1], f32, 2> -> tensor<1x1xbf16>
  return
}

// -----

func.func @f(%a: !ttl.cb<[1, 1], f32, 2>) {
  // expected-error @+1 {{custom op 'ttl.cb_reserve' expected the type of a block, found 'i32'}}
  %t = ttl.cb_reserve %a : i32
  return
}

// -----

func.func @f(%a: !ttl.cb<[1, 1], f32, 2>, %t: tensor<1x1xbf16>) {
  // expected-error @+1 {{'ttl.attach_cb' op the tensor has elements of type 'bf16', but those of the buffer have type 'f32'}}
  %b = ttl.attach_cb %t, %a : (tensor<1x1xbf16>, !ttl.cb<[1, 1], f32, 2>) -> tensor<1x1xbf16>
  return
}

// -----

func.func @f(%a: !ttl.cb<[1, 1], f32, 2>, %t: tensor<1xf32>) {
  // expected-error @+1 {{'ttl.attach_cb' op the tensor has rank 1, but a block of the buffer has rank 2}}
  %b = ttl.attach_cb %t, %a : (tensor<1xf32>, !ttl.cb<[1, 1], f32, 2>) -> tensor<1xf32>
  return
}

// -----

func.func @f(%t: tensor<64x64xf32>, %i: index) {
  // expected-error @+1 {{'ttl.tensor_part' op has indices for 1 dimension, but the tensor has rank 2}}
  %b = ttl.tensor_slice %t[%i] : tensor<64x64xf32> -> tensor<64x64xf32>
  return
}

// -----

!cb = !ttl.cb<[1, 1], f32, 2>
func.func @f(%a: !cb) {
  // expected-error @+1 {{'ttl.copy_buffer' op must copy between a tensor or accessor and a buffer or block}}
  %h = ttl.copy %a, %a : (!cb, !cb) -> !ttl.transfer_handle<read>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttl.linearized_index' op must have a map from the iterators of one or more loops to one number, found affine_map<() -> (0)>}}
  %i = ttl.linearized_index affine_map<() -> (0)> : index
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttl.linearized_index' op must have a map from the iterators of one or more loops to one number, found affine_map<(d0) -> (d0, d0)>}}
  %i = ttl.linearized_index affine_map<(d0) -> (d0, d0)> : index
  return
}

// -----

func.func @f(%t: !ttcore.tile<32x32, f32>, %v: tensor<1x1x!ttcore.tile<32x32, bf16>>) {
  // expected-error @+1 {{'ttl.store' op cannot store '!ttcore.tile<32x32, f32>' into a view of '!ttcore.tile<32x32, bf16>'}}
  ttl.store %t, %v : !ttcore.tile<32x32, f32>, tensor<1x1x!ttcore.tile<32x32, bf16>>
  return
}
