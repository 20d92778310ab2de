// RUN: ttl-opt %s --ttl-form-compute --ttl-expand-threads --ttl-bufferize \
// RUN:   --ttl-allocate-circular-buffers=check=false -o %t
// RUN: FileCheck %s --check-prefix=FIRST < %t
// RUN: ttl-opt %t --ttl-infer-dst-requirements --ttl-assign-dst --ttl-lower-to-loops \
// RUN:   --ttl-unroll-compute-loops --ttl-accumulate-in-dst --ttl-insert-tile-regs-sync \
// RUN:   --ttl-allocate-circular-buffers | FileCheck %s --check-prefix=AGAIN

// The pass runs twice. The second run chooses again what the first one chose, because the accumulator was
// moved to DST, and the sum of five values, which needs four registers, was split. Indices and addresses
// that the program gives stay.

// FIRST: ttl.program @again{{.*}}ttl.provisional_places
// FIRST: "a" {address = 103424 : i64, buffer_index = 0 : i32, page_size = 4096 : i64} : !cb
// FIRST: "y" {address = 163840 : i64, buffer_index = 5 : i32, page_size = 4096 : i64, ttl.given = ["address", "buffer_index"]}
// FIRST: "z" {address = 103424 : i64, buffer_index = 1 : i32, page_size = 4096 : i64}
// FIRST: "acc" {accumulator, address = {{[0-9]+}} : i64, buffer_index = 2 : i32, compiler_made
// FIRST: "tmp" {address = {{[0-9]+}} : i64, buffer_index = 3 : i32, compiler_made

// AGAIN-NOT: ttl.provisional_places
// AGAIN: "a" {address = {{[0-9]+}} : i64, buffer_index = 0 : i32
// AGAIN: "y" {address = 163840 : i64, buffer_index = 5 : i32, page_size = 4096 : i64} : !cb
// AGAIN: "z" {address = {{[0-9]+}} : i64, buffer_index = 1 : i32
// AGAIN-NOT: "acc"
// AGAIN: "tmp" {address = {{[0-9]+}} : i64, buffer_index = 2 : i32, compiler_made
// AGAIN-NOT: ttl.create_cb

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!b = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @again() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" {buffer_index = 5 : i32, address = 163840 : i64} : !cb
  %z = ttl.create_cb "z" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %a_blk = ttl.cb_reserve %a : !b
      ttl.cb_push %a_blk : !b
    }
    %z_blk = ttl.cb_wait %z : !b
    ttl.cb_pop %z_blk : !b
    %y_blk = ttl.cb_wait %y : !b
    ttl.cb_pop %y_blk : !b
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %y0 = ttl.block_fill %zero : !e
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %y0) -> (!e) {
      %a_blk = ttl.cb_wait %a : !b
      %p = ttl.block_matmul %a_blk, %a_blk acc %acc : (!b, !b, !e) -> !e
      ttl.cb_pop %a_blk : !b
      scf.yield %p : !e
    }
    %z_blk = ttl.cb_reserve %z : !b
    ttl.block_store %z_blk, %sum : !b, !e
    ttl.cb_push %z_blk : !b
    %one = arith.constant 1.0 : f32
    %ones = ttl.block_fill %one : !e
    %u = ttl.block_exp %ones : (!e) -> !e
    %m = ttl.block_matmul %u, %u : (!e, !e) -> !e
    %y_blk = ttl.cb_reserve %y : !b
    ttl.block_store %y_blk, %m : !b, !e
    ttl.cb_push %y_blk : !b
  }
}
