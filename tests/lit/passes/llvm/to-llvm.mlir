// RUN: ttl-opt %s --ttkernel-to-llvm | FileCheck %s

// The JIT's lowering: a thread function becomes an LLVM function that gets the thread; ops on the device
// become calls of the kernel API that are followed by a status check.

#dram = #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>
#l1 = #ttl.tensor_encoding<l1, #ttl.layout<interleaved, tile = 32x32>>
!cb = !ttkernel.cb<4, !ttcore.tile<32x32, bf16>>

// Functions that are not threads stay.
// CHECK: func.func @main()
func.func @main() {
  return
}

// A call's arguments are the thread and the op's operands; a buffer is passed as its index.
// CHECK-LABEL: llvm.func @calls(
// CHECK-SAME:      %[[THREAD:.*]]: !llvm.ptr
// CHECK-DAG:     %[[BUFFER:.*]] = llvm.mlir.constant(3 : i32)
// CHECK-DAG:     %[[PAGES:.*]] = llvm.mlir.constant(2 : i32)
// CHECK:         llvm.call @ttl_jit_at(%[[THREAD]], %{{.*}})
// CHECK-NEXT:    %[[STATUS:.*]] = llvm.call @ttl_hw_cb_reserve_back(%[[THREAD]], %[[BUFFER]], %[[PAGES]])
// CHECK-NEXT:    llvm.call @ttl_jit_check(%[[THREAD]], %[[STATUS]])
// CHECK:         llvm.call @ttl_hw_get_write_ptr(%[[THREAD]], %[[BUFFER]])
// CHECK-NEXT:    llvm.return
func.func @calls() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %pages = arith.constant 2 : i32
  %cb = ttkernel.get_compile_time_arg_val(3) : () -> !cb
  ttkernel.cb_reserve_back(%cb, %pages) : (!cb, i32) -> () loc("a.py":1:1)
  %address = ttkernel.get_write_ptr(%cb) : (!cb) -> i32 loc("a.py":1:1)
  return
}

// Coordinates are of type index. A tensor in L1 has a flag that says so.
// CHECK-LABEL: llvm.func @accessors(
// CHECK:         %[[X:.*]] = llvm.call @ttl_hw_my_logical_x(
// CHECK-NEXT:    llvm.sext %[[X]] : i32 to i64
// CHECK:         %[[IN_DRAM:.*]] = llvm.mlir.constant(0 : i32)
// CHECK:         llvm.call @ttl_jit_tensor_accessor(%{{.*}}, %{{.*}}, %{{.*}}, %[[IN_DRAM]])
// CHECK-SAME:        -> !llvm.ptr
// CHECK:         %[[IN_L1:.*]] = llvm.mlir.constant(1 : i32)
// CHECK:         %[[L1:.*]] = llvm.call @ttl_jit_tensor_accessor(%{{.*}}, %{{.*}}, %{{.*}}, %[[IN_L1]])
// CHECK:         llvm.call @ttl_hw_noc_async_read_page(%{{.*}}, %{{.*}}, %[[L1]], %{{.*}})
func.func @accessors() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %zero = arith.constant 0 : i32
  %bytes = arith.constant 2048 : i32
  %x = ttkernel.my_logical_x_ : () -> index
  %base = ttkernel.get_common_arg_val(%zero) : (i32) -> i32
  %a = ttkernel.TensorAccessorArgs {cta_offset = 4 : i32, crta_offset = 0 : i32, tensor_type = tensor<64x64xbf16, #dram>} : () -> !ttkernel.TensorAccessorArgs
  %a_acc = ttkernel.TensorAccessor(%a, %base, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  %b = ttkernel.TensorAccessorArgs {cta_offset = 5 : i32, crta_offset = 0 : i32, tensor_type = tensor<64x64xbf16, #l1>} : () -> !ttkernel.TensorAccessorArgs
  %b_acc = ttkernel.TensorAccessor(%b, %base, %bytes) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  ttkernel.noc_async_read_page(%zero, %b_acc, %base) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  return
}

// Inits are erased. Tile functions of TileOps.def call functions of their own. copy and pack get the
// format of the buffer's type as an argument (5 is Float16_b).
// CHECK-LABEL: llvm.func @tiles(
// CHECK-NOT:     init
// CHECK:         %[[FORMAT:.*]] = llvm.mlir.constant(5 : i32)
// CHECK:         llvm.call @ttl_jit_copy_tile(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[FORMAT]])
// CHECK:         llvm.call @ttl_jit_tile_exp(
// CHECK-NOT:     init
// CHECK:         llvm.call @ttl_jit_tile_max(
func.func @tiles() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %zero = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  ttkernel.copy_tile_init(%cb) : (!cb) -> ()
  ttkernel.copy_tile(%cb, %zero, %zero) : (!cb, i32, i32) -> ()
  ttkernel.exp_tile_init() : () -> ()
  ttkernel.exp_tile(%zero) : (i32) -> ()
  ttkernel.binary_max_tile_init() : () -> ()
  ttkernel.binary_max_tile(%zero, %zero, %zero) : (i32, i32, i32) -> ()
  return
}

// Each iteration ends with a step, in both kinds of loops.
// CHECK-LABEL: llvm.func @loops(
// CHECK:         llvm.call @ttl_jit_int_add(
// CHECK-NOT:     llvm.br
// CHECK:         llvm.call @ttl_jit_step(
// CHECK:         llvm.call @ttl_jit_int_mul(
// CHECK-NOT:     llvm.br
// CHECK:         llvm.call @ttl_jit_step(
func.func @loops() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i32
  %n = ttkernel.get_arg_val(%zero) : (i32) -> i32
  %true = arith.constant true
  scf.for %i = %c0 to %c9 step %c1 {
    %r = ttl.int_add %n, %n
  }
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    %r = ttl.int_mul %n, %n
    scf.yield
  }
  return
}

