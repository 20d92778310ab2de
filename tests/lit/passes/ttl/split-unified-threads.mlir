// RUN: ttl-opt %s --ttl-split-unified-threads | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!tensor = tensor<128x128xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// Two nested loops: each thread gets both loops, with its own part of the body.
// CHECK-LABEL: ttl.kernel @nested_loops
// CHECK: ttl.datamovement_thread "reader" attributes {ttl.from_unified} {
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       ttl.check_index
// CHECK:       ttl.index_accessor
// CHECK-NEXT:  ttl.cb_reserve
// CHECK-NEXT:  ttl.copy
// CHECK-NEXT:  ttl.wait
// CHECK-NEXT: }
// CHECK: ttl.compute_thread "compute" attributes {ttl.from_unified} {
// CHECK-NOT: ttl.tensor_accessor
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK-NEXT:  ttl.cb_wait
// CHECK-NEXT:  ttl.cb_reserve
// CHECK-NEXT:  ttl.block_exp
// CHECK-NEXT:  ttl.block_store
// CHECK-NEXT: }
// CHECK: ttl.datamovement_thread "writer" attributes {ttl.from_unified} {
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       ttl.check_index
// CHECK-NEXT:  ttl.cb_wait
// CHECK-NEXT:  ttl.index_accessor
// CHECK-NEXT:  ttl.copy
// CHECK-NEXT:  ttl.wait
// CHECK-NEXT: }
ttl.kernel @nested_loops(%t: !tensor, %u: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.unified_thread "exp" {
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    %out = ttl.tensor_accessor %u : !tensor -> !accessor
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        ttl.check_index %i {bound = 4 : i64, dim = 0 : i64, size = 1 : i64, tensor = "t"}
        %s = ttl.index_accessor %acc[%i, %j] : !accessor -> !slice
        %a = ttl.cb_reserve %a_dfb : !block
        %xa = ttl.copy %s, %a : !slice, !block
        ttl.wait %xa
        %b = ttl.cb_wait %a_dfb : !block
        %y = ttl.cb_reserve %y_dfb : !block
        %e = ttl.block_exp %b : (!block) -> !e
        ttl.block_store %y, %e : !block, !e
        %z = ttl.cb_wait %y_dfb : !block
        %d = ttl.index_accessor %out[%i, %j] : !accessor -> !slice
        %xz = ttl.copy %z, %d : !block, !slice
        ttl.wait %xz
      }
    }
  }
}

// A branch in a loop: only threads with work in the branch get it. Values that the loop carries go to the
// threads that need them: the flag to the compute thread, the handle to the reader.
// CHECK-LABEL: ttl.kernel @branch_in_loop
// CHECK: ttl.datamovement_thread "reader"
// CHECK:   scf.for {{.*}} iter_args({{.*}}) -> (!ttl.xf) {
// CHECK-NEXT: ttl.wait
// CHECK-NOT: scf.if
// CHECK:   ttl.wait
// CHECK: ttl.compute_thread "compute"
// CHECK:   scf.for {{.*}} iter_args({{.*}}) -> (i32) {
// CHECK:     arith.cmpi
// CHECK:     scf.if {{.*}} -> (i32) {
// CHECK:       ttl.block_store
// CHECK:     } else {
// CHECK:       scf.yield
// CHECK:     }
// CHECK-NOT: ttl.datamovement_thread
ttl.kernel @branch_in_loop(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.unified_thread "k" {
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    %y = ttl.cb_reserve %y_dfb : !block
    %last:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %xa, %flag = %zero) -> (!ttl.xf, i32) {
      ttl.wait %x
      %next = ttl.cb_reserve %a_dfb : !block
      %xn = ttl.copy %s, %next : !slice, !block
      %b = ttl.cb_wait %a_dfb : !block
      %first = arith.cmpi eq, %i, %c0 : index
      %f = scf.if %first -> (i32) {
        ttl.block_store %y, %b accumulate %flag : !block, !block
        scf.yield %one : i32
      } else {
        scf.yield %flag : i32
      }
      scf.yield %xn, %f : !ttl.xf, i32
    }
    ttl.wait %last#0
  }
}

