// RUN: ttl-opt %s --ttl-infer-pipe-semaphores --ttl-expand-threads --ttl-lower-synchronization | FileCheck %s

// If the node of a remote semaphore is computed, it is checked at the use. A node that
// is known to be on the grid is not checked.

// CHECK-LABEL: func.func @remote__signal
// CHECK: ttl.assert %{{.+}}, "the node of a remote semaphore lies outside the grid (4, 2): coordinate 0 is {}, but must be from 0 to 3", %{{.+}} : i32
// CHECK: ttl.assert %{{.+}}, "the node of a remote semaphore lies outside the grid (4, 2): coordinate 1 is {}, but must be from 0 to 1", %{{.+}} : i32
// CHECK: ttkernel.noc_semaphore_inc
// CHECK-NOT: ttl.assert
// CHECK: ttkernel.noc_semaphore_inc
ttl.kernel @remote() attributes {grid = #ttcore.grid<4x2>} {
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  ttl.datamovement_thread "signal" {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %x, %y = ttl.core : index, index
    %next = arith.addi %x, %c1 : index
    %far = ttl.get_remote_semaphore %s[%next, %y] : !ttl.semaphore -> !ttl.semaphore<true>
    ttl.semaphore_inc %far, %one : !ttl.semaphore<true>
    %same = ttl.get_remote_semaphore %s[%c1, %c0] : !ttl.semaphore -> !ttl.semaphore<true>
    ttl.semaphore_inc %same, %one : !ttl.semaphore<true>
  }
}
