// RUN: ttl-opt %s | ttl-opt | FileCheck %s

// Every row of the operation table on tiles.

!t = !ttcore.tile<32x32, f32>

// CHECK-LABEL: func.func @rows
func.func @rows(%x: !t, %p: f32, %n: i32) {
  // CHECK: ttl.tile_abs %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_abs = ttl.tile_abs %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_acos %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_acos = ttl.tile_acos %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_acosh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_acosh = ttl.tile_acosh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_asin %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_asin = ttl.tile_asin %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_asinh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_asinh = ttl.tile_asinh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_atan %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_atan = ttl.tile_atan %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_atanh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_atanh = ttl.tile_atanh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_ceil %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_ceil = ttl.tile_ceil %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_cos %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_cos = ttl.tile_cos %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_cosh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_cosh = ttl.tile_cosh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_eqz %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_eqz = ttl.tile_eqz %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_erf %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_erf = ttl.tile_erf %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_erfc %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_erfc = ttl.tile_erfc %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_exp %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_exp = ttl.tile_exp %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_exp_approx %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_exp_approx = ttl.tile_exp_approx %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_exp2 %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_exp2 = ttl.tile_exp2 %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_expm1 %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_expm1 = ttl.tile_expm1 %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_floor %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_floor = ttl.tile_floor %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_frac %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_frac = ttl.tile_frac %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_gelu %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_gelu = ttl.tile_gelu %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_gez %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_gez = ttl.tile_gez %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_gtz %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_gtz = ttl.tile_gtz %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_hardsigmoid %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_hardsigmoid = ttl.tile_hardsigmoid %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_isinf %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_isinf = ttl.tile_isinf %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_isnan %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_isnan = ttl.tile_isnan %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_lez %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_lez = ttl.tile_lez %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_log %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_log = ttl.tile_log %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_log1p %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_log1p = ttl.tile_log1p %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_ltz %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_ltz = ttl.tile_ltz %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_neg %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_neg = ttl.tile_neg %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_nez %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_nez = ttl.tile_nez %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_recip %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_recip = ttl.tile_recip %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_relu %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_relu = ttl.tile_relu %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_rsqrt %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_rsqrt = ttl.tile_rsqrt %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_sigmoid %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sigmoid = ttl.tile_sigmoid %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_sign %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sign = ttl.tile_sign %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_signbit %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_signbit = ttl.tile_signbit %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_silu %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_silu = ttl.tile_silu %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_sin %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sin = ttl.tile_sin %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_sinh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sinh = ttl.tile_sinh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_softsign %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_softsign = ttl.tile_softsign %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_sqrt %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sqrt = ttl.tile_sqrt %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_square %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_square = ttl.tile_square %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_tan %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_tan = ttl.tile_tan %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_tanh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_tanh = ttl.tile_tanh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_trunc %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_trunc = ttl.tile_trunc %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_add_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_add_unary = ttl.tile_add_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_sub_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_sub_unary = ttl.tile_sub_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_mul_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_mul_unary = ttl.tile_mul_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_div_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_div_unary = ttl.tile_div_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_rsub_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_rsub_unary = ttl.tile_rsub_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_max_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_max_unary = ttl.tile_max_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_min_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_min_unary = ttl.tile_min_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_eq_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_eq_unary = ttl.tile_eq_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_ne_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_ne_unary = ttl.tile_ne_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_lt_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_lt_unary = ttl.tile_lt_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_le_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_le_unary = ttl.tile_le_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_gt_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_gt_unary = ttl.tile_gt_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_ge_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_ge_unary = ttl.tile_ge_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_pow_unary %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_pow_unary = ttl.tile_pow_unary %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_celu %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32, f32) -> !ttcore.tile<32x32, f32>
  %t_celu = ttl.tile_celu %x, %p, %p {dst_idx = 0 : i32} : (!t, f32, f32) -> !t
  // CHECK: ttl.tile_clamp %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32, f32) -> !ttcore.tile<32x32, f32>
  %t_clamp = ttl.tile_clamp %x, %p, %p {dst_idx = 0 : i32} : (!t, f32, f32) -> !t
  // CHECK: ttl.tile_elu %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_elu = ttl.tile_elu %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_leaky_relu %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_leaky_relu = ttl.tile_leaky_relu %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_relu_max %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_relu_max = ttl.tile_relu_max %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_relu_min %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32) -> !ttcore.tile<32x32, f32>
  %t_relu_min = ttl.tile_relu_min %x, %p {dst_idx = 0 : i32} : (!t, f32) -> !t
  // CHECK: ttl.tile_selu %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32, f32) -> !ttcore.tile<32x32, f32>
  %t_selu = ttl.tile_selu %x, %p, %p {dst_idx = 0 : i32} : (!t, f32, f32) -> !t
  // CHECK: ttl.tile_softplus %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32, f32, f32) -> !ttcore.tile<32x32, f32>
  %t_softplus = ttl.tile_softplus %x, %p, %p, %p {dst_idx = 0 : i32} : (!t, f32, f32, f32) -> !t
  // CHECK: ttl.tile_threshold %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, f32, f32) -> !ttcore.tile<32x32, f32>
  %t_threshold = ttl.tile_threshold %x, %p, %p {dst_idx = 0 : i32} : (!t, f32, f32) -> !t
  // CHECK: ttl.tile_pow_int %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, i32) -> !ttcore.tile<32x32, f32>
  %t_pow_int = ttl.tile_pow_int %x, %n {dst_idx = 0 : i32} : (!t, i32) -> !t
  // CHECK: ttl.tile_round %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, i32) -> !ttcore.tile<32x32, f32>
  %t_round = ttl.tile_round %x, %n {dst_idx = 0 : i32} : (!t, i32) -> !t
  // CHECK: ttl.tile_add %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_add = ttl.tile_add %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_sub %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sub = ttl.tile_sub %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_mul %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_mul = ttl.tile_mul %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_div %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_div = ttl.tile_div %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_max %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_max = ttl.tile_max %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_min %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_min = ttl.tile_min %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_pow %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_pow = ttl.tile_pow %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_eq %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_eq = ttl.tile_eq %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_ne %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_ne = ttl.tile_ne %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_lt %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_lt = ttl.tile_lt %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_le %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_le = ttl.tile_le %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_gt %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_gt = ttl.tile_gt %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_ge %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_ge = ttl.tile_ge %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_to_bfloat16 %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_to_bfloat16 = ttl.tile_to_bfloat16 %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_to_float16 %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_to_float16 = ttl.tile_to_float16 %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_float_to_int32 %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_float_to_int32 = ttl.tile_float_to_int32 %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_float_to_uint32 %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_float_to_uint32 = ttl.tile_float_to_uint32 %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_int32_to_float %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_int32_to_float = ttl.tile_int32_to_float %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_uint32_to_float %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_uint32_to_float = ttl.tile_uint32_to_float %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_to_uint16 %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_to_uint16 = ttl.tile_to_uint16 %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_to_uint8 %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_to_uint8 = ttl.tile_to_uint8 %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.tile_add_int %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_add_int = ttl.tile_add_int %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_sub_int %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sub_int = ttl.tile_sub_int %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_mul_int %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_mul_int = ttl.tile_mul_int %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_div_int32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_div_int32 = ttl.tile_div_int32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_div_uint32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_div_uint32 = ttl.tile_div_uint32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_floordiv_int32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_floordiv_int32 = ttl.tile_floordiv_int32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_mod_int32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_mod_int32 = ttl.tile_mod_int32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_mod_uint32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_mod_uint32 = ttl.tile_mod_uint32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_max_int32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_max_int32 = ttl.tile_max_int32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_min_int32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_min_int32 = ttl.tile_min_int32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_max_uint32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_max_uint32 = ttl.tile_max_uint32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_min_uint32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_min_uint32 = ttl.tile_min_uint32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_eq_int %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_eq_int = ttl.tile_eq_int %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_ne_int %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_ne_int = ttl.tile_ne_int %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_lt_int32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_lt_int32 = ttl.tile_lt_int32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_le_int32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_le_int32 = ttl.tile_le_int32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_lt_uint32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_lt_uint32 = ttl.tile_lt_uint32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_le_uint32 %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_le_uint32 = ttl.tile_le_uint32 %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_where_int %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_where_int = ttl.tile_where_int %x, %x, %x {dst_idx = 0 : i32} : (!t, !t, !t) -> !t
  // CHECK: ttl.tile_where %{{.+}}, %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_where = ttl.tile_where %x, %x, %x {dst_idx = 0 : i32} : (!t, !t, !t) -> !t
  // CHECK: ttl.tile_mask %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_mask = ttl.tile_mask %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_mask_posinf %{{.+}}, %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_mask_posinf = ttl.tile_mask_posinf %x, %x {dst_idx = 0 : i32} : (!t, !t) -> !t
  return
}
