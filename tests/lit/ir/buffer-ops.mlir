// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<64x96xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[2, 3], !tensor>

// CHECK-LABEL: func.func @blocks
func.func @blocks(%cb: !cb, %pages: index) {
  // CHECK: %[[A:.+]] = ttl.cb_wait %{{.+}} {outstanding = 1 : i32} : !block
  %a = ttl.cb_wait %cb {outstanding = 1 : i32} : !block
  // CHECK: ttl.cb_reserve %{{.+}} {outstanding = 2 : i32} : !block
  %b = ttl.cb_reserve %cb {outstanding = 2 : i32} : !block
  // CHECK: ttl.block_at %[[A]][%{{.+}}] : !block
  %c = ttl.block_at %a[%pages] : !block
  // CHECK: ttl.held_block %{{.+}}[0] : !block
  %d = ttl.held_block %cb[0] : !block
  // CHECK: ttl.held_block %{{.+}}[1] {reserved} : !block
  %e = ttl.held_block %cb[1] {reserved} : !block
  return
}

// CHECK-LABEL: func.func @publish
func.func @publish(%cb: !cb) {
  // CHECK: ttl.cb_publish %{{.+}} : !cb
  ttl.cb_publish %cb : !cb
  return
}

// CHECK-LABEL: func.func @transfers
func.func @transfers(%cb: !cb, %s: !slice, %row: !ttl.tensor_slice<[1, 2], !tensor>, %id: i32, %tile: index) {
  %a = ttl.cb_reserve %cb : !block
  // CHECK: ttl.copy %{{.+}}, %{{.+}} id %{{.+}} : !slice, !block
  %x = ttl.copy %s, %a id %id : !slice, !block
  // CHECK: ttl.copy %{{.+}}, %{{.+}} part %{{.+}} : !{{.+}}, !block
  %p = ttl.copy %row, %a part %tile : !ttl.tensor_slice<[1, 2], !tensor>, !block
  // CHECK: ttl.copy %{{.+}}, %{{.+}} id %{{.+}} part %{{.+}} : !block, !{{.+}}
  %q = ttl.copy %a, %row id %id part %tile : !block, !ttl.tensor_slice<[1, 2], !tensor>
  // CHECK: ttl.dma_barrier{{$}}
  ttl.dma_barrier
  // CHECK: ttl.dma_barrier reads
  ttl.dma_barrier reads
  // CHECK: ttl.dma_barrier writes id %{{.+}}
  ttl.dma_barrier writes id %id
  return
}

// CHECK-LABEL: func.func @pages
func.func @pages(%acc: !ttkernel.TensorAccessor, %i: i32) {
  // CHECK: ttkernel.noc_async_read_pages(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) : (i32, !ttkernel.TensorAccessor, i32, i32) -> ()
  ttkernel.noc_async_read_pages(%i, %acc, %i, %i) : (i32, !ttkernel.TensorAccessor, i32, i32) -> ()
  // CHECK: ttkernel.noc_async_write_pages(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) : (i32, !ttkernel.TensorAccessor, i32, i32) -> ()
  ttkernel.noc_async_write_pages(%i, %acc, %i, %i) : (i32, !ttkernel.TensorAccessor, i32, i32) -> ()
  return
}
