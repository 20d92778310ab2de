// RUN: ttl-opt %s --ttl-form-compute --ttl-expand-threads --ttl-infer-dst-requirements --ttl-assign-dst \
// RUN:   --ttl-lower-to-loops --ttl-unroll-compute-loops --ttl-accumulate-in-dst --ttl-insert-tile-regs-sync | FileCheck %s
// RUN: ttl-opt %s --ttl-form-compute --ttl-expand-threads --ttl-infer-dst-requirements --ttl-assign-dst \
// RUN:   --ttl-lower-to-loops --ttl-unroll-compute-loops --ttl-accumulate-in-dst --canonicalize \
// RUN:   --ttl-insert-tile-regs-sync | FileCheck %s

// Two loops carry one value in one register; nothing is packed between the loops.
// CHECK-LABEL: ttl.program @nested
// CHECK-NOT: compiler_made
// CHECK-LABEL: func.func @nested__compute
// CHECK: ttkernel.tile_regs_acquire()
// CHECK-NEXT: ttl.tile_fill %{{.+}} {dst_idx = 0 : i32}
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[SUM:.+]] = ttl.dst_tile {dst_idx = 0 : i32}
// CHECK-NEXT: %[[A:.+]] = ttl.get_tile %{{.+}}[%c0] {dst_idx = 1 : i32}
// CHECK-NEXT: ttl.tile_add %[[SUM]], %[[A]] {dst_idx = 0 : i32}
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: ttl.cb_reserve
// CHECK-NEXT: %[[RESULT:.+]] = ttl.dst_tile {dst_idx = 0 : i32}
// CHECK-NEXT: ttkernel.tile_regs_commit()
// CHECK-NEXT: ttkernel.tile_regs_wait()
// CHECK-NEXT: ttl.pack_tile %[[RESULT]]
// CHECK-NEXT: ttkernel.tile_regs_release()

// The outer loop carries no value, so each of its iterations is a section.
// CHECK-LABEL: ttl.program @inner_only
// CHECK-NOT: compiler_made
// CHECK-LABEL: func.func @inner_only__compute
// CHECK: scf.for
// CHECK-NEXT: ttkernel.tile_regs_acquire()
// CHECK: ttl.tile_exp %{{.+}} {dst_idx = 0 : i32}
// CHECK-NEXT: scf.for
// CHECK-NEXT: ttl.dst_tile {dst_idx = 0 : i32}
// CHECK: ttl.tile_add %{{.+}}, %{{.+}} {dst_idx = 0 : i32}
// CHECK: ttl.dst_tile {dst_idx = 0 : i32}
// CHECK-NEXT: ttkernel.tile_regs_commit()
// CHECK: ttkernel.tile_regs_release()

// The second loop continues with the value that the first one returns.
// CHECK-LABEL: ttl.program @one_after_another
// CHECK-NOT: compiler_made
// CHECK-LABEL: func.func @one_after_another__compute
// CHECK: ttkernel.tile_regs_acquire()
// CHECK: ttl.tile_exp %{{.+}} {dst_idx = 0 : i32}
// CHECK-NEXT: scf.for
// CHECK: ttl.tile_add %{{.+}}, %{{.+}} {dst_idx = 0 : i32}
// CHECK: scf.for
// CHECK-NEXT: ttl.dst_tile {dst_idx = 0 : i32}
// CHECK: ttl.tile_mul %{{.+}}, %{{.+}} {dst_idx = 0 : i32}
// CHECK: ttkernel.tile_regs_commit()
// CHECK-NOT: tile_regs_acquire

