// What has no counterpart in C++ is refused at its position.
// RUN: ttl-translate --ttkernel-to-cpp --split-input-file --verify-diagnostics %s

func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+1 {{'ttltest.fault' op cannot be emitted as C++}}
  ttltest.fault "segv"
  func.return
}

// -----

!cb = !ttkernel.cb<2, !ttcore.tile<32x32, f32>>
func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+1 {{'arith.constant' op does not fit into int32_t}}
  %0 = arith.constant 4294967296 : index
  %1 = arith.index_cast %0 : index to i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  ttkernel.cb_push_back(%cb, %1) : (!cb, i32) -> ()
  func.return
}

// -----

// expected-error @+1 {{must have neither arguments nor results and structured control flow to be emitted}}
func.func @k__reader(%n: i32) attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  func.return
}

// -----

func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %0 = arith.constant 0 : i32
  %1 = ttkernel.get_arg_val(%0) : (i32) -> i32
  %2 = arith.sitofp %1 : i32 to f32
  // expected-error @+1 {{'arith.cmpf' op compares as no C++ operator does}}
  %3 = arith.cmpf ueq, %2, %2 : f32
  ttl.assert %3, "never"
  func.return
}
