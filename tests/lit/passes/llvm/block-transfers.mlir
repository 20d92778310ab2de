// RUN: ttl-opt %s --ttkernel-to-llvm --split-input-file | FileCheck %s
// RUN: ttl-opt %s --ttkernel-to-llvm=block-transfers=false --split-input-file | FileCheck %s --check-prefix=OFF

// Loops that move a block's pages become one call. The loops stay for the case that the call moves nothing.

// OFF-NOT: ttl_hw_read_block
// OFF-NOT: ttl_hw_write_block

!cb = !ttkernel.cb<8, !ttcore.tile<32x32, bf16>>
#dram = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>

// 2 runs of 4 pages of 2048 bytes; runs begin 16 pages apart. 18 steps, 2 of them after the last
// transfer.
// CHECK: llvm.mlir.global internal constant @ttl_words_0(dense<[2, 4, 16, 2048, 18, 2]>

// CHECK-LABEL: llvm.func @twoLoops(
// CHECK:         %[[ACCESSOR:.*]] = llvm.call @ttl_jit_tensor_accessor(
// CHECK:         %[[TO:.*]] = llvm.call @ttl_hw_get_write_ptr(
// CHECK:         %[[FACTS:.*]] = llvm.mlir.addressof @ttl_words_0
// CHECK:         llvm.call @ttl_jit_at(
// CHECK-NEXT:    %[[MOVED:.*]] = llvm.call @ttl_hw_read_block(%arg0, %{{.*}}, %[[ACCESSOR]], %{{.*}}, %[[FACTS]])
// CHECK:         %[[LEFT:.*]] = llvm.icmp "eq" %[[MOVED]]
// CHECK-NEXT:    llvm.cond_br %[[LEFT]], ^[[LOOPS:.*]], ^[[DONE:bb[0-9]+]]
// CHECK:       ^[[LOOPS]]:
// CHECK:         llvm.call @ttl_hw_noc_async_read_page(
// CHECK:         llvm.call @ttl_jit_step(
// CHECK:         llvm.call @ttl_jit_step(
// CHECK:       ^[[DONE]]:
// CHECK-NEXT:    llvm.return
func.func @twoLoops() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %i0 = arith.constant 0 : i32
  %bytes = arith.constant 2048 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = tensor<512x512xbf16, #dram>} : () -> !ttkernel.TensorAccessorArgs
  %base = ttkernel.get_common_arg_val(%i0) : (i32) -> i32
  %a = ttkernel.TensorAccessor(%args, %base, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  %to = ttkernel.get_write_ptr(%cb) : (!cb) -> i32
  scf.for %i = %c0 to %c2 step %c1 {
    %row = arith.muli %i, %c16 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %p = arith.addi %row, %j : index
      %n = arith.muli %i, %c4 : index
      %m = arith.addi %n, %j : index
      %m32 = arith.index_cast %m : index to i32
      %o = arith.muli %m32, %bytes : i32
      %at = arith.addi %to, %o : i32
      %p32 = arith.index_cast %p : index to i32
      ttkernel.noc_async_read_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    }
  }
  return
}

// -----

!cb = !ttkernel.cb<8, !ttcore.tile<32x32, bf16>>
#dram = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>

// Pages that are 2 apart: 4 runs of one page. The outer loop has another call, so it stays. The pages of
// the whole tensor follow each other: one run of 8 pages.
// CHECK: llvm.mlir.global internal constant @ttl_words_1(dense<[1, 8, 0, 2048, 18, 2]>
// CHECK: llvm.mlir.global internal constant @ttl_words_0(dense<[4, 1, 2, 2048, 8, 1]>

// CHECK-LABEL: llvm.func @loopInLoop(
// CHECK:         llvm.call @ttl_hw_write_block(
// CHECK:         llvm.call @ttl_hw_noc_async_write_page(
// CHECK:         llvm.call @ttl_hw_noc_async_write_barrier(
// CHECK:         llvm.call @ttl_hw_write_block(
// CHECK:         llvm.call @ttl_hw_noc_async_write_page(
func.func @loopInLoop() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %i0 = arith.constant 0 : i32
  %bytes = arith.constant 2048 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = tensor<512x512xbf16, #dram>} : () -> !ttkernel.TensorAccessorArgs
  %base = ttkernel.get_common_arg_val(%i0) : (i32) -> i32
  %a = ttkernel.TensorAccessor(%args, %base, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  %from = ttkernel.get_read_ptr(%cb) : (!cb) -> i32
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c8 step %c2 {
      %p = arith.addi %i, %j : index
      %p32 = arith.index_cast %p : index to i32
      %j32 = arith.index_cast %j : index to i32
      %half = arith.constant 1024 : i32
      %o = arith.muli %j32, %half : i32
      %at = arith.addi %from, %o : i32
      ttkernel.noc_async_write_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    }
    ttkernel.noc_async_write_barrier() : () -> ()
  }
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %n = arith.muli %i, %c4 : index
      %m = arith.addi %n, %j : index
      %p32 = arith.index_cast %m : index to i32
      %o = arith.muli %bytes, %p32 : i32
      %at = arith.addi %from, %o : i32
      ttkernel.noc_async_write_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    }
  }
  return
}

