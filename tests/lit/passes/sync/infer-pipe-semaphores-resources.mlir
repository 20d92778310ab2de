// RUN: ttl-opt %s --ttl-infer-pipe-semaphores -canonicalize -cse | FileCheck %s

// Numbers of semaphores, words beyond them, predicates, and questions of callbacks about a pipe.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// Order: semaphores with fixed numbers, then those that start at another value than 0, then the rest.
// CHECK-LABEL: ttl.kernel @numbers()
// CHECK: ttl.create_semaphore "a" {semaphore_id = 2 : i32}
// CHECK: ttl.create_semaphore "b" {semaphore_id = 1 : i32}
// CHECK: ttl.create_semaphore "c" {initial_value = 5 : i32, semaphore_id = 0 : i32}
// CHECK: ttl.create_counters "dm.scratch" {semaphore_id = 3 : i32} : <1>
ttl.kernel @numbers() attributes {grid = #ttcore.grid<2>} {
  %a = ttl.create_semaphore "a" : !ttl.semaphore
  %b = ttl.create_semaphore "b" {semaphore_id = 1 : i32} : !ttl.semaphore
  %c = ttl.create_semaphore "c" {initial_value = 5 : i32} : !ttl.semaphore
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    ttl.semaphore_wait_min %a, %one : !ttl.semaphore
    ttl.semaphore_wait_min %b, %one : !ttl.semaphore
    ttl.semaphore_wait_min %c, %one : !ttl.semaphore
    // The value goes through a word of the thread, because the NoC copies from L1.
    // CHECK: %[[WORD:.+]] = ttl.counter
    // CHECK: ttl.semaphore_set %{{.+}}, %{{.+}} through %[[WORD]] : !ttl.semaphore : <true>
    %far = ttl.get_remote_semaphore %a[%c0] : !ttl.semaphore -> !ttl.semaphore<true>
    ttl.semaphore_set %far, %one : !ttl.semaphore<true>
    // CHECK: ttl.get_remote_multicast_semaphore
    // CHECK: ttl.semaphore_set %{{.+}}, %{{.+}} through %[[WORD]] : !ttl.semaphore : <true>
    %all = ttl.get_remote_multicast_semaphore %b : !ttl.semaphore -> !ttl.semaphore<true>
    ttl.semaphore_set %all, %one : !ttl.semaphore<true>
    // A semaphore of the node itself needs no such word.
    // CHECK: ttl.semaphore_set %{{.+}}, %{{.+}} : !ttl.semaphore{{$}}
    ttl.semaphore_set %c, %one : !ttl.semaphore
  }
}

// The user's semaphores get the 16 numbers first. A net whose four words do not fit, and the rest
// of the semaphores, are words of a page in L1.
// CHECK-LABEL: ttl.kernel @page()
// CHECK-COUNT-14: ttl.create_semaphore {{.*}}semaphore_id
// CHECK: ttl.create_counters "net" {deliveries = 1 : i32, page_index = 0 : i32, {{.*}}} : <4>
ttl.kernel @page() attributes {grid = #ttcore.grid<2>} {
  %s0 = ttl.create_semaphore "s0" : !ttl.semaphore
  %s1 = ttl.create_semaphore "s1" : !ttl.semaphore
  %s2 = ttl.create_semaphore "s2" : !ttl.semaphore
  %s3 = ttl.create_semaphore "s3" : !ttl.semaphore
  %s4 = ttl.create_semaphore "s4" : !ttl.semaphore
  %s5 = ttl.create_semaphore "s5" : !ttl.semaphore
  %s6 = ttl.create_semaphore "s6" : !ttl.semaphore
  %s7 = ttl.create_semaphore "s7" : !ttl.semaphore
  %s8 = ttl.create_semaphore "s8" : !ttl.semaphore
  %s9 = ttl.create_semaphore "s9" : !ttl.semaphore
  %s10 = ttl.create_semaphore "s10" : !ttl.semaphore
  %s11 = ttl.create_semaphore "s11" : !ttl.semaphore
  %s12 = ttl.create_semaphore "s12" : !ttl.semaphore
  %s13 = ttl.create_semaphore "s13" : !ttl.semaphore
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    // A semaphore of the user orders the steps in a way that is not followed, so pipes share no slot.
    // CHECK: ttl.receive
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
}

