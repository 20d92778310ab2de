// RUN: ttl-opt %s --ttl-split-unified-threads --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @used_by_both(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.unified_thread "k" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-note @+1 {{the block is acquired here}}
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    // expected-note @+1 {{the compute thread uses the block here}}
    ttl.block_store %y, %a : !block, !block
    // expected-error @+1 {{a block of 'a_dfb' is used by the compute thread and by a data movement thread: a block belongs to one thread; store the value into a second buffer, and copy from that one}}
    %x = ttl.copy %a, %s : !block, !slice
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Blocks of one buffer that different loops consume must be consumed by one thread.
ttl.kernel @filled_and_computed(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.unified_thread "k" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant 1.0 : f32
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    scf.for %i = %c0 to %c1 step %c1 {
      // expected-note @+1 {{the block is acquired here}}
      %y = ttl.cb_reserve %y_dfb : !block
      %e = ttl.block_fill %f : !e
      // expected-note @+1 {{the compute thread uses the block here}}
      ttl.block_store %y, %e : !block, !e
    }
    scf.for %i = %c0 to %c1 step %c1 {
      %y = ttl.cb_reserve %y_dfb : !block
      // expected-error @+1 {{a block of 'y_dfb' is used by the compute thread and by a data movement thread: a block belongs to one thread; copy into a buffer of its own, and wait for its blocks where you compute}}
      %x = ttl.copy %s, %y : !slice, !block
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// A data movement thread reads the condition, so the compute thread does not know it.
ttl.kernel @condition(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  %sem = ttl.create_semaphore "sem" : !ttl.semaphore
  ttl.unified_thread "k" {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %f = arith.constant 1.0 : f32
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-note @+1 {{the data movement thread that copies data into blocks computes the value here}}
    %v = ttl.semaphore_value %sem : !ttl.semaphore
    %a = ttl.cb_reserve %a_dfb : !block
    %x = ttl.copy %s, %a : !slice, !block
    // expected-error @+1 {{this belongs to the compute thread and needs a value, which the data movement thread that copies data into blocks computes: a value cannot go from one thread to another; pass a block through a buffer, or compute this from what every thread knows, such as loop variables and the node's coordinates}}
    %is = arith.cmpi eq, %v, %zero : i32
    scf.if %is {
      %y = ttl.cb_reserve %y_dfb : !block
      %e = ttl.block_fill %f : !e
      ttl.block_store %y, %e : !block, !e
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// The thread that copies blocks to the tensor reads the semaphore before the copy.
ttl.kernel @read_by_writer(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  %sem = ttl.create_semaphore "sem" : !ttl.semaphore
  ttl.unified_thread "k" {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %f = arith.constant 1.0 : f32
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-note @+1 {{the data movement thread that copies blocks elsewhere computes the value here}}
    %v = ttl.semaphore_value %sem : !ttl.semaphore
    %a = ttl.cb_wait %a_dfb : !block
    %x = ttl.copy %a, %s : !block, !slice
    // expected-error @+1 {{this belongs to the compute thread and needs a value, which the data movement thread that copies blocks elsewhere computes}}
    %is = arith.cmpi eq, %v, %zero : i32
    scf.if %is {
      %y = ttl.cb_reserve %y_dfb : !block
      %e = ttl.block_fill %f : !e
      ttl.block_store %y, %e : !block, !e
    }
  }
}

// -----

// expected-error @+2 {{operation nothing() does nothing: its body moves no data and computes no blocks, and it defines no kernel functions}}
ttl.kernel @nothing() attributes {grid = #ttcore.grid<1x1>} {
  ttl.unified_thread "nothing" {
    %c0 = arith.constant 0 : index
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @value_of_the_writer(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  %sem = ttl.create_semaphore "sem" : !ttl.semaphore
  ttl.unified_thread "k" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    // expected-note @+1 {{the data movement thread that copies blocks elsewhere computes the value here}}
    %v = ttl.semaphore_value %sem : !ttl.semaphore
    %a = ttl.cb_wait %a_dfb : !block
    %x = ttl.copy %a, %s : !block, !slice
    // expected-error @+1 {{this belongs to the compute thread and needs a value, which the data movement thread that copies blocks elsewhere computes}}
    %f = arith.sitofp %v : i32 to f32
    %y = ttl.cb_reserve %y_dfb : !block
    %e = ttl.block_fill %f : !e
    ttl.block_store %y, %e : !block, !e
  }
}

// -----

// The result of another thread's call is not known here.
ttl.kernel @other() attributes {grid = #ttcore.grid<1x1>} {
  ttl.unified_thread "all" {
    // expected-note @below {{the compute thread computes the value here}}
    %b = ttcpp.call "b" in "f.hpp"() {ttl.selector = "compute"} : () -> i32
    %r = ttcpp.results %b
    // expected-error @below {{this belongs to the data movement thread that copies data into blocks and needs a value, which the compute thread computes}}
    ttcpp.call "use" in "f.hpp"(%r) {ttl.selector = "reader"} : (i32) -> ()
  }
}

// -----

ttl.kernel @no_processor() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.unified_thread' op binds the thread that fills blocks to "MATH": expected "NOC0" or "NOC1"}}
  ttl.unified_thread "k" attributes {ttl.reader_hint = "MATH"} {
  }
}

// -----

ttl.kernel @no_name() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.unified_thread' op binds the thread that fills blocks to 1 : i32: expected "NOC0" or "NOC1"}}
  ttl.unified_thread "k" attributes {ttl.reader_hint = 1 : i32} {
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

// The compute thread has no callbacks of nets.
ttl.kernel @computes_in_callback() attributes {grid = #ttcore.grid<2x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.unified_thread "k" {
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %b = ttl.cb_reserve %a_dfb : !block
      %x = ttl.copy %pipe, %b : !ttl.pipe, !block
      ttl.wait %x
      // expected-error @+1 {{a callback of if_src() or if_dst() runs on a data movement thread, and this belongs to the compute thread: receive into a block in the callback, and compute after the call of if_dst()}}
      %a = ttl.cb_wait %a_dfb : !block
      %y = ttl.cb_reserve %y_dfb : !block
      %e = ttl.block_abs %a : (!block) -> !e
      ttl.block_store %y, %e : !block, !e
    }
  }
}
