// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

// Every op and type of ttkernel is printed and read again.

!cb = !ttkernel.cb<4, !ttcore.tile<32x32, f32>>

// CHECK-LABEL: func.func @compute
// CHECK-SAME: ttl.kernel_thread = #ttkernel.thread<compute>
func.func @compute() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i = arith.constant 0 : i32
  %f = arith.constant 1.0 : f32
  // CHECK: ttkernel.get_compile_time_arg_val(3) : () -> !ttkernel.cb<4, !ttcore.tile<32x32, f32>>
  %cb = ttkernel.get_compile_time_arg_val(3) : () -> !cb
  // CHECK: ttkernel.tile_regs_acquire() : () -> ()
  ttkernel.tile_regs_acquire() : () -> ()
  // CHECK: ttkernel.tile_regs_commit() : () -> ()
  ttkernel.tile_regs_commit() : () -> ()
  // CHECK: ttkernel.tile_regs_wait() : () -> ()
  ttkernel.tile_regs_wait() : () -> ()
  // CHECK: ttkernel.tile_regs_release() : () -> ()
  ttkernel.tile_regs_release() : () -> ()
  // CHECK: ttkernel.copy_dest_values_init() : () -> ()
  ttkernel.copy_dest_values_init() : () -> ()
  // CHECK: ttkernel.fill_tile_init() : () -> ()
  ttkernel.fill_tile_init() : () -> ()
  // CHECK: ttkernel.init_sfpu(%{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, !ttkernel.cb<4, !ttcore.tile<32x32, f32>>) -> ()
  ttkernel.init_sfpu(%cb, %cb) : (!cb, !cb) -> ()
  // CHECK: ttkernel.mm_init(%{{.+}}, %{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, !ttkernel.cb<4, !ttcore.tile<32x32, f32>>, !ttkernel.cb<4, !ttcore.tile<32x32, f32>>) -> ()
  ttkernel.mm_init(%cb, %cb, %cb) : (!cb, !cb, !cb) -> ()
  // CHECK: ttkernel.mm_init_short(%{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, !ttkernel.cb<4, !ttcore.tile<32x32, f32>>) -> ()
  ttkernel.mm_init_short(%cb, %cb) : (!cb, !cb) -> ()
  // CHECK: ttkernel.copy_tile_init(%{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>) -> ()
  ttkernel.copy_tile_init(%cb) : (!cb) -> ()
  // CHECK: ttkernel.reconfig_data_format(%{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, !ttkernel.cb<4, !ttcore.tile<32x32, f32>>) -> ()
  ttkernel.reconfig_data_format(%cb, %cb) : (!cb, !cb) -> ()
  // CHECK: ttkernel.reconfig_data_format_srca(%{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>) -> ()
  ttkernel.reconfig_data_format_srca(%cb) : (!cb) -> ()
  // CHECK: ttkernel.pack_reconfig_data_format(%{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>) -> ()
  ttkernel.pack_reconfig_data_format(%cb) : (!cb) -> ()
  // CHECK: ttkernel.pack_reconfig_l1_acc(%{{.+}}) : (i32) -> ()
  ttkernel.pack_reconfig_l1_acc(%i) : (i32) -> ()
  // CHECK: ttkernel.copy_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, i32, i32) -> ()
  ttkernel.copy_tile(%cb, %i, %i) : (!cb, i32, i32) -> ()
  // CHECK: ttkernel.pack_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, !ttkernel.cb<4, !ttcore.tile<32x32, f32>>, i32) -> ()
  ttkernel.pack_tile(%i, %cb, %i) : (i32, !cb, i32) -> ()
  // CHECK: ttkernel.copy_dest_values(%{{.+}}, %{{.+}}) : (i32, i32) -> ()
  ttkernel.copy_dest_values(%i, %i) : (i32, i32) -> ()
  // CHECK: ttkernel.fill_tile(%{{.+}}, %{{.+}}) : (i32, f32) -> ()
  ttkernel.fill_tile(%i, %f) : (i32, f32) -> ()
  // CHECK: ttkernel.matmul_tiles(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, !ttkernel.cb<4, !ttcore.tile<32x32, f32>>, i32, i32, i32) -> ()
  ttkernel.matmul_tiles(%cb, %cb, %i, %i, %i) : (!cb, !cb, i32, i32, i32) -> ()
  // CHECK: ttkernel.abs_tile_init() : () -> ()
  ttkernel.abs_tile_init() : () -> ()
  // CHECK: ttkernel.abs_tile(%{{.+}}) : (i32) -> ()
  ttkernel.abs_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.exp_tile_init() : () -> ()
  ttkernel.exp_tile_init() : () -> ()
  // CHECK: ttkernel.exp_tile(%{{.+}}) : (i32) -> ()
  ttkernel.exp_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.log_tile_init() : () -> ()
  ttkernel.log_tile_init() : () -> ()
  // CHECK: ttkernel.log_tile(%{{.+}}) : (i32) -> ()
  ttkernel.log_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.negative_tile_init() : () -> ()
  ttkernel.negative_tile_init() : () -> ()
  // CHECK: ttkernel.negative_tile(%{{.+}}) : (i32) -> ()
  ttkernel.negative_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.recip_tile_init() : () -> ()
  ttkernel.recip_tile_init() : () -> ()
  // CHECK: ttkernel.recip_tile(%{{.+}}) : (i32) -> ()
  ttkernel.recip_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.relu_tile_init() : () -> ()
  ttkernel.relu_tile_init() : () -> ()
  // CHECK: ttkernel.relu_tile(%{{.+}}) : (i32) -> ()
  ttkernel.relu_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.rsqrt_tile_init() : () -> ()
  ttkernel.rsqrt_tile_init() : () -> ()
  // CHECK: ttkernel.rsqrt_tile(%{{.+}}) : (i32) -> ()
  ttkernel.rsqrt_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.sigmoid_tile_init() : () -> ()
  ttkernel.sigmoid_tile_init() : () -> ()
  // CHECK: ttkernel.sigmoid_tile(%{{.+}}) : (i32) -> ()
  ttkernel.sigmoid_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.sqrt_tile_init() : () -> ()
  ttkernel.sqrt_tile_init() : () -> ()
  // CHECK: ttkernel.sqrt_tile(%{{.+}}) : (i32) -> ()
  ttkernel.sqrt_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.square_tile_init() : () -> ()
  ttkernel.square_tile_init() : () -> ()
  // CHECK: ttkernel.square_tile(%{{.+}}) : (i32) -> ()
  ttkernel.square_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.tanh_tile_init() : () -> ()
  ttkernel.tanh_tile_init() : () -> ()
  // CHECK: ttkernel.tanh_tile(%{{.+}}) : (i32) -> ()
  ttkernel.tanh_tile(%i) : (i32) -> ()
  // CHECK: ttkernel.add_binary_tile_init() : () -> ()
  ttkernel.add_binary_tile_init() : () -> ()
  // CHECK: ttkernel.add_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.add_binary_tile(%i, %i, %i) : (i32, i32, i32) -> ()
  // CHECK: ttkernel.sub_binary_tile_init() : () -> ()
  ttkernel.sub_binary_tile_init() : () -> ()
  // CHECK: ttkernel.sub_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.sub_binary_tile(%i, %i, %i) : (i32, i32, i32) -> ()
  // CHECK: ttkernel.mul_binary_tile_init() : () -> ()
  ttkernel.mul_binary_tile_init() : () -> ()
  // CHECK: ttkernel.mul_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.mul_binary_tile(%i, %i, %i) : (i32, i32, i32) -> ()
  // CHECK: ttkernel.div_binary_tile_init() : () -> ()
  ttkernel.div_binary_tile_init() : () -> ()
  // CHECK: ttkernel.div_binary_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.div_binary_tile(%i, %i, %i) : (i32, i32, i32) -> ()
  // CHECK: ttkernel.binary_max_tile_init() : () -> ()
  ttkernel.binary_max_tile_init() : () -> ()
  // CHECK: ttkernel.binary_max_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.binary_max_tile(%i, %i, %i) : (i32, i32, i32) -> ()
  // CHECK: ttkernel.binary_min_tile_init() : () -> ()
  ttkernel.binary_min_tile_init() : () -> ()
  // CHECK: ttkernel.binary_min_tile(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, i32, i32) -> ()
  ttkernel.binary_min_tile(%i, %i, %i) : (i32, i32, i32) -> ()
  return
}

