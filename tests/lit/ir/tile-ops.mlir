// RUN: ttl-opt %s | ttl-opt | FileCheck %s

// Every row of the operation table, on blocks and on tiles.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>

// CHECK-LABEL: func.func @rows
func.func @rows(%a: !block, %x: !t) {
  // CHECK: ttl.block_abs %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_abs = ttl.block_abs %a : (!block) -> !e
  // CHECK: ttl.tile_abs %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_abs = ttl.tile_abs %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_exp %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_exp = ttl.block_exp %a : (!block) -> !e
  // CHECK: ttl.tile_exp %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_exp = ttl.tile_exp %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_log %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_log = ttl.block_log %a : (!block) -> !e
  // CHECK: ttl.tile_log %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_log = ttl.tile_log %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_neg %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_neg = ttl.block_neg %a : (!block) -> !e
  // CHECK: ttl.tile_neg %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_neg = ttl.tile_neg %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_recip %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_recip = ttl.block_recip %a : (!block) -> !e
  // CHECK: ttl.tile_recip %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_recip = ttl.tile_recip %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_relu %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_relu = ttl.block_relu %a : (!block) -> !e
  // CHECK: ttl.tile_relu %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_relu = ttl.tile_relu %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_rsqrt %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_rsqrt = ttl.block_rsqrt %a : (!block) -> !e
  // CHECK: ttl.tile_rsqrt %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_rsqrt = ttl.tile_rsqrt %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_sigmoid %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sigmoid = ttl.block_sigmoid %a : (!block) -> !e
  // CHECK: ttl.tile_sigmoid %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sigmoid = ttl.tile_sigmoid %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_sqrt %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sqrt = ttl.block_sqrt %a : (!block) -> !e
  // CHECK: ttl.tile_sqrt %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sqrt = ttl.tile_sqrt %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_square %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_square = ttl.block_square %a : (!block) -> !e
  // CHECK: ttl.tile_square %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_square = ttl.tile_square %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_tanh %{{.+}} : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_tanh = ttl.block_tanh %a : (!block) -> !e
  // CHECK: ttl.tile_tanh %{{.+}} {dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_tanh = ttl.tile_tanh %x {dst_idx = 0 : i32} : (!t) -> !t
  // CHECK: ttl.block_add %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_add = ttl.block_add %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_add %{{.+}}, %{{.+}} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_add = ttl.tile_add %x, %x : (!t, !t) -> !t
  // CHECK: ttl.block_sub %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_sub = ttl.block_sub %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_sub %{{.+}}, %{{.+}} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_sub = ttl.tile_sub %x, %x : (!t, !t) -> !t
  // CHECK: ttl.block_mul %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_mul = ttl.block_mul %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_mul %{{.+}}, %{{.+}} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_mul = ttl.tile_mul %x, %x : (!t, !t) -> !t
  // CHECK: ttl.block_div %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_div = ttl.block_div %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_div %{{.+}}, %{{.+}} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_div = ttl.tile_div %x, %x : (!t, !t) -> !t
  // CHECK: ttl.block_max %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_max = ttl.block_max %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_max %{{.+}}, %{{.+}} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_max = ttl.tile_max %x, %x : (!t, !t) -> !t
  // CHECK: ttl.block_min %{{.+}}, %{{.+}} : (!block, !block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %b_min = ttl.block_min %a, %a : (!block, !block) -> !e
  // CHECK: ttl.tile_min %{{.+}}, %{{.+}} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %t_min = ttl.tile_min %x, %x : (!t, !t) -> !t
  return
}
