// Calls of C++ functions that the user wrote.
// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --cse --canonicalize | FileCheck %s --check-prefix=KEEP

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!tensor = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

// CHECK-LABEL: func.func @calls
// CSE merges and erases none of these calls.
// KEEP-LABEL: func.func @calls
func.func @calls(%x: !tensor, %a: !cb, %b: !cb, %i: i32, %f: f32, %t: i1) {
  // CHECK: ttcpp.call "f" in "f.hpp"() : () -> ()
  // KEEP-COUNT-2: ttcpp.call "f" in "f.hpp"()
  ttcpp.call "f" in "f.hpp"() : () -> ()
  ttcpp.call "f" in "f.hpp"() : () -> ()
  // CHECK: ttcpp.call "ops::g" in "f.hpp" template [-1 : si32, 7 : ui32, true, #ttcpp.descriptor<0>, #ttcpp.buffer_id<1>](%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) uses(%{{.+}}, %{{.+}} : !cb, !cb) effects [#ttcpp.effect<wait, 0, 1>, #ttcpp.effect<pop, 0, 1>] inspects [1] {include_paths = ["include"], raw_addresses = array<i64: 4>, unknown_access, wide} : (i32, f32, i1, !cb, tensor<{{.*}}>) -> i32
  // KEEP: ttcpp.call "ops::g"
  %r = ttcpp.call "ops::g" in "f.hpp" template [-1 : si32, 7 : ui32, true, #ttcpp.descriptor<0>, #ttcpp.buffer_id<1>]
      (%i, %f, %t, %a, %x) uses (%a, %b : !cb, !cb)
      effects [#ttcpp.effect<wait, 0, 1>, #ttcpp.effect<pop, 0, 1>] inspects [1]
      {include_paths = ["include"], raw_addresses = array<i64: 4>, unknown_access, wide} : (i32, f32, i1, !cb, !tensor) -> i32
  // CHECK: ttcpp.call "d" in "f.hpp"() {defines = ["A 1"]} : () -> ()
  ttcpp.call "d" in "f.hpp"() {defines = ["A 1"]} : () -> ()
  // CHECK: ttcpp.call "c" in "f.hpp" template [#ttcpp.buffer_facts<index = 3, pages_per_block = 1, block_count = 2, page_bytes = 4096>]() {condition = 0 : i64} : () -> i32
  %c = ttcpp.call "c" in "f.hpp" template [#ttcpp.buffer_facts<index = 3, pages_per_block = 1, block_count = 2, page_bytes = 4096>]() {condition = 0 : i64} : () -> i32
  return
}