// CHECK-LABEL: func.func @noc
// CHECK-SAME: ttl.kernel_thread = #ttkernel.thread<noc>
func.func @noc() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  %i = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !cb
  // CHECK: %{{.+}} = ttkernel.get_compile_time_arg_val(4) : () -> i32
  %n = ttkernel.get_compile_time_arg_val(4) : () -> i32
  // CHECK: ttkernel.get_arg_val(%{{.+}}) : (i32) -> i32
  %a = ttkernel.get_arg_val(%i) : (i32) -> i32
  // CHECK: ttkernel.get_common_arg_val(%{{.+}}) : (i32) -> i32
  %b = ttkernel.get_common_arg_val(%i) : (i32) -> i32
  // CHECK: ttkernel.my_logical_x_ : () -> index
  %x = ttkernel.my_logical_x_ : () -> index
  // CHECK: ttkernel.my_logical_y_ : () -> index
  %y = ttkernel.my_logical_y_ : () -> index
  // CHECK: ttkernel.cb_reserve_back(%{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, i32) -> ()
  ttkernel.cb_reserve_back(%cb, %i) : (!cb, i32) -> ()
  // CHECK: ttkernel.cb_push_back(%{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, i32) -> ()
  ttkernel.cb_push_back(%cb, %i) : (!cb, i32) -> ()
  // CHECK: ttkernel.cb_publish(%{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, i32) -> ()
  ttkernel.cb_publish(%cb, %i) : (!cb, i32) -> ()
  // CHECK: ttkernel.cb_wait_front(%{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, i32) -> ()
  ttkernel.cb_wait_front(%cb, %i) : (!cb, i32) -> ()
  // CHECK: ttkernel.cb_pop_front(%{{.+}}, %{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>, i32) -> ()
  ttkernel.cb_pop_front(%cb, %i) : (!cb, i32) -> ()
  // CHECK: ttkernel.get_write_ptr(%{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>) -> i32
  %w = ttkernel.get_write_ptr(%cb) : (!cb) -> i32
  // CHECK: ttkernel.get_read_ptr(%{{.+}}) : (!ttkernel.cb<4, !ttcore.tile<32x32, f32>>) -> i32
  %r = ttkernel.get_read_ptr(%cb) : (!cb) -> i32
  // CHECK: ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 1 : i32, tensor_type = tensor<8x8xf32>} : () -> !ttkernel.TensorAccessorArgs
  %args = ttkernel.TensorAccessorArgs {cta_offset = 1 : i32, crta_offset = 0 : i32, tensor_type = tensor<8x8xf32>} : () -> !ttkernel.TensorAccessorArgs
  // CHECK: ttkernel.TensorAccessor(%{{.+}}, %{{.+}}, %{{.+}}) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  %acc = ttkernel.TensorAccessor(%args, %b, %i) : (!ttkernel.TensorAccessorArgs, i32, i32) -> !ttkernel.TensorAccessor
  // CHECK: ttkernel.noc_async_read_page(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  ttkernel.noc_async_read_page(%i, %acc, %w) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  // CHECK: ttkernel.noc_async_write_page(%{{.+}}, %{{.+}}, %{{.+}}) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  ttkernel.noc_async_write_page(%i, %acc, %w) : (i32, !ttkernel.TensorAccessor, i32) -> ()
  // CHECK: ttkernel.noc_async_read_set_trid(%{{.+}}) : (i32) -> ()
  ttkernel.noc_async_read_set_trid(%i) : (i32) -> ()
  // CHECK: ttkernel.noc_async_write_set_trid(%{{.+}}) : (i32) -> ()
  ttkernel.noc_async_write_set_trid(%i) : (i32) -> ()
  // CHECK: ttkernel.noc_async_read_barrier_with_trid(%{{.+}}) : (i32) -> ()
  ttkernel.noc_async_read_barrier_with_trid(%i) : (i32) -> ()
  // CHECK: ttkernel.noc_async_write_barrier_with_trid(%{{.+}}) : (i32) -> ()
  ttkernel.noc_async_write_barrier_with_trid(%i) : (i32) -> ()
  // CHECK: ttkernel.noc_async_read_barrier() : () -> ()
  ttkernel.noc_async_read_barrier() : () -> ()
  // CHECK: ttkernel.noc_async_write_barrier() : () -> ()
  ttkernel.noc_async_write_barrier() : () -> ()
  // CHECK: ttkernel.noc_async_writes_flushed() : () -> ()
  ttkernel.noc_async_writes_flushed() : () -> ()
  return
}

// CHECK: func.func private @types(!ttkernel.semaphore, !ttkernel.l1_addr, !ttkernel.l1_addr_ptr, !ttkernel.noc_addr)
func.func private @types(!ttkernel.semaphore, !ttkernel.l1_addr, !ttkernel.l1_addr_ptr, !ttkernel.noc_addr)
