// C++ functions of the user may be the only ops that produce, consume, read or fill a buffer.
// RUN: ttl-opt %s --ttl-split-unified-threads --ttl-insert-releases --ttl-verify-protocol --verify-diagnostics | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// A block that a function may use is released after the last call.
// CHECK-LABEL: ttl.kernel @releases
ttl.kernel @releases() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  %b = ttl.create_cb "b" : !cb
  ttl.compute_thread "compute" attributes {ttl.from_unified} {
    // CHECK: ttl.cb_wait
    // CHECK-NEXT: ttl.cb_reserve
    // CHECK-NEXT: ttcpp.call "f"
    // CHECK-NEXT: ttl.cb_push
    // CHECK-NEXT: ttl.cb_pop
    // CHECK-NEXT: ttl.cb_wait
    // CHECK-NEXT: ttcpp.call "g"
    // CHECK-NEXT: ttl.cb_pop
    // CHECK-NEXT: ttcpp.call "h"
    %x = ttl.cb_wait %a : !block
    %y = ttl.cb_reserve %b : !block
    ttcpp.call "f" in "f.hpp"() uses (%a, %b : !cb, !cb) : () -> ()
    %z = ttl.cb_wait %a : !block
    ttcpp.call "g" in "f.hpp"() uses (%a : !cb) inspects [0] : () -> ()
    ttcpp.call "h" in "f.hpp"() uses (%a : !cb) effects [#ttcpp.effect<wait, 0, 1>, #ttcpp.effect<pop, 0, 1>] : () -> ()
  }
  ttl.datamovement_thread "reader" {
    ttcpp.call "f" in "f.hpp"() uses (%a : !cb) effects [#ttcpp.effect<reserve, 0, 1>, #ttcpp.effect<push, 0, 1>] : () -> ()
  }
  ttl.datamovement_thread "writer" {
    ttcpp.call "f" in "f.hpp"() {unknown_access} : () -> ()
  }
}

// Each call is in the thread that its selector names.
// CHECK-LABEL: ttl.kernel @selectors
// CHECK: ttl.datamovement_thread "reader"
// CHECK-NEXT: ttcpp.call "f"
// CHECK: }
// CHECK: ttl.compute_thread "compute"
// CHECK-NEXT: ttl.cb_wait
// CHECK-NEXT: ttcpp.call "g"
// CHECK-NEXT: ttl.cb_pop
// CHECK: }
// CHECK: ttl.datamovement_thread "writer"
// CHECK-NEXT: ttcpp.call "h"
ttl.kernel @selectors() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.unified_thread "all" {
    ttcpp.call "f" in "f.hpp"() uses (%a : !cb) {ttl.selector = "reader"} : () -> ()
    %x = ttl.cb_wait %a : !block
    ttcpp.call "g" in "f.hpp"() uses (%a : !cb) inspects [0] {ttl.selector = "compute"} : () -> ()
    ttcpp.call "h" in "f.hpp"() {ttl.selector = "writer"} : () -> ()
  }
}

// Each thread uses the result of its own call.
// CHECK-LABEL: ttl.kernel @results
// CHECK: ttl.datamovement_thread "reader"
// CHECK-NEXT: %[[A:.+]] = ttcpp.call "a"
// CHECK-NEXT: ttcpp.call "use" in "f.hpp"(%[[A]])
// CHECK: ttl.compute_thread "compute"
// CHECK-NEXT: %[[B:.+]] = ttcpp.call "b"
// CHECK-NEXT: ttcpp.call "use" in "f.hpp"(%[[B]])
ttl.kernel @results() attributes {grid = #ttcore.grid<1x1>} {
  ttl.unified_thread "all" {
    %a = ttcpp.call "a" in "f.hpp"() {ttl.selector = "reader"} : () -> i32
    %b = ttcpp.call "b" in "f.hpp"() {ttl.selector = "compute"} : () -> i32
    %r = ttcpp.results %a, %b
    ttcpp.call "use" in "f.hpp"(%r) {ttl.selector = "reader"} : (i32) -> ()
    ttcpp.call "use" in "f.hpp"(%r) {ttl.selector = "compute"} : (i32) -> ()
  }
}
