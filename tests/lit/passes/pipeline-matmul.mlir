// RUN: ttl-opt %s --ttl-to-ttkernel | FileCheck %s

// The whole pipeline from ttl to ttkernel, on relu(a @ b + c) with an accumulator over blocks of K.

!cba = !ttl.cb<[2, 3], !ttcore.tile<32x32, bf16>, 2>
!ba = !ttl.block<tensor<2x3x!ttcore.tile<32x32, bf16>>, !cba>
!cbb = !ttl.cb<[3, 2], !ttcore.tile<32x32, bf16>, 2>
!bb = !ttl.block<tensor<3x2x!ttcore.tile<32x32, bf16>>, !cbb>
!cby = !ttl.cb<[2, 2], !ttcore.tile<32x32, bf16>, 2>
!by = !ttl.block<tensor<2x2x!ttcore.tile<32x32, bf16>>, !cby>
!e = tensor<2x2x!ttcore.tile<32x32, f32>>
!ta = tensor<64x384xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!tb = tensor<384x64xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!ty = tensor<64x64xbf16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>

ttl.kernel @mm(%a: !ta, %b: !tb, %c: !ty, %y: !ty) attributes {grid = #ttcore.grid<1x1>, arch = "blackhole"} {
  %a_dfb = ttl.create_cb "a_dfb" : !cba
  %b_dfb = ttl.create_cb "b_dfb" : !cbb
  %c_dfb = ttl.create_cb "c_dfb" : !cby
  %y_dfb = ttl.create_cb "y_dfb" : !cby
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc_a = ttl.tensor_accessor %a : !ta -> !ttl.accessor<!ta>
    %acc_b = ttl.tensor_accessor %b : !tb -> !ttl.accessor<!tb>
    %acc_c = ttl.tensor_accessor %c : !ty -> !ttl.accessor<!ty>
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %three = arith.constant 3 : i32
    scf.for %k = %c0 to %c4 step %c1 {
      %a_blk = ttl.cb_reserve %a_dfb : !ba
      %b_blk = ttl.cb_reserve %b_dfb : !bb
      %ki = arith.index_cast %k : index to i32
      %k3 = ttl.int_mul %ki, %three
      %start = arith.index_cast %k3 : i32 to index
      %sa = ttl.index_accessor %acc_a[%c0, %start] : !ttl.accessor<!ta> -> !ttl.tensor_slice<[2, 3], !ta>
      %sb = ttl.index_accessor %acc_b[%start, %c0] : !ttl.accessor<!tb> -> !ttl.tensor_slice<[3, 2], !tb>
      %xa = ttl.copy %sa, %a_blk : !ttl.tensor_slice<[2, 3], !ta>, !ba
      %xb = ttl.copy %sb, %b_blk : !ttl.tensor_slice<[3, 2], !tb>, !bb
      ttl.wait %xa
      ttl.wait %xb
      ttl.cb_push %a_blk : !ba
      ttl.cb_push %b_blk : !bb
    }
    %c_blk = ttl.cb_reserve %c_dfb : !by
    %sc = ttl.index_accessor %acc_c[%c0, %c0] : !ttl.accessor<!ty> -> !ttl.tensor_slice<[2, 2], !ty>
    %xc = ttl.copy %sc, %c_blk : !ttl.tensor_slice<[2, 2], !ty>, !by
    ttl.wait %xc
    ttl.cb_push %c_blk : !by
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %acc_y = ttl.tensor_accessor %y : !ty -> !ttl.accessor<!ty>
    %y_blk = ttl.cb_wait %y_dfb : !by
    %sy = ttl.index_accessor %acc_y[%c0, %c0] : !ttl.accessor<!ty> -> !ttl.tensor_slice<[2, 2], !ty>
    %xy = ttl.copy %y_blk, %sy : !by, !ttl.tensor_slice<[2, 2], !ty>
    ttl.wait %xy
    ttl.cb_pop %y_blk : !by
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %y0 = ttl.block_fill %zero : !e
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %y0) -> (!e) {
      %a_blk = ttl.cb_wait %a_dfb : !ba
      %b_blk = ttl.cb_wait %b_dfb : !bb
      %p = ttl.block_matmul %a_blk, %b_blk acc %acc : (!ba, !bb, !e) -> !e
      ttl.cb_pop %a_blk : !ba
      ttl.cb_pop %b_blk : !bb
      scf.yield %p : !e
    }
    %c_blk = ttl.cb_wait %c_dfb : !by
    %y_blk = ttl.cb_reserve %y_dfb : !by
    %s = ttl.block_add %sum, %c_blk : (!e, !by) -> !e
    %t = ttl.block_relu %s : (!e) -> !e
    ttl.cb_pop %c_blk : !by
    ttl.block_store %y_blk, %t : !by, !e
    ttl.cb_push %y_blk : !by
  }
}

