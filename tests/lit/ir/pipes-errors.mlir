// RUN: ttl-opt %s --split-input-file --verify-diagnostics

// Ops on pipes and semaphores that the verifiers refuse.

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  // expected-error @+1 {{'ttl.create_pipe' op must have exactly one of dst and dst_range}}
  %p = ttl.create_pipe src = [0, 0] : !ttl.pipe
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  // expected-error @+1 {{'ttl.create_pipe' op must have exactly one of dst and dst_range}}
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0], dst_range = [0, 1] : !ttl.pipe
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  // expected-error @+1 {{'ttl.create_pipe' op both ends must have the same rank, found 2 and 1}}
  %p = ttl.create_pipe src = [0, 0], dst = [1] : !ttl.pipe
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2x2>} {
  // expected-error @+1 {{'ttl.create_pipe' op src has 2 dimensions; expected 3, as in the grid, or 1 for a flattened node number}}
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  // expected-error @+1 {{'ttl.create_pipe' op src is outside the grid: coordinate 2 in dimension 0, which has extent 2}}
  %p = ttl.create_pipe src = [2, 0], dst = [1, 0] : !ttl.pipe
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  // expected-error @+1 {{'ttl.create_pipe' op dst is outside the grid: coordinate 4 in dimension 0, which has extent 4}}
  %p = ttl.create_pipe src = [0], dst = [4] : !ttl.pipe
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  // expected-error @+1 {{'ttl.create_pipe' op dst_range is outside the grid: coordinate 2 in dimension 1, which has extent 2}}
  %p = ttl.create_pipe src = [0, 0], dst_range = [0, #ttl.slice<0, 3, 1>] : !ttl.pipe
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  // expected-error @+1 {{'ttl.create_pipe' op dst_range must not be empty, but is in dimension 1}}
  %p = ttl.create_pipe src = [0, 0], dst_range = [0, #ttl.slice<1, 1, 1>] : !ttl.pipe
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  // expected-error @+1 {{'ttl.create_pipe' op must have the same ends as its type '!ttl.pipe<[0, 0], dst = [1, 1]>'}}
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe<[0, 0], dst = [1, 1]>
}

// -----

// expected-error @+1 {{both ends of a pipe must have the same rank, found 2 and 1}}
func.func private @f(!ttl.pipe<[0, 0], dst = [1]>)

// -----

// expected-error @+1 {{a net must have at least one landing slot, found 0}}
func.func private @f(!ttl.landing<[1, 1], !ttcore.tile<32x32, f32>, 0>)

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %q = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  // expected-error @+1 {{'ttl.create_pipenet' op all pipes must have the same rank, found 2 and 1}}
  %n = ttl.create_pipenet "n" %p, %q : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
}

// -----

func.func @f(%p: !ttl.pipe) {
  // expected-error @+1 {{'ttl.create_pipenet' op all operands must be pipes that ttl.create_pipe makes}}
  %n = ttl.create_pipenet "n" %p : !ttl.pipe -> !ttl.pipenet
  return
}

// -----

func.func @f(%n: !ttl.pipenet) {
  // expected-error @+1 {{'ttl.if_pipe_src' op the body must have one argument, the pipe}}
  ttl.if_pipe_src %n {
  }
  return
}

// -----

func.func @f(%n: !ttl.pipenet, %i: index) {
  // expected-error @+1 {{'ttl.if_pipe_dst' op the body must not yield a value}}
  ttl.if_pipe_dst %n {
  ^bb0(%p: !ttl.pipe):
    ttl.yield %i : index
  }
  return
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %n = ttl.create_pipenet "n" %p : !ttl.pipe -> !ttl.pipenet
  ttl.compute_thread "compute" {
    // expected-error @+1 {{'ttl.if_pipe_src' op is only allowed in data movement threads, but this is a compute thread}}
    ttl.if_pipe_src %n {
    ^bb0(%pipe: !ttl.pipe):
    }
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  ttl.compute_thread "compute" {
    %v = arith.constant 1 : i32
    // expected-error @+1 {{'ttl.semaphore_wait_min' op is only allowed in data movement threads, but this is a compute thread}}
    ttl.semaphore_wait_min %s, %v : !ttl.semaphore
  }
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttl.create_semaphore' op must have a local semaphore as result: ttl.get_remote_semaphore makes a remote one}}
  %s = ttl.create_semaphore "s" : !ttl.semaphore<true>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttl.create_semaphore' op can be either a semaphore or a word of the page, not both}}
  %s = ttl.create_semaphore "s" {semaphore_id = 0 : i32, page_index = 0 : i32} : !ttl.semaphore
  return
}

// -----

func.func @f(%s: !ttl.semaphore<true>, %i: index) {
  // expected-error @+1 {{'ttl.get_remote_semaphore' op needs a local semaphore, but the operand is a remote one already}}
  %r = ttl.get_remote_semaphore %s[%i] : !ttl.semaphore<true> -> !ttl.semaphore<true>
  return
}

// -----

func.func @f(%s: !ttl.semaphore, %i: index) {
  // expected-error @+1 {{'ttl.get_remote_semaphore' op must have a remote semaphore as result, '!ttl.semaphore<true>'}}
  %r = ttl.get_remote_semaphore %s[%i] : !ttl.semaphore -> !ttl.semaphore
  return
}

// -----

func.func @f(%s: !ttl.semaphore, %i: index) {
  // expected-error @+1 {{'ttl.get_remote_semaphore' op must name a core by two numbers, column and row, found 1 number}}
  %r = ttl.get_remote_semaphore %s[%i] {cores} : !ttl.semaphore -> !ttl.semaphore<true>
  return
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  ttl.datamovement_thread "dm" {
    %i = arith.constant 0 : index
    // expected-error @+1 {{'ttl.get_remote_semaphore' op core has 3 dimensions; expected 2, as in the grid, or 1 for a flattened node number}}
    %r = ttl.get_remote_semaphore %s[%i, %i, %i] : !ttl.semaphore -> !ttl.semaphore<true>
  }
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  %s = ttl.create_semaphore "s" : !ttl.semaphore
  ttl.datamovement_thread "dm" {
    // expected-error @+1 {{'ttl.get_remote_multicast_semaphore' op core_range must not be empty, but is in dimension 0}}
    %r = ttl.get_remote_multicast_semaphore %s range [#ttl.slice<1, 1, 1>, 0] : !ttl.semaphore -> !ttl.semaphore<true>
  }
}

// -----

func.func @f(%s: !ttl.semaphore, %i: index) {
  // expected-error @+1 {{'ttl.get_remote_multicast_semaphore' op must name a rectangle by five numbers: two corners and the number of nodes written}}
  %r = ttl.get_remote_multicast_semaphore %s cores(%i, %i) : !ttl.semaphore -> !ttl.semaphore<true>
  return
}

// -----

func.func @f(%s: !ttl.semaphore, %i: index) {
  // expected-error @+1 {{'ttl.get_remote_multicast_semaphore' op cannot have both core_range and cores}}
  %r = ttl.get_remote_multicast_semaphore %s range [0] cores(%i, %i, %i, %i, %i) : !ttl.semaphore -> !ttl.semaphore<true>
  return
}

// -----

func.func @f(%s: !ttl.semaphore<true>, %v: i32) {
  // expected-error @+1 {{'ttl.semaphore_wait_eq' op cannot wait for a remote semaphore, only for the one of this node}}
  ttl.semaphore_wait_eq %s, %v : !ttl.semaphore<true>
  return
}

// -----

func.func @f(%s: !ttl.semaphore, %v: i32) {
  // expected-error @+1 {{'ttl.semaphore_inc' op can only add to the semaphore of another node: use ttl.get_remote_semaphore}}
  ttl.semaphore_inc %s, %v : !ttl.semaphore
  return
}

// -----

func.func @f(%s: !ttl.semaphore, %v: i32) {
  %r = ttl.get_remote_multicast_semaphore %s : !ttl.semaphore -> !ttl.semaphore<true>
  // expected-error @+1 {{'ttl.semaphore_inc' op can only add to the semaphore of one node; use ttl.semaphore_set for a range of nodes}}
  ttl.semaphore_inc %r, %v : !ttl.semaphore<true>
  return
}

// -----

func.func @f(%s: !ttl.semaphore, %v: i32) {
  // expected-error @+1 {{'ttl.semaphore_set' op from_scratch needs a scratch word}}
  ttl.semaphore_set %s, %v from_scratch : !ttl.semaphore
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttl.create_counters' op must have at least one word}}
  %c = ttl.create_counters "n" : !ttl.counters<0>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttl.create_counters' op can be either semaphores or words of the page, not both}}
  %c = ttl.create_counters "n" {semaphore_id = 0 : i32, page_index = 0 : i32} : !ttl.counters<1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'ttl.create_node_table' op must have one row per node, found 'tensor<2xi32>'}}
  %t = ttl.create_node_table "n" dense<[1, 2]> : tensor<2xi32> : !ttl.node_table
  return
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x2>} {
  // expected-error @+1 {{'ttl.create_node_table' op must have one row per node, found 2 rows for a grid of 4 nodes}}
  %t = ttl.create_node_table "n" dense<[[1], [2]]> : tensor<2x1xi32> : !ttl.node_table
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'ttl.create_counters' op must have two words per delivery, found deliveries = 2 and 3 words}}
  %c = ttl.create_counters "c" {deliveries = 2 : i32} : !ttl.counters<3>
}

