// RUN: ttl-opt %s --ttl-form-compute --split-input-file | FileCheck %s

// A sum and a mean of the same block become one compute with two outputs.
// CHECK-LABEL: ttl.kernel @sum_and_mean
// CHECK: ttl.compute ins(%[[X:.+]], %{{.+}} : {{.*}}) outs(%[[S:.+]], %[[M:.+]] :
// CHECK: %[[SUM:.+]] = ttl.tile_reduce_sum
// CHECK: %[[MEAN:.+]] = ttl.tile_mul_unary %[[SUM]]
// CHECK-NEXT: ttl.yield %[[SUM]], %[[MEAN]]
// CHECK-NOT: ttl.compute ins
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!row_cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!row = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !row_cb>
!one = tensor<1x1x!ttcore.tile<32x32, f32>>
ttl.kernel @sum_and_mean() attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x" : !cb
  %s_cb = ttl.create_cb "s" : !row_cb
  %m_cb = ttl.create_cb "m" : !row_cb
  ttl.compute_thread "compute" {
    %number = arith.constant 1.562500e-02 : f32
    %scale = ttl.block_fill %number : !one
    %x = ttl.cb_wait %x_cb : !block
    %s = ttl.cb_reserve %s_cb : !row
    %m = ttl.cb_reserve %m_cb : !row
    %sum = ttl.block_reduce_sum %x {dims = array<i64: 1>} : (!block) -> !one
    ttl.block_store %s, %sum : !row, !one
    %mean = ttl.block_reduce_sum %x scaling %scale {dims = array<i64: 1>} : (!block, !one) -> !one
    ttl.block_store %m, %mean : !row, !one
    ttl.cb_push %s : !row
    ttl.cb_push %m : !row
    ttl.cb_pop %x : !block
  }
}

// -----

// The mean may be first in the program: the sum from which it is made is computed before it.
// CHECK-LABEL: ttl.kernel @mean_first
// CHECK: ttl.compute ins(%[[X:.+]], %{{.+}} : {{.*}}) outs(%[[M:.+]], %[[S:.+]] :
// CHECK: %[[SUM:.+]] = ttl.tile_reduce_sum
// CHECK: %[[MEAN:.+]] = ttl.tile_mul_unary %[[SUM]]
// CHECK-NEXT: ttl.yield %[[MEAN]], %[[SUM]]
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!row_cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!row = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !row_cb>
!one = tensor<1x1x!ttcore.tile<32x32, f32>>
ttl.kernel @mean_first() attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x" : !cb
  %s_cb = ttl.create_cb "s" : !row_cb
  %m_cb = ttl.create_cb "m" : !row_cb
  ttl.compute_thread "compute" {
    %number = arith.constant 1.562500e-02 : f32
    %scale = ttl.block_fill %number : !one
    %x = ttl.cb_wait %x_cb : !block
    %s = ttl.cb_reserve %s_cb : !row
    %m = ttl.cb_reserve %m_cb : !row
    %mean = ttl.block_reduce_sum %x scaling %scale {dims = array<i64: 1>} : (!block, !one) -> !one
    ttl.block_store %m, %mean : !row, !one
    %sum = ttl.block_reduce_sum %x {dims = array<i64: 1>} : (!block) -> !one
    ttl.block_store %s, %sum : !row, !one
    ttl.cb_push %s : !row
    ttl.cb_push %m : !row
    ttl.cb_pop %x : !block
  }
}

// -----

