// RUN: ttl-opt %s --ttl-bufferize-expressions --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @sum() attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %y_cb = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %a_cb : !block
    %y = ttl.cb_reserve %y_cb : !block
    // expected-error @+1 {{must have a scaling operand; only ttl-form-compute adds one}}
    %0 = ttl.block_reduce_sum %a {dims = array<i64: 1>} : (!block) -> !e
    ttl.block_store %y, %0 : !block, !e
    ttl.cb_pop %a : !block
    ttl.cb_push %y : !block
  }
}
