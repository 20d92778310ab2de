// RUN: ttl-opt %s | ttl-opt | FileCheck %s

// Reductions, broadcasts and transposes of every stage are printed and read again.

!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!one = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 1>
!ones = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !one>
!e = tensor<2x3x!ttcore.tile<32x32, f32>>
!t = !ttcore.tile<32x32, f32>
!kcb = !ttkernel.cb<6, !ttcore.tile<32x32, f32>>

// CHECK-LABEL: func.func @blocks
func.func @blocks(%a: !block, %s: !ones, %x: tensor<4x2x3x!t>) {
  // CHECK: ttl.block_reduce_sum %{{.+}} {dims = array<i64: 1>} : (!block) -> tensor<2x1x!ttcore.tile<32x32, f32>>
  %0 = ttl.block_reduce_sum %a {dims = array<i64: 1>} : (!block) -> tensor<2x1x!t>
  // CHECK: ttl.block_reduce_sum %{{.+}} scaling %{{.+}} {dims = array<i64: 0, 1>} : (!block, !block1) -> tensor<1x1x!ttcore.tile<32x32, f32>>
  %1 = ttl.block_reduce_sum %a scaling %s {dims = array<i64: 0, 1>} : (!block, !ones) -> tensor<1x1x!t>
  // CHECK: ttl.block_reduce_max %{{.+}} {dims = array<i64: 0, 1>} : (tensor<4x2x3x!ttcore.tile<32x32, f32>>) -> tensor<1x1x3x!ttcore.tile<32x32, f32>>
  %2 = ttl.block_reduce_max %x {dims = array<i64: 0, 1>} : (tensor<4x2x3x!t>) -> tensor<1x1x3x!t>
  // CHECK: ttl.block_bcast %{{.+}} {dims = array<i64: 1>} : (tensor<2x1x!ttcore.tile<32x32, f32>>) -> tensor<2x3x!ttcore.tile<32x32, f32>>
  %3 = ttl.block_bcast %0 {dims = array<i64: 1>} : (tensor<2x1x!t>) -> !e
  // CHECK: ttl.block_transpose %{{.+}} : (!block) -> tensor<3x2x!ttcore.tile<32x32, f32>>
  %4 = ttl.block_transpose %a : (!block) -> tensor<3x2x!t>
  // CHECK: ttl.block_view %{{.+}}, #{{.+}} : (tensor<4x2x3x!ttcore.tile<32x32, f32>>) -> tensor<2x3x!ttcore.tile<32x32, f32>>
  %5 = ttl.block_view %x, affine_map<(d0, d1) -> (3, d0, d1)> : (tensor<4x2x3x!t>) -> !e
  // CHECK: ttl.block_view %{{.+}}, #{{.+}} : (!block) -> tensor<1x2x3x!ttcore.tile<32x32, f32>>
  %6 = ttl.block_view %a, affine_map<(d0, d1, d2) -> (d1, d2)> : (!block) -> tensor<1x2x3x!t>
  // CHECK: ttl.block_matmul %{{.+}}, %{{.+}} : (tensor<4x2x3x!ttcore.tile<32x32, f32>>, tensor<3x2x!ttcore.tile<32x32, f32>>) -> tensor<4x2x2x!ttcore.tile<32x32, f32>>
  %7 = ttl.block_matmul %x, %4 : (tensor<4x2x3x!t>, tensor<3x2x!t>) -> tensor<4x2x2x!t>
  return
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%x: !t, %s: !t) {
  // CHECK: %[[SUM:.+]] = ttl.tile_reduce_sum %{{.+}} scaling %{{.+}} {dims = array<i64: 1>, dst_idx = 0 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %0 = ttl.tile_reduce_sum %x scaling %s {dims = array<i64: 1>, dst_idx = 0 : i32} : (!t, !t) -> !t
  // CHECK: ttl.tile_reduce_max %{{.+}} scaling %{{.+}} acc %[[SUM]] {dims = array<i64: 0>} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %1 = ttl.tile_reduce_max %x scaling %s acc %0 {dims = array<i64: 0>} : (!t, !t, !t) -> !t
  // CHECK: ttl.tile_bcast %{{.+}} {dims = array<i64: 0, 1>} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %2 = ttl.tile_bcast %x {dims = array<i64: 0, 1>} : (!t) -> !t
  // CHECK: ttl.tile_transpose %{{.+}} {dst_idx = 1 : i32} : (!ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
  %3 = ttl.tile_transpose %x {dst_idx = 1 : i32} : (!t) -> !t
  return
}

