// RUN: ttl-opt %s --ttnn-to-ttir | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#narrow = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>

// CHECK-LABEL: @moves(%arg0: tensor<64x64xf32>) -> tensor<64x64xbf16>
// CHECK-NEXT: "ttir.abs"(%arg0) : (tensor<64x64xf32>) -> tensor<64x64xf32>
// CHECK-NEXT: "ttir.typecast"(%{{.*}}) : (tensor<64x64xf32>) -> tensor<64x64xbf16>
// CHECK-NEXT: return
func.func @moves(%a: tensor<64x64xf32, #tiles>) -> tensor<64x64xbf16, #narrow> {
  %device = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.to_device"(%a, %device) <{memory_config = #ttnn.memory_config<#dram, <interleaved>>}> : (tensor<64x64xf32, #tiles>, !ttnn.device) -> tensor<64x64xf32, #tiles>
  "ttnn.deallocate"(%a) <{force = false}> : (tensor<64x64xf32, #tiles>) -> ()
  %1 = "ttnn.abs"(%0) {ttnn.hoist_generic_via_d2m} : (tensor<64x64xf32, #tiles>) -> tensor<64x64xf32, #tiles>
  %2 = "ttnn.to_layout"(%1) <{layout = #ttnn.layout<tile>}> : (tensor<64x64xf32, #tiles>) -> tensor<64x64xbf16, #narrow>
  return %2 : tensor<64x64xbf16, #narrow>
}

// CHECK-LABEL: @others
// CHECK: "ttir.div"
// CHECK: "ttir.pow"
// CHECK: "ttir.full"() <{fill_value = 2.000000e+00 : f64, shape = array<i64>}> : () -> tensor<f32>
// CHECK: "ttir.pow"
// CHECK: "ttir.matmul"(%{{.*}}) <{transpose_a = false, transpose_b = true}>
// CHECK: "ttir.relu"
// CHECK: "ttir.prod"(%{{.*}}) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x4xf32>) -> tensor<4xf32>
// CHECK: "ttir.repeat"(%{{.*}}) <{repeat_dimensions = array<i64: 2>}>
func.func @others(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<8xf32> {
  %0 = "ttnn.divide"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "ttnn.pow_tensor"(%0, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "ttnn.pow_scalar"(%1) <{rhs = 2.0 : f32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = "ttnn.matmul"(%2, %b) <{transpose_a = false, transpose_b = true, activation = "relu"}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  %4 = "ttnn.prod"(%3) <{dim_arg = 1 : si64, keep_dim = false}> : (tensor<4x4xf32>) -> tensor<4xf32>
  %5 = "ttnn.repeat"(%4) <{repeat_dims = #ttnn.shape<2>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}

// CHECK-LABEL: @norms
// CHECK: "ttir.reshape"(%arg1) <{shape = [64 : i32]}>
// CHECK: "ttir.rms_norm"(%{{.*}}) <{epsilon = 9.9999999999999998E-13 : f64, normalized_shape = [64 : i32], operandSegmentSizes = array<i64: 1, 1, 0>}>
// CHECK: "ttir.arange"() <{arange_dimension = 3 : si32, end = 8 : si64, start = 0 : si64, step = 1 : si64}>
func.func @norms(%x: tensor<2x64xf32>, %w: tensor<1x64xf32>) -> (tensor<2x64xf32>, tensor<1x1x1x8xf32>) {
  %0 = "ttnn.rms_norm"(%x, %w) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x64xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  %1 = "ttnn.arange"() <{start = 0 : si64, end = 8 : si64, step = 1 : si64}> : () -> tensor<1x1x1x8xf32>
  return %0, %1 : tensor<2x64xf32>, tensor<1x1x1x8xf32>
}

// Functions of ttir lose ttnn's layouts, too.
// CHECK-LABEL: @of_ttir(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32>
// CHECK-NEXT: "ttir.abs"(%arg0) : (tensor<64x64xf32>) -> tensor<64x64xf32>
func.func @of_ttir(%a: tensor<64x64xf32, #tiles>) -> tensor<64x64xf32, #tiles> {
  %0 = "ttir.abs"(%a) : (tensor<64x64xf32, #tiles>) -> tensor<64x64xf32>
  %1 = ttir.empty() : tensor<64x64xf32, #tiles>
  %2 = ttir.to_layout %0, %1 : tensor<64x64xf32> into tensor<64x64xf32, #tiles> -> tensor<64x64xf32, #tiles>
  return %2 : tensor<64x64xf32, #tiles>
}
