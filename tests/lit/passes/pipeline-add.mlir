// RUN: ttl-opt %s --ttl-to-ttkernel | FileCheck %s

// The whole pipeline from ttl to ttkernel, on an element-wise addition as the frontend builds it.

!cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !cb>
#dram_tiled = #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>
!tensor = tensor<256x256xf32, #dram_tiled>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[2, 1], !tensor>
!e = tensor<2x1x!ttcore.tile<32x32, f32>>

ttl.kernel @add(%a: !tensor, %b: !tensor, %y: !tensor) attributes {
    grid = #ttcore.grid<2x2>, arch = "wormhole_b0"} {
  %a_dfb = ttl.create_cb "a_dfb" : !cb
  %b_dfb = ttl.create_cb "b_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %two = arith.constant 2 : i32
    %four = arith.constant 4 : i32
    %x, %y0 = ttl.core {dims = 2} : index, index
    %xi = arith.index_cast %x : index to i32
    %yi = arith.index_cast %y0 : index to i32
    %acc_a = ttl.tensor_accessor %a : !tensor -> !accessor
    %acc_b = ttl.tensor_accessor %b : !tensor -> !accessor
    scf.for %r = %c0 to %c4 step %c1 {
      %ri = arith.index_cast %r : index to i32
      %r2 = ttl.int_mul %ri, %two
      scf.for %c = %c0 to %c4 step %c1 {
        %ci = arith.index_cast %c : index to i32
        %base = ttl.int_mul %xi, %four
        %col = ttl.int_add %base, %ci
        %row = arith.index_cast %r2 : i32 to index
        %coli = arith.index_cast %col : i32 to index
        %a_blk = ttl.cb_reserve %a_dfb : !block
        %b_blk = ttl.cb_reserve %b_dfb : !block
        %sa = ttl.index_accessor %acc_a[%row, %coli] : !accessor -> !slice
        %xa = ttl.copy %sa, %a_blk : !slice, !block
        %sb = ttl.index_accessor %acc_b[%row, %coli] : !accessor -> !slice
        %xb = ttl.copy %sb, %b_blk : !slice, !block
        ttl.wait %xa
        ttl.wait %xb
        ttl.cb_push %a_blk : !block
        ttl.cb_push %b_blk : !block
      }
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    scf.for %r = %c0 to %c16 step %c1 {
      %a_blk = ttl.cb_wait %a_dfb : !block
      %b_blk = ttl.cb_wait %b_dfb : !block
      %y_blk = ttl.cb_reserve %y_dfb : !block
      %s = ttl.block_add %a_blk, %b_blk : (!block, !block) -> !e
      ttl.block_store %y_blk, %s : !block, !e
      ttl.cb_pop %a_blk : !block
      ttl.cb_pop %b_blk : !block
      ttl.cb_push %y_blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %two = arith.constant 2 : i32
    %four = arith.constant 4 : i32
    %x, %y0 = ttl.core {dims = 2} : index, index
    %xi = arith.index_cast %x : index to i32
    %acc_y = ttl.tensor_accessor %y : !tensor -> !accessor
    scf.for %r = %c0 to %c4 step %c1 {
      %ri = arith.index_cast %r : index to i32
      %r2 = ttl.int_mul %ri, %two
      scf.for %c = %c0 to %c4 step %c1 {
        %ci = arith.index_cast %c : index to i32
        %base = ttl.int_mul %xi, %four
        %col = ttl.int_add %base, %ci
        %row = arith.index_cast %r2 : i32 to index
        %coli = arith.index_cast %col : i32 to index
        %y_blk = ttl.cb_wait %y_dfb : !block
        %sy = ttl.index_accessor %acc_y[%row, %coli] : !accessor -> !slice
        %xy = ttl.copy %y_blk, %sy : !block, !slice
        ttl.wait %xy
        ttl.cb_pop %y_blk : !block
      }
    }
  }
}

// CHECK-LABEL: ttl.program @add
// CHECK-SAME: arch = "wormhole_b0", compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>
// CHECK: %[[A:[0-9a-z_]+]] = ttl.create_cb "a_dfb" {address = 103424 : i64, buffer_index = 0 : i32, page_size = 4096 : i64}
// CHECK: %[[B:[0-9a-z_]+]] = ttl.create_cb "b_dfb" {address = 119808 : i64, buffer_index = 1 : i32
// CHECK: %[[Y:[0-9a-z_]+]] = ttl.create_cb "y_dfb" {address = 136192 : i64, buffer_index = 2 : i32
// CHECK: ttl.thread @add__reader on riscv_1 (%[[A]], %[[B]], %arg0, %arg1)
// CHECK: ttl.thread @add__compute on compute (%[[A]], %[[B]], %[[Y]])
// CHECK: ttl.thread @add__writer on riscv_0 (%[[Y]], %arg2)

// CHECK-LABEL: func.func @add__reader()
// CHECK-SAME: ttl.kernel_thread = #ttkernel.thread<noc>
// CHECK-DAG: %[[A:[0-9a-z_]+]] = ttkernel.get_compile_time_arg_val(0)
// CHECK-DAG: %[[B:[0-9a-z_]+]] = ttkernel.get_compile_time_arg_val(1)
// CHECK: ttkernel.TensorAccessorArgs {crta_offset = 0 : i32, cta_offset = 3 : i32, tensor_type = tensor<256x256xf32, #dram_tiled>}
// CHECK: ttkernel.get_common_arg_val(%c0_i32)
// CHECK: %[[ACCESSOR:[0-9a-z_]+]] = ttkernel.TensorAccessor(
// CHECK: ttkernel.TensorAccessorArgs {crta_offset = 1 : i32, cta_offset = 4 : i32
// CHECK: ttkernel.my_logical_x_
// CHECK: scf.for
// CHECK: scf.for
// CHECK: ttkernel.cb_reserve_back(%[[A]], %c2_i32)
// CHECK: ttkernel.cb_reserve_back(%[[B]], %c2_i32)
// One barrier is enough for both waits, so no transfer needs an id.
// CHECK-NOT: set_trid
// CHECK: ttkernel.get_write_ptr(%[[A]])
// CHECK: scf.for
// CHECK: ttkernel.noc_async_read_page({{.*}}, %[[ACCESSOR]],
// CHECK: ttkernel.noc_async_read_barrier()
// CHECK-NEXT: ttkernel.cb_push_back(%[[A]], %c2_i32)

// CHECK-LABEL: func.func @add__compute()
// CHECK-SAME: ttl.kernel_thread = #ttkernel.thread<compute>
// CHECK: ttkernel.init_sfpu
// CHECK: ttkernel.add_binary_tile_init
// CHECK: scf.for
// CHECK: ttkernel.cb_wait_front
// CHECK: ttkernel.cb_wait_front
// CHECK: ttkernel.cb_reserve_back
// Both tiles are in one section.
// CHECK-NOT: scf.for
// CHECK: ttkernel.tile_regs_acquire
// CHECK: ttkernel.copy_tile(%[[A:[0-9a-z_]+]], %c0_i32, %c0_i32)
// CHECK: ttkernel.copy_tile(%[[B:[0-9a-z_]+]], %c0_i32, %c1_i32)
// CHECK: ttkernel.add_binary_tile(%c0_i32, %c1_i32, %c2_i32)
// CHECK: ttkernel.copy_tile(%[[A]], %c1_i32, %c0_i32)
// CHECK: ttkernel.copy_tile(%[[B]], %c1_i32, %c1_i32)
// CHECK: ttkernel.add_binary_tile(%c0_i32, %c1_i32, %c3_i32)
// CHECK: ttkernel.tile_regs_commit
// CHECK: ttkernel.tile_regs_wait
// CHECK: ttkernel.pack_tile(%c2_i32, %[[Y:[0-9a-z_]+]], %c0_i32)
// CHECK: ttkernel.pack_tile(%c3_i32, %[[Y]], %c1_i32)
// CHECK: ttkernel.tile_regs_release
// CHECK: ttkernel.cb_pop_front(%[[A]], %c2_i32)
// CHECK: ttkernel.cb_pop_front(%[[B]], %c2_i32)
// CHECK: ttkernel.cb_push_back(%[[Y]], %c2_i32)

// CHECK-LABEL: func.func @add__writer()
// CHECK: ttkernel.noc_async_write_set_trid(%c1_i32)
// CHECK: ttkernel.get_read_ptr
// CHECK: ttkernel.noc_async_write_page
// CHECK: ttkernel.noc_async_write_barrier_with_trid(%c1_i32)
// CHECK: ttkernel.cb_pop_front
