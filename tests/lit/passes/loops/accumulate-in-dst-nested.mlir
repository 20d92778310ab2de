// RUN: ttl-opt %s --ttl-form-compute --ttl-expand-threads --ttl-infer-dst-requirements --ttl-assign-dst \
// RUN:   --ttl-lower-to-loops --ttl-unroll-compute-loops --ttl-accumulate-in-dst --ttl-insert-tile-regs-sync | FileCheck %s

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
