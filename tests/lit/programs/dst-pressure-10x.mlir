// 41 values are all needed at the end: more than 10 times as many as four registers
// hold. Value i is a + i * b; the alternating sum of all is a + 20 * b.
// RUN: ttl-jit run %s --engine=jit --strict --dump=l1 2>&1 | FileCheck %s
// RUN: ttl-jit run %s --engine=interp --strict
// CHECK: // ----- l1: pressure
// CHECK: 2 y_cb
// CHECK-NEXT: 524288 B 3 tile_split3 {{.*}} 32 blocks of 4 pages of 4096 B Float32
// CHECK-NEXT: 65536 B 4 tile_split4 {{.*}} 4 blocks of 4 pages of 4096 B Float32
// CHECK-NEXT: free

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[2, 2], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<2x2x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<2x2x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[2, 2], !tensor>

ttl.kernel @pressure(%a: !tensor, %b: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    ttl.wait %a_xf
    ttl.cb_push %a_blk : !block
    %b_acc = ttl.tensor_accessor %b : !tensor -> !ttl.accessor<!tensor>
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %b_blk = ttl.cb_reserve %b_cb : !block
    %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
    ttl.wait %b_xf
    ttl.cb_push %b_blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %y_blk = ttl.cb_wait %y_cb : !block
    %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block
  }
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block
    %v1 = ttl.block_add %a_blk, %b_blk : (!block, !block) -> !value
    %v2 = ttl.block_add %v1, %b_blk : (!value, !block) -> !value
    %v3 = ttl.block_add %v2, %b_blk : (!value, !block) -> !value
    %v4 = ttl.block_add %v3, %b_blk : (!value, !block) -> !value
    %v5 = ttl.block_add %v4, %b_blk : (!value, !block) -> !value
    %v6 = ttl.block_add %v5, %b_blk : (!value, !block) -> !value
    %v7 = ttl.block_add %v6, %b_blk : (!value, !block) -> !value
    %v8 = ttl.block_add %v7, %b_blk : (!value, !block) -> !value
    %v9 = ttl.block_add %v8, %b_blk : (!value, !block) -> !value
    %v10 = ttl.block_add %v9, %b_blk : (!value, !block) -> !value
    %v11 = ttl.block_add %v10, %b_blk : (!value, !block) -> !value
    %v12 = ttl.block_add %v11, %b_blk : (!value, !block) -> !value
    %v13 = ttl.block_add %v12, %b_blk : (!value, !block) -> !value
    %v14 = ttl.block_add %v13, %b_blk : (!value, !block) -> !value
    %v15 = ttl.block_add %v14, %b_blk : (!value, !block) -> !value
    %v16 = ttl.block_add %v15, %b_blk : (!value, !block) -> !value
    %v17 = ttl.block_add %v16, %b_blk : (!value, !block) -> !value
    %v18 = ttl.block_add %v17, %b_blk : (!value, !block) -> !value
    %v19 = ttl.block_add %v18, %b_blk : (!value, !block) -> !value
    %v20 = ttl.block_add %v19, %b_blk : (!value, !block) -> !value
    %v21 = ttl.block_add %v20, %b_blk : (!value, !block) -> !value
    %v22 = ttl.block_add %v21, %b_blk : (!value, !block) -> !value
    %v23 = ttl.block_add %v22, %b_blk : (!value, !block) -> !value
    %v24 = ttl.block_add %v23, %b_blk : (!value, !block) -> !value
    %v25 = ttl.block_add %v24, %b_blk : (!value, !block) -> !value
    %v26 = ttl.block_add %v25, %b_blk : (!value, !block) -> !value
    %v27 = ttl.block_add %v26, %b_blk : (!value, !block) -> !value
    %v28 = ttl.block_add %v27, %b_blk : (!value, !block) -> !value
    %v29 = ttl.block_add %v28, %b_blk : (!value, !block) -> !value
    %v30 = ttl.block_add %v29, %b_blk : (!value, !block) -> !value
    %v31 = ttl.block_add %v30, %b_blk : (!value, !block) -> !value
    %v32 = ttl.block_add %v31, %b_blk : (!value, !block) -> !value
    %v33 = ttl.block_add %v32, %b_blk : (!value, !block) -> !value
    %v34 = ttl.block_add %v33, %b_blk : (!value, !block) -> !value
    %v35 = ttl.block_add %v34, %b_blk : (!value, !block) -> !value
    %v36 = ttl.block_add %v35, %b_blk : (!value, !block) -> !value
    %v37 = ttl.block_add %v36, %b_blk : (!value, !block) -> !value
    %v38 = ttl.block_add %v37, %b_blk : (!value, !block) -> !value
    %v39 = ttl.block_add %v38, %b_blk : (!value, !block) -> !value
    %v40 = ttl.block_add %v39, %b_blk : (!value, !block) -> !value
    %s39 = ttl.block_sub %v39, %v40 : (!value, !value) -> !value
    %s38 = ttl.block_sub %v38, %s39 : (!value, !value) -> !value
    %s37 = ttl.block_sub %v37, %s38 : (!value, !value) -> !value
    %s36 = ttl.block_sub %v36, %s37 : (!value, !value) -> !value
    %s35 = ttl.block_sub %v35, %s36 : (!value, !value) -> !value
    %s34 = ttl.block_sub %v34, %s35 : (!value, !value) -> !value
    %s33 = ttl.block_sub %v33, %s34 : (!value, !value) -> !value
    %s32 = ttl.block_sub %v32, %s33 : (!value, !value) -> !value
    %s31 = ttl.block_sub %v31, %s32 : (!value, !value) -> !value
    %s30 = ttl.block_sub %v30, %s31 : (!value, !value) -> !value
    %s29 = ttl.block_sub %v29, %s30 : (!value, !value) -> !value
    %s28 = ttl.block_sub %v28, %s29 : (!value, !value) -> !value
    %s27 = ttl.block_sub %v27, %s28 : (!value, !value) -> !value
    %s26 = ttl.block_sub %v26, %s27 : (!value, !value) -> !value
    %s25 = ttl.block_sub %v25, %s26 : (!value, !value) -> !value
    %s24 = ttl.block_sub %v24, %s25 : (!value, !value) -> !value
    %s23 = ttl.block_sub %v23, %s24 : (!value, !value) -> !value
    %s22 = ttl.block_sub %v22, %s23 : (!value, !value) -> !value
    %s21 = ttl.block_sub %v21, %s22 : (!value, !value) -> !value
    %s20 = ttl.block_sub %v20, %s21 : (!value, !value) -> !value
    %s19 = ttl.block_sub %v19, %s20 : (!value, !value) -> !value
    %s18 = ttl.block_sub %v18, %s19 : (!value, !value) -> !value
    %s17 = ttl.block_sub %v17, %s18 : (!value, !value) -> !value
    %s16 = ttl.block_sub %v16, %s17 : (!value, !value) -> !value
    %s15 = ttl.block_sub %v15, %s16 : (!value, !value) -> !value
    %s14 = ttl.block_sub %v14, %s15 : (!value, !value) -> !value
    %s13 = ttl.block_sub %v13, %s14 : (!value, !value) -> !value
    %s12 = ttl.block_sub %v12, %s13 : (!value, !value) -> !value
    %s11 = ttl.block_sub %v11, %s12 : (!value, !value) -> !value
    %s10 = ttl.block_sub %v10, %s11 : (!value, !value) -> !value
    %s9 = ttl.block_sub %v9, %s10 : (!value, !value) -> !value
    %s8 = ttl.block_sub %v8, %s9 : (!value, !value) -> !value
    %s7 = ttl.block_sub %v7, %s8 : (!value, !value) -> !value
    %s6 = ttl.block_sub %v6, %s7 : (!value, !value) -> !value
    %s5 = ttl.block_sub %v5, %s6 : (!value, !value) -> !value
    %s4 = ttl.block_sub %v4, %s5 : (!value, !value) -> !value
    %s3 = ttl.block_sub %v3, %s4 : (!value, !value) -> !value
    %s2 = ttl.block_sub %v2, %s3 : (!value, !value) -> !value
    %s1 = ttl.block_sub %v1, %s2 : (!value, !value) -> !value
    %s0 = ttl.block_sub %a_blk, %s1 : (!block, !value) -> !value
    ttl.block_store %y_blk, %s0 : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %b_blk : !block
    ttl.cb_pop %a_blk : !block
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %b = ttltest.full 1.0 : !tensor
  %y = ttltest.full 7.0 : !tensor
  %expected = ttltest.iota {start = 20.0, step = 1.0} : !tensor
  ttl.launch @pressure(%a, %b, %y) : !tensor, !tensor, !tensor
  ttltest.expect_eq %y, %expected : !tensor, !tensor
  return
}
