// A reset of buffers is a call of a helper, which all three kernels of a core execute.
// RUN: rm -rf %t && ttl-jit run %s --emit=%t
// RUN: FileCheck %s --check-prefixes=ALL,READER --input-file=%t/phases_reader.cpp
// RUN: FileCheck %s --check-prefixes=ALL,COMPUTE --input-file=%t/phases_compute.cpp
// RUN: FileCheck %s --check-prefixes=ALL,WRITER --input-file=%t/phases_writer.cpp
// RUN: python3 %S/Inputs/check-cpp.py %t/phases_reader.cpp %t/phases_writer.cpp

!tensor = tensor<64x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!part = !ttl.tensor_slice<[1, 1], !tensor>

// ALL: inline void ttl_meet(
// ALL: inline void ttl_reset_buffers(
// ALL: void kernel_main() {
ttl.kernel @phases(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %in_cb = ttl.create_cb "in" : !cb
  %out_cb = ttl.create_cb "out" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    // READER: for (
    // READER: cb_push_back(in
    // READER: ttl_reset_buffers(2, 0, 15, 3, 0);
    scf.for %i = %c0 to %c2 step %c1 {
      %in = ttl.cb_reserve %in_cb : !block
      %from = ttl.index_accessor %a_acc[%i, %c0] : !ttl.accessor<!tensor> -> !part
      %read = ttl.copy %from, %in : !part, !block
      ttl.wait %read
      ttl.cb_push %in : !block
      ttl.cb_reset 0 "ttl.reset_all_dfbs" %in_cb, %out_cb : !cb, !cb
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // COMPUTE: for (
    // COMPUTE: cb_pop_front(in
    // COMPUTE: ttl_reset_buffers(2, 0, 15, 3, 0);
    scf.for %i = %c0 to %c2 step %c1 {
      %in = ttl.cb_wait %in_cb : !block
      %out = ttl.cb_reserve %out_cb : !block
      %exp = ttl.block_exp %in : (!block) -> !value
      ttl.block_store %out, %exp : !block, !value
      ttl.cb_push %out : !block
      ttl.cb_pop %in : !block
      ttl.cb_reset 0 "ttl.reset_all_dfbs" %in_cb, %out_cb : !cb, !cb
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    // WRITER: for (
    // WRITER: cb_pop_front(out
    // WRITER: ttl_reset_buffers(2, 0, 15, 3, 0);
    scf.for %i = %c0 to %c2 step %c1 {
      %out = ttl.cb_wait %out_cb : !block
      %to = ttl.index_accessor %y_acc[%i, %c0] : !ttl.accessor<!tensor> -> !part
      %write = ttl.copy %out, %to : !block, !part
      ttl.wait %write
      ttl.cb_pop %out : !block
      ttl.cb_reset 0 "ttl.reset_all_dfbs" %in_cb, %out_cb : !cb, !cb
    }
  }
}

func.func @main() {
  %a = ttltest.random 7 : !tensor
  %y = ttltest.full 0.0 : !tensor
  ttl.launch @phases(%a, %y) : !tensor, !tensor
  return
}
