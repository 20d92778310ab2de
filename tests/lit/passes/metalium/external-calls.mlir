// C++ functions of the user are called in the emitted C++.
// RUN: ttl-translate --ttkernel-to-cpp %s | FileCheck %s

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, f32>>

// CHECK-LABEL: //--- calls_compute.cpp
// CHECK: #include "api/tensor/local_tensor_accessor.h"
// CHECK: struct DFBDescriptor {
// CHECK: #include "f.hpp"
// CHECK-NEXT: #include "g.hpp"
// CHECK: inline int32_t ttl_narrow(int64_t value)
func.func @calls__compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %c0 = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb loc("a"("k.py":2:1))
  %n = ttkernel.get_arg_val(%c0) : (i32) -> i32 loc("n"("k.py":3:1))
  %s = ttkernel.get_common_arg_val(%c0) : (i32) -> i32 loc("s"("k.py":3:1))
  // CHECK: f<ttlang::DFBDescriptor<0, 2, 2, 4096>, -1, 4294967295u, true>(a, n);
  ttcpp.call "f" in "f.hpp" template [#ttcpp.buffer_facts<index = 0, pages_per_block = 2, block_count = 2, page_bytes = 4096>, -1 : si32, 4294967295 : ui32, true]
      (%cb, %n) uses (%cb : !cb) effects [#ttcpp.effect<pop, 0, 1>] : (!cb, i32) -> ()
  // CHECK: int64_t result_result = ops::g(n);
  %r = ttcpp.call "ops::g" in "g.hpp"(%n) {wide} : (i32) -> i32
  // CHECK: int32_t result = ttl_narrow(result_result);
  // CHECK: const LocalTensorAccessor<uint8_t> shard = LocalTensorAccessor<uint8_t>(s_addr);
  // CHECK: h(shard, result);
  ttcpp.call "h" in "g.hpp"(%s, %r) {local_tensors = array<i64: 0>} : (i32, i32) -> ()
  return
}