// -----

func.func @f(%start: index) {
  // expected-error @+1 {{'ttl.wait_any' op needs at least one transfer}}
  %i = "ttl.wait_any"(%start) : (index) -> index
  return
}

// -----

func.func @f(%xf: !ttl.xf, %start: index) {
  // expected-error @+1 {{'ttl.wait_any' op has the same transfer twice}}
  %i = ttl.wait_any %xf, %xf start %start
  return
}

// -----

func.func @f(%start: index) {
  // expected-error @+1 {{'ttl.semaphore_wait_any' op needs at least one semaphore}}
  %i = "ttl.semaphore_wait_any"(%start) : (index) -> index
  return
}

// -----

func.func @f(%s: !ttl.semaphore<true>, %v: i32, %start: index) {
  // expected-error @+1 {{'ttl.semaphore_wait_any' op cannot wait for a remote semaphore, only for those of this node}}
  %i = ttl.semaphore_wait_any (%s) at_least (%v) start %start : !ttl.semaphore<true>
  return
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'ttl.create_node_table' op must have one number for all nodes, found 'tensor<2x1xi32>'}}
  %t = ttl.create_node_table "t" dense<[[1], [2]]> : tensor<2x1xi32> {ttl.common_number = i32} : !ttl.node_table
}

// -----

ttl.kernel @k() attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'ttl.create_node_table' op must have the type f32 or i32 as ttl.common_number, found f64}}
  %t = ttl.create_node_table "t" dense<[[1]]> : tensor<1x1xi32> {ttl.common_number = f64} : !ttl.node_table
}
