// RUN: ttl-opt %s --ttkernel-to-llvm | FileCheck %s
// RUN: ttl-opt %s --ttkernel-to-llvm=tile-loops=false | FileCheck %s --check-prefix=CALLS

// Loops of DST sections that only multiply tiles record their products, which one call then computes.
// The calls of the loop stay for the case that the one call does nothing.

!bf16 = !ttkernel.cb<4, !ttcore.tile<32x32, bf16>>
!f32 = !ttkernel.cb<4, !ttcore.tile<32x32, f32>>

// CALLS-NOT: ttl_hw_begin_products
// CALLS-NOT: ttl_hw_add_products

// A section has 6 calls, and 8 products with a back-edge each. There are 6 sections, and back-edges of the
// other loops: (6 + 16) * 6 + 6 + 2. Two back-edges come after the last release. Register 1 is
// used.
// CHECK-DAG: llvm.mlir.global internal constant @ttl_words_0(dense<[140, 2, 2]>
// Factors are in buffers 0 and 1, 8 products, start values in buffer 2, results in buffer 3.
// CHECK-DAG: llvm.mlir.global internal constant @ttl_words_1(dense<[0, 1, 8, 2, 3]>

// CHECK-LABEL: llvm.func @block(
// CHECK:         %[[INDICES:.*]] = llvm.alloca %{{.*}} x i32
// CHECK:         %[[BEGUN:.*]] = llvm.call @ttl_hw_begin_products(
// CHECK:         %[[COND:.*]] = llvm.icmp "ne" %[[BEGUN]]
// CHECK:         llvm.cond_br %[[COND]]
// Loops over the block's sections, without the loop over products and without steps.
// CHECK-NOT:     llvm.call @ttl_jit_step(
// CHECK:         llvm.call @ttl_hw_add_products(%{{.*}}, %{{.*}}, %{{.*}}, %[[INDICES]])
// CHECK-NOT:     llvm.call @ttl_jit_step(
// CHECK:         %[[DONE:.*]] = llvm.call @ttl_hw_run_products(
// CHECK:         llvm.icmp "ne" %[[DONE]]
// CHECK:         llvm.call @ttl_hw_tile_regs_acquire(%{{.*}}) {no_inline}
// CHECK:         llvm.call @ttl_hw_copy_tile(
// CHECK:         llvm.call @ttl_hw_matmul_tiles(
// CHECK:         llvm.call @ttl_jit_step(
// CHECK:         llvm.call @ttl_hw_pack_tile(
// CHECK:         llvm.call @ttl_hw_tile_regs_release(
// CHECK:         llvm.call @ttl_jit_step(
// CHECK:         llvm.call @ttl_jit_step(
// CHECK:         llvm.return
func.func @block() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !bf16
  %b = ttkernel.get_compile_time_arg_val(1) : () -> !bf16
  %old = ttkernel.get_compile_time_arg_val(2) : () -> !f32
  %new = ttkernel.get_compile_time_arg_val(3) : () -> !f32
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      ttkernel.tile_regs_acquire() : () -> ()
      %row = arith.muli %i, %c3 : index
      %number = arith.addi %row, %j : index
      %at = arith.index_cast %number : index to i32
      ttkernel.copy_tile_init(%old) : (!f32) -> ()
      ttkernel.copy_tile(%old, %at, %i1) : (!f32, i32, i32) -> ()
      ttkernel.mm_init_short(%a, %b) : (!bf16, !bf16) -> ()
      scf.for %k = %c0 to %c8 step %c1 {
        %ai = arith.muli %i, %c8 : index
        %aik = arith.addi %ai, %k : index
        %left = arith.index_cast %aik : index to i32
        %bk = arith.muli %k, %c3 : index
        %bkj = arith.addi %bk, %j : index
        %right = arith.index_cast %bkj : index to i32
        ttkernel.matmul_tiles(%a, %b, %left, %right, %i1) : (!bf16, !bf16, i32, i32, i32) -> ()
      }
      ttkernel.tile_regs_commit() : () -> ()
      ttkernel.tile_regs_wait() : () -> ()
      ttkernel.pack_tile(%i1, %new, %at) : (i32, !f32, i32) -> ()
      ttkernel.tile_regs_release() : () -> ()
    }
  }
  return
}

