// On the direct path, threads of stage loops become EmitC without ops of ttkernel. The C++ is the same as
// from stage ttkernel.
// RUN: ttl-opt --ttl-to-emitc %s | FileCheck %s --implicit-check-not "ttkernel.{{[a-z_]+[ (]}}"
// RUN: ttl-translate --ttl-to-cpp %s > %t.direct
// RUN: ttl-opt --convert-ttl-to-ttkernel --cse --mlir-print-debuginfo %s \
// RUN:   | ttl-translate --ttkernel-to-cpp > %t.ttkernel
// RUN: diff %t.direct %t.ttkernel

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
#dram_tiled = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!accessor = !ttl.accessor<tensor<32x32xf32, #dram_tiled>>
!slice = !ttl.tensor_slice<[1, 1], tensor<32x32xf32, #dram_tiled>>
module {
  ttl.program @same_operand(%arg0: tensor<32x32xf32, #dram_tiled>, %arg1: tensor<32x32xf32, #dram_tiled>) attributes {arch = "wormhole_b0", compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>, grid = #ttcore.grid<1x1>} {
    %0 = ttl.create_cb "a_cb" {address = 103424 : i64, buffer_index = 0 : i32, page_size = 4096 : i64} : !cb
    %1 = ttl.create_cb "y_cb" {address = 111616 : i64, buffer_index = 1 : i32, page_size = 4096 : i64} : !cb
    ttl.thread @same_operand__reader on riscv_1 (%0, %arg0) : !cb, tensor<32x32xf32, #dram_tiled>
    ttl.thread @same_operand__compute on compute (%0, %1) : !cb, !cb
    ttl.thread @same_operand__writer on riscv_0 (%1, %arg1) : !cb, tensor<32x32xf32, #dram_tiled>
  }
  // CHECK: emitc.func @same_operand__reader()
  // CHECK: %[[A:.+]] = call_opaque "get_compile_time_arg_val"
  // CHECK: %[[X:.+]] = call_opaque "TensorAccessor"
  // CHECK: call_opaque "cb_reserve_back"(%[[A]], %{{.+}})
  // CHECK: call_opaque "noc_async_read_set_trid"
  // CHECK: %[[TO:.+]] = call_opaque "get_write_ptr"(%[[A]])
  // CHECK: call_opaque "noc_async_read_page"(%{{.+}}, %[[X]], %[[TO]])
  // CHECK: call_opaque "noc_async_read_barrier_with_trid"
  // CHECK: call_opaque "cb_push_back"(%[[A]], %{{.+}})
  func.func @same_operand__reader(%arg0: !cb, %arg1: tensor<32x32xf32, #dram_tiled>) attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
    %c0 = arith.constant 0 : index
    %0 = ttl.tensor_accessor %arg1 : tensor<32x32xf32, #dram_tiled> -> !accessor
    %1 = ttl.cb_reserve %arg0 : !block
    %2 = ttl.index_accessor %0[%c0, %c0] : !accessor -> !slice
    %3 = ttl.copy %2, %1 {transfer_id = 1 : i32} : !slice, !block
    ttl.wait %3
    ttl.cb_push %1 : !block
    return
  }
  // The inits are the same as on the other path.
  // CHECK: emitc.func @same_operand__compute()
  // CHECK: call_opaque "init_sfpu"
  // CHECK: call_opaque "tile_regs_acquire"
  // CHECK-NEXT: call_opaque "copy_tile"
  // CHECK-NEXT: call_opaque "mul_binary_tile_init"
  // CHECK-NEXT: call_opaque "mul_binary_tile"
  // CHECK: call_opaque "pack_tile"({{.*}}) {template_args = [true]}
  // CHECK-NEXT: call_opaque "tile_regs_release"
  func.func @same_operand__compute(%arg0: !cb, %arg1: !cb) attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
    %c0 = arith.constant 0 : index
    %0 = ttl.cb_wait %arg0 : !block
    %1 = ttl.cb_reserve %arg1 : !block
    ttkernel.tile_regs_acquire() : () -> ()
    %2 = ttl.get_tile %0[%c0] {dst_idx = 0 : i32} : !block -> <32x32, f32>
    %3 = ttl.tile_mul %2, %2 {dst_idx = 1 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %4 = ttl.tile_sub %3, %3 {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %5 = ttl.tile_add %4, %3 {dst_idx = 2 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    ttkernel.tile_regs_commit() : () -> ()
    ttkernel.tile_regs_wait() : () -> ()
    ttl.pack_tile %5, %1[%c0] : <32x32, f32>, !block
    ttkernel.tile_regs_release() : () -> ()
    ttl.cb_push %1 : !block
    ttl.cb_pop %0 : !block
    return
  }
  func.func @same_operand__writer(%arg0: !cb, %arg1: tensor<32x32xf32, #dram_tiled>) attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
    %c0 = arith.constant 0 : index
    %0 = ttl.tensor_accessor %arg1 : tensor<32x32xf32, #dram_tiled> -> !accessor
    %1 = ttl.cb_wait %arg0 : !block
    %2 = ttl.index_accessor %0[%c0, %c0] : !accessor -> !slice
    %3 = ttl.copy %1, %2 {transfer_id = 1 : i32} : !block, !slice
    ttl.wait %3
    ttl.cb_pop %1 : !block
    return
  }
}
