// RUN: ttl-opt %s | ttl-opt | FileCheck %s

// CHECK: func.func private @tiles
func.func private @tiles(!ttcore.tile<32x32, f32>, !ttcore.tile<16x32, bf16>, !ttcore.tile<1x16, bfp_bf8>)
// CHECK-SAME: !ttcore.tile<32x32, f32>, !ttcore.tile<16x32, bf16>, !ttcore.tile<1x16, bfp_bf8>

// CHECK: func.func private @attributes() attributes {
func.func private @attributes() attributes {
  // CHECK-SAME: config = #ttcore.compute_config<fp32_dest_acc_en = true, dst_full_sync_en = true, math_approx_mode = true, math_fidelity = lofi>
  config = #ttcore.compute_config<fp32_dest_acc_en = true, dst_full_sync_en = true, math_approx_mode = true, math_fidelity = lofi>,
  // CHECK-SAME: fidelities = [#ttcore.math_fidelity<hifi2>, #ttcore.math_fidelity<hifi3>, #ttcore.math_fidelity<hifi4>]
  fidelities = [#ttcore.math_fidelity<hifi2>, #ttcore.math_fidelity<hifi3>, #ttcore.math_fidelity<hifi4>],
  // CHECK-SAME: format = #ttcore.supportedDataTypes<bf16>
  format = #ttcore.supportedDataTypes<bf16>,
  // CHECK-SAME: grid = #ttcore.grid<2x3x4>
  grid = #ttcore.grid<2x3x4>,
  // CHECK-SAME: layout = #ttcore.tensor_memory_layout<height_sharded>
  layout = #ttcore.tensor_memory_layout<height_sharded>,
  // CHECK-SAME: space = #ttcore.memory_space<dram>
  space = #ttcore.memory_space<dram>}
