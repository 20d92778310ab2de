// Ops that have no counterpart in C++ are refused, with an error at the op.
// RUN: ttl-translate --ttkernel-to-cpp --split-input-file --verify-diagnostics %s

func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+1 {{'ttltest.fault' op cannot be emitted as C++}}
  ttltest.fault "segv"
  func.return
}

// -----

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, f32>>
func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+1 {{'arith.constant' op has a value that does not fit into int32_t}}
  %0 = arith.constant 4294967296 : index
  %1 = arith.index_cast %0 : index to i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  ttkernel.cb_push_back(%cb, %1) : (!cb, i32) -> ()
  func.return
}

// -----

// expected-error @+1 {{must have no arguments, no results and only structured control flow to be emitted as C++}}
func.func @k__reader(%n: i32) attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  func.return
}

// -----

func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %0 = arith.constant 0 : i32
  %1 = ttkernel.get_arg_val(%0) : (i32) -> i32
  %2 = arith.sitofp %1 : i32 to f32
  // expected-error @+1 {{'arith.cmpf' op has a predicate that no C++ operator has}}
  %3 = arith.cmpf ueq, %2, %2 : f32
  ttl.assert %3, "never"
  func.return
}

// -----

// Integers are int32_t in C++: larger ones would be cut off.
func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+1 {{'arith.constant' op has a type that cannot be emitted as C++}}
  %0 = arith.constant 5 : i128
  %1 = arith.index_cast %0 : i128 to index
  %2 = arith.index_cast %1 : index to i32
  %3 = ttkernel.get_arg_val(%2) : (i32) -> i32
  func.return
}

// -----

func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %0 = arith.constant 5 : index
  // expected-error @+1 {{'arith.index_cast' op has a type that cannot be emitted as C++}}
  %1 = arith.index_cast %0 : index to i64
  %2 = arith.index_cast %1 : i64 to index
  %3 = arith.index_cast %2 : index to i32
  %4 = ttkernel.get_arg_val(%3) : (i32) -> i32
  func.return
}

// -----

func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %0 = arith.constant 0 : i32
  %1 = ttkernel.get_arg_val(%0) : (i32) -> i32
  %2 = arith.cmpi eq, %0, %1 : i32
  // expected-error @+1 {{'scf.if' op carries a value of type 'f64', which cannot be emitted as C++}}
  %3 = scf.if %2 -> (f64) {
    %a = arith.constant 1.0 : f64
    scf.yield %a : f64
  } else {
    %b = arith.constant 2.0 : f64
    scf.yield %b : f64
  }
  %4 = arith.fptosi %3 : f64 to i32
  ttl.assert %2, "used"
  %5 = ttkernel.get_arg_val(%4) : (i32) -> i32
  func.return
}

// -----

func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %0 = arith.constant 1 : i32
  %1 = ttkernel.get_arg_val(%0) : (i32) -> i32
  %other = ttkernel.get_arg_val(%1) : (i32) -> i32
  // expected-error @+1 {{'arith.minui' op cannot be emitted as C++}}
  %2 = arith.minui %other, %1 : i32
  ttkernel.noc_semaphore_set(%1, %2) : (i32, i32) -> ()
  func.return
}

// -----

func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  // expected-error @+1 {{'scf.for' op has an unsigned counter, which cannot be emitted as C++}}
  scf.for unsigned %i = %0 to %2 step %1 {
    ttkernel.noc_async_read_barrier() : () -> ()
  }
  func.return
}

// -----

func.func @host__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @below {{the host function 'f' cannot be called on the card: name the function that replaces it there}}
  ttkernel.call_host "f" as "" () : () -> ()
  func.return
}

// -----

func.func @host__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @below {{device_function= must be the name of a C++ function, found 'f(); g'}}
  ttkernel.call_host "f" as "" () {device_function = "f(); g"} : () -> ()
  func.return
}

// -----

