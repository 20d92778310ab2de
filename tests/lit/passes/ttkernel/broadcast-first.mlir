// RUN: ttl-opt %s --ttl-lower-compute | FileCheck %s

// A broadcast's init resets the kernel's half of DST. So broadcasts are first in their sections, and their
// init is before tile_regs_acquire.

!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!t = !ttcore.tile<32x32, f32>

ttl.program @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %s = ttl.create_cb "s" {buffer_index = 1 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  ttl.thread @section on compute (%a, %s, %y) : !cb, !cb, !cb
}
ttl.program @k3() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %s = ttl.create_cb "s" {buffer_index = 1 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  ttl.thread @computed on compute (%a, %s, %y) : !cb, !cb, !cb
}
ttl.program @k2() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %s = ttl.create_cb "s" {buffer_index = 1 : i32} : !cb
  %y = ttl.create_cb "y" {buffer_index = 2 : i32} : !cb
  ttl.thread @waits on compute (%a, %s, %y) : !cb, !cb, !cb
}

// The section's second broadcast would compute the tile that register 1 still has, so it is erased.
// CHECK-LABEL: func.func @section
// CHECK: scf.for
// CHECK: ttkernel.unary_bcast_init(
// CHECK-NEXT: ttkernel.tile_regs_acquire()
// CHECK-NEXT: ttkernel.unary_bcast(%{{.+}}, %c0_i32, %c1_i32)
// CHECK-NEXT: ttkernel.unary_bcast_uninit(
// CHECK-NEXT: ttkernel.copy_tile_init(
// CHECK-NEXT: ttkernel.sub_binary_tile_init()
// CHECK-NEXT: ttkernel.copy_tile(%{{.+}}, %c0_i32, %c0_i32)
// CHECK-NEXT: ttkernel.sub_binary_tile(%c0_i32, %c1_i32, %c2_i32)
// CHECK-NEXT: ttkernel.copy_tile(%{{.+}}, %c1_i32, %c0_i32)
// CHECK-NEXT: ttkernel.sub_binary_tile(%c0_i32, %c1_i32, %c3_i32)
// CHECK-NEXT: ttkernel.tile_regs_commit()
func.func @section(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a_blk = ttl.cb_wait %a : !block
  %s_blk = ttl.cb_wait %s : !block
  %y_blk = ttl.cb_reserve %y : !block
  scf.for %i = %c0 to %c4 step %c1 {
    ttkernel.tile_regs_acquire() : () -> ()
    %0 = ttl.get_tile %a_blk[%c0] {dst_idx = 0 : i32} : !block -> !t
    %1 = ttl.bcast_tile %s_blk[%c0] {dims = array<i64: 1>, dst_idx = 1 : i32} : !block -> !t
    %2 = ttl.tile_sub %0, %1 {dst_idx = 2 : i32} : (!t, !t) -> !t
    %3 = ttl.get_tile %a_blk[%c1] {dst_idx = 0 : i32} : !block -> !t
    %4 = ttl.bcast_tile %s_blk[%c0] {dims = array<i64: 1>, dst_idx = 1 : i32} : !block -> !t
    %5 = ttl.tile_sub %3, %4 {dst_idx = 3 : i32} : (!t, !t) -> !t
    ttkernel.tile_regs_commit() : () -> ()
    ttkernel.tile_regs_wait() : () -> ()
    ttl.pack_tile %2, %y_blk[%c0] : !t, !block
    ttl.pack_tile %5, %y_blk[%c1] : !t, !block
    ttkernel.tile_regs_release() : () -> ()
  }
  return
}

// The tile number of the broadcast is computed before the section.
// CHECK-LABEL: func.func @computed
// CHECK: %[[NUMBER:.+]] = arith.index_cast %{{.+}} : index to i32
// CHECK: ttkernel.unary_bcast_init(
// CHECK-NEXT: ttkernel.tile_regs_acquire()
// CHECK-NEXT: ttkernel.unary_bcast(%{{.+}}, %{{.+}}, %c1_i32)
// CHECK: ttkernel.copy_tile(
func.func @computed(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a_blk = ttl.cb_wait %a : !block
  %s_blk = ttl.cb_wait %s : !block
  %y_blk = ttl.cb_reserve %y : !block
  scf.for %i = %c0 to %c1 step %c1 {
    ttkernel.tile_regs_acquire() : () -> ()
    %next = arith.addi %i, %c1 : index
    %0 = ttl.get_tile %a_blk[%next] {dst_idx = 0 : i32} : !block -> !t
    %1 = ttl.bcast_tile %s_blk[%next] {dims = array<i64: 1>, dst_idx = 1 : i32} : !block -> !t
    %2 = ttl.tile_sub %0, %1 {dst_idx = 2 : i32} : (!t, !t) -> !t
    ttkernel.tile_regs_commit() : () -> ()
    ttkernel.tile_regs_wait() : () -> ()
    ttl.pack_tile %2, %y_blk[%c0] : !t, !block
    ttkernel.tile_regs_release() : () -> ()
  }
  return
}

// The section waits for a block inside, so the broadcast cannot read the block before.
// CHECK-LABEL: func.func @waits
// CHECK: ttkernel.tile_regs_acquire()
// CHECK: ttkernel.copy_tile(
// CHECK: ttl.cb_wait
// CHECK: ttkernel.unary_bcast_init(
// CHECK-NEXT: ttkernel.unary_bcast(
func.func @waits(%a: !cb, %s: !cb, %y: !cb) {
  %c0 = arith.constant 0 : index
  %a_blk = ttl.cb_wait %a : !block
  %y_blk = ttl.cb_reserve %y : !block
  ttkernel.tile_regs_acquire() : () -> ()
  %0 = ttl.get_tile %a_blk[%c0] {dst_idx = 0 : i32} : !block -> !t
  %s_blk = ttl.cb_wait %s : !block
  %1 = ttl.bcast_tile %s_blk[%c0] {dims = array<i64: 1>, dst_idx = 1 : i32} : !block -> !t
  %2 = ttl.tile_sub %0, %1 {dst_idx = 2 : i32} : (!t, !t) -> !t
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttl.pack_tile %2, %y_blk[%c0] : !t, !block
  ttkernel.tile_regs_release() : () -> ()
  return
}