// A loop in a branch whose condition every thread computes.
// CHECK-LABEL: ttl.kernel @loop_in_branch
// CHECK: ttl.datamovement_thread "reader"
// CHECK:   ttl.core
// CHECK:   scf.if
// CHECK-NEXT: scf.for
// CHECK:     ttl.copy
// CHECK: ttl.datamovement_thread "writer"
// CHECK:   ttl.core
// CHECK:   scf.if
// CHECK-NEXT: scf.for
// CHECK:     ttl.copy
ttl.kernel @loop_in_branch(%t: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.unified_thread "k" {
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %x, %y = ttl.core {dims = 2} : index, index
    %left = arith.cmpi eq, %x, %c0 : index
    scf.if %left {
      scf.for %i = %c0 to %c4 step %c1 {
        %s = ttl.index_accessor %acc[%i, %c0] : !accessor -> !slice
        %a = ttl.cb_reserve %a_dfb : !block
        %xa = ttl.copy %s, %a : !slice, !block
        %b = ttl.cb_wait %a_dfb : !block
        %d = ttl.index_accessor %acc[%i, %c1] : !accessor -> !slice
        %xb = ttl.copy %b, %d : !block, !slice
      }
    }
  }
}

// A while loop whose condition and body carry different values.
// CHECK-LABEL: ttl.kernel @while_loop
// CHECK: ttl.datamovement_thread "reader"
// CHECK:   scf.while (%{{.*}} = %{{.*}}) : (i32) -> i32 {
// CHECK:     arith.cmpi
// CHECK:     scf.condition
// CHECK:   } do {
// CHECK:     ttl.copy
// CHECK:     ttl.int_add
// CHECK:     scf.yield
// CHECK: ttl.compute_thread "compute"
// CHECK:   scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i32, i32) -> (i32, i32) {
// CHECK:     ttl.block_store
ttl.kernel @while_loop(%t: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.unified_thread "k" {
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
    %y = ttl.cb_reserve %y_dfb : !block
    %end:2 = scf.while (%flag = %zero, %i = %zero) : (i32, i32) -> (i32, i32) {
      %holds = arith.cmpi slt, %i, %four : i32
      scf.condition(%holds) %flag, %i : i32, i32
    } do {
    ^bb0(%flag: i32, %i: i32):
      %a = ttl.cb_reserve %a_dfb : !block
      %xa = ttl.copy %s, %a : !slice, !block
      %b = ttl.cb_wait %a_dfb : !block
      ttl.block_store %y, %b accumulate %flag : !block, !block
      %next = ttl.int_add %i, %one
      scf.yield %one, %next : i32, i32
    }
  }
}

// A block that is filled and drained belongs to the reader. A wait for a semaphore goes with the next
// transfer, a signal with the transfer before. Blocks that no op reads go with the next op.
// CHECK-LABEL: ttl.kernel @semaphores
// CHECK: ttl.datamovement_thread "reader"
// CHECK:   ttl.cb_reserve
// CHECK:   ttl.copy
// CHECK:   ttl.copy
// CHECK-NOT: ttl.semaphore
// CHECK: ttl.datamovement_thread "writer"
// CHECK:   ttl.semaphore_wait_eq
// CHECK:   ttl.copy
// CHECK:   ttl.semaphore_set
// CHECK:   ttl.cb_wait
// CHECK:   ttl.cb_pop
ttl.kernel @semaphores(%t: !tensor, %u: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %b_dfb = ttl.create_cb "b_dfb" : !cb
  %sem = ttl.create_semaphore "sem" : !ttl.semaphore
  ttl.unified_thread "k" {
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    %out_acc = ttl.tensor_accessor %u : !tensor -> !accessor
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
    %to = ttl.index_accessor %out_acc[%c0, %c0] : !accessor -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    %xb = ttl.copy %a, %s : !block, !slice
    ttl.semaphore_wait_eq %sem, %one : !ttl.semaphore
    %b = ttl.cb_wait %a_dfb : !block
    %xc = ttl.copy %b, %to : !block, !slice
    ttl.semaphore_set %sem, %one : !ttl.semaphore
    %c = ttl.cb_wait %b_dfb : !block
    ttl.cb_pop %c : !block
  }
}

