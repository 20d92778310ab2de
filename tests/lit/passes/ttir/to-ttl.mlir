// RUN: ttl-opt %s --ttir-to-ttl | FileCheck %s
// RUN: ttl-opt %s --ttir-to-ttl=rows=1\ columns=2 | FileCheck %s --check-prefix=GRID

// Element-wise ops on one shape become one kernel. A row of elements is read as one row of tiles and
// replicated. A constant is made where it is used.
// CHECK-LABEL: func.func @group
// CHECK: %[[A:.*]] = ttir.to_layout %arg0
// CHECK: ttl.launch @group_0_exp_add_multiply(%[[A]], %{{.*}}, %{{.*}})
// CHECK-NOT: ttl.launch
// CHECK: return
func.func @group(%a: tensor<64x100xf32>, %row: tensor<100xf32>) -> tensor<64x100xf32> {
  %0 = "ttir.exp"(%a) : (tensor<64x100xf32>) -> tensor<64x100xf32>
  %1 = "ttir.add"(%0, %row) : (tensor<64x100xf32>, tensor<100xf32>) -> tensor<64x100xf32>
  %2 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 2.0 : f32}> : () -> tensor<1xf32>
  %3 = "ttir.multiply"(%1, %2) : (tensor<64x100xf32>, tensor<1xf32>) -> tensor<64x100xf32>
  return %3 : tensor<64x100xf32>
}

// The result stays on the device; padding in its last tiles is masked.
// CHECK-LABEL: func.func @chain
// CHECK: ttl.launch @chain_0_exp(%{{.*}}, %[[E:.*]])
// CHECK: "ttir.constant"
// CHECK: ttl.launch @chain_1_sum(%[[E]], %[[M:.*]], %[[S:.*]])
// CHECK: ttl.launch @chain_2_div(%[[E]], %[[S]], %{{.*}})
func.func @chain(%a: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %0 = "ttir.exp"(%a) : (tensor<64x100xf32>) -> tensor<64x100xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x100xf32>) -> tensor<64x1xf32>
  %2 = "ttir.div"(%0, %1) : (tensor<64x100xf32>, tensor<64x1xf32>) -> tensor<64x100xf32>
  return %2 : tensor<64x100xf32>
}

// Tensors that come from the host have zeros as padding, so a sum needs no mask, but a maximum does.
// CHECK-LABEL: func.func @padding
// CHECK-NOT: ttir.constant
// CHECK: ttl.launch @padding_0_sum(
// CHECK: ttir.constant
// CHECK: ttl.launch @padding_1_max(
// CHECK: ttl.launch @padding_2_matmul(
func.func @padding(%a: tensor<64x100xf32>, %b: tensor<100x32xf32>) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x32xf32>) {
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x100xf32>) -> tensor<64x1xf32>
  %1 = "ttir.max"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x100xf32>) -> tensor<64x1xf32>
  %2 = "ttir.matmul"(%a, %b) : (tensor<64x100xf32>, tensor<100x32xf32>) -> tensor<64x32xf32>
  return %0, %1, %2 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x32xf32>
}

// An op that has no kernel stays an op, and works on tensors of the host.
// CHECK-LABEL: func.func @host
// CHECK: ttl.launch @host_0_abs(
// CHECK: %[[H:.*]] = ttir.to_layout %{{.*}} : tensor<64x32xf32, #{{.*}}> into tensor<64x32xf32> -> tensor<64x32xf32>
// CHECK: %[[R:.*]] = "ttir.bitcast_convert"(%[[H]])
// CHECK: ttir.to_layout %[[R]]
// CHECK: ttl.launch @host_1_neg(
func.func @host(%a: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %0 = "ttir.abs"(%a) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %1 = "ttir.bitcast_convert"(%0) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %2 = "ttir.neg"(%1) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return %2 : tensor<64x32xf32>
}

// CHECK-LABEL: func.func @permute
// CHECK: ttl.launch @permute_0_permute(
func.func @permute(%a: tensor<2x3x40x50xf32>) -> tensor<3x2x50x40xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0, 3, 2>}> : (tensor<2x3x40x50xf32>) -> tensor<3x2x50x40xf32>
  return %0 : tensor<3x2x50x40xf32>
}

