// Buffers and tensors that C++ functions get become those of the kernel API.
// RUN: ttl-opt %s --ttl-lower-data-movement --ttl-lower-synchronization --ttl-verify-lowered | FileCheck %s

!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, bf16>, 2>
!tensor = tensor<64x96xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!shards = tensor<32x32xf32, #ttl.tensor_encoding<l1, #ttl.layout<height_sharded, grid = [1, 1], tile = 32x32, shard = [32, 32]>>>

ttl.program @external(%t: !tensor, %s: !shards) attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %b = ttl.create_cb "b" {buffer_index = 1 : i32} : !cb
  ttl.thread @reader on riscv_1 (%a, %b, %t) : !cb, !cb, !tensor
  ttl.thread @compute on compute (%a, %s) : !cb, !shards
}

// CHECK-LABEL: func.func @reader()
func.func @reader(%a: !cb, %b: !cb, %t: !tensor) {
  // CHECK-DAG: %[[A:.+]] = ttkernel.get_compile_time_arg_val(0)
  // CHECK-DAG: %[[B:.+]] = ttkernel.get_compile_time_arg_val(1)
  // CHECK-DAG: %[[T:.+]] = ttkernel.TensorAccessor(
  // CHECK-DAG: %[[ADDRESS:.+]] = ttkernel.get_common_arg_val(
  // CHECK: ttcpp.call "f" in "f.hpp" template [#ttcpp.buffer_facts<index = 1, pages_per_block = 6, block_count = 2, page_bytes = 2048>, 0 : ui32, 5 : si32](%[[A]], %{{.+}}, %{{.+}}) uses(%[[A]], %[[B]] :
  ttcpp.call "f" in "f.hpp" template [#ttcpp.descriptor<1>, #ttcpp.buffer_id<0>, 5 : si32](%a, %t, %t)
      uses (%a, %b : !cb, !cb) {raw_addresses = array<i64: 2>} : (!cb, !tensor, !tensor) -> ()
  return
}

// CHECK-LABEL: func.func @compute()
func.func @compute(%a: !cb, %s: !shards) {
  // CHECK: %[[S:.+]] = ttkernel.get_common_arg_val(
  // CHECK: ttcpp.call "g" in "f.hpp"(%[[S]]) {local_tensors = array<i64: 0>} : (i32) -> ()
  ttcpp.call "g" in "f.hpp"(%s) : (!shards) -> ()
  return
}