// Asserts go to the compute thread. The check of an operand goes with its operation. An op that may fault
// but has no users goes where its operands are.
// CHECK-LABEL: ttl.kernel @asserts
// CHECK: ttl.datamovement_thread "reader"
// CHECK-NOT: ttl.assert %{{.*}}, "user"
// CHECK:   ttl.assert %{{.*}}, "int() of a float that has no 32-bit integer"
// CHECK-NEXT: arith.fptosi
// CHECK:   ttl.int_mul
// CHECK:   ttl.copy
// CHECK: ttl.compute_thread "compute"
// CHECK:   ttl.assert %{{.*}}, "user"
// CHECK-NOT: arith.fptosi
// CHECK-NOT: ttl.int_mul
ttl.kernel @asserts(%t: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.unified_thread "k" {
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    %c0 = arith.constant 0 : index
    %f1 = arith.constant 1.0 : f32
    %x, %y = ttl.core {dims = 2} : index, index
    %holds = arith.cmpi eq, %x, %c0 : index
    ttl.assert %holds, "user"
    %xi = arith.index_cast %x : index to i32
    %xf = arith.sitofp %xi : i32 to f32
    %fits = arith.cmpf olt, %xf, %f1 : f32
    ttl.assert %fits, "int() of a float that has no 32-bit integer"
    %n = arith.fptosi %xf : f32 to i32
    %unused = ttl.int_mul %n, %n
    %index = arith.index_cast %n : i32 to index
    %s = ttl.index_accessor %acc[%index, %c0] : !accessor -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
  }
}

// Callbacks of a net are copied around the ops inside them.
// CHECK-LABEL: ttl.kernel @pipes
// CHECK: ttl.datamovement_thread "reader"
// CHECK:   ttl.if_pipe_dst %{{.*}} {
// CHECK:     ttl.cb_reserve
// CHECK:     ttl.copy
// CHECK:   }
// CHECK: ttl.datamovement_thread "writer"
// CHECK:   ttl.if_pipe_src %{{.*}} {
// CHECK:     ttl.cb_wait
// CHECK:     ttl.copy
ttl.kernel @pipes(%t: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %b_dfb = ttl.create_cb "b_dfb" : !cb
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.unified_thread "k" {
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %a = ttl.cb_wait %a_dfb : !block
      %x = ttl.copy %a, %pipe : !block, !ttl.pipe
      ttl.wait %x
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %b = ttl.cb_reserve %b_dfb : !block
      %x = ttl.copy %pipe, %b : !ttl.pipe, !block
      ttl.wait %x
    }
  }
}

// Only one data movement thread knows an element that it reads, so this thread also gets all blocks with
// elements that depend on it.
// CHECK-LABEL: ttl.kernel @elements
// CHECK: ttl.datamovement_thread "reader"
// CHECK:   ttl.copy
// CHECK:   ttl.cb_wait
// CHECK:   ttl.element_read
// CHECK:   ttl.element_write
// CHECK-NOT: ttl.cb_wait
// CHECK: ttl.datamovement_thread "writer"
// CHECK-NOT: ttl.element_read
// CHECK:   ttl.cb_wait
// CHECK:   ttl.copy
ttl.kernel @elements(%t: !tensor, %u: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %b_dfb = ttl.create_cb "b_dfb" : !cb
  ttl.unified_thread "k" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    %out_acc = ttl.tensor_accessor %u : !tensor -> !accessor
    %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
    %to = ttl.index_accessor %out_acc[%c0, %c0] : !accessor -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.cb_push %a : !block
    %read = ttl.cb_wait %a_dfb : !block
    %b = ttl.cb_reserve %b_dfb : !block
    %e = ttl.element_read %read[%c0, %c0] : !block
    ttl.element_write %e, %b[%c0, %c0] : !block
    ttl.cb_push %b : !block
    ttl.cb_pop %read : !block
    %out = ttl.cb_wait %b_dfb : !block
    %xb = ttl.copy %out, %to : !block, !slice
  }
}

// A different thread may consume the buffer on each node.
// CHECK-LABEL: ttl.kernel @consumers
// CHECK: ttl.compute_thread
// CHECK:   scf.if
// CHECK:     ttl.cb_wait
// CHECK:     ttl.block_store
// CHECK: ttl.datamovement_thread "writer"
// CHECK:   scf.if
// CHECK:     ttl.cb_wait
// CHECK:     ttl.copy
ttl.kernel @consumers(%t: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %b_dfb = ttl.create_cb "b_dfb" : !cb
  ttl.unified_thread "k" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
    %x:2 = ttl.core : index, index
    %first = arith.cmpi eq, %x#0, %c0 : index
    scf.if %first {
      %a = ttl.cb_wait %a_dfb : !block
      %b = ttl.cb_reserve %b_dfb : !block
      ttl.block_store %b, %a : !block, !block
    } else {
      %a = ttl.cb_wait %a_dfb : !block
      %xf = ttl.copy %a, %s : !block, !slice
    }
  }
}

