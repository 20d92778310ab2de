// RUN: ttl-opt %s --ttl-infer-pipe-semaphores | FileCheck %s

// An acquire outside of all threads runs on no node, so the buffer gets no consumer from it.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
// CHECK: ttl.create_cb "dfb"
// CHECK-NOT: ttl.consumers
ttl.kernel @outside_of_threads() attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.datamovement_thread "reader" {
    %a = ttl.cb_wait %dfb : !block
    ttl.cb_pop %a : !block
  }
  %b = ttl.cb_wait %dfb : !block
}