// The user has more than 16 semaphores, so some are words of the page, too.
// CHECK-LABEL: ttl.kernel @seventeen()
// CHECK-COUNT-16: ttl.create_semaphore {{.*}}semaphore_id
// CHECK: ttl.create_semaphore "s16" {page_index = 0 : i32}
// CHECK: ttl.create_semaphore "s17" {page_index = 1 : i32}
ttl.kernel @seventeen() attributes {grid = #ttcore.grid<2>} {
  %s0 = ttl.create_semaphore "s0" : !ttl.semaphore
  %s1 = ttl.create_semaphore "s1" : !ttl.semaphore
  %s2 = ttl.create_semaphore "s2" : !ttl.semaphore
  %s3 = ttl.create_semaphore "s3" : !ttl.semaphore
  %s4 = ttl.create_semaphore "s4" : !ttl.semaphore
  %s5 = ttl.create_semaphore "s5" : !ttl.semaphore
  %s6 = ttl.create_semaphore "s6" : !ttl.semaphore
  %s7 = ttl.create_semaphore "s7" : !ttl.semaphore
  %s8 = ttl.create_semaphore "s8" : !ttl.semaphore
  %s9 = ttl.create_semaphore "s9" : !ttl.semaphore
  %s10 = ttl.create_semaphore "s10" : !ttl.semaphore
  %s11 = ttl.create_semaphore "s11" : !ttl.semaphore
  %s12 = ttl.create_semaphore "s12" : !ttl.semaphore
  %s13 = ttl.create_semaphore "s13" : !ttl.semaphore
  %s14 = ttl.create_semaphore "s14" : !ttl.semaphore
  %s15 = ttl.create_semaphore "s15" : !ttl.semaphore
  %s16 = ttl.create_semaphore "s16" : !ttl.semaphore
  %s17 = ttl.create_semaphore "s17" : !ttl.semaphore
}

// Values that callbacks ask for are further columns of the table (of the sources: x and y of
// both ends). If all nodes have the same number of rows, it is a constant. Outside of callbacks, the
// ends are constants.
// CHECK-LABEL: ttl.kernel @questions()
// CHECK-DAG: ttl.create_node_table "net.sources" dense<{{\[\[}}1, 0, 0, 0, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 0{{]]}}>
// CHECK-DAG: ttl.create_node_table "net.destinations" dense<{{\[\[}}0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0{{]]}}>
// CHECK-DAG: ttl.create_node_table "is_pipe_src" dense<{{\[\[}}1], [0], [0], [1{{]]}}>
// CHECK-DAG: ttl.create_node_table "is_pipe_active" dense<{{\[\[}}0], [0], [1], [1{{]]}}>
ttl.kernel @questions() attributes {grid = #ttcore.grid<2x2>} {
  %p = ttl.create_pipe src = [1, 1], dst = [1, 0] : !ttl.pipe
  %q = ttl.create_pipe src = [0, 0], dst = [0, 1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p, %q : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    %c0 = arith.constant 0 : index
    %s = ttl.is_pipe_src %net : !ttl.pipenet
    ttl.assert %s, "source"
    // CHECK: ttl.assert %{{.+}}, "source"
    %a = ttl.is_pipe_active %p : !ttl.pipe
    ttl.assert %a, "an end"
    // CHECK: ttl.assert %{{.+}}, "an end"
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %x, %y = ttl.pipe_destination %pipe : !ttl.pipe -> index, index
      // CHECK: scf.for
      // CHECK: %[[X:.+]] = ttl.node_value
      // CHECK: %[[IS:.+]] = arith.cmpi ne, %[[X]]
      // CHECK: ttl.assert %[[IS]], "in row 1"
      %row = arith.cmpi ne, %x, %c0 : index
      ttl.assert %row, "in row 1"
    }
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      // This value is the same for every pipe that ends here, so it needs no column.
      // CHECK: ttl.assert %true, "ends here"
      %ends = ttl.is_pipe_dst %pipe : !ttl.pipe
      ttl.assert %ends, "ends here"
    }
    // CHECK: ttl.assert %true, "from 1"
    %x, %y = ttl.pipe_source %p : !ttl.pipe -> index, index
    %one = arith.cmpi ne, %x, %c0 : index
    ttl.assert %one, "from 1"
  }
}
