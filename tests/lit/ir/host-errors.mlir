// RUN: ttl-opt %s --split-input-file --verify-diagnostics

func.func @number_of_fields(%i: i32) {
  // expected-error @below {{the text has 2 fields for 1 number}}
  ttl.print "{} {}", %i : i32
  return
}

// -----

func.func @single_brace() {
  // expected-error @below {{a single '}' in a format string}}
  ttl.print "}"
  return
}

// -----

func.func @named_field(%i: i32) {
  // expected-error @below {{a field of a format string is}}
  ttl.print "{i}", %i : i32
  return
}

// -----

func.func @no_specification(%i: i32) {
  // expected-error @below {{'5q' is no format specification of numbers}}
  ttl.print "{:5q}", %i : i32
  return
}

// -----

func.func @float_as_hex(%f: f32) {
  // expected-error @below {{format type 'x' is not for floats}}
  ttl.print "{:x}", %f : f32
  return
}

// -----

func.func @integer_precision(%i: i32, %b: i1) {
  // expected-error @below {{integers have no precision}}
  ttl.assert %b, "{:.2d}", %i : i32
  return
}

// -----

func.func @text_as_number(%i: i32) {
  // expected-error @below {{format type 'd' is not for text}}
  ttl.print "{!r:d}", %i : i32
  return
}

// -----

func.func @wide(%i: i32) {
  // expected-error @below {{a field is at most 10000 characters wide}}
  ttl.print "{:20000}", %i : i32
  return
}

// -----

func.func @precise(%f: f32) {
  // expected-error @below {{a precision is at most 200}}
  ttl.print "{:.201f}", %f : f32
  return
}

// -----

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

func.func @no_pages(%x: !tensor) {
  %acc = ttl.tensor_accessor %x : !tensor -> !ttl.accessor<!tensor>
  // expected-error @below {{must print at least one page, found 0}}
  ttl.print_tensor %acc pages 0 : !ttl.accessor<!tensor>
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>

func.func @coordinates(%cb: !cb, %i: index) {
  %a = ttl.cb_wait %cb : !block
  // expected-error @below {{takes 2 coordinates for a block of shape (1, 2), found 1}}
  %v = ttl.element_read %a[%i] : !block
  return
}

// -----

!cb = !ttl.cb<[32], ui16, 2>
!block = !ttl.block<tensor<32xui16>, !cb>

func.func @format(%cb: !cb, %i: index, %f: f32) {
  %a = ttl.cb_wait %cb : !block
  // expected-error @below {{can access only elements of float32 and bfloat16 blocks, and of blocks of 32-bit integers, found a block of}}
  ttl.element_write %f, %a[%i] : !block
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bfp_bf8>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bfp_bf8>>, !cb>

func.func @read_format(%cb: !cb, %i: index) {
  %a = ttl.cb_wait %cb : !block
  // expected-error @below {{can access only elements of float32 and bfloat16 blocks, and of blocks of integers, found a block of}}
  %v = ttl.element_read %a[%i, %i] : !block
  return
}

// -----

!cb = !ttl.cb<[32], ui16, 2>
!block = !ttl.block<tensor<32xui16>, !cb>

func.func @passed_format(%cb: !cb) {
  %a = ttl.cb_wait %cb : !block
  // expected-error @below {{can access only elements of float32 and bfloat16 blocks}}
  ttl.call_host "f" (%a) : (!block) -> ()
  return
}

// -----

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @compute_threads() attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "cb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %a = ttl.cb_wait %cb : !block
    // expected-error @below {{cannot move data in a compute thread}}
    %v = ttl.element_read %a[%c0, %c0] : !block
    ttl.cb_pop %a : !block
  }
}

// -----

// The verifier says: must be i32, f32 or i1, but got index.
func.func @index(%i: index) {
  // expected-error @below {{must be variadic of i32, f32 or i1, but got 'index'}}
  ttl.print "{}", %i : index
  return
}
