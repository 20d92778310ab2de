// RUN: ttl-opt %s --ttl-merge-allocation-groups | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// Both threads use the buffers one after the other. A group with one buffer is not a group.
// CHECK-LABEL: ttl.kernel @one_after_the_other
// CHECK: %[[AB:.+]] = ttl.create_cb "a/b" : !cb
// CHECK-NEXT: %[[C:.+]] = ttl.create_cb "c" : !cb
// CHECK: ttl.cb_reserve %[[AB]]
// CHECK: ttl.cb_reserve %[[AB]]
// CHECK: ttl.cb_wait %[[AB]]
// CHECK: ttl.cb_wait %[[AB]]
ttl.kernel @one_after_the_other() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  %c = ttl.create_cb "c" {ttl.allocation_group = 2 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %x = ttl.cb_reserve %a : !block
      ttl.cb_push %x : !block
    }
    %y = ttl.cb_reserve %b : !block
    ttl.cb_push %y : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %x = ttl.cb_wait %a : !block
      %y = ttl.cb_wait %a : !block
      ttl.cb_pop %x : !block
      ttl.cb_pop %y : !block
    }
    %z = ttl.cb_wait %b : !block
    ttl.cb_pop %z : !block
  }
}

// The buffers are used in each iteration of loops whose trip count is not known.
// CHECK-LABEL: ttl.kernel @in_each_iteration
// CHECK: ttl.create_cb "a/b" : !cb
// CHECK-NOT: ttl.create_cb
ttl.kernel @in_each_iteration() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n, %m = ttl.core {dims = 2} : index, index
    scf.for %i = %c0 to %n step %c1 {
      %x = ttl.cb_reserve %a : !block
      ttl.cb_push %x : !block
      %y = ttl.cb_reserve %b : !block
      ttl.cb_push %y : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n, %m = ttl.core {dims = 2} : index, index
    scf.for %i = %c0 to %n step %c1 {
      %x = ttl.cb_wait %a : !block
      ttl.cb_pop %x : !block
      %y = ttl.cb_wait %b : !block
      ttl.cb_pop %y : !block
    }
  }
}

// Each path through the branch pushes one block.
// CHECK-LABEL: ttl.kernel @on_each_path
// CHECK: ttl.create_cb "a/b" : !cb
// CHECK-NOT: ttl.create_cb
ttl.kernel @on_each_path() attributes {grid = #ttcore.grid<2x1>} {
  %a = ttl.create_cb "a" {ttl.allocation_group = 1 : i32} : !cb
  %b = ttl.create_cb "b" {ttl.allocation_group = 1 : i32} : !cb
  ttl.datamovement_thread "reader" {
    %n, %m = ttl.core {dims = 2} : index, index
    %equal = arith.cmpi eq, %n, %m : index
    scf.if %equal {
      %x = ttl.cb_reserve %a : !block
      ttl.cb_push %x : !block
    } else {
      %x = ttl.cb_reserve %a : !block
      ttl.cb_push %x : !block
    }
    %y = ttl.cb_reserve %b : !block
    ttl.cb_push %y : !block
  }
  ttl.datamovement_thread "writer" {
    %x = ttl.cb_wait %a : !block
    ttl.cb_pop %x : !block
    %y = ttl.cb_wait %b : !block
    ttl.cb_pop %y : !block
  }
}
