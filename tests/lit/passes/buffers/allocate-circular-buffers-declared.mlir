// RUN: ttl-opt %s "--pass-pipeline=builtin.module(ttl-allocate-circular-buffers{max-buffers=1})" --verify-diagnostics

// The warning counts only buffers that the user declared, not those that the compiler added.

!t = !ttcore.tile<32x32, f32>
!small = !ttl.cb<[1, 1], !t, 1>

ttl.program @one() attributes {grid = #ttcore.grid<1x1>} {
  %b0 = ttl.create_cb "b0" : !small
  %made = ttl.create_cb "tmp" {compiler_made} : !small
  ttl.thread @one__compute on compute (%b0, %made) : !small, !small
}

func.func @one__compute(%b0: !small, %made: !small) attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %x0 = ttl.cb_reserve %b0 : !ttl.block<tensor<1x1x!t>, !small>
  %x1 = ttl.cb_reserve %made : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x0 : !ttl.block<tensor<1x1x!t>, !small>
  ttl.cb_push %x1 : !ttl.block<tensor<1x1x!t>, !small>
  return
}
