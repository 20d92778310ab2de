// RUN: ttl-opt %s | ttl-opt | FileCheck %s

// CHECK-LABEL: ttl.kernel @copy
// CHECK: ttl.unified_thread "copy" {
// CHECK: ttl.cb_reserve
// CHECK: ttl.cb_wait
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @copy() attributes {grid = #ttcore.grid<1x1>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  ttl.unified_thread "copy" {
    %a = ttl.cb_reserve %a_dfb : !block
    ttl.cb_push %a : !block
    %b = ttl.cb_wait %a_dfb : !block
    ttl.cb_pop %b : !block
  }
}
