// RUN: ttl-opt %s --ttl-merge-allocation-groups --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

ttl.kernel @external() attributes {grid = #ttcore.grid<1x1>} {
  // expected-error @+1 {{'a' shares its allocation group with 'b', but a C++ function uses it: take it out of the group}}
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    ttcpp.call "f" in "f.hpp"() uses (%a : !cb) : () -> ()
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @orders() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  // expected-error @+1 {{'b' shares its allocation group with 'a', but the thread that fills their blocks uses 'a' first, and the one that drains them 'b': use them in the same order in both threads}}
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    %v1 = ttl.cb_reserve %a : !block
    ttl.cb_push %v1 : !block
    %v2 = ttl.cb_reserve %b : !block
    ttl.cb_push %v2 : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    %v3 = ttl.cb_wait %b : !block
    ttl.cb_pop %v3 : !block
    %v4 = ttl.cb_wait %a : !block
    ttl.cb_pop %v4 : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @orders_of_three() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  // expected-error @+1 {{'c' shares its allocation group with 'b', but the thread that fills their blocks uses 'b' first, and the one that drains them 'c': use them in the same order in both threads}}
  %c = ttl.create_cb "c" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %v1 = ttl.cb_reserve %a : !block
    ttl.cb_push %v1 : !block
    %v2 = ttl.cb_reserve %b : !block
    ttl.cb_push %v2 : !block
    %v3 = ttl.cb_reserve %c : !block
    ttl.cb_push %v3 : !block
  }
  ttl.datamovement_thread "writer" {
    %v4 = ttl.cb_wait %a : !block
    ttl.cb_pop %v4 : !block
    %v5 = ttl.cb_wait %c : !block
    ttl.cb_pop %v5 : !block
    %v6 = ttl.cb_wait %b : !block
    ttl.cb_pop %v6 : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @undrained() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  // expected-error @+1 {{'c' shares its allocation group with 'a', but no thread drains its blocks: fill and drain all buffers of a group}}
  %c = ttl.create_cb "c" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %v1 = ttl.cb_reserve %a : !block
    ttl.cb_push %v1 : !block
    %v2 = ttl.cb_reserve %b : !block
    ttl.cb_push %v2 : !block
    %v3 = ttl.cb_reserve %c : !block
    ttl.cb_push %v3 : !block
  }
  ttl.datamovement_thread "writer" {
    %v4 = ttl.cb_wait %a : !block
    ttl.cb_pop %v4 : !block
    %v5 = ttl.cb_wait %b : !block
    ttl.cb_pop %v5 : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @unfilled() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  // expected-error @+1 {{'b' shares its allocation group with 'a', but no thread fills its blocks: fill and drain all buffers of a group}}
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  %c = ttl.create_cb "c" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %v1 = ttl.cb_reserve %a : !block
    ttl.cb_push %v1 : !block
    %v2 = ttl.cb_reserve %c : !block
    ttl.cb_push %v2 : !block
  }
  ttl.datamovement_thread "writer" {
    %v3 = ttl.cb_wait %a : !block
    ttl.cb_pop %v3 : !block
    %v4 = ttl.cb_wait %b : !block
    ttl.cb_pop %v4 : !block
    %v5 = ttl.cb_wait %c : !block
    ttl.cb_pop %v5 : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @mixed_of_three() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  // expected-error @+1 {{'c' shares its allocation group with 'b', but their uses are mixed: use one buffer of a group after the other}}
  %c = ttl.create_cb "c" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %v1 = ttl.cb_reserve %a : !block
    ttl.cb_push %v1 : !block
    %v2 = ttl.cb_reserve %b : !block
    ttl.cb_push %v2 : !block
    // expected-note @+1 {{this use lies between two uses of the other buffer}}
    %v3 = ttl.cb_reserve %c : !block
    ttl.cb_push %v3 : !block
    %v4 = ttl.cb_reserve %b : !block
    ttl.cb_push %v4 : !block
  }
  ttl.datamovement_thread "writer" {
    %v5 = ttl.cb_wait %a : !block
    ttl.cb_pop %v5 : !block
    %v6 = ttl.cb_wait %b : !block
    ttl.cb_pop %v6 : !block
    %v7 = ttl.cb_wait %b : !block
    ttl.cb_pop %v7 : !block
    %v8 = ttl.cb_wait %c : !block
    ttl.cb_pop %v8 : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @mixed() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  // expected-error @+1 {{'b' shares its allocation group with 'a', but their uses are mixed: use one buffer of a group after the other}}
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    %v8 = ttl.cb_reserve %a : !block
    ttl.cb_push %v8 : !block
    // expected-note @+1 {{this use lies between two uses of the other buffer}}
    %v9 = ttl.cb_reserve %b : !block
    ttl.cb_push %v9 : !block
    %v10 = ttl.cb_reserve %a : !block
    ttl.cb_push %v10 : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    %v11 = ttl.cb_wait %a : !block
    ttl.cb_pop %v11 : !block
    %v12 = ttl.cb_wait %a : !block
    ttl.cb_pop %v12 : !block
    %v13 = ttl.cb_wait %b : !block
    ttl.cb_pop %v13 : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @unknown() attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'a' shares its allocation group with 'b', but how many of its blocks are used depends on the run: use a number of blocks that is known at compile time}}
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    scf.for %i = %c0 to %n step %c1 {
      %v14 = ttl.cb_reserve %a : !block
      ttl.cb_push %v14 : !block
    }
    %v15 = ttl.cb_reserve %b : !block
    ttl.cb_push %v15 : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    scf.for %i = %c0 to %n step %c1 {
      %v16 = ttl.cb_wait %a : !block
      ttl.cb_pop %v16 : !block
    }
    %v17 = ttl.cb_wait %b : !block
    ttl.cb_pop %v17 : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @unpopped() attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'a' shares its allocation group with 'b', but 4 of its blocks are pushed and 1 popped before the next buffer of the group is used: pop what is pushed}}
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    scf.for %i = %c0 to %c4 step %c1 {
      %v18 = ttl.cb_reserve %a : !block
      ttl.cb_push %v18 : !block
    }
    %v19 = ttl.cb_reserve %b : !block
    ttl.cb_push %v19 : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    %v20 = ttl.cb_wait %a : !block
    ttl.cb_pop %v20 : !block
    %v21 = ttl.cb_wait %b : !block
    ttl.cb_pop %v21 : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @threads() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  // expected-error @+1 {{'b' shares its allocation group with 'a', but their blocks are reserved by several threads: use all buffers of a group in the same threads}}
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    %v22 = ttl.cb_reserve %a : !block
    ttl.cb_push %v22 : !block
    %v23 = ttl.cb_wait %b : !block
    ttl.cb_pop %v23 : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    %v24 = ttl.cb_reserve %b : !block
    ttl.cb_push %v24 : !block
    %v25 = ttl.cb_wait %a : !block
    ttl.cb_pop %v25 : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @handed_on() attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'a' shares its allocation group with 'b', but a loop or branch hands on a block of it: release a block where it is acquired}}
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    %first = ttl.cb_reserve %a : !block
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %first) -> (!block) {
      ttl.cb_push %x : !block
      %next = ttl.cb_reserve %a : !block
      scf.yield %next : !block
    }
    ttl.cb_push %last : !block
    %v26 = ttl.cb_reserve %b : !block
    ttl.cb_push %v26 : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
    %v27 = ttl.cb_wait %a : !block
    ttl.cb_pop %v27 : !block
    %v28 = ttl.cb_wait %b : !block
    ttl.cb_pop %v28 : !block
  }
}