// -----

!cb = !ttkernel.cb<8, !ttcore.tile<32x32, bf16>>
#dram = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>

// A branch around the loop, and a branch around the transfer: only the first loop moves a block.
// CHECK-LABEL: llvm.func @branches(
// CHECK:         llvm.call @ttl_hw_read_block(
// CHECK:         llvm.call @ttl_hw_noc_async_read_page(
// CHECK-NOT:     llvm.call @ttl_hw_read_block(
// CHECK:         llvm.call @ttl_hw_noc_async_read_page(
// CHECK-NOT:     llvm.call @ttl_hw_read_block(
// CHECK:         llvm.return
func.func @branches() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i0 = arith.constant 0 : i32
  %bytes = arith.constant 2048 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = tensor<512x512xbf16, #dram>} : () -> !ttkernel.TensorAccessorArgs
  %base = ttkernel.get_common_arg_val(%i0) : (i32) -> i32
  %a = ttkernel.TensorAccessor(%args, %base, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  %to = ttkernel.get_write_ptr(%cb) : (!cb) -> i32
  %isFirst = arith.cmpi eq, %base, %i0 : i32
  scf.if %isFirst {
    scf.for %j = %c0 to %c4 step %c1 {
      %p32 = arith.index_cast %j : index to i32
      %o = arith.muli %p32, %bytes : i32
      %at = arith.addi %to, %o : i32
      ttkernel.noc_async_read_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    }
  }
  scf.for %j = %c0 to %c4 step %c1 {
    %p32 = arith.index_cast %j : index to i32
    %o = arith.muli %p32, %bytes : i32
    %at = arith.addi %to, %o : i32
    %isOdd = arith.cmpi eq, %j, %c1 : index
    scf.if %isOdd {
      ttkernel.noc_async_read_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    }
  }
  return
}

// -----

!cb = !ttkernel.cb<8, !ttcore.tile<32x32, bf16>>
#dram = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>

// These loops move no block: the trip count is known at run time only, a value is carried, the page number
// does not grow by a constant, pages have gaps in L1, one page is moved again, `while`, two transfers.
// CHECK-LABEL: llvm.func @noBlocks(
// CHECK-NOT:     ttl_hw_read_block
// CHECK:         llvm.return
func.func @noBlocks() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i0 = arith.constant 0 : i32
  %bytes = arith.constant 2048 : i32
  %twice = arith.constant 4096 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  %args = ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = tensor<512x512xbf16, #dram>} : () -> !ttkernel.TensorAccessorArgs
  %base = ttkernel.get_common_arg_val(%i0) : (i32) -> i32
  %a = ttkernel.TensorAccessor(%args, %base, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  %to = ttkernel.get_write_ptr(%cb) : (!cb) -> i32
  %x = ttkernel.my_logical_x_ : () -> index
  scf.for %j = %c0 to %x step %c1 {
    %p32 = arith.index_cast %j : index to i32
    %o = arith.muli %p32, %bytes : i32
    %at = arith.addi %to, %o : i32
    ttkernel.noc_async_read_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  }
  %last = scf.for %j = %c0 to %c4 step %c1 iter_args(%at = %to) -> i32 {
    %p32 = arith.index_cast %j : index to i32
    ttkernel.noc_async_read_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    %next = arith.addi %at, %bytes : i32
    scf.yield %next : i32
  }
  scf.for %j = %c0 to %c4 step %c1 {
    %square = arith.muli %j, %j : index
    %p32 = arith.index_cast %square : index to i32
    %j32 = arith.index_cast %j : index to i32
    %o = arith.muli %j32, %bytes : i32
    %at = arith.addi %to, %o : i32
    ttkernel.noc_async_read_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  }
  scf.for %j = %c0 to %c4 step %c1 {
    %p32 = arith.index_cast %j : index to i32
    %o = arith.muli %p32, %twice : i32
    %at = arith.addi %to, %o : i32
    ttkernel.noc_async_read_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  }
  scf.for %j = %c0 to %c4 step %c1 {
    %j32 = arith.index_cast %j : index to i32
    %o = arith.muli %j32, %bytes : i32
    %at = arith.addi %to, %o : i32
    ttkernel.noc_async_read_page(%i0, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  }
  scf.while (%j = %i0) : (i32) -> i32 {
    %goesOn = arith.cmpi slt, %j, %bytes : i32
    scf.condition(%goesOn) %j : i32
  } do {
  ^bb0(%j: i32):
    %o = arith.muli %j, %bytes : i32
    %at = arith.addi %to, %o : i32
    ttkernel.noc_async_read_page(%j, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    %next = arith.addi %j, %bytes : i32
    scf.yield %next : i32
  }
  scf.for %j = %c0 to %c4 step %c1 {
    %p32 = arith.index_cast %j : index to i32
    %o = arith.muli %p32, %bytes : i32
    %at = arith.addi %to, %o : i32
    ttkernel.noc_async_read_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
    ttkernel.noc_async_read_page(%p32, %a, %at) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  }
  return
}
