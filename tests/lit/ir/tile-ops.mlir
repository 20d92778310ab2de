// RUN: ttl-opt %s | ttl-opt | FileCheck %s

// Every row of the operation table: on blocks, on tiles, and as calls.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>

// CHECK-LABEL: func.func @rows
func.func @rows(%a: !block, %x: !t, %p: f32, %n: i32, %d: i32) {
  // CHECK: ttl.block_abs %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_abs = ttl.block_abs %a : (!block) -> !e
  // CHECK: ttl.tile_abs %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_abs = ttl.tile_abs %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.abs_tile_init() : () -> ()
  ttkernel.abs_tile_init() : () -> ()
  // CHECK: ttkernel.abs_tile(%{{.+}}) : (i32) -> ()
  ttkernel.abs_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_acos %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_acos = ttl.block_acos %a : (!block) -> !e
  // CHECK: ttl.tile_acos %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_acos = ttl.tile_acos %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.acos_tile_init() : () -> ()
  ttkernel.acos_tile_init() : () -> ()
  // CHECK: ttkernel.acos_tile(%{{.+}}) : (i32) -> ()
  ttkernel.acos_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_acosh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_acosh = ttl.block_acosh %a : (!block) -> !e
  // CHECK: ttl.tile_acosh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_acosh = ttl.tile_acosh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.acosh_tile_init() : () -> ()
  ttkernel.acosh_tile_init() : () -> ()
  // CHECK: ttkernel.acosh_tile(%{{.+}}) : (i32) -> ()
  ttkernel.acosh_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_asin %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_asin = ttl.block_asin %a : (!block) -> !e
  // CHECK: ttl.tile_asin %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_asin = ttl.tile_asin %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.asin_tile_init() : () -> ()
  ttkernel.asin_tile_init() : () -> ()
  // CHECK: ttkernel.asin_tile(%{{.+}}) : (i32) -> ()
  ttkernel.asin_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_asinh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_asinh = ttl.block_asinh %a : (!block) -> !e
  // CHECK: ttl.tile_asinh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_asinh = ttl.tile_asinh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.asinh_tile_init() : () -> ()
  ttkernel.asinh_tile_init() : () -> ()
  // CHECK: ttkernel.asinh_tile(%{{.+}}) : (i32) -> ()
  ttkernel.asinh_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_atan %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_atan = ttl.block_atan %a : (!block) -> !e
  // CHECK: ttl.tile_atan %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_atan = ttl.tile_atan %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.atan_tile_init() : () -> ()
  ttkernel.atan_tile_init() : () -> ()
  // CHECK: ttkernel.atan_tile(%{{.+}}) : (i32) -> ()
  ttkernel.atan_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_atanh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_atanh = ttl.block_atanh %a : (!block) -> !e
  // CHECK: ttl.tile_atanh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_atanh = ttl.tile_atanh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.atanh_tile_init() : () -> ()
  ttkernel.atanh_tile_init() : () -> ()
  // CHECK: ttkernel.atanh_tile(%{{.+}}) : (i32) -> ()
  ttkernel.atanh_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_ceil %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ceil = ttl.block_ceil %a : (!block) -> !e
  // CHECK: ttl.tile_ceil %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_ceil = ttl.tile_ceil %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.rounding_op_tile_init() : () -> ()
  ttkernel.rounding_op_tile_init() : () -> ()
  // CHECK: ttkernel.ceil_tile(%{{.+}}) : (i32) -> ()
  ttkernel.ceil_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_cos %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_cos = ttl.block_cos %a : (!block) -> !e
  // CHECK: ttl.tile_cos %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_cos = ttl.tile_cos %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.cos_tile_init() : () -> ()
  ttkernel.cos_tile_init() : () -> ()
  // CHECK: ttkernel.cos_tile(%{{.+}}) : (i32) -> ()
  ttkernel.cos_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_cosh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_cosh = ttl.block_cosh %a : (!block) -> !e
  // CHECK: ttl.tile_cosh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_cosh = ttl.tile_cosh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.cosh_tile_init() : () -> ()
  ttkernel.cosh_tile_init() : () -> ()
  // CHECK: ttkernel.cosh_tile(%{{.+}}) : (i32) -> ()
  ttkernel.cosh_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_eqz %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_eqz = ttl.block_eqz %a : (!block) -> !e
  // CHECK: ttl.tile_eqz %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_eqz = ttl.tile_eqz %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.eqz_tile_init() : () -> ()
  ttkernel.eqz_tile_init() : () -> ()
  // CHECK: ttkernel.eqz_tile(%{{.+}}) : (i32) -> ()
  ttkernel.eqz_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_erf %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_erf = ttl.block_erf %a : (!block) -> !e
  // CHECK: ttl.tile_erf %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_erf = ttl.tile_erf %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.erf_tile_init() : () -> ()
  ttkernel.erf_tile_init() : () -> ()
  // CHECK: ttkernel.erf_tile(%{{.+}}) : (i32) -> ()
  ttkernel.erf_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_erfc %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_erfc = ttl.block_erfc %a : (!block) -> !e
  // CHECK: ttl.tile_erfc %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_erfc = ttl.tile_erfc %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.erfc_tile_init() : () -> ()
  ttkernel.erfc_tile_init() : () -> ()
  // CHECK: ttkernel.erfc_tile(%{{.+}}) : (i32) -> ()
  ttkernel.erfc_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_exp %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_exp = ttl.block_exp %a : (!block) -> !e
  // CHECK: ttl.tile_exp %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_exp = ttl.tile_exp %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.exp_tile_init() : () -> ()
  ttkernel.exp_tile_init() : () -> ()
  // CHECK: ttkernel.exp_tile(%{{.+}}) : (i32) -> ()
  ttkernel.exp_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_exp2 %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_exp2 = ttl.block_exp2 %a : (!block) -> !e
  // CHECK: ttl.tile_exp2 %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_exp2 = ttl.tile_exp2 %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.exp2_tile_init() : () -> ()
  ttkernel.exp2_tile_init() : () -> ()
  // CHECK: ttkernel.exp2_tile(%{{.+}}) : (i32) -> ()
  ttkernel.exp2_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_expm1 %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_expm1 = ttl.block_expm1 %a : (!block) -> !e
  // CHECK: ttl.tile_expm1 %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_expm1 = ttl.tile_expm1 %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.expm1_tile_init() : () -> ()
  ttkernel.expm1_tile_init() : () -> ()
  // CHECK: ttkernel.expm1_tile(%{{.+}}) : (i32) -> ()
  ttkernel.expm1_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_floor %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_floor = ttl.block_floor %a : (!block) -> !e
  // CHECK: ttl.tile_floor %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_floor = ttl.tile_floor %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.floor_tile(%{{.+}}) : (i32) -> ()
  ttkernel.floor_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_frac %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_frac = ttl.block_frac %a : (!block) -> !e
  // CHECK: ttl.tile_frac %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_frac = ttl.tile_frac %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.frac_tile(%{{.+}}) : (i32) -> ()
  ttkernel.frac_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_gelu %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_gelu = ttl.block_gelu %a : (!block) -> !e
  // CHECK: ttl.tile_gelu %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_gelu = ttl.tile_gelu %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.gelu_tile_init() : () -> ()
  ttkernel.gelu_tile_init() : () -> ()
  // CHECK: ttkernel.gelu_tile(%{{.+}}) : (i32) -> ()
  ttkernel.gelu_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_gez %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_gez = ttl.block_gez %a : (!block) -> !e
  // CHECK: ttl.tile_gez %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_gez = ttl.tile_gez %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.gez_tile_init() : () -> ()
  ttkernel.gez_tile_init() : () -> ()
  // CHECK: ttkernel.gez_tile(%{{.+}}) : (i32) -> ()
  ttkernel.gez_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_gtz %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_gtz = ttl.block_gtz %a : (!block) -> !e
  // CHECK: ttl.tile_gtz %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_gtz = ttl.tile_gtz %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.gtz_tile_init() : () -> ()
  ttkernel.gtz_tile_init() : () -> ()
  // CHECK: ttkernel.gtz_tile(%{{.+}}) : (i32) -> ()
  ttkernel.gtz_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_hardsigmoid %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_hardsigmoid = ttl.block_hardsigmoid %a : (!block) -> !e
  // CHECK: ttl.tile_hardsigmoid %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_hardsigmoid = ttl.tile_hardsigmoid %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.hardsigmoid_tile_init() : () -> ()
  ttkernel.hardsigmoid_tile_init() : () -> ()
  // CHECK: ttkernel.hardsigmoid_tile(%{{.+}}) : (i32) -> ()
  ttkernel.hardsigmoid_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_isinf %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_isinf = ttl.block_isinf %a : (!block) -> !e
  // CHECK: ttl.tile_isinf %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_isinf = ttl.tile_isinf %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.isinf_tile_init() : () -> ()
  ttkernel.isinf_tile_init() : () -> ()
  // CHECK: ttkernel.isinf_tile(%{{.+}}) : (i32) -> ()
  ttkernel.isinf_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_isnan %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_isnan = ttl.block_isnan %a : (!block) -> !e
  // CHECK: ttl.tile_isnan %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_isnan = ttl.tile_isnan %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.isnan_tile_init() : () -> ()
  ttkernel.isnan_tile_init() : () -> ()
  // CHECK: ttkernel.isnan_tile(%{{.+}}) : (i32) -> ()
  ttkernel.isnan_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_lez %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_lez = ttl.block_lez %a : (!block) -> !e
  // CHECK: ttl.tile_lez %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_lez = ttl.tile_lez %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.lez_tile_init() : () -> ()
  ttkernel.lez_tile_init() : () -> ()
  // CHECK: ttkernel.lez_tile(%{{.+}}) : (i32) -> ()
  ttkernel.lez_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_log %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_log = ttl.block_log %a : (!block) -> !e
  // CHECK: ttl.tile_log %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_log = ttl.tile_log %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.log_tile_init() : () -> ()
  ttkernel.log_tile_init() : () -> ()
  // CHECK: ttkernel.log_tile(%{{.+}}) : (i32) -> ()
  ttkernel.log_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_log1p %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_log1p = ttl.block_log1p %a : (!block) -> !e
  // CHECK: ttl.tile_log1p %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_log1p = ttl.tile_log1p %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.log1p_tile_init() : () -> ()
  ttkernel.log1p_tile_init() : () -> ()
  // CHECK: ttkernel.log1p_tile(%{{.+}}) : (i32) -> ()
  ttkernel.log1p_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_ltz %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ltz = ttl.block_ltz %a : (!block) -> !e
  // CHECK: ttl.tile_ltz %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_ltz = ttl.tile_ltz %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.ltz_tile_init() : () -> ()
  ttkernel.ltz_tile_init() : () -> ()
  // CHECK: ttkernel.ltz_tile(%{{.+}}) : (i32) -> ()
  ttkernel.ltz_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_neg %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_neg = ttl.block_neg %a : (!block) -> !e
  // CHECK: ttl.tile_neg %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_neg = ttl.tile_neg %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.negative_tile_init() : () -> ()
  ttkernel.negative_tile_init() : () -> ()
  // CHECK: ttkernel.negative_tile(%{{.+}}) : (i32) -> ()
  ttkernel.negative_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_nez %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_nez = ttl.block_nez %a : (!block) -> !e
  // CHECK: ttl.tile_nez %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_nez = ttl.tile_nez %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.nez_tile_init() : () -> ()
  ttkernel.nez_tile_init() : () -> ()
  // CHECK: ttkernel.nez_tile(%{{.+}}) : (i32) -> ()
  ttkernel.nez_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_recip %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_recip = ttl.block_recip %a : (!block) -> !e
  // CHECK: ttl.tile_recip %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_recip = ttl.tile_recip %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.recip_tile_init() : () -> ()
  ttkernel.recip_tile_init() : () -> ()
  // CHECK: ttkernel.recip_tile(%{{.+}}) : (i32) -> ()
  ttkernel.recip_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_relu %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_relu = ttl.block_relu %a : (!block) -> !e
  // CHECK: ttl.tile_relu %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_relu = ttl.tile_relu %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.relu_tile_init() : () -> ()
  ttkernel.relu_tile_init() : () -> ()
  // CHECK: ttkernel.relu_tile(%{{.+}}) : (i32) -> ()
  ttkernel.relu_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_rsqrt %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_rsqrt = ttl.block_rsqrt %a : (!block) -> !e
  // CHECK: ttl.tile_rsqrt %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_rsqrt = ttl.tile_rsqrt %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.rsqrt_tile_init() : () -> ()
  ttkernel.rsqrt_tile_init() : () -> ()
  // CHECK: ttkernel.rsqrt_tile(%{{.+}}) : (i32) -> ()
  ttkernel.rsqrt_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_sigmoid %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sigmoid = ttl.block_sigmoid %a : (!block) -> !e
  // CHECK: ttl.tile_sigmoid %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sigmoid = ttl.tile_sigmoid %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.sigmoid_tile_init() : () -> ()
  ttkernel.sigmoid_tile_init() : () -> ()
  // CHECK: ttkernel.sigmoid_tile(%{{.+}}) : (i32) -> ()
  ttkernel.sigmoid_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_sign %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sign = ttl.block_sign %a : (!block) -> !e
  // CHECK: ttl.tile_sign %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sign = ttl.tile_sign %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.sign_tile_init() : () -> ()
  ttkernel.sign_tile_init() : () -> ()
  // CHECK: ttkernel.sign_tile(%{{.+}}) : (i32) -> ()
  ttkernel.sign_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_signbit %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_signbit = ttl.block_signbit %a : (!block) -> !e
  // CHECK: ttl.tile_signbit %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_signbit = ttl.tile_signbit %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.signbit_tile_init() : () -> ()
  ttkernel.signbit_tile_init() : () -> ()
  // CHECK: ttkernel.signbit_tile(%{{.+}}) : (i32) -> ()
  ttkernel.signbit_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_silu %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_silu = ttl.block_silu %a : (!block) -> !e
  // CHECK: ttl.tile_silu %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_silu = ttl.tile_silu %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.silu_tile_init() : () -> ()
  ttkernel.silu_tile_init() : () -> ()
  // CHECK: ttkernel.silu_tile(%{{.+}}) : (i32) -> ()
  ttkernel.silu_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_sin %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sin = ttl.block_sin %a : (!block) -> !e
  // CHECK: ttl.tile_sin %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sin = ttl.tile_sin %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.sin_tile_init() : () -> ()
  ttkernel.sin_tile_init() : () -> ()
  // CHECK: ttkernel.sin_tile(%{{.+}}) : (i32) -> ()
  ttkernel.sin_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_sinh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sinh = ttl.block_sinh %a : (!block) -> !e
  // CHECK: ttl.tile_sinh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sinh = ttl.tile_sinh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.sinh_tile_init() : () -> ()
  ttkernel.sinh_tile_init() : () -> ()
  // CHECK: ttkernel.sinh_tile(%{{.+}}) : (i32) -> ()
  ttkernel.sinh_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_softsign %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_softsign = ttl.block_softsign %a : (!block) -> !e
  // CHECK: ttl.tile_softsign %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_softsign = ttl.tile_softsign %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.softsign_tile_init() : () -> ()
  ttkernel.softsign_tile_init() : () -> ()
  // CHECK: ttkernel.softsign_tile(%{{.+}}) : (i32) -> ()
  ttkernel.softsign_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_sqrt %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sqrt = ttl.block_sqrt %a : (!block) -> !e
  // CHECK: ttl.tile_sqrt %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sqrt = ttl.tile_sqrt %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.sqrt_tile_init() : () -> ()
  ttkernel.sqrt_tile_init() : () -> ()
  // CHECK: ttkernel.sqrt_tile(%{{.+}}) : (i32) -> ()
  ttkernel.sqrt_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_square %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_square = ttl.block_square %a : (!block) -> !e
  // CHECK: ttl.tile_square %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_square = ttl.tile_square %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.square_tile_init() : () -> ()
  ttkernel.square_tile_init() : () -> ()
  // CHECK: ttkernel.square_tile(%{{.+}}) : (i32) -> ()
  ttkernel.square_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_tan %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_tan = ttl.block_tan %a : (!block) -> !e
  // CHECK: ttl.tile_tan %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_tan = ttl.tile_tan %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.tan_tile_init() : () -> ()
  ttkernel.tan_tile_init() : () -> ()
  // CHECK: ttkernel.tan_tile(%{{.+}}) : (i32) -> ()
  ttkernel.tan_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_tanh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_tanh = ttl.block_tanh %a : (!block) -> !e
  // CHECK: ttl.tile_tanh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_tanh = ttl.tile_tanh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.tanh_tile_init() : () -> ()
  ttkernel.tanh_tile_init() : () -> ()
  // CHECK: ttkernel.tanh_tile(%{{.+}}) : (i32) -> ()
  ttkernel.tanh_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_trunc %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_trunc = ttl.block_trunc %a : (!block) -> !e
  // CHECK: ttl.tile_trunc %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_trunc = ttl.tile_trunc %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttkernel.trunc_tile(%{{.+}}) : (i32) -> ()
  ttkernel.trunc_tile(%d) : (i32) -> ()
  // CHECK: ttl.block_add_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_add_unary = ttl.block_add_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_add_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_add_unary = ttl.tile_add_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.binop_with_scalar_tile_init() : () -> ()
  ttkernel.binop_with_scalar_tile_init() : () -> ()
  // CHECK: ttkernel.add_unary_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.add_unary_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_sub_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sub_unary = ttl.block_sub_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_sub_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_sub_unary = ttl.tile_sub_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.sub_unary_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.sub_unary_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_mul_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mul_unary = ttl.block_mul_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_mul_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_mul_unary = ttl.tile_mul_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.mul_unary_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.mul_unary_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_div_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_div_unary = ttl.block_div_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_div_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_div_unary = ttl.tile_div_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.div_unary_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.div_unary_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_rsub_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_rsub_unary = ttl.block_rsub_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_rsub_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_rsub_unary = ttl.tile_rsub_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.rsub_unary_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.rsub_unary_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_max_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_max_unary = ttl.block_max_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_max_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_max_unary = ttl.tile_max_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.unary_max_tile_init() : () -> ()
  ttkernel.unary_max_tile_init() : () -> ()
  // CHECK: ttkernel.unary_max_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.unary_max_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_min_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_min_unary = ttl.block_min_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_min_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_min_unary = ttl.tile_min_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.unary_min_tile_init() : () -> ()
  ttkernel.unary_min_tile_init() : () -> ()
  // CHECK: ttkernel.unary_min_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.unary_min_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_eq_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_eq_unary = ttl.block_eq_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_eq_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_eq_unary = ttl.tile_eq_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.unary_eq_tile_init() : () -> ()
  ttkernel.unary_eq_tile_init() : () -> ()
  // CHECK: ttkernel.unary_eq_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.unary_eq_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_ne_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ne_unary = ttl.block_ne_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_ne_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_ne_unary = ttl.tile_ne_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.unary_ne_tile_init() : () -> ()
  ttkernel.unary_ne_tile_init() : () -> ()
  // CHECK: ttkernel.unary_ne_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.unary_ne_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_lt_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_lt_unary = ttl.block_lt_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_lt_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_lt_unary = ttl.tile_lt_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.unary_lt_tile_init() : () -> ()
  ttkernel.unary_lt_tile_init() : () -> ()
  // CHECK: ttkernel.unary_lt_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.unary_lt_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_le_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_le_unary = ttl.block_le_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_le_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_le_unary = ttl.tile_le_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.unary_le_tile_init() : () -> ()
  ttkernel.unary_le_tile_init() : () -> ()
  // CHECK: ttkernel.unary_le_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.unary_le_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_gt_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_gt_unary = ttl.block_gt_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_gt_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_gt_unary = ttl.tile_gt_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.unary_gt_tile_init() : () -> ()
  ttkernel.unary_gt_tile_init() : () -> ()
  // CHECK: ttkernel.unary_gt_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.unary_gt_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_ge_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ge_unary = ttl.block_ge_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_ge_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_ge_unary = ttl.tile_ge_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.unary_ge_tile_init() : () -> ()
  ttkernel.unary_ge_tile_init() : () -> ()
  // CHECK: ttkernel.unary_ge_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.unary_ge_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_pow_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_pow_unary = ttl.block_pow_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_pow_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_pow_unary = ttl.tile_pow_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.power_tile_init() : () -> ()
  ttkernel.power_tile_init() : () -> ()
  // CHECK: ttkernel.power_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.power_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_celu %{{.+}}, %{{.+}}, %{{.+}} : (!block, f32, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_celu = ttl.block_celu %a, %p, %p : (!block, f32, f32) -> !e
  // CHECK: ttl.tile_celu %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32, f32) -> !ttcore.tile<32x32, f32>
  %t_celu = ttl.tile_celu %x, %p, %p {dst_idx = 0 : i32} : (!t, f32, f32) -> !t
  // CHECK: ttkernel.celu_tile_init() : () -> ()
  ttkernel.celu_tile_init() : () -> ()
  // CHECK: ttkernel.celu_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, f32, f32) -> ()
  ttkernel.celu_tile(%d, %p, %p) : (i32, f32, f32) -> ()
  // CHECK: ttl.block_clamp %{{.+}}, %{{.+}}, %{{.+}} : (!block, f32, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_clamp = ttl.block_clamp %a, %p, %p : (!block, f32, f32) -> !e
  // CHECK: ttl.tile_clamp %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32, f32) -> !ttcore.tile<32x32, f32>
  %t_clamp = ttl.tile_clamp %x, %p, %p {dst_idx = 0 : i32} : (!t, f32, f32) -> !t
  // CHECK: ttkernel.clamp_tile_init() : () -> ()
  ttkernel.clamp_tile_init() : () -> ()
  // CHECK: ttkernel.clamp_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, f32, f32) -> ()
  ttkernel.clamp_tile(%d, %p, %p) : (i32, f32, f32) -> ()
  // CHECK: ttl.block_elu %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_elu = ttl.block_elu %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_elu %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_elu = ttl.tile_elu %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.elu_tile_init() : () -> ()
  ttkernel.elu_tile_init() : () -> ()
  // CHECK: ttkernel.elu_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.elu_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_leaky_relu %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_leaky_relu = ttl.block_leaky_relu %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_leaky_relu %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_leaky_relu = ttl.tile_leaky_relu %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.leaky_relu_tile_init() : () -> ()
  ttkernel.leaky_relu_tile_init() : () -> ()
  // CHECK: ttkernel.leaky_relu_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.leaky_relu_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_relu_max %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_relu_max = ttl.block_relu_max %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_relu_max %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_relu_max = ttl.tile_relu_max %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.relu_max_tile_init() : () -> ()
  ttkernel.relu_max_tile_init() : () -> ()
  // CHECK: ttkernel.relu_max_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.relu_max_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_relu_min %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_relu_min = ttl.block_relu_min %a, %p : (!block, f32) -> !e
  // CHECK: ttl.tile_relu_min %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_relu_min = ttl.tile_relu_min %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttkernel.relu_min_tile_init() : () -> ()
  ttkernel.relu_min_tile_init() : () -> ()
  // CHECK: ttkernel.relu_min_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.relu_min_tile(%d, %p) : (i32, f32) -> ()
  // CHECK: ttl.block_selu %{{.+}}, %{{.+}}, %{{.+}} : (!block, f32, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_selu = ttl.block_selu %a, %p, %p : (!block, f32, f32) -> !e
  // CHECK: ttl.tile_selu %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32, f32) -> !ttcore.tile<32x32, f32>
  %t_selu = ttl.tile_selu %x, %p, %p {dst_idx = 0 : i32} : (!t, f32, f32) -> !t
  // CHECK: ttkernel.selu_tile_init() : () -> ()
  ttkernel.selu_tile_init() : () -> ()
  // CHECK: ttkernel.selu_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, f32, f32) -> ()
  ttkernel.selu_tile(%d, %p, %p) : (i32, f32, f32) -> ()
  // CHECK: ttl.block_softplus %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : (!block, f32, f32, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_softplus = ttl.block_softplus %a, %p, %p, %p : (!block, f32, f32, f32) -> !e
  // CHECK: ttl.tile_softplus %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32, f32, f32) -> !ttcore.tile<32x32, f32>
  %t_softplus = ttl.tile_softplus %x, %p, %p, %p {dst_idx = 0 : i32} : (!t, f32, f32, f32) -> !t
  // CHECK: ttkernel.softplus_tile_init() : () -> ()
  ttkernel.softplus_tile_init() : () -> ()
  // CHECK: ttkernel.softplus_tile(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) : (i32, f32, f32, f32) -> ()
  ttkernel.softplus_tile(%d, %p, %p, %p) : (i32, f32, f32, f32) -> ()
  // CHECK: ttl.block_threshold %{{.+}}, %{{.+}}, %{{.+}} : (!block, f32, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_threshold = ttl.block_threshold %a, %p, %p : (!block, f32, f32) -> !e
  // CHECK: ttl.tile_threshold %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32, f32) -> !ttcore.tile<32x32, f32>
  %t_threshold = ttl.tile_threshold %x, %p, %p {dst_idx = 0 : i32} : (!t, f32, f32) -> !t
  // CHECK: ttkernel.threshold_tile_init() : () -> ()
  ttkernel.threshold_tile_init() : () -> ()
  // CHECK: ttkernel.threshold_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, f32, f32) -> ()
  ttkernel.threshold_tile(%d, %p, %p) : (i32, f32, f32) -> ()
  // CHECK: ttl.block_pow_int %{{.+}}, %{{.+}} : (!block, i32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_pow_int = ttl.block_pow_int %a, %n : (!block, i32) -> !e
  // CHECK: ttl.tile_pow_int %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, i32) -> !ttcore.tile<32x32, f32>
  %t_pow_int = ttl.tile_pow_int %x, %n {dst_idx = 0 : i32} : (!t, i32) -> !t
  // CHECK: ttkernel.power_iterative_tile_init() : () -> ()
  ttkernel.power_iterative_tile_init() : () -> ()
  // CHECK: ttkernel.power_iterative_tile(%{{.+}}, %{{.+}}) : (i32, i32) -> ()
  ttkernel.power_iterative_tile(%d, %n) : (i32, i32) -> ()
  // CHECK: ttl.block_round %{{.+}}, %{{.+}} : (!block, i32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_round = ttl.block_round %a, %n : (!block, i32) -> !e
  // CHECK: ttl.tile_round %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, i32) -> !ttcore.tile<32x32, f32>
  %t_round = ttl.tile_round %x, %n {dst_idx = 0 : i32} : (!t, i32) -> !t
  // CHECK: ttkernel.round_tile(%{{.+}}, %{{.+}}) : (i32, i32) -> ()
  ttkernel.round_tile(%d, %n) : (i32, i32) -> ()
  // CHECK: ttl.block_add %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_add = ttl.block_add %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_add %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_add = ttl.tile_add %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.add_binary_tile_init() : () -> ()
  ttkernel.add_binary_tile_init() : () -> ()
  // CHECK: ttkernel.add_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.add_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_sub %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sub = ttl.block_sub %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_sub %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sub = ttl.tile_sub %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.sub_binary_tile_init() : () -> ()
  ttkernel.sub_binary_tile_init() : () -> ()
  // CHECK: ttkernel.sub_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.sub_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_mul %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mul = ttl.block_mul %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_mul %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_mul = ttl.tile_mul %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.mul_binary_tile_init() : () -> ()
  ttkernel.mul_binary_tile_init() : () -> ()
  // CHECK: ttkernel.mul_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.mul_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_div %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_div = ttl.block_div %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_div %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_div = ttl.tile_div %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.div_binary_tile_init() : () -> ()
  ttkernel.div_binary_tile_init() : () -> ()
  // CHECK: ttkernel.div_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.div_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_max %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_max = ttl.block_max %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_max %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_max = ttl.tile_max %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.binary_max_tile_init() : () -> ()
  ttkernel.binary_max_tile_init() : () -> ()
  // CHECK: ttkernel.binary_max_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.binary_max_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_min %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_min = ttl.block_min %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_min %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_min = ttl.tile_min %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.binary_min_tile_init() : () -> ()
  ttkernel.binary_min_tile_init() : () -> ()
  // CHECK: ttkernel.binary_min_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.binary_min_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_pow %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_pow = ttl.block_pow %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_pow %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_pow = ttl.tile_pow %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.power_binary_tile_init() : () -> ()
  ttkernel.power_binary_tile_init() : () -> ()
  // CHECK: ttkernel.power_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.power_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_eq %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_eq = ttl.block_eq %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_eq %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_eq = ttl.tile_eq %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.eq_binary_tile_init() : () -> ()
  ttkernel.eq_binary_tile_init() : () -> ()
  // CHECK: ttkernel.eq_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.eq_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_ne %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ne = ttl.block_ne %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_ne %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_ne = ttl.tile_ne %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.ne_binary_tile_init() : () -> ()
  ttkernel.ne_binary_tile_init() : () -> ()
  // CHECK: ttkernel.ne_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.ne_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_lt %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_lt = ttl.block_lt %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_lt %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_lt = ttl.tile_lt %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.lt_binary_tile_init() : () -> ()
  ttkernel.lt_binary_tile_init() : () -> ()
  // CHECK: ttkernel.lt_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.lt_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_le %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_le = ttl.block_le %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_le %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_le = ttl.tile_le %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.le_binary_tile_init() : () -> ()
  ttkernel.le_binary_tile_init() : () -> ()
  // CHECK: ttkernel.le_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.le_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_gt %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_gt = ttl.block_gt %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_gt %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_gt = ttl.tile_gt %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.gt_binary_tile_init() : () -> ()
  ttkernel.gt_binary_tile_init() : () -> ()
  // CHECK: ttkernel.gt_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.gt_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_ge %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ge = ttl.block_ge %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_ge %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_ge = ttl.tile_ge %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.ge_binary_tile_init() : () -> ()
  ttkernel.ge_binary_tile_init() : () -> ()
  // CHECK: ttkernel.ge_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.ge_binary_tile(%d, %d, %d) : (i32, i32, i32) -> ()
  // CHECK: ttl.block_where %{{.+}}, %{{.+}}, %{{.+}} : (!block, !block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_where = ttl.block_where %a, %a, %a : (!block, !block, !block) -> !e
  // CHECK: ttl.tile_where %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_where = ttl.tile_where %x, %x, %x {dst_idx = 0 : i32} : (!t, !t, !t) -> !t
  // CHECK: ttkernel.where_tile_init() : () -> ()
  ttkernel.where_tile_init() : () -> ()
  // CHECK: ttkernel.where_tile(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32, i32) -> ()
  ttkernel.where_tile(%d, %d, %d, %d) : (i32, i32, i32, i32) -> ()
  // CHECK: ttl.block_mask %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mask = ttl.block_mask %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_mask %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_mask = ttl.tile_mask %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.mask_tile_init() : () -> ()
  ttkernel.mask_tile_init() : () -> ()
  // CHECK: ttkernel.mask_tile(%{{.+}}, %{{.+}}) : (i32, i32) -> ()
  ttkernel.mask_tile(%d, %d) : (i32, i32) -> ()
  // CHECK: ttl.block_mask_posinf %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mask_posinf = ttl.block_mask_posinf %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_mask_posinf %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_mask_posinf = ttl.tile_mask_posinf %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttkernel.mask_posinf_tile(%{{.+}}, %{{.+}}) : (i32, i32) -> ()
  ttkernel.mask_posinf_tile(%d, %d) : (i32, i32) -> ()
  return
}
