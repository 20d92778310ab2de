// RUN: ttl-opt %s --ttkernel-to-llvm | FileCheck %s
// RUN: ttl-opt %s --ttkernel-to-llvm=tile-loops=false | FileCheck %s --check-prefix=NOLOOPS

// A DST section without branches becomes a guard and loops over the elements of tiles. The device calls
// stay for the case that the guard fails.

!bf16 = !ttkernel.cb<4, !ttcore.tile<32x32, bf16>>
!f32 = !ttkernel.cb<4, !ttcore.tile<32x32, f32>>
!bfp8 = !ttkernel.cb<4, !ttcore.tile<32x32, bfp_bf8>>

// NOLOOPS-NOT: ttl_hw_enter_section
// NOLOOPS-NOT: ttl_lane_

// The guard's record: 10 calls, registers 0 and 1, two tiles of buffer 0's front in bfloat16 (5), and two
// packed tiles of buffer 1.
// CHECK: llvm.mlir.global internal constant @ttl_words_0(dense<[10, 2, 4, 0, 0, 5, 0, 0, 5, 1, 1, 5, 1, 1, 5]>

// CHECK-LABEL: llvm.func @tilesInALoop(
// CHECK:         llvm.call @ttl_jit_at(
// CHECK-NEXT:    %[[ENTERED:.*]] = llvm.call @ttl_hw_enter_section(
// CHECK:         %[[COND:.*]] = llvm.icmp "ne" %[[ENTERED]]
// CHECK-NEXT:    llvm.cond_br %[[COND]], ^[[LOOPS:.*]], ^[[CALLS:.*]]
// Two tiles with the same computation share a function.
// CHECK:       ^[[LOOPS]]:
// CHECK:         llvm.call @[[LOOP:ttl_tile_loop_0]](
// CHECK:         llvm.call @[[LOOP]](
// CHECK-NOT:     llvm.call
// CHECK:         llvm.br
// CHECK:       ^[[CALLS]]:
// CHECK:         llvm.call @ttl_hw_tile_regs_acquire(%{{.*}}) {no_inline}
// CHECK:         llvm.call @ttl_hw_copy_tile(
// CHECK:         llvm.call @ttl_hw_sfpu_unary(
// CHECK:         llvm.call @ttl_hw_pack_tile(
// CHECK:         llvm.call @ttl_hw_tile_regs_release(
// CHECK:         llvm.call @ttl_jit_step(
// NOLOOPS-LABEL: llvm.func @tilesInALoop(
// NOLOOPS:         llvm.call @ttl_jit_tile_exp(
func.func @tilesInALoop() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %in = ttkernel.get_compile_time_arg_val(0) : () -> !bf16
  %out = ttkernel.get_compile_time_arg_val(1) : () -> !bf16
  scf.for %i = %c0 to %c8 step %c1 {
    ttkernel.tile_regs_acquire() : () -> ()
    %index = arith.index_cast %i : index to i32
    ttkernel.copy_tile(%in, %index, %i0) : (!bf16, i32, i32) -> ()
    ttkernel.exp_tile_init() : () -> ()
    ttkernel.exp_tile(%i0) : (i32) -> ()
    %next = arith.addi %index, %i1 : i32
    ttkernel.copy_tile(%in, %next, %i1) : (!bf16, i32, i32) -> ()
    ttkernel.exp_tile(%i1) : (i32) -> ()
    ttkernel.tile_regs_commit() : () -> ()
    ttkernel.tile_regs_wait() : () -> ()
    ttkernel.pack_tile(%i0, %out, %index) : (i32, !bf16, i32) -> ()
    ttkernel.pack_tile(%i1, %out, %next) : (i32, !bf16, i32) -> ()
    ttkernel.tile_regs_release() : () -> ()
  }
  return
}

// A section with a branch, with a product, or with a block float keeps its calls.
// CHECK-LABEL: llvm.func @branch(
// CHECK-NOT:     ttl_hw_enter_section
// CHECK:         llvm.return
func.func @branch() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %yes = arith.constant true
  %in = ttkernel.get_compile_time_arg_val(0) : () -> !bf16
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.copy_tile(%in, %i0, %i0) : (!bf16, i32, i32) -> ()
  scf.if %yes {
    ttkernel.exp_tile(%i0) : (i32) -> ()
  }
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %in, %i0) : (i32, !bf16, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}

// CHECK-LABEL: llvm.func @product(
// CHECK-NOT:     ttl_hw_enter_section
// CHECK:         llvm.return
func.func @product() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %in = ttkernel.get_compile_time_arg_val(0) : () -> !bf16
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.matmul_tiles(%in, %in, %i0, %i0, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %in, %i0) : (i32, !bf16, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}

// CHECK-LABEL: llvm.func @blockFloats(
// CHECK-NOT:     ttl_hw_enter_section
// CHECK:         llvm.return
func.func @blockFloats() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %in = ttkernel.get_compile_time_arg_val(0) : () -> !bfp8
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.copy_tile(%in, %i0, %i0) : (!bfp8, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %in, %i0) : (i32, !bfp8, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}