// One section has two chains of products, one of them without a start value; its index is used later.
// CHECK-LABEL: llvm.func @oneSection(
// CHECK:         llvm.call @ttl_hw_begin_products(
// CHECK:         llvm.call @ttl_hw_add_products(
// CHECK:         llvm.call @ttl_hw_run_products(
// CHECK:         llvm.call @ttl_hw_cb_push_back(
func.func @oneSection() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !bf16
  %new = ttkernel.get_compile_time_arg_val(3) : () -> !f32
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.matmul_tiles(%a, %a, %i0, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
  %next = arith.addi %i1, %i1 : i32
  ttkernel.copy_tile(%a, %i1, %i1) : (!bf16, i32, i32) -> ()
  ttkernel.matmul_tiles(%a, %a, %i1, %next, %i1) : (!bf16, !bf16, i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %new, %i0) : (i32, !f32, i32) -> ()
  ttkernel.pack_tile(%i1, %new, %i1) : (i32, !f32, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  ttkernel.cb_push_back(%new, %next) : (!f32, i32) -> ()
  return
}

// In a loop that waits, in a branch and in a while loop, the loops over the block are still one nest.
// CHECK-LABEL: llvm.func @controlFlow(
// CHECK-COUNT-3: llvm.call @ttl_hw_begin_products(
// CHECK-NOT:     llvm.call @ttl_hw_begin_products(
// CHECK:         llvm.return
func.func @controlFlow() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %yes = arith.constant true
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !bf16
  scf.for %n = %c0 to %c2 step %c1 {
    ttkernel.cb_wait_front(%a, %i1) : (!bf16, i32) -> ()
    scf.for %i = %c0 to %c2 step %c1 {
      %at = arith.index_cast %i : index to i32
      ttkernel.tile_regs_acquire() : () -> ()
      ttkernel.matmul_tiles(%a, %a, %at, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
      ttkernel.tile_regs_commit() : () -> ()
      ttkernel.tile_regs_wait() : () -> ()
      ttkernel.pack_tile(%i0, %a, %at) : (i32, !bf16, i32) -> ()
      ttkernel.tile_regs_release() : () -> ()
    }
    scf.if %yes {
      scf.for %i = %c0 to %c2 step %c1 {
        %at = arith.index_cast %i : index to i32
        ttkernel.tile_regs_acquire() : () -> ()
        ttkernel.matmul_tiles(%a, %a, %at, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
        ttkernel.tile_regs_commit() : () -> ()
        ttkernel.tile_regs_wait() : () -> ()
        ttkernel.pack_tile(%i0, %a, %at) : (i32, !bf16, i32) -> ()
        ttkernel.tile_regs_release() : () -> ()
      }
    }
  }
  scf.while : () -> () {
    scf.condition(%yes)
  } do {
    scf.for %i = %c0 to %c2 step %c1 {
      %at = arith.index_cast %i : index to i32
      ttkernel.tile_regs_acquire() : () -> ()
      ttkernel.matmul_tiles(%a, %a, %at, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
      ttkernel.tile_regs_commit() : () -> ()
      ttkernel.tile_regs_wait() : () -> ()
      ttkernel.pack_tile(%i0, %a, %at) : (i32, !bf16, i32) -> ()
      ttkernel.tile_regs_release() : () -> ()
    }
    scf.yield
  }
  return
}

// These keep their calls: a branch in the loop, a loop with unknown bounds, an index that does
// not grow evenly, another operation in the section, a register that is not packed, products of
// two pairs of buffers in one register, a register that is not constant, one product only, too many
// products.
// CHECK-LABEL: llvm.func @kept(
// CHECK-NOT:     ttl_hw_begin_products
// CHECK:         llvm.return
func.func @kept() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %yes = arith.constant true
  %a = ttkernel.get_compile_time_arg_val(0) : () -> !bf16
  %x = ttkernel.my_logical_x_ : () -> index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.if %yes {
      ttkernel.tile_regs_acquire() : () -> ()
      ttkernel.matmul_tiles(%a, %a, %i0, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
      ttkernel.tile_regs_commit() : () -> ()
      ttkernel.tile_regs_wait() : () -> ()
      ttkernel.pack_tile(%i0, %a, %i0) : (i32, !bf16, i32) -> ()
      ttkernel.tile_regs_release() : () -> ()
    }
  }
  ttkernel.tile_regs_acquire() : () -> ()
  scf.for %k = %c0 to %x step %c1 {
    %at = arith.index_cast %k : index to i32
    ttkernel.matmul_tiles(%a, %a, %at, %at, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
  }
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %a, %i0) : (i32, !bf16, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  scf.for %k = %c0 to %c2 step %c1 {
    %square = arith.muli %k, %k : index
    %at = arith.index_cast %square : index to i32
    ttkernel.matmul_tiles(%a, %a, %at, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
  }
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %a, %i0) : (i32, !bf16, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  scf.for %k = %c0 to %c2 step %c1 {
    %at = arith.index_cast %k : index to i32
    ttkernel.tile_regs_acquire() : () -> ()
    ttkernel.matmul_tiles(%a, %a, %at, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
    ttkernel.relu_tile(%i0) : (i32) -> ()
    ttkernel.tile_regs_commit() : () -> ()
    ttkernel.tile_regs_wait() : () -> ()
    ttkernel.pack_tile(%i0, %a, %at) : (i32, !bf16, i32) -> ()
    ttkernel.tile_regs_release() : () -> ()
  }
  scf.for %k = %c0 to %c2 step %c1 {
    %at = arith.index_cast %k : index to i32
    ttkernel.tile_regs_acquire() : () -> ()
    ttkernel.matmul_tiles(%a, %a, %at, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
    ttkernel.matmul_tiles(%a, %a, %at, %i0, %i1) : (!bf16, !bf16, i32, i32, i32) -> ()
    ttkernel.tile_regs_commit() : () -> ()
    ttkernel.tile_regs_wait() : () -> ()
    ttkernel.pack_tile(%i0, %a, %at) : (i32, !bf16, i32) -> ()
    ttkernel.tile_regs_release() : () -> ()
  }
  scf.for %k = %c0 to %c2 step %c1 {
    %at = arith.index_cast %k : index to i32
    ttkernel.tile_regs_acquire() : () -> ()
    ttkernel.matmul_tiles(%a, %a, %at, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
    ttkernel.matmul_tiles(%a, %a, %at, %i1, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
    ttkernel.tile_regs_commit() : () -> ()
    ttkernel.tile_regs_wait() : () -> ()
    ttkernel.pack_tile(%i0, %a, %at) : (i32, !bf16, i32) -> ()
    ttkernel.tile_regs_release() : () -> ()
  }
  scf.for %k = %c0 to %c2 step %c1 {
    %at = arith.index_cast %k : index to i32
    ttkernel.tile_regs_acquire() : () -> ()
    ttkernel.matmul_tiles(%a, %a, %i0, %i0, %at) : (!bf16, !bf16, i32, i32, i32) -> ()
    ttkernel.tile_regs_commit() : () -> ()
    ttkernel.tile_regs_wait() : () -> ()
    ttkernel.pack_tile(%at, %a, %i0) : (i32, !bf16, i32) -> ()
    ttkernel.tile_regs_release() : () -> ()
  }
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.matmul_tiles(%a, %a, %i0, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %a, %i0) : (i32, !bf16, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  %least = arith.constant -9223372036854775808 : index
  %most = arith.constant 9223372036854775807 : index
  ttkernel.tile_regs_acquire() : () -> ()
  scf.for %k = %least to %most step %c1 {
    ttkernel.matmul_tiles(%a, %a, %i0, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
  }
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %a, %i0) : (i32, !bf16, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}
