// RUN: ttl-opt %s --ttl-lower-compute | FileCheck %s

// An init is erased unless it is reached on some path with another setup.

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %s = ttl.create_cb "s" {buffer_index = 1 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  ttl.thread @nested on compute (%a, %s, %y) : !cb, !cb, !cb
}
ttl.program @k2() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %s = ttl.create_cb "s" {buffer_index = 1 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  ttl.thread @branch_in_loop on compute (%a, %s, %y) : !cb, !cb, !cb
}
ttl.program @k3() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %s = ttl.create_cb "s" {buffer_index = 1 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  ttl.thread @loop_in_branch on compute (%a, %s, %y) : !cb, !cb, !cb
}
ttl.program @k4() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %s = ttl.create_cb "s" {buffer_index = 1 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  ttl.thread @early_end on compute (%a, %s, %y) : !cb, !cb, !cb
}

ttl.program @k5() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %s = ttl.create_cb "s" {buffer_index = 1 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  ttl.thread @float32_places on compute (%a, %s, %y) : !cb, !cb, !cb
}

// Copies of two buffers with the same format share the setup of init_sfpu.
// CHECK-LABEL: func.func @nested
// CHECK: ttkernel.init_sfpu
// CHECK-NOT: copy_tile_init
// CHECK: exp_tile_init
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: ttkernel.copy_tile(
// CHECK-NEXT: ttkernel.copy_tile(
// CHECK-NEXT: ttkernel.exp_tile(
// CHECK-NOT: _init
// CHECK: return
func.func @nested(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a_blk = ttl.cb_wait %a : !block
  %s_blk = ttl.cb_wait %s : !block
  %y_blk = ttl.cb_reserve %y : !block
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %0 = ttl.get_tile %a_blk[%c0] {dst_idx = 0 : i32} : !block -> !t
      %1 = ttl.get_tile %s_blk[%c0] {dst_idx = 1 : i32} : !block -> !t
      %2 = ttl.tile_exp %0 {dst_idx = 0 : i32} : (!t) -> !t
      ttl.pack_tile %2, %y_blk[%c0] : !t, !block
    }
  }
  return
}

// The branch changes the SFPU's setup, so both the next iteration and the branch set it up.
// CHECK-LABEL: func.func @branch_in_loop
// CHECK: scf.for
// CHECK: ttkernel.exp_tile_init
// CHECK-NEXT: ttkernel.exp_tile(
// CHECK: scf.if
// CHECK: ttkernel.sqrt_tile_init
// CHECK-NEXT: ttkernel.sqrt_tile(
// CHECK: }
// CHECK: return
func.func @branch_in_loop(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a_blk = ttl.cb_wait %a : !block
  %y_blk = ttl.cb_reserve %y : !block
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = ttl.get_tile %a_blk[%c0] {dst_idx = 0 : i32} : !block -> !t
    %1 = ttl.tile_exp %0 {dst_idx = 0 : i32} : (!t) -> !t
    ttl.pack_tile %1, %y_blk[%c0] : !t, !block
    %odd = arith.cmpi eq, %i, %c1 : index
    scf.if %odd {
      %2 = ttl.get_tile %a_blk[%c1] {dst_idx = 0 : i32} : !block -> !t
      %3 = ttl.tile_sqrt %2 {dst_idx = 0 : i32} : (!t) -> !t
      ttl.pack_tile %3, %y_blk[%c1] : !t, !block
    }
  }
  return
}