// Asserts that hold at compile time leave no op. One thread of the kernel has no work.
// CHECK-LABEL: ttl.kernel @static_asserts
// CHECK: ttl.compute_thread "compute"
// CHECK-NOT: thread
ttl.kernel @static_asserts() attributes {grid = #ttcore.grid<1x1>} {
  ttl.unified_thread "asserts" attributes {ttl.static_asserts} {
  }
}

// Ops that the frontend unrolled or inlined keep the locations of their statements. The signal after the
// write of the first iteration goes with this write, not with the read of the second iteration, and so does
// the wait after it. A copy of a statement goes with the first one.
// CHECK-LABEL: ttl.kernel @iterations
// CHECK: ttl.datamovement_thread "reader"
// CHECK-NOT: ttl.semaphore
// CHECK: ttl.datamovement_thread "writer"
// CHECK:   ttl.copy
// CHECK:   ttl.semaphore_set
// CHECK:   ttl.semaphore_wait_eq
// CHECK:   ttl.copy
// CHECK:   ttl.semaphore_set
// CHECK:   ttl.semaphore_wait_eq
#read = loc("k.py":1:1)
#write = loc("k.py":2:1)
#signal = loc("k.py":3:1)
#wait = loc("k.py":4:1)
#again = loc("k.py":5:1)
ttl.kernel @iterations(%t: !tensor, %u: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %sem = ttl.create_semaphore "sem" : !ttl.semaphore
  ttl.unified_thread "k" {
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    %out_acc = ttl.tensor_accessor %u : !tensor -> !accessor
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
    %to = ttl.index_accessor %out_acc[%c0, %c0] : !accessor -> !slice
    %a = ttl.cb_reserve %a_dfb : !block loc(#read)
    %xa = ttl.copy %s, %a : !slice, !block loc(#read)
    %b = ttl.cb_wait %a_dfb : !block loc(#write)
    %xb = ttl.copy %b, %to : !block, !slice loc(#write)
    ttl.semaphore_set %sem, %one : !ttl.semaphore loc(#signal)
    ttl.semaphore_wait_eq %sem, %one : !ttl.semaphore loc(#wait)
    %c = ttl.cb_reserve %a_dfb : !block loc("c"(callsite(#read at #again)))
    %xc = ttl.copy %s, %c : !slice, !block loc(callsite(#read at #again))
    %d = ttl.cb_wait %a_dfb : !block loc(callsite(#write at #again))
    %xd = ttl.copy %d, %to : !block, !slice loc(callsite(#write at #again))
    ttl.semaphore_set %sem, %one : !ttl.semaphore loc(callsite(#signal at #again))
    ttl.semaphore_wait_eq %sem, %one : !ttl.semaphore loc(callsite(#wait at #again))
    %e = ttl.cb_reserve %a_dfb : !block loc(#read)
    %xe = ttl.copy %s, %e : !slice, !block loc(#read)
  }
}

// The second pair of copies reads what the first has written: one thread keeps the order.
// CHECK-LABEL: ttl.kernel @keeps_order
// CHECK: ttl.datamovement_thread "reader"
// CHECK-COUNT-4: ttl.copy
// CHECK-NOT: ttl.datamovement_thread
ttl.kernel @keeps_order(%t: !tensor, %u: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.unified_thread "relay" {
    %acc = ttl.tensor_accessor %t : !tensor -> !accessor
    %out = ttl.tensor_accessor %u : !tensor -> !accessor
    %c0 = arith.constant 0 : index
    %s = ttl.index_accessor %acc[%c0, %c0] : !accessor -> !slice
    %d = ttl.index_accessor %out[%c0, %c0] : !accessor -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    %b = ttl.cb_wait %a_dfb : !block
    %xb = ttl.copy %b, %d : !block, !slice
    ttl.wait %xb
    %y = ttl.cb_reserve %y_dfb : !block
    %xy = ttl.copy %d, %y : !slice, !block
    ttl.wait %xy
    %z = ttl.cb_wait %y_dfb : !block
    %xz = ttl.copy %z, %s : !block, !slice
    ttl.wait %xz
  }
}