// CHECK-LABEL: ttl.program @mm
// CHECK-SAME: fp32_dest_acc_en = true
// CHECK: ttl.create_cb "y_dfb" {{.*}} buffer_index = 3
// CHECK-NEXT: ttl.create_cb "acc" {{.*}} buffer_index = 4 : i32, compiler_made, page_size = 4096 : i64}
// CHECK-NEXT: ttl.thread

// CHECK-LABEL: func.func @mm__reader
// CHECK-NOT: ttl.check_index
// CHECK: ttkernel.noc_async_read_page

// CHECK-LABEL: func.func @mm__compute
// CHECK-DAG: %[[A:[0-9]+]] = ttkernel.get_compile_time_arg_val(0)
// CHECK-DAG: %[[B:[0-9]+]] = ttkernel.get_compile_time_arg_val(1)
// CHECK-DAG: %[[C:[0-9]+]] = ttkernel.get_compile_time_arg_val(2)
// CHECK-DAG: %[[Y:[0-9]+]] = ttkernel.get_compile_time_arg_val(3)
// CHECK-DAG: %[[ACC:[0-9]+]] = ttkernel.get_compile_time_arg_val(4)
// CHECK: ttkernel.init_sfpu(%[[ACC]], %[[ACC]])
// The accumulator's first value.
// CHECK: ttkernel.cb_reserve_back(%[[ACC]], %c4_i32)
// CHECK: ttkernel.fill_tile
// CHECK: ttkernel.cb_push_back(%[[ACC]], %c4_i32)
// CHECK: scf.for
// CHECK: ttkernel.cb_wait_front(%[[ACC]], %c4_i32)
// CHECK: ttkernel.cb_wait_front(%[[A]], %c6_i32)
// CHECK: ttkernel.cb_wait_front(%[[B]], %c6_i32)
// CHECK: ttkernel.cb_reserve_back(%[[ACC]], %c4_i32)
// CHECK: ttkernel.tile_regs_acquire
// CHECK: ttkernel.copy_tile(%[[ACC]], %c0_i32, %c0_i32)
// CHECK: ttkernel.mm_init_short(%[[A]], %[[B]])
// CHECK: scf.for
// CHECK: ttkernel.matmul_tiles(%[[A]], %[[B]], %{{.+}}, %{{.+}}, %c0_i32)
// CHECK: ttkernel.pack_tile(%c0_i32, %[[ACC]], %c0_i32)
// CHECK: ttkernel.pack_tile(%c3_i32, %[[ACC]], %c3_i32)
// CHECK: ttkernel.cb_pop_front(%[[ACC]], %c4_i32)
// CHECK: ttkernel.cb_push_back(%[[ACC]], %c4_i32)
// CHECK: ttkernel.cb_pop_front(%[[A]], %c6_i32)
// CHECK: ttkernel.cb_pop_front(%[[B]], %c6_i32)
// The rest of the expression, on the accumulator's last value.
// CHECK: ttkernel.cb_wait_front(%[[ACC]], %c4_i32)
// CHECK: ttkernel.copy_tile(%[[ACC]],
// CHECK: ttkernel.copy_tile(%[[C]],
// CHECK: ttkernel.add_binary_tile(
// CHECK: ttkernel.relu_tile(
// CHECK: ttkernel.pack_tile(%c2_i32, %[[Y]],
// CHECK: ttkernel.cb_pop_front(%[[ACC]], %c4_i32)
// CHECK: return