!args = !ttkernel.TensorAccessorArgs
!acc = !ttkernel.TensorAccessor
!tensor = tensor<8x50xui16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i0 = arith.constant 0 : i32
  %size = arith.constant 100 : i32
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 0 : i32, tensor_type = !tensor} : () -> !args
  %base = ttkernel.get_common_arg_val(%i0) : (i32) -> i32
  %acc = ttkernel.TensorAccessor(%args, %base, %size) : (!args, i32, i32) -> !acc
  // expected-error @+1 {{unaligned parts of rows go through a buffer of the program: no ttl.program has this thread}}
  ttkernel.noc_async_read_row(%i0, %acc, %i0, %size, %size) : (i32, !acc, i32, i32, i32) -> ()
  func.return
}

// -----

// 32-bit integers do not fit into 16-bit registers.
func.func @k__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %0 = arith.constant 0 : i32
  // expected-error @+1 {{integer blocks need 32-bit DST registers on the device: set fp32_dest_acc_en=True}}
  ttkernel.add_int_tile(%0, %0, %0) : (i32, i32, i32) -> ()
  func.return
}

// -----

ttl.program @k() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
  ttl.thread @k__compute on compute ()
}
func.func @k__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %0 = arith.constant 0 : i32
  // expected-error @+1 {{this operation on integers runs on the host only: in C++ it needs 2 more DST registers, and its section leaves 0 of 4}}
  ttkernel.remainder_uint32_tile(%0, %0, %0) : (i32, i32, i32) -> ()
  func.return
}

// -----

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, u16>>
ttl.program @k() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
  ttl.thread @k__compute on compute ()
}
func.func @k__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %0 = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  // expected-error @+1 {{a value is stored into a block of uint16 or uint8 and, as it is, into a block of another type: the packer cannot convert both; store the other block in a statement of its own, after this one}}
  ttkernel.pack_tile(%0, %cb, %0) {ttkernel.two_formats} : (i32, !cb, i32) -> ()
  func.return
}

// -----

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, u16>>
ttl.program @k() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
  ttl.thread @k__compute on compute ()
}
func.func @k__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  ttkernel.pack_reconfig_l1_acc(%1) : (i32) -> ()
  // expected-error @+1 {{a sum in a block of uint16 or uint8 runs on the host only: the packer adds no such integers; keep the sum in a variable or in a block of int32}}
  ttkernel.pack_tile(%0, %cb, %0) : (i32, !cb, i32) -> ()
  func.return
}

// -----

func.func @rounds__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %0 = arith.constant 0 : i32
  // expected-error @+1 {{rounding a value to float16 runs on the host only: it cannot be emitted as C++; leave out the typecast, or, if a reserved block is read after a store in another branch or iteration, make its buffer of float32 or keep the value in a variable}}
  ttkernel.typecast_to_float16_tile(%0) : (i32) -> ()
  func.return
}

// -----

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, si32>>
ttl.program @k() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
  ttl.thread @k__compute on compute ()
}
func.func @k__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %0 = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  // expected-error @+1 {{this operation on integers runs on the host only: in C++ it needs 4 more DST registers, and its section leaves 0 of 4}}
  ttkernel.matmul_tiles(%cb, %cb, %0, %0, %0) : (!cb, !cb, i32, i32, i32) -> ()
  func.return
}

// -----

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, si32>>
ttl.program @k() attributes {compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
  ttl.thread @k__compute on compute ()
}
func.func @k__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %0 = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  ttkernel.tile_regs_acquire() : () -> ()
  // expected-error @+1 {{a reduction of integer blocks with a scaler runs on the host only: multiply the result by it}}
  ttkernel.reduce_tile(%cb, %cb, %0, %0, %0) {reduce_type = #ttkernel.reduce_type<reduce_sum>, reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>} : (!cb, !cb, i32, i32, i32) -> ()
  func.return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

// expected-error @+1 {{the emitted program needs 33 circular buffers, and the chip has 32}}
ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 32 : i32, page_size = 4096 : i64, address = 103424 : i64} : !cb
}
