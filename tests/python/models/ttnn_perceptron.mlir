// One layer and a sum, in the form that tt-mlir's backend for ttnn writes.

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#host = #ttnn.buffer_type<system_memory>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xf32, #host>>
#x = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#b = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x4>, memref<1x1x!ttcore.tile<32x32, f32>, #l1>, <width_sharded>>
#config = #ttnn.memory_config<#l1, <width_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (3,0)>]>, <32x32>, <row_major>>>
module attributes {ttcore.system_desc = #ttcore.system_desc<[{role = host}], [{arch = <wormhole_b0>}], [0], [1 : i32], [ 0x0x0x0]>} {
  ttcore.device_module {
    builtin.module {
      func.func @main(%x: tensor<32x64xf32, #rows>, %w: tensor<64x128xf32, #w>, %b: tensor<128xf32, #b>) -> tensor<32x1xf32, #rows> {
        %device = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %0 = ttcore.load_cached(@main_const_eval_0, [%w]) : (tensor<64x128xf32, #w>) -> tensor<64x128xf32, #w>
        %1 = "ttnn.to_device"(%x, %device) <{memory_config = #ttnn.memory_config<#dram, <interleaved>>}> : (tensor<32x64xf32, #rows>, !ttnn.device) -> tensor<32x64xf32, #rows>
        %2 = "ttnn.to_layout"(%1) <{layout = #ttnn.layout<tile>}> : (tensor<32x64xf32, #rows>) -> tensor<32x64xf32, #x>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<32x64xf32, #rows>) -> ()
        %3 = "ttnn.linear"(%2, %0, %b) <{activation = "relu", matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<4, 1>, in0_block_w = 1>, transpose_a = false, transpose_b = false}> : (tensor<32x64xf32, #x>, tensor<64x128xf32, #w>, tensor<128xf32, #b>) -> tensor<32x128xf32, #y>
        %4 = "ttnn.to_memory_config"(%3) <{memory_config = #config}> : (tensor<32x128xf32, #y>) -> tensor<32x128xf32, #y>
        %5 = "ttnn.full"(%device) <{dtype = #ttcore.supportedDataTypes<f32>, fill_value = 5.000000e-01 : f32, shape = #ttnn.shape<32x128>}> : (!ttnn.device) -> tensor<32x128xf32, #y>
        %6 = "ttnn.multiply"(%4, %5) <{dtype = #ttcore.supportedDataTypes<f32>}> : (tensor<32x128xf32, #y>, tensor<32x128xf32, #y>) -> tensor<32x128xf32, #y>
        %7 = "ttnn.sum"(%6) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x128xf32, #y>) -> tensor<32x1xf32, #x>
        %8 = "ttnn.from_device"(%7) : (tensor<32x1xf32, #x>) -> tensor<32x1xf32, #rows>
        return %8 : tensor<32x1xf32, #rows>
      }
      func.func @main_const_eval_0(%w: tensor<64x128xf32, #w>) -> tensor<64x128xf32, #w> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.neg"(%w) : (tensor<64x128xf32, #w>) -> tensor<64x128xf32, #w>
        return %0 : tensor<64x128xf32, #w>
      }
    }
  }
}
