// RUN: ttl-opt %s --canonicalize --split-input-file | FileCheck %s

// Waits that have nothing to wait for are erased.

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// A barrier completes the earlier copies of its direction.
// CHECK-LABEL: func.func @after_barrier
func.func @after_barrier(%s: !slice, %b: !block) {
  %r = ttl.copy %s, %b : !slice, !block
  // CHECK: %[[W:.+]] = ttl.copy %{{.+}} : !block, !slice
  %w = ttl.copy %b, %s : !block, !slice
  // CHECK: ttl.dma_barrier reads
  ttl.dma_barrier reads
  // CHECK-NEXT: ttl.wait %[[W]]
  ttl.wait %r
  ttl.wait %w
  // CHECK: %[[LAST:.+]] = ttl.copy
  // CHECK-NEXT: ttl.wait %[[LAST]]
  %t = ttl.copy %s, %b : !slice, !block
  ttl.wait %t
  // CHECK-NEXT: return
  ttl.wait %t
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// Of consecutive barriers, the first one that covers the others stays.
// CHECK-LABEL: func.func @barriers
func.func @barriers(%s: !slice, %b: !block, %i: i32, %j: i32, %c: i1) {
  // CHECK: ttl.dma_barrier reads id
  // CHECK-NEXT: ttl.dma_barrier reads id
  ttl.dma_barrier reads id %i
  ttl.dma_barrier reads id %j
  ttl.dma_barrier reads id %i
  // CHECK-NEXT: ttl.dma_barrier writes
  // CHECK-NEXT: ttl.dma_barrier reads{{$}}
  ttl.dma_barrier writes
  ttl.dma_barrier reads
  ttl.dma_barrier reads id %j
  // CHECK-NEXT: ttl.dma_barrier{{$}}
  ttl.dma_barrier
  ttl.dma_barrier
  // CHECK-NEXT: ttl.copy
  // CHECK-NEXT: ttl.dma_barrier{{$}}
  %x = ttl.copy %s, %b : !slice, !block
  ttl.dma_barrier
  // CHECK-NEXT: scf.if
  scf.if %c {
    // CHECK-NEXT: ttl.copy
    %y = ttl.copy %s, %b : !slice, !block
  }
  // CHECK: ttl.dma_barrier reads
  ttl.dma_barrier reads
  return
}

// -----

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

// In a kernel, a second wait for a copy is the user's mistake, which ttl-verify-protocol reports.
// CHECK-LABEL: ttl.kernel @twice
ttl.kernel @twice(%t: !tensor) attributes {grid = #ttcore.grid<2x1>} {
  %cb = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    // CHECK-NOT: ttl.core
    // CHECK: %[[ZERO:.+]] = arith.constant 0 : i32
    // CHECK-NOT: ttl.core
    %x, %y = ttl.core : index, index
    %yi = arith.index_cast %y : index to i32
    %acc = ttl.tensor_accessor %t : !tensor -> !ttl.accessor<!tensor>
    %s = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %b = ttl.cb_reserve %cb : !block
    %xf = ttl.copy %s, %b : !slice, !block
    // CHECK: ttl.wait
    // CHECK: ttl.wait
    ttl.wait %xf
    ttl.wait %xf
    // CHECK: ttl.int_add %[[ZERO]], %{{.+}}
    %one = arith.constant 2147483647 : i32
    %big = ttl.int_add %one, %one
    %sum = ttl.int_add %yi, %big
  }
}