// -----

!cb3 = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @types() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb3
  // expected-error @+1 {{'b' shares its allocation group with 'a', but their blocks differ: buffers of one group must have the same element type, block shape and block_count}}
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n, %m = ttl.core {dims = 2} : index, index
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @counted() attributes {grid = #ttcore.grid<2x1>} {
  // expected-error @+1 {{'a' shares its allocation group with 'b', but it depends on run-time values how many blocks of it are held: release a block where it is acquired}}
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %v0 = ttl.cb_reserve %a {outstanding = 1 : i32} : !block
    %v1 = ttl.held_block %a[0] {reserved} : !block
    ttl.cb_push %v1 : !block
    %v2 = ttl.cb_reserve %b : !block
    ttl.cb_push %v2 : !block
  }
  ttl.datamovement_thread "writer" {
    %v0 = ttl.cb_wait %a : !block
    ttl.cb_pop %v0 : !block
    %v1 = ttl.cb_wait %b : !block
    ttl.cb_pop %v1 : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
ttl.kernel @outside_of_threads() attributes {grid = #ttcore.grid<1>} {
  // expected-error @+1 {{'a' shares its allocation group with 'b', but a block of it is acquired outside of every thread: acquire it in a thread}}
  %a = ttl.create_cb "a" {ttl.allocation_group = 0 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 0 : i32} : !cb
  %x = ttl.cb_wait %a : !block
  %y = ttl.cb_wait %b : !block
  ttl.datamovement_thread "net" {
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>

ttl.kernel @page_sizes() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {page_size = 8192 : i64, ttl.allocation_group = 1 : i32} : !cb
  // expected-error @+1 {{'b' shares its allocation group with 'a', but its page_size is 4096 and that of the other buffer is 8192: write the same page_size in both}}
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
}