// CHECK-LABEL: func.func @loops
func.func @loops(%a: !block, %s: !ones, %i: index, %t: !t) {
  // CHECK: ttl.reduce_tile sum %{{.+}}[%{{.+}}] scaling %{{.+}}[%{{.+}}] into %{{.+}} {dims = array<i64: 1>} : !block, !block1, <32x32, f32>
  ttl.reduce_tile sum %a[%i] scaling %s[%i] into %t {dims = array<i64: 1>} : !block, !ones, !t
  // CHECK: ttl.reduce_tile max
  ttl.reduce_tile max %a[%i] scaling %s[%i] into %t {dims = array<i64: 0>} : !block, !ones, !t
  // CHECK: ttl.bcast_tile %{{.+}}[%{{.+}}] {dims = array<i64: 0>, dst_idx = 1 : i32} : !block -> <32x32, f32>
  %0 = ttl.bcast_tile %a[%i] {dims = array<i64: 0>, dst_idx = 1 : i32} : !block -> !t
  // CHECK: ttl.transpose_tile %{{.+}}[%{{.+}}] {dst_idx = 2 : i32} : !block -> <32x32, f32>
  %1 = ttl.transpose_tile %a[%i] {dst_idx = 2 : i32} : !block -> !t
  return
}

// CHECK-LABEL: func.func @calls
func.func @calls(%a: !kcb, %i: i32) {
  // CHECK: ttkernel.compute_kernel_hw_startup(%{{.+}}, %{{.+}}, %{{.+}}) :
  ttkernel.compute_kernel_hw_startup(%a, %a, %a) : (!kcb, !kcb, !kcb) -> ()
  // CHECK: ttkernel.reduce_init(%{{.+}}, %{{.+}}, %{{.+}}) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>} :
  ttkernel.reduce_init(%a, %a, %a) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_row>, reduce_type = #ttkernel.reduce_type<reduce_sum>} : (!kcb, !kcb, !kcb) -> ()
  // CHECK: ttkernel.reduce_tile(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_scalar>, reduce_type = #ttkernel.reduce_type<reduce_max>} :
  ttkernel.reduce_tile(%a, %a, %i, %i, %i) {reduce_dim = #ttkernel.reduce_dim<reduce_dim_scalar>, reduce_type = #ttkernel.reduce_type<reduce_max>} : (!kcb, !kcb, i32, i32, i32) -> ()
  // CHECK: ttkernel.reduce_uninit() :
  ttkernel.reduce_uninit() : () -> ()
  // CHECK: ttkernel.unary_bcast_init(%{{.+}}, %{{.+}}) {bcast_type = #ttkernel.bcast_type<col>} :
  ttkernel.unary_bcast_init(%a, %a) {bcast_type = #ttkernel.bcast_type<col>} : (!kcb, !kcb) -> ()
  // CHECK: ttkernel.unary_bcast(%{{.+}}, %{{.+}}, %{{.+}}) {bcast_type = #ttkernel.bcast_type<row>} :
  ttkernel.unary_bcast(%a, %i, %i) {bcast_type = #ttkernel.bcast_type<row>} : (!kcb, i32, i32) -> ()
  // CHECK: ttkernel.unary_bcast_uninit(%{{.+}}) {bcast_type = #ttkernel.bcast_type<scalar>} :
  ttkernel.unary_bcast_uninit(%a) {bcast_type = #ttkernel.bcast_type<scalar>} : (!kcb) -> ()
  // CHECK: ttkernel.transpose_wh_init(%{{.+}}, %{{.+}}) :
  ttkernel.transpose_wh_init(%a, %a) : (!kcb, !kcb) -> ()
  // CHECK: ttkernel.transpose_wh_init_short(%{{.+}}) :
  ttkernel.transpose_wh_init_short(%a) : (!kcb) -> ()
  // CHECK: ttkernel.transpose_wh_tile(%{{.+}}, %{{.+}}, %{{.+}}) :
  ttkernel.transpose_wh_tile(%a, %i, %i) : (!kcb, i32, i32) -> ()
  return
}