// Reading a register that was not written is a fault at run time, so the calls stay.
// CHECK-LABEL: llvm.func @unwritten(
// CHECK-NOT:     ttl_hw_enter_section
// CHECK:         llvm.return
func.func @unwritten() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %in = ttkernel.get_compile_time_arg_val(0) : () -> !bf16
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.copy_tile(%in, %i0, %i0) : (!bf16, i32, i32) -> ()
  ttkernel.exp_tile(%i1) : (i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %in, %i0) : (i32, !bf16, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}

// A sum of the matrix engine. A broadcast makes loops over faces, rows and columns. Numbers are
// arguments of the function, so that sections with other numbers share it. The two tiles of the sum are
// also given as addresses to prefetch. Only some elements of a broadcast tile are read.
// CHECK-LABEL: llvm.func @broadcast(
// CHECK-SAME:    %[[THREAD:.*]]: !llvm.ptr)
// CHECK:         llvm.call @ttl_tile_loop_1({{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, f32, f32) -> ()
func.func @broadcast() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %two = arith.constant 2.0 : f32
  %in = ttkernel.get_compile_time_arg_val(0) : () -> !bf16
  %out = ttkernel.get_compile_time_arg_val(1) : () -> !f32
  %bits = ttkernel.get_common_arg_val(%i0) : (i32) -> i32
  %number = arith.bitcast %bits : i32 to f32
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.add_tiles(%in, %in, %i0, %i1, %i0) : (!bf16, !bf16, i32, i32, i32) -> ()
  ttkernel.unary_bcast(%in, %i0, %i1) {bcast_type = #ttkernel.bcast_type<col>} : (!bf16, i32, i32) -> ()
  ttkernel.mul_unary_tile(%i1, %two) : (i32, f32) -> ()
  ttkernel.add_unary_tile(%i1, %number) : (i32, f32) -> ()
  ttkernel.mul_binary_tile(%i0, %i1, %i0) : (i32, i32, i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %out, %i0) : (i32, !f32, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}

// A chain of functions with long bodies is split: a scratch tile of fp32 holds the value between them.
// CHECK-LABEL: llvm.func @chain(
// CHECK:         llvm.call @[[FIRST:ttl_tile_loop_2]](%{{.*}}, %{{.*}}, %{{.*}}) :
// CHECK:         llvm.call @[[SECOND:ttl_tile_loop_3]](%{{.*}}, %{{.*}}) :
func.func @chain() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i0 = arith.constant 0 : i32
  %in = ttkernel.get_compile_time_arg_val(0) : () -> !bf16
  %out = ttkernel.get_compile_time_arg_val(1) : () -> !bf16
  ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.copy_tile(%in, %i0, %i0) : (!bf16, i32, i32) -> ()
  ttkernel.tanh_tile(%i0) : (i32) -> ()
  ttkernel.gelu_tile(%i0) : (i32) -> ()
  ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  ttkernel.pack_tile(%i0, %out, %i0) : (i32, !bf16, i32) -> ()
  ttkernel.tile_regs_release() : () -> ()
  return
}

// The first loop has 16 chunks of 64 elements; for each, 2 cache lines of bfloat16 are prefetched.
// CHECK:       llvm.func internal @[[LOOP]](%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias}, %[[AHEAD:.*]]: !llvm.ptr)
// CHECK-COUNT-2: "llvm.intr.prefetch"
// CHECK-NOT:     "llvm.intr.prefetch"
// CHECK:         %[[X:.*]] = llvm.call @ttl_lane_load_5(
// CHECK-NEXT:    %[[Y:.*]] = llvm.call @ttl_lane_exp(%[[X]])
// CHECK:         llvm.call @ttl_lane_store_5(%{{.*}}, %[[Y]])
// CHECK:         llvm.cond_br %{{.*}} {loop_annotation

// CHECK:       llvm.func internal @ttl_tile_loop_1(
// CHECK-SAME:      %[[TWO:[^ ]*]]: f32, %[[NUMBER:[^ ]*]]: f32)
// CHECK:         %[[SUM:.*]] = llvm.call @ttl_lane_add(
// CHECK:         %[[INDEX:.*]] = llvm.call @ttl_lane_broadcast_index(
// CHECK:         llvm.getelementptr %{{.*}}[%[[INDEX]]]
// CHECK:         %[[SCALED:.*]] = llvm.call @ttl_lane_mul_unary(%{{.*}}, %[[TWO]])
// CHECK:         %[[SHIFTED:.*]] = llvm.call @ttl_lane_add_unary(%[[SCALED]], %[[NUMBER]])
// CHECK:         llvm.call @ttl_lane_mul(%[[SUM]], %[[SHIFTED]])

// CHECK:       llvm.func internal @[[FIRST]](
// CHECK:         %[[Y:.*]] = llvm.call @ttl_lane_tanh(
// CHECK:         llvm.store %[[Y]]
// CHECK:       llvm.func internal @[[SECOND]](
// CHECK:         %[[Y:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK:         llvm.call @ttl_lane_gelu(%[[Y]])