// A tensor is stored in its layout.
// CHECK-LABEL: func.func @layouts
// CHECK-NEXT: %[[T:.*]] = "ttir.typecast"(%arg0) : (tensor<64x32xf32>) -> tensor<64x32xbf16>
// CHECK-NEXT: %[[E:.*]] = ttir.empty() : tensor<64x32xbf16, #l1_block_sharded_tiled>
// CHECK-NEXT: %[[S:.*]] = ttir.to_layout %[[T]], %[[E]]
// CHECK-NEXT: %[[H:.*]] = ttir.empty() : tensor<64x32xbf16>
// CHECK-NEXT: %[[R:.*]] = ttir.to_layout %[[S]], %[[H]]
// CHECK-NEXT: return %[[R]]
#layout = #ttcore.metal_layout<logical_shape = 64x32, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!stored = tensor<1x1x2x1x!ttcore.tile<32x32, bf16>, #layout>
func.func @layouts(%a: tensor<64x32xf32>) -> tensor<64x32xbf16> {
  %0 = ttir.empty() : !stored
  %1 = ttir.to_layout %a, %0 : tensor<64x32xf32> into !stored -> !stored
  %2 = ttir.empty() : tensor<64x32xbf16>
  %3 = ttir.to_layout %1, %2 : !stored into tensor<64x32xbf16> -> tensor<64x32xbf16>
  return %3 : tensor<64x32xbf16>
}

// A kernel copies a tensor of the device to another layout. Other kernels work on interleaved tensors.
// CHECK-LABEL: func.func @relayout
// CHECK: ttl.launch @relayout_0_exp(%{{.*}}, %[[E:[0-9]+]])
// CHECK: %[[A:.*]] = ttir.empty() : tensor<64x384xf32, #l1_width_sharded_tiled>
// CHECK: ttl.launch @relayout_1_to_layout(%[[E]], %[[A]])
// CHECK: %[[B:.*]] = ttir.empty() : tensor<64x384xf32, #{{.*}}>
// CHECK: ttl.launch @relayout_2_to_layout(%[[A]], %[[B]])
// CHECK: %[[C:.*]] = ttir.empty() : tensor<64x384xf32, #dram_tiled>
// CHECK: ttl.launch @relayout_3_to_layout(%[[B]], %[[C]])
// CHECK: ttl.launch @relayout_4_neg(%[[C]], %{{.*}})
#wide = #ttcore.metal_layout<logical_shape = 64x384, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!line = tensor<1x12x2x1x!ttcore.tile<32x32, f32>, #wide>
!block = tensor<2x6x1x2x!ttcore.tile<32x32, f32>, #wide>
func.func @relayout(%a: tensor<64x384xf32>) -> tensor<64x384xf32> {
  %0 = "ttir.exp"(%a) : (tensor<64x384xf32>) -> tensor<64x384xf32>
  %1 = ttir.empty() : !line
  %2 = ttir.to_layout %0, %1 : tensor<64x384xf32> into !line -> !line
  %3 = ttir.empty() : !block
  %4 = ttir.to_layout %2, %3 : !line into !block -> !block
  %5 = ttir.empty() : tensor<64x384xf32>
  %6 = ttir.to_layout %4, %5 : !block into tensor<64x384xf32> -> tensor<64x384xf32>
  %7 = "ttir.neg"(%6) : (tensor<64x384xf32>) -> tensor<64x384xf32>
  return %7 : tensor<64x384xf32>
}

// A kernel uses at most as many cores as it has blocks of work.
// CHECK: ttl.kernel @group_0_exp_add_multiply(%arg0: tensor<64x100xf32, #{{.*}}>, %arg1: tensor<100xf32, #{{.*}}>, %arg2: tensor<64x100xf32, #{{.*}}>)
// CHECK-SAME: grid = #ttcore.grid<1x1>
// CHECK: ttl.compute_thread "compute"
// CHECK: ttl.block_bcast
// CHECK: ttl.block_exp
// CHECK: ttl.block_add
// CHECK: ttl.block_fill
// CHECK: ttl.block_mul
// CHECK: ttl.block_store
// CHECK: ttl.datamovement_thread "reader"
// CHECK: ttl.datamovement_thread "writer"
// CHECK: ttl.kernel @permute_0_permute
// CHECK-SAME: grid = #ttcore.grid<6x1>
// GRID: ttl.kernel @permute_0_permute
// GRID-SAME: grid = #ttcore.grid<2x1>
