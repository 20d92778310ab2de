// RUN: ttl-opt %s --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: ttl-opt %s --loop-invariant-code-motion --split-input-file | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: ttl-opt %s --canonicalize --split-input-file | FileCheck %s --check-prefixes=CHECK,DCE

// How upstream passes may change calls of the device API. Calls stay where they are and are not merged.
// Ops that compute arguments, addresses and coordinates are pure.

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, f32>>

// CHECK-LABEL: func.func @compute
func.func @compute(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = arith.constant 0 : i32
  // DCE-NOT: ttkernel.get_compile_time_arg_val(5)
  %dead = ttkernel.get_compile_time_arg_val(5) : () -> !cb
  // CSE: ttkernel.get_compile_time_arg_val(3)
  // CSE-NOT: ttkernel.get_compile_time_arg_val(3)
  %cb = ttkernel.get_compile_time_arg_val(3) : () -> !cb
  %cb1 = ttkernel.get_compile_time_arg_val(3) : () -> !cb
  // CHECK: ttkernel.cb_wait_front
  // CHECK-NEXT: ttkernel.cb_wait_front
  ttkernel.cb_wait_front(%cb, %i) : (!cb, i32) -> ()
  ttkernel.cb_wait_front(%cb1, %i) : (!cb, i32) -> ()
  // LICM: ttkernel.get_compile_time_arg_val(4)
  // CHECK: scf.for
  scf.for %j = %c0 to %n step %c1 {
    %y = ttkernel.get_compile_time_arg_val(4) : () -> !cb
    // CHECK: ttkernel.tile_regs_acquire
    ttkernel.tile_regs_acquire() : () -> ()
    // CHECK-NEXT: ttkernel.copy_tile_init
    // CHECK-NEXT: ttkernel.copy_tile_init
    ttkernel.copy_tile_init(%cb) : (!cb) -> ()
    ttkernel.copy_tile_init(%cb) : (!cb) -> ()
    // CHECK-NEXT: ttkernel.copy_tile(
    // CHECK-NEXT: ttkernel.copy_tile(
    ttkernel.copy_tile(%cb, %i, %i) : (!cb, i32, i32) -> ()
    ttkernel.copy_tile(%cb, %i, %i) : (!cb, i32, i32) -> ()
    // CHECK-NEXT: ttkernel.matmul_tiles
    // CHECK-NEXT: ttkernel.matmul_tiles
    ttkernel.matmul_tiles(%cb, %cb, %i, %i, %i) : (!cb, !cb, i32, i32, i32) -> ()
    ttkernel.matmul_tiles(%cb, %cb, %i, %i, %i) : (!cb, !cb, i32, i32, i32) -> ()
    // CHECK-NEXT: ttkernel.exp_tile_init
    // CHECK-NEXT: ttkernel.exp_tile(
    // CHECK-NEXT: ttkernel.exp_tile(
    ttkernel.exp_tile_init() : () -> ()
    ttkernel.exp_tile(%i) : (i32) -> ()
    ttkernel.exp_tile(%i) : (i32) -> ()
    // CHECK-NEXT: ttkernel.pack_tile
    // CHECK-NEXT: ttkernel.pack_tile
    ttkernel.pack_tile(%i, %y, %i) : (i32, !cb, i32) -> ()
    ttkernel.pack_tile(%i, %y, %i) : (i32, !cb, i32) -> ()
    // CHECK-NEXT: ttkernel.tile_regs_release
    ttkernel.tile_regs_release() : () -> ()
  }
  // CHECK: ttkernel.cb_pop_front
  // CHECK-NEXT: ttkernel.cb_pop_front
  ttkernel.cb_pop_front(%cb, %i) : (!cb, i32) -> ()
  ttkernel.cb_pop_front(%cb, %i) : (!cb, i32) -> ()
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

// CHECK-LABEL: func.func @transfers
func.func @transfers(%n: index, %id: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = arith.constant 0 : i32
  // DCE-NOT: ttkernel.get_arg_val
  %dead = ttkernel.get_arg_val(%i) : (i32) -> i32
  // CSE: ttkernel.get_common_arg_val
  // CSE-NOT: ttkernel.get_common_arg_val
  %base = ttkernel.get_common_arg_val(%i) : (i32) -> i32
  %again = ttkernel.get_common_arg_val(%i) : (i32) -> i32
  %args = ttkernel.TensorAccessorArgs {cta_offset = 0 : i32, crta_offset = 0 : i32, tensor_type = !tensor} : () -> !ttkernel.TensorAccessorArgs
  // CHECK: ttkernel.TensorAccessor(
  // CHECK-NEXT: ttkernel.TensorAccessor(
  %t = ttkernel.TensorAccessor(%args, %base, %i) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  %u = ttkernel.TensorAccessor(%args, %again, %i) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  // LICM: ttkernel.convert_logical_x_to_translated
  // LICM: ttkernel.get_noc_addr
  // CHECK: scf.for
  scf.for %j = %c0 to %n step %c1 {
    %x = ttkernel.convert_logical_x_to_translated(%i) : (i32) -> i32
    %a = ttkernel.get_noc_addr(%x, %x, %i) : (i32, i32, i32) -> !ttkernel.noc_addr
    // CHECK: ttkernel.noc_async_read_set_trid
    // CHECK-NEXT: ttkernel.noc_async_read_set_trid
    ttkernel.noc_async_read_set_trid(%id) : (i32) -> ()
    ttkernel.noc_async_read_set_trid(%id) : (i32) -> ()
    // CHECK-NEXT: ttkernel.noc_async_read_page
    // CHECK-NEXT: ttkernel.noc_async_read_page
    ttkernel.noc_async_read_page(%i, %t, %i) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    ttkernel.noc_async_read_page(%i, %t, %i) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    // CHECK-NEXT: ttkernel.noc_async_read_barrier_with_trid
    // CHECK-NEXT: ttkernel.noc_async_read_barrier_with_trid
    ttkernel.noc_async_read_barrier_with_trid(%id) : (i32) -> ()
    ttkernel.noc_async_read_barrier_with_trid(%id) : (i32) -> ()
    // CHECK-NEXT: ttkernel.noc_async_write(
    // CHECK-NEXT: ttkernel.noc_async_write(
    ttkernel.noc_async_write(%i, %a, %i) : (i32, !ttkernel.noc_addr, i32) -> ()
    ttkernel.noc_async_write(%i, %a, %i) : (i32, !ttkernel.noc_addr, i32) -> ()
    // CHECK-NEXT: ttkernel.noc_async_writes_flushed
    // CHECK-NEXT: ttkernel.noc_async_writes_flushed
    ttkernel.noc_async_writes_flushed() : () -> ()
    ttkernel.noc_async_writes_flushed() : () -> ()
  }
  return
}

// -----

// A word in L1 is read each time, because other nodes write it.
// CHECK-LABEL: func.func @semaphores
func.func @semaphores(%n: index, %there: !ttkernel.noc_addr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = arith.constant 0 : i32
  // LICM: ttkernel.get_semaphore
  // CHECK: scf.for
  // CSE: ttkernel.get_semaphore
  // CSE-NOT: ttkernel.get_semaphore
  scf.for %j = %c0 to %n step %c1 {
    %s = ttkernel.get_semaphore(%i) : (i32) -> i32
    %r = ttkernel.get_semaphore(%i) : (i32) -> i32
    // CHECK: ttkernel.load_from_l1
    // CHECK-NEXT: ttkernel.load_from_l1
    %v = ttkernel.load_from_l1(%s) : (i32) -> i32
    %w = ttkernel.load_from_l1(%r) : (i32) -> i32
    // CHECK-NEXT: ttkernel.noc_semaphore_wait(
    // CHECK-NEXT: ttkernel.noc_semaphore_wait(
    ttkernel.noc_semaphore_wait(%s, %i) : (i32, i32) -> ()
    ttkernel.noc_semaphore_wait(%s, %i) : (i32, i32) -> ()
    // CHECK-NEXT: ttkernel.noc_semaphore_wait_min
    // CHECK-NEXT: ttkernel.noc_semaphore_wait_min
    ttkernel.noc_semaphore_wait_min(%s, %i) : (i32, i32) -> ()
    ttkernel.noc_semaphore_wait_min(%s, %i) : (i32, i32) -> ()
    // CHECK-NEXT: ttkernel.noc_semaphore_set(
    // CHECK-NEXT: ttkernel.noc_semaphore_set(
    ttkernel.noc_semaphore_set(%s, %i) : (i32, i32) -> ()
    ttkernel.noc_semaphore_set(%s, %i) : (i32, i32) -> ()
    // CHECK-NEXT: ttkernel.noc_semaphore_inc
    // CHECK-NEXT: ttkernel.noc_semaphore_inc
    ttkernel.noc_semaphore_inc(%there, %i) : (!ttkernel.noc_addr, i32) -> ()
    ttkernel.noc_semaphore_inc(%there, %i) : (!ttkernel.noc_addr, i32) -> ()
    // CHECK-NEXT: ttkernel.noc_async_atomic_barrier
    // CHECK-NEXT: ttkernel.noc_async_atomic_barrier
    ttkernel.noc_async_atomic_barrier() : () -> ()
    ttkernel.noc_async_atomic_barrier() : () -> ()
  }
  return
}