// Two values change places in each iteration: the next %s is kept in a third register until the old
// value was read.
// CHECK-LABEL: ttl.program @swapped
// CHECK-NOT: compiler_made
// CHECK-LABEL: func.func @swapped__compute
// CHECK: scf.for
// CHECK-NEXT: %[[T:.+]] = ttl.dst_tile {dst_idx = [[SECOND:[0-9]]] : i32}
// CHECK-NEXT: ttl.copy_dest_values %[[T]] {dst_idx = [[THIRD:[0-9]]] : i32}
// CHECK-NEXT: %[[S:.+]] = ttl.dst_tile {dst_idx = [[FIRST:[0-9]]] : i32}
// CHECK-NEXT: %[[A:.+]] = ttl.get_tile
// CHECK-NEXT: ttl.tile_add %[[S]], %[[A]] {dst_idx = [[SECOND]] : i32}
// CHECK-NEXT: %[[NEXT:.+]] = ttl.dst_tile {dst_idx = [[THIRD]] : i32}
// CHECK-NEXT: ttl.copy_dest_values %[[NEXT]] {dst_idx = [[FIRST]] : i32}
// CHECK-NEXT: }

!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[1, 1], !t, 2>
!b = !ttl.block<tensor<1x1x!t>, !cb>
!e = tensor<1x1x!t>

ttl.kernel @nested() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %y0 = ttl.block_fill %zero : !e
    %a = ttl.cb_wait %a_dfb : !b
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%outer = %y0) -> (!e) {
      %part = scf.for %j = %c0 to %c4 step %c1 iter_args(%inner = %outer) -> (!e) {
        %p = ttl.block_add %inner, %a : (!e, !b) -> !e
        scf.yield %p : !e
      }
      scf.yield %part : !e
    }
    %y = ttl.cb_reserve %y_dfb : !b
    ttl.block_store %y, %sum : !b, !e
    ttl.cb_push %y : !b
    ttl.cb_pop %a : !b
  }
}

ttl.kernel @inner_only() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = ttl.cb_wait %a_dfb : !b
    scf.for %i = %c0 to %c4 step %c1 {
      %start = ttl.block_exp %a : (!b) -> !e
      %part = scf.for %j = %c0 to %c4 step %c1 iter_args(%inner = %start) -> (!e) {
        %p = ttl.block_add %inner, %a : (!e, !b) -> !e
        scf.yield %p : !e
      }
      %y = ttl.cb_reserve %y_dfb : !b
      ttl.block_store %y, %part : !b, !e
      ttl.cb_push %y : !b
    }
    ttl.cb_pop %a : !b
  }
}

ttl.kernel @one_after_another() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = ttl.cb_wait %a_dfb : !b
    %start = ttl.block_exp %a : (!b) -> !e
    %first = scf.for %j = %c0 to %c4 step %c1 iter_args(%sum = %start) -> (!e) {
      %p = ttl.block_add %sum, %a : (!e, !b) -> !e
      scf.yield %p : !e
    }
    %second = scf.for %j = %c0 to %c4 step %c1 iter_args(%product = %first) -> (!e) {
      %p = ttl.block_mul %product, %a : (!e, !b) -> !e
      scf.yield %p : !e
    }
    %y = ttl.cb_reserve %y_dfb : !b
    ttl.block_store %y, %second : !b, !e
    ttl.cb_push %y : !b
    ttl.cb_pop %a : !b
  }
}

ttl.kernel @swapped() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true, dst_full_sync_en = true>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = ttl.cb_wait %a_dfb : !b
    %x = ttl.block_exp %a : (!b) -> !e
    %z = ttl.block_abs %a : (!b) -> !e
    %r:2 = scf.for %j = %c0 to %c4 step %c1 iter_args(%s = %x, %t = %z) -> (!e, !e) {
      %p = ttl.block_add %s, %a : (!e, !b) -> !e
      scf.yield %t, %p : !e, !e
    }
    %difference = ttl.block_sub %r#0, %r#1 : (!e, !e) -> !e
    %y = ttl.cb_reserve %y_dfb : !b
    ttl.block_store %y, %difference : !b, !e
    ttl.cb_push %y : !b
    ttl.cb_pop %a : !b
  }
}
