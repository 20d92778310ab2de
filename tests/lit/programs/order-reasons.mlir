// --stats says why the results may depend on the order of threads.
// RUN: ttl-jit run %s --stats --check=off 2>&1 | FileCheck %s

// CHECK: kernel reads:
// CHECK: order: the results may depend on the order of threads and transfers:
// CHECK-NEXT: line [[# @LINE + 9]] reads the value that semaphore 'ready' has at that time
// CHECK-NEXT: compile:

!y = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!s = !ttl.semaphore

ttl.kernel @reads(%y: !y) attributes {grid = #ttcore.grid<1x1>} {
  %ready = ttl.create_semaphore "ready" : !s
  ttl.datamovement_thread "sees" {
    %n = ttl.semaphore_value %ready : !s
    ttl.print "{}\n", %n : i32
  }
  ttl.datamovement_thread "tells" {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : i32
    %remote = ttl.get_remote_semaphore %ready[%c0] : !s -> !ttl.semaphore<true>
    ttl.semaphore_inc %remote, %i1 : !ttl.semaphore<true>
  }
}

func.func @main() {
  %y = ttltest.random 3 : !y
  ttl.launch @reads(%y) : !y
  return
}
