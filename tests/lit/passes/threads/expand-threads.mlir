// RUN: ttl-opt %s --ttl-expand-threads | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

// The program keeps the grid, the chip and the resources. A thread is bound to the resources that it
// uses: buffers in order of creation, then tensors in order of the arguments.
// CHECK: ttl.program @k(%[[T:.+]]: {{.*}}, %[[U:.+]]: {{.*}}) attributes {arch = "blackhole", grid = #ttcore.grid<2x3>}
// CHECK-NEXT: %[[A:.+]] = ttl.create_cb "a_dfb" : !cb
// CHECK-NEXT: %[[B:.+]] = ttl.create_cb "b_dfb" : !cb
// CHECK-NEXT: ttl.thread @k__first on riscv_1 (%[[A]], %[[B]], %[[T]], %[[U]])
// CHECK-NEXT: ttl.thread @k__compute on compute (%[[B]])
// CHECK-NEXT: ttl.thread @k__second on riscv_0 ()
// CHECK-NEXT: }
ttl.kernel @k(%t: !tensor, %u: !tensor) attributes {grid = #ttcore.grid<2x3>, arch = "blackhole"} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %b_dfb = ttl.create_cb "b_dfb" : !cb
  // Values that are not resources are computed again in each thread.
  %c0 = arith.constant 0 : index
  %acc = ttl.tensor_accessor %u : !tensor -> !ttl.accessor<!tensor>
  // CHECK: func.func @k__first(%[[A:.+]]: !cb, %[[B:.+]]: !cb, %[[T:.+]]: tensor{{.*}}, %[[U:.+]]: tensor{{.*}}) attributes {ttl.kernel_thread = #ttkernel.thread<noc>}
  ttl.datamovement_thread "first" {
    // CHECK-DAG: %[[ACC:.+]] = ttl.tensor_accessor %[[U]]
    // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
    // CHECK: ttl.cb_reserve %[[B]]
    %b = ttl.cb_reserve %b_dfb : !block
    // CHECK: ttl.tensor_accessor %[[T]]
    %acc_t = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    // CHECK: ttl.index_accessor %[[ACC]][%[[C0]], %[[C0]]]
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %x = ttl.copy %s, %b : !slice, !block
    ttl.wait %x
    ttl.cb_push %b : !block
    %a = ttl.cb_reserve %a_dfb : !block
    // CHECK: return
  }
  // CHECK: func.func @k__compute(%[[B:.+]]: !cb) attributes {ttl.kernel_thread = #ttkernel.thread<compute>}
  ttl.compute_thread "compute" {
    // CHECK-NEXT: ttl.cb_wait %[[B]]
    %b = ttl.cb_wait %b_dfb : !block
    ttl.cb_pop %b : !block
  }
  // CHECK: func.func @k__second() attributes {ttl.kernel_thread = #ttkernel.thread<noc>}
  // CHECK-NEXT: return
  ttl.datamovement_thread "second" {
  }
}
