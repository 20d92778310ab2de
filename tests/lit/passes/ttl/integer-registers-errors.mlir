// RUN: ttl-opt %s --ttl-verify-protocol=portable=true --split-input-file --verify-diagnostics

// Ops that compute with integers need 32-bit registers; a transpose does not compute. Only the first such
// op is reported, because the width is a setting of the kernel.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, si32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, si32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, si32>>
!tensor = tensor<32x32xsi32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @short(%t: !tensor) attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a = ttl.cb_reserve %a_dfb : !block
    %xa = ttl.copy %s, %a : !slice, !block
    ttl.wait %xa
    ttl.cb_push %a : !block
  }
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %a_dfb : !block
    %y = ttl.cb_reserve %y_dfb : !block
    %0 = ttl.block_transpose %a : (!block) -> !e
    // expected-error @+1 {{integer blocks need 32-bit DST registers on the device: set fp32_dest_acc_en=True}}
    %1 = ttl.block_add_int %0, %0 : (!e, !e) -> !e
    %2 = ttl.block_add_int %1, %0 : (!e, !e) -> !e
    ttl.block_store %y, %2 : !block, !e
    ttl.cb_pop %a : !block
    ttl.cb_push %y : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y = ttl.cb_wait %y_dfb : !block
    %xy = ttl.copy %y, %s : !block, !slice
    ttl.wait %xy
    ttl.cb_pop %y : !block
  }
}
