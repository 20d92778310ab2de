// RUN: ttl-opt %s "--pass-pipeline=builtin.module(ttl-allocate-circular-buffers{max-buffers=1 max-l1=4096})" --split-input-file --verify-diagnostics

// Limits that the user gives replace the chip's limits.

!t = !ttcore.tile<32x32, f32>
!small = !ttl.cb<[1, 1], !t, 1>

// expected-warning @+2 {{'two' uses 2 circular buffers, but --max-dfbs allows only 1: use one buffer for tensors that are needed one after the other (the kernel runs, because the emulated core has more)}}
// expected-warning @+1 {{circular buffers of 'two' take 8192 bytes of L1 on each core, but --max-l1 allows only 4096; make the blocks of 'b0' smaller (the kernel runs, because the emulated core has more)}}
ttl.program @two() attributes {grid = #ttcore.grid<1x1>} {
  // expected-note @+1 {{'b0' takes 4096 bytes (1x1 tiles of Float32, 1 block)}}
  %b0 = ttl.create_cb "b0" : !small
  // expected-note @+1 {{'b1' takes 4096 bytes (1x1 tiles of Float32, 1 block)}}
  %b1 = ttl.create_cb "b1" : !small
  ttl.thread @two__compute on compute (%b0, %b1) : !small, !small
}

func.func @two__compute(%b0: !small, %b1: !small) attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %x0 = ttl.cb_reserve %b0 : !ttl.block<tensor<1x1x!t>, !small>
  %x1 = ttl.cb_reserve %b1 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x0 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x1 : !ttl.block<tensor<1x1x!t>, !small>
  return
}

// -----

!t = !ttcore.tile<32x32, f32>
!small = !ttl.cb<[1, 1], !t, 1>

ttl.program @one() attributes {grid = #ttcore.grid<1x1>} {
  %b0 = ttl.create_cb "b0" : !small
  ttl.thread @one__compute on compute (%b0) : !small
}

func.func @one__compute(%b0: !small) attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %x0 = ttl.cb_reserve %b0 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x0 : !ttl.block<tensor<1x1x!t>, !small>
  return
}
