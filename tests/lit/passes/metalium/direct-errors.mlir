// The direct path, too, refuses ops that cannot become C++, with an error at the op.
// RUN: ttl-opt --ttl-to-emitc --split-input-file --verify-diagnostics %s

ttl.program @fault() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @fault__reader on riscv_1 ()
}
func.func @fault__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+1 {{'ttltest.fault' op cannot be emitted as C++}}
  ttltest.fault "segv"
  return
}

// -----

ttl.program @host() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @host__reader on riscv_1 ()
}
func.func @host__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+1 {{the host function 'beep' cannot be called on the card}}
  ttl.call_host "beep" () : () -> ()
  return
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// The threads must be of stage loops.
ttl.program @early() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{has no buffer_index: run ttl-allocate-circular-buffers first}}
  %a = ttl.create_cb "a" : !cb
  ttl.thread @early__reader on riscv_1 (%a) : !cb
}
func.func @early__reader(%a: !cb) attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %0 = ttl.cb_wait %a : !block
  ttl.cb_pop %0 : !block
  return
}

// -----

// A file may also have calls of the device.
func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+1 {{'emitc.call_opaque' op calls 'fly', which is no function of the device}}
  emitc.call_opaque "fly"() {ttl.call = {}} : () -> ()
  return
}

// -----

func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+1 {{'ttkernel.cb_push_back' op expected 2 operands, but found 0}}
  emitc.call_opaque "cb_push_back"() {ttl.call = {}} : () -> ()
  return
}

// -----

func.func @k__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  // expected-error @+1 {{has a result whose type does not fit '!ttkernel.noc_addr'}}
  %0 = emitc.call_opaque "get_write_ptr"() {ttl.call = {}, ttl.result_type = !ttkernel.noc_addr} : () -> i32
  return
}