// Text becomes a constant of the module; equal texts become one constant.
// CHECK-LABEL: llvm.func @checks(
// CHECK:         %[[HOLDS:.*]] = llvm.zext %{{.*}} : i1 to i32
// CHECK:         %[[TEXT:.*]] = llvm.mlir.addressof @[[NAME:ttl_text_[0-9]+]]
// CHECK:         llvm.call @ttl_jit_assert(%{{.*}}, %[[HOLDS]], %[[TEXT]], %{{.*}}, %{{.*}})
// CHECK:         llvm.mlir.addressof @[[NAME]]
// CHECK:         llvm.call @ttl_jit_check_index(
func.func @checks() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  ttl.assert %true, "tensor 'a', which has 4 there; the index must be 0 to 3: correct the loop or the expression that computes it, or skip this statement with 'if'"
  ttl.check_index %c1 {size = 1 : i64, bound = 4 : i64, dim = 0 : i64, tensor = "a"}
  return
}

// LLVM leaves division by zero and long shifts undefined, but hw/abi/CompilerInt.h defines them.
// CHECK-LABEL: llvm.func @undefined(
// CHECK:         llvm.call @ttl_jit_divsi_i32(
// CHECK:         llvm.call @ttl_jit_remui_i64(
// CHECK:         %[[MASK:.*]] = llvm.mlir.constant(31 : i32)
// CHECK-NEXT:    %[[COUNT:.*]] = llvm.and %{{.*}}, %[[MASK]]
// CHECK-NEXT:    llvm.shl %{{.*}}, %[[COUNT]]
func.func @undefined() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %zero = arith.constant 0 : i32
  %n = ttkernel.get_arg_val(%zero) : (i32) -> i32
  %i = arith.index_cast %n : i32 to index
  %a = arith.divsi %n, %n : i32
  %b = arith.remui %i, %i : index
  %c = arith.shli %n, %n : i32
  return
}

// A divisor that is a constant other than 0 and -1 needs no check.
// CHECK-LABEL: llvm.func @defined(
// CHECK:         llvm.sdiv
// CHECK:         llvm.urem
// CHECK-NOT:     ttl_jit_divsi
func.func @defined() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %n = ttkernel.get_arg_val(%zero) : (i32) -> i32
  %a = arith.divsi %n, %c7 : i32
  %b = arith.remui %n, %c7 : i32
  return
}
