// RUN: ttl-opt %s --ttkernel-to-llvm --split-input-file --verify-diagnostics

// Ops that the lowering refuses, with the error at the op.

func.func @interp_only() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  // expected-error @+1 {{failed to legalize operation 'ttltest.interp_only'}}
  ttltest.interp_only
  return
}

// -----

func.func @fault() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  // expected-error @+2 {{unknown fault 'flood'; expected "segv", "fpe" or "stack_overflow"}}
  // expected-error @+1 {{failed to legalize operation 'ttltest.fault'}}
  ttltest.fault "flood"
  return
}

// -----

func.func @no_encoding() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+2 {{tensor_type must have a #ttl.tensor_encoding, which names the tensor's memory space}}
  // expected-error @+1 {{failed to legalize operation 'ttkernel.TensorAccessorArgs'}}
  %a = ttkernel.TensorAccessorArgs {cta_offset = 4 : i32, crta_offset = 0 : i32, tensor_type = tensor<64x64xbf16>} : () -> !ttkernel.TensorAccessorArgs
  return
}

// -----

func.func @no_value() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+2 {{compile-time arguments other than buffers have no value on the host}}
  // expected-error @+1 {{failed to legalize operation 'ttkernel.get_compile_time_arg_val'}}
  %a = ttkernel.get_compile_time_arg_val(7) : () -> i32
  return
}

// -----

// expected-error @+1 {{the name 'ttl_jit_at' is taken by a function of the device}}
func.func @ttl_jit_at() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  return
}

// -----

// expected-error @+1 {{'declared' is not a thread function of stage ttkernel: it has arguments, results or no body}}
func.func private @declared() attributes {ttl.kernel_thread = #ttkernel.thread<noc>}

// -----

// expected-error @+1 {{'unbound' is not a thread function of stage ttkernel: it has arguments, results or no body}}
func.func @unbound(%n: i32) attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  return
}
