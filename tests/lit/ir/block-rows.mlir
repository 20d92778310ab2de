// RUN: ttl-opt %s | ttl-opt | FileCheck %s

// Every row of the operation table on blocks.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

// CHECK-LABEL: func.func @rows
func.func @rows(%a: !block, %p: f32, %n: i32) {
  // CHECK: ttl.block_abs %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_abs = ttl.block_abs %a : (!block) -> !e
  // CHECK: ttl.block_acos %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_acos = ttl.block_acos %a : (!block) -> !e
  // CHECK: ttl.block_acosh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_acosh = ttl.block_acosh %a : (!block) -> !e
  // CHECK: ttl.block_asin %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_asin = ttl.block_asin %a : (!block) -> !e
  // CHECK: ttl.block_asinh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_asinh = ttl.block_asinh %a : (!block) -> !e
  // CHECK: ttl.block_atan %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_atan = ttl.block_atan %a : (!block) -> !e
  // CHECK: ttl.block_atanh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_atanh = ttl.block_atanh %a : (!block) -> !e
  // CHECK: ttl.block_ceil %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ceil = ttl.block_ceil %a : (!block) -> !e
  // CHECK: ttl.block_cos %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_cos = ttl.block_cos %a : (!block) -> !e
  // CHECK: ttl.block_cosh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_cosh = ttl.block_cosh %a : (!block) -> !e
  // CHECK: ttl.block_eqz %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_eqz = ttl.block_eqz %a : (!block) -> !e
  // CHECK: ttl.block_erf %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_erf = ttl.block_erf %a : (!block) -> !e
  // CHECK: ttl.block_erfc %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_erfc = ttl.block_erfc %a : (!block) -> !e
  // CHECK: ttl.block_exp %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_exp = ttl.block_exp %a : (!block) -> !e
  // CHECK: ttl.block_exp_approx %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_exp_approx = ttl.block_exp_approx %a : (!block) -> !e
  // CHECK: ttl.block_exp2 %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_exp2 = ttl.block_exp2 %a : (!block) -> !e
  // CHECK: ttl.block_expm1 %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_expm1 = ttl.block_expm1 %a : (!block) -> !e
  // CHECK: ttl.block_floor %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_floor = ttl.block_floor %a : (!block) -> !e
  // CHECK: ttl.block_frac %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_frac = ttl.block_frac %a : (!block) -> !e
  // CHECK: ttl.block_gelu %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_gelu = ttl.block_gelu %a : (!block) -> !e
  // CHECK: ttl.block_gez %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_gez = ttl.block_gez %a : (!block) -> !e
  // CHECK: ttl.block_gtz %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_gtz = ttl.block_gtz %a : (!block) -> !e
  // CHECK: ttl.block_hardsigmoid %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_hardsigmoid = ttl.block_hardsigmoid %a : (!block) -> !e
  // CHECK: ttl.block_isinf %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_isinf = ttl.block_isinf %a : (!block) -> !e
  // CHECK: ttl.block_isnan %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_isnan = ttl.block_isnan %a : (!block) -> !e
  // CHECK: ttl.block_lez %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_lez = ttl.block_lez %a : (!block) -> !e
  // CHECK: ttl.block_log %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_log = ttl.block_log %a : (!block) -> !e
  // CHECK: ttl.block_log1p %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_log1p = ttl.block_log1p %a : (!block) -> !e
  // CHECK: ttl.block_ltz %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ltz = ttl.block_ltz %a : (!block) -> !e
  // CHECK: ttl.block_neg %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_neg = ttl.block_neg %a : (!block) -> !e
  // CHECK: ttl.block_nez %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_nez = ttl.block_nez %a : (!block) -> !e
  // CHECK: ttl.block_recip %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_recip = ttl.block_recip %a : (!block) -> !e
  // CHECK: ttl.block_relu %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_relu = ttl.block_relu %a : (!block) -> !e
  // CHECK: ttl.block_rsqrt %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_rsqrt = ttl.block_rsqrt %a : (!block) -> !e
  // CHECK: ttl.block_sigmoid %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sigmoid = ttl.block_sigmoid %a : (!block) -> !e
  // CHECK: ttl.block_sign %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sign = ttl.block_sign %a : (!block) -> !e
  // CHECK: ttl.block_signbit %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_signbit = ttl.block_signbit %a : (!block) -> !e
  // CHECK: ttl.block_silu %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_silu = ttl.block_silu %a : (!block) -> !e
  // CHECK: ttl.block_sin %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sin = ttl.block_sin %a : (!block) -> !e
  // CHECK: ttl.block_sinh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sinh = ttl.block_sinh %a : (!block) -> !e
  // CHECK: ttl.block_softsign %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_softsign = ttl.block_softsign %a : (!block) -> !e
  // CHECK: ttl.block_sqrt %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sqrt = ttl.block_sqrt %a : (!block) -> !e
  // CHECK: ttl.block_square %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_square = ttl.block_square %a : (!block) -> !e
  // CHECK: ttl.block_tan %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_tan = ttl.block_tan %a : (!block) -> !e
  // CHECK: ttl.block_tanh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_tanh = ttl.block_tanh %a : (!block) -> !e
  // CHECK: ttl.block_trunc %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_trunc = ttl.block_trunc %a : (!block) -> !e
  // CHECK: ttl.block_add_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_add_unary = ttl.block_add_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_sub_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sub_unary = ttl.block_sub_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_mul_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mul_unary = ttl.block_mul_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_div_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_div_unary = ttl.block_div_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_rsub_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_rsub_unary = ttl.block_rsub_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_max_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_max_unary = ttl.block_max_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_min_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_min_unary = ttl.block_min_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_eq_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_eq_unary = ttl.block_eq_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_ne_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ne_unary = ttl.block_ne_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_lt_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_lt_unary = ttl.block_lt_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_le_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_le_unary = ttl.block_le_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_gt_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_gt_unary = ttl.block_gt_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_ge_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ge_unary = ttl.block_ge_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_pow_unary %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_pow_unary = ttl.block_pow_unary %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_celu %{{.+}}, %{{.+}}, %{{.+}} : (!block, f32, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_celu = ttl.block_celu %a, %p, %p : (!block, f32, f32) -> !e
  // CHECK: ttl.block_clamp %{{.+}}, %{{.+}}, %{{.+}} : (!block, f32, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_clamp = ttl.block_clamp %a, %p, %p : (!block, f32, f32) -> !e
  // CHECK: ttl.block_elu %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_elu = ttl.block_elu %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_leaky_relu %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_leaky_relu = ttl.block_leaky_relu %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_relu_max %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_relu_max = ttl.block_relu_max %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_relu_min %{{.+}}, %{{.+}} : (!block, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_relu_min = ttl.block_relu_min %a, %p : (!block, f32) -> !e
  // CHECK: ttl.block_selu %{{.+}}, %{{.+}}, %{{.+}} : (!block, f32, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_selu = ttl.block_selu %a, %p, %p : (!block, f32, f32) -> !e
  // CHECK: ttl.block_softplus %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : (!block, f32, f32, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_softplus = ttl.block_softplus %a, %p, %p, %p : (!block, f32, f32, f32) -> !e
  // CHECK: ttl.block_threshold %{{.+}}, %{{.+}}, %{{.+}} : (!block, f32, f32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_threshold = ttl.block_threshold %a, %p, %p : (!block, f32, f32) -> !e
  // CHECK: ttl.block_pow_int %{{.+}}, %{{.+}} : (!block, i32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_pow_int = ttl.block_pow_int %a, %n : (!block, i32) -> !e
  // CHECK: ttl.block_round %{{.+}}, %{{.+}} : (!block, i32) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_round = ttl.block_round %a, %n : (!block, i32) -> !e
  // CHECK: ttl.block_add %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_add = ttl.block_add %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_sub %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sub = ttl.block_sub %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_mul %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mul = ttl.block_mul %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_div %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_div = ttl.block_div %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_max %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_max = ttl.block_max %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_min %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_min = ttl.block_min %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_pow %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_pow = ttl.block_pow %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_eq %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_eq = ttl.block_eq %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_ne %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ne = ttl.block_ne %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_lt %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_lt = ttl.block_lt %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_le %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_le = ttl.block_le %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_gt %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_gt = ttl.block_gt %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_ge %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ge = ttl.block_ge %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_to_bfloat16 %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_to_bfloat16 = ttl.block_to_bfloat16 %a : (!block) -> !e
  // CHECK: ttl.block_to_float16 %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_to_float16 = ttl.block_to_float16 %a : (!block) -> !e
  // CHECK: ttl.block_float_to_int32 %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_float_to_int32 = ttl.block_float_to_int32 %a : (!block) -> !e
  // CHECK: ttl.block_float_to_uint32 %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_float_to_uint32 = ttl.block_float_to_uint32 %a : (!block) -> !e
  // CHECK: ttl.block_int32_to_float %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_int32_to_float = ttl.block_int32_to_float %a : (!block) -> !e
  // CHECK: ttl.block_uint32_to_float %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_uint32_to_float = ttl.block_uint32_to_float %a : (!block) -> !e
  // CHECK: ttl.block_to_uint16 %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_to_uint16 = ttl.block_to_uint16 %a : (!block) -> !e
  // CHECK: ttl.block_to_uint8 %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_to_uint8 = ttl.block_to_uint8 %a : (!block) -> !e
  // CHECK: ttl.block_add_int %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_add_int = ttl.block_add_int %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_sub_int %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sub_int = ttl.block_sub_int %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_mul_int %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mul_int = ttl.block_mul_int %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_div_int32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_div_int32 = ttl.block_div_int32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_div_uint32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_div_uint32 = ttl.block_div_uint32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_floordiv_int32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_floordiv_int32 = ttl.block_floordiv_int32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_mod_int32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mod_int32 = ttl.block_mod_int32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_mod_uint32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mod_uint32 = ttl.block_mod_uint32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_max_int32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_max_int32 = ttl.block_max_int32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_min_int32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_min_int32 = ttl.block_min_int32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_max_uint32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_max_uint32 = ttl.block_max_uint32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_min_uint32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_min_uint32 = ttl.block_min_uint32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_eq_int %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_eq_int = ttl.block_eq_int %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_ne_int %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_ne_int = ttl.block_ne_int %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_lt_int32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_lt_int32 = ttl.block_lt_int32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_le_int32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_le_int32 = ttl.block_le_int32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_lt_uint32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_lt_uint32 = ttl.block_lt_uint32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_le_uint32 %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_le_uint32 = ttl.block_le_uint32 %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_where_int %{{.+}}, %{{.+}}, %{{.+}} : (!block, !block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_where_int = ttl.block_where_int %a, %a, %a : (!block, !block, !block) -> !e
  // CHECK: ttl.block_where %{{.+}}, %{{.+}}, %{{.+}} : (!block, !block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_where = ttl.block_where %a, %a, %a : (!block, !block, !block) -> !e
  // CHECK: ttl.block_mask %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mask = ttl.block_mask %a, %a : (!block, !block) -> !e
  // CHECK: ttl.block_mask_posinf %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mask_posinf = ttl.block_mask_posinf %a, %a : (!block, !block) -> !e
  return
}
