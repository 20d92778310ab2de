// RUN: ttl-opt %s | FileCheck %s
// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

// Text in the spellings of tt-lang's own ttl dialect. The parser replaces names that differ;
// ttl-canonicalize replaces the rest.

// CHECK-DAG: !cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
#dram_tiled = #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>
!tensor = tensor<128x64xf32, #dram_tiled>

// CHECK-LABEL: ttl.kernel @add
// CHECK-SAME: %[[T:.+]]: tensor<128x64xf32, #dram_tiled>
ttl.kernel @add(%t: !tensor) attributes {grid = #ttcore.grid<8x8>} {
  // CHECK: %[[A:.+]] = ttl.create_cb "cb0" {buffer_index = 0 : i32} : !cb
  %a = ttl.bind_cb {cb_index = 0, buffer_factor = 2} : !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
  // CHECK: %[[Y:.+]] = ttl.create_cb "cb16" {buffer_index = 16 : i32} : !cb
  %y = ttl.bind_cb {cb_index = 16} : !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
  ttl.datamovement_thread "reader" {
    // CHECK: %[[X:.+]] = ttl.core_x : index
    %i = ttl.core_x : index
    // CHECK: %[[J:.+]] = ttl.core_y : index
    %j = ttl.core_y : index
    // CHECK: ttl.cb_reserve_tensor %[[A]] : !cb -> tensor<2x1x!ttcore.tile<32x32, f32>>
    %r = ttl.cb_reserve %a : <[2, 1], !ttcore.tile<32x32, f32>, 2> -> tensor<2x1x!ttcore.tile<32x32, f32>>
    // CHECK: %[[S:.+]] = ttl.tensor_part %[[T]][%[[X]], %[[J]]] : tensor<128x64xf32, #dram_tiled> -> tensor<64x32xf32, #dram_tiled>
    %s = ttl.tensor_slice %t[%i, %j] : !tensor -> tensor<64x32xf32, #dram_tiled>
    // CHECK: %[[H:.+]] = ttl.copy_buffer %[[S]], %[[A]] : tensor<64x32xf32, #dram_tiled>, !cb
    %h = ttl.copy %s, %a : (tensor<64x32xf32, #dram_tiled>, !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>) -> !ttl.transfer_handle<read>
    // CHECK: ttl.wait %[[H]]
    ttl.wait %h : !ttl.transfer_handle<read>
    // CHECK: ttl.cb_push_oldest %[[A]] : !cb
    ttl.cb_push %a : <[2, 1], !ttcore.tile<32x32, f32>, 2>
  }
  ttl.compute_thread "compute" {
    // CHECK: %[[V:.+]] = ttl.cb_wait_tensor %[[A]] : !cb -> tensor<2x1x!ttcore.tile<32x32, f32>>
    %v = ttl.cb_wait %a : <[2, 1], !ttcore.tile<32x32, f32>, 2> -> tensor<2x1x!ttcore.tile<32x32, f32>>
    // CHECK: %[[B:.+]] = ttl.attach_cb %[[V]], %[[A]] : (tensor<2x1x!ttcore.tile<32x32, f32>>, !cb) -> tensor<2x1x!ttcore.tile<32x32, f32>>
    %b = ttl.attach_cb %v, %a : (tensor<2x1x!ttcore.tile<32x32, f32>>, !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>) -> tensor<2x1x!ttcore.tile<32x32, f32>>
    // CHECK: %[[SUM:.+]] = ttl.block_add %[[B]], %[[B]] : (tensor<2x1x!ttcore.tile<32x32, f32>>, tensor<2x1x!ttcore.tile<32x32, f32>>) -> tensor<2x1x!ttcore.tile<32x32, f32>>
    %0 = ttl.add %b, %b : tensor<2x1x!ttcore.tile<32x32, f32>>, tensor<2x1x!ttcore.tile<32x32, f32>> -> tensor<2x1x!ttcore.tile<32x32, f32>>
    // CHECK: ttl.block_exp %[[SUM]] : (tensor<2x1x!ttcore.tile<32x32, f32>>) -> tensor<2x1x!ttcore.tile<32x32, f32>>
    %1 = ttl.exp %0 : tensor<2x1x!ttcore.tile<32x32, f32>> -> tensor<2x1x!ttcore.tile<32x32, f32>>
    // CHECK: ttl.cb_pop_oldest %[[A]] : !cb
    ttl.cb_pop %a : <[2, 1], !ttcore.tile<32x32, f32>, 2>
  }
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%t: !ttcore.tile<32x32, f32>, %h: !ttl.transfer_handle, %w: !ttl.transfer_handle<write>) {
  // CHECK: ttl.copy_dest_values %{{.+}} {dst_idx = 1 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %c = ttl.copy_dst %t {dst_idx = 1 : i32} : !ttcore.tile<32x32, f32>
  return
}

// Coordinates of a copy's tensor, and accessors, in the form of a copy that names buffers.
// CHECK-LABEL: func.func @coordinates
func.func @coordinates(%t: !tensor, %a: !ttl.accessor<!tensor>,
                       %b: !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>>) {
  // CHECK: ttl.copy_buffer %{{.+}}, %{{.+}} {src_coords = [1, 0]} : !accessor, !block
  %x = ttl.copy %a, %b {src_coords = [1, 0]} : !ttl.accessor<!tensor>, !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>>
  // CHECK: ttl.copy_buffer %{{.+}}, %{{.+}} {dst_coords = [0, 1]} : !block, tensor<128x64xf32, #dram_tiled>
  %y = ttl.copy %b, %t {dst_coords = [0, 1]} : !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>>, !tensor
  return
}

// CHECK-LABEL: func.func @in_loops
func.func @in_loops(%t: !ttcore.tile<32x32, f32>, %v: tensor<1x1x!ttcore.tile<32x32, f32>>,
                    %cb: !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>) {
  // CHECK: ttl.init_sfpu(%[[CB:.+]], %[[CB]]) :
  ttl.init_sfpu(%cb, %cb) : <[1, 1], !ttcore.tile<32x32, f32>, 2>, <[1, 1], !ttcore.tile<32x32, f32>, 2>
  // CHECK: ttl.linearized_index #{{.+}} : index
  %i = ttl.linearized_index affine_map<(d0, d1) -> (d0 * 2 + d1)> : index
  // CHECK: ttl.store %{{.+}}, %{{.+}} : <32x32, f32>, tensor<1x1x!ttcore.tile<32x32, f32>>
  ttl.store %t, %v : !ttcore.tile<32x32, f32>, tensor<1x1x!ttcore.tile<32x32, f32>>
  return
}