// A product with a positive number keeps zeros as they are, so it need not pass through L1 (the first
// compute). A negative number would make them -0, and a function of the product reads them (the
// others have two computes each).
// CHECK-LABEL: ttl.kernel @products
// CHECK: ttl.compute ins
// CHECK: ttl.tile_reduce_sum
// CHECK: ttl.tile_mul_unary
// CHECK: ttl.compute ins
// CHECK: ttl.tile_reduce_sum
// CHECK-NOT: ttl.tile_mul_unary
// CHECK: ttl.compute ins
// CHECK: ttl.tile_mul_unary
// CHECK: ttl.compute ins
// CHECK: ttl.tile_reduce_sum
// CHECK-NOT: ttl.tile_mul_unary
// CHECK: ttl.compute ins
// CHECK: ttl.tile_mul_unary
// CHECK: ttl.tile_exp
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!row_cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!row = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !row_cb>
!one = tensor<1x1x!ttcore.tile<32x32, f32>>
ttl.kernel @products() attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x" : !cb
  %y_cb = ttl.create_cb "y" : !row_cb
  ttl.compute_thread "compute" {
    %third = arith.constant 0.333333343 : f32
    %minus = arith.constant -2.000000e+00 : f32
    %x = ttl.cb_wait %x_cb : !block
    %a = ttl.cb_reserve %y_cb : !row
    %sa = ttl.block_reduce_sum %x {dims = array<i64: 1>} : (!block) -> !one
    %pa = ttl.block_mul_unary %sa, %third : (!one, f32) -> !one
    ttl.block_store %a, %pa : !row, !one
    ttl.cb_push %a : !row
    ttl.cb_pop %x : !block
    %x2 = ttl.cb_wait %x_cb : !block
    %b = ttl.cb_reserve %y_cb : !row
    %sb = ttl.block_reduce_sum %x2 {dims = array<i64: 1>} : (!block) -> !one
    %pb = ttl.block_mul_unary %sb, %minus : (!one, f32) -> !one
    ttl.block_store %b, %pb : !row, !one
    ttl.cb_push %b : !row
    ttl.cb_pop %x2 : !block
    %x3 = ttl.cb_wait %x_cb : !block
    %c = ttl.cb_reserve %y_cb : !row
    %sc = ttl.block_reduce_sum %x3 {dims = array<i64: 1>} : (!block) -> !one
    %pc = ttl.block_mul_unary %sc, %third : (!one, f32) -> !one
    %ec = ttl.block_exp %pc : (!one) -> !one
    ttl.block_store %c, %ec : !row, !one
    ttl.cb_push %c : !row
    ttl.cb_pop %x3 : !block
  }
}

// -----

// Two sums are kept if they are of different blocks, of a block that changes between them, over different
// dimensions, or with a scaling factor that is not a power of two.
// CHECK-LABEL: ttl.kernel @apart
// CHECK-COUNT-4: ttl.tile_reduce_sum
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!one = tensor<1x1x!ttcore.tile<32x32, f32>>
ttl.kernel @apart() attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x" : !cb
  %y_cb = ttl.create_cb "y" : !cb
  %z_cb = ttl.create_cb "z" : !cb
  ttl.compute_thread "compute" {
    %number = arith.constant 0.333333343 : f32
    %scale = ttl.block_fill %number : !one
    %x = ttl.cb_wait %x_cb : !block
    %y = ttl.cb_reserve %y_cb : !block
    %z = ttl.cb_reserve %z_cb : !block
    %a = ttl.block_reduce_sum %x {dims = array<i64: 1>} : (!block) -> !one
    ttl.block_store %y, %a : !block, !one
    %b = ttl.block_reduce_sum %x scaling %scale {dims = array<i64: 1>} : (!block, !one) -> !one
    ttl.block_store %z, %b : !block, !one
    ttl.cb_push %y : !block
    ttl.cb_push %z : !block
    %y2 = ttl.cb_reserve %y_cb : !block
    %z2 = ttl.cb_reserve %z_cb : !block
    %c = ttl.block_reduce_sum %x {dims = array<i64: 1>} : (!block) -> !one
    ttl.block_store %y2, %c : !block, !one
    %d = ttl.block_reduce_sum %x {dims = array<i64: 0>} : (!block) -> !one
    ttl.block_store %z2, %d : !block, !one
    ttl.cb_push %y2 : !block
    ttl.cb_push %z2 : !block
    ttl.cb_pop %x : !block
  }
}

// -----

// The sum's scaling factor is made after the mean, so the sum cannot be computed before the mean.
// CHECK-LABEL: ttl.kernel @scaling_between
// CHECK-COUNT-2: ttl.tile_reduce_sum
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!one = tensor<1x1x!ttcore.tile<32x32, f32>>
ttl.kernel @scaling_between() attributes {grid = #ttcore.grid<1x1>} {
  %x_cb = ttl.create_cb "x" : !cb
  %y_cb = ttl.create_cb "y" : !cb
  %z_cb = ttl.create_cb "z" : !cb
  ttl.compute_thread "compute" {
    %number = arith.constant 3.125000e-02 : f32
    %scale = ttl.block_fill %number : !one
    %x = ttl.cb_wait %x_cb : !block
    %y = ttl.cb_reserve %y_cb : !block
    %z = ttl.cb_reserve %z_cb : !block
    %a = ttl.block_reduce_sum %x scaling %scale {dims = array<i64: 1>} : (!block, !one) -> !one
    ttl.block_store %y, %a : !block, !one
    %unit = arith.constant 1.000000e+00 : f32
    %units = ttl.block_fill %unit : !one
    %b = ttl.block_reduce_sum %x scaling %units {dims = array<i64: 1>} : (!block, !one) -> !one
    ttl.block_store %z, %b : !block, !one
    ttl.cb_push %y : !block
    ttl.cb_push %z : !block
    ttl.cb_pop %x : !block
  }
}