// After the branch, the path determines the setup, so exp is set up again. A loop that runs
// at least once leaves its own setup.
// CHECK-LABEL: func.func @loop_in_branch
// CHECK: scf.if
// CHECK-NEXT: ttkernel.sqrt_tile_init
// CHECK-NEXT: scf.for
// CHECK-NOT: _init
// CHECK: ttkernel.sqrt_tile(
// CHECK: ttkernel.exp_tile_init
// CHECK-NEXT: ttkernel.exp_tile(
func.func @loop_in_branch(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = ttkernel.my_logical_x_ : () -> index
  %odd = arith.cmpi eq, %x, %c1 : index
  %a_blk = ttl.cb_wait %a : !block
  %y_blk = ttl.cb_reserve %y : !block
  scf.if %odd {
    scf.for %i = %c0 to %c4 step %c1 {
      %0 = ttl.get_tile %a_blk[%c0] {dst_idx = 0 : i32} : !block -> !t
      %1 = ttl.tile_sqrt %0 {dst_idx = 0 : i32} : (!t) -> !t
      ttl.pack_tile %1, %y_blk[%c0] : !t, !block
    }
  }
  %2 = ttl.get_tile %a_blk[%c1] {dst_idx = 0 : i32} : !block -> !t
  %3 = ttl.tile_exp %2 {dst_idx = 0 : i32} : (!t) -> !t
  ttl.pack_tile %3, %y_blk[%c1] : !t, !block
  return
}

// A while loop may end before its body runs.
// CHECK-LABEL: func.func @early_end
// CHECK: scf.while
// CHECK: } do {
// CHECK: ttkernel.exp_tile(
// CHECK: scf.yield
// CHECK: ttkernel.sqrt_tile_init
// CHECK-NEXT: ttkernel.sqrt_tile(
func.func @early_end(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a_blk = ttl.cb_wait %a : !block
  %y_blk = ttl.cb_reserve %y : !block
  %end = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %c4 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %0 = ttl.get_tile %a_blk[%c0] {dst_idx = 0 : i32} : !block -> !t
    %1 = ttl.tile_exp %0 {dst_idx = 0 : i32} : (!t) -> !t
    ttl.pack_tile %1, %y_blk[%c0] : !t, !block
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  %2 = ttl.get_tile %a_blk[%c1] {dst_idx = 0 : i32} : !block -> !t
  %3 = ttl.tile_sqrt %2 {dst_idx = 0 : i32} : (!t) -> !t
  ttl.pack_tile %3, %y_blk[%c1] : !t, !block
  return
}

// Copies bring float32 to DST, products bring it to SrcA as TF32: SrcA needs two formats. Each iteration
// ends with the format of copies.
// CHECK-LABEL: func.func @float32_places
// CHECK: ttkernel.init_sfpu
// CHECK: scf.for
// CHECK-NEXT: ttkernel.copy_tile(
// CHECK-NEXT: ttkernel.pack_tile(
// CHECK-NEXT: ttkernel.reconfig_data_format(
// CHECK-NEXT: ttkernel.mm_init_short(
// CHECK-NEXT: scf.for
// CHECK-NEXT: ttkernel.matmul_tiles(
// CHECK: scf.if
// CHECK-NEXT: ttkernel.reconfig_data_format_srca(
// CHECK-NEXT: ttkernel.copy_tile_init(
// CHECK: }
// CHECK-NEXT: ttkernel.reconfig_data_format_srca(
// CHECK-NEXT: ttkernel.copy_tile_init(
// CHECK-NOT: reconfig
// CHECK: return
func.func @float32_places(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a_blk = ttl.cb_wait %a : !block
  %s_blk = ttl.cb_wait %s : !block
  %y_blk = ttl.cb_reserve %y : !block
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = ttl.get_tile %a_blk[%c0] {dst_idx = 0 : i32} : !block -> !t
    ttl.pack_tile %0, %y_blk[%c0] : !t, !block
    scf.for %j = %c0 to %c4 step %c1 {
      %p = ttl.fresh_tile {dst_idx = 0 : i32} : !t
      ttl.matmul_tiles %a_blk[%c0], %s_blk[%c0] into %p : !block, !block, !t
      ttl.pack_tile %p, %y_blk[%c0] : !t, !block
    }
    %odd = arith.cmpi eq, %i, %c1 : index
    scf.if %odd {
      %1 = ttl.get_tile %s_blk[%c0] {dst_idx = 0 : i32} : !block -> !t
      ttl.pack_tile %1, %y_blk[%c0] : !t, !block
    }
    %2 = ttl.get_tile %a_blk[%c1] {dst_idx = 0 : i32} : !block -> !t
    ttl.pack_tile %2, %y_blk[%c0] : !t, !block
  }
  return
}
