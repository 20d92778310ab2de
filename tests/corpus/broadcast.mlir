// Broadcasts of columns, of rows and of one element.
// feature: Broadcasts

!tensor = tensor<64x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<2x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[2, 1], !tensor>
!tensor2 = tensor<32x96xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb2 = !ttl.cb<[1, 3], !ttcore.tile<32x32, f32>, 2>
!block2 = !ttl.block<tensor<1x3x!ttcore.tile<32x32, f32>>, !cb2>
!value2 = tensor<1x3x!ttcore.tile<32x32, f32>>
!slice2 = !ttl.tensor_slice<[1, 3], !tensor2>
!tensor3 = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb3 = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block3 = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb3>
!value3 = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice3 = !ttl.tensor_slice<[1, 1], !tensor3>
!tensor4 = tensor<64x96xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb4 = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 2>
!block4 = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb4>
!value4 = tensor<2x3x!ttcore.tile<32x32, f32>>
!slice4 = !ttl.tensor_slice<[2, 3], !tensor4>

ttl.kernel @broadcast(%a: !tensor, %c: !tensor2, %d: !tensor3, %y: !tensor4, %z: !tensor4)
    attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %c_cb = ttl.create_cb "c_cb" : !cb2
  %d_cb = ttl.create_cb "d_cb" : !cb3
  %y_cb = ttl.create_cb "y_cb" : !cb4
  %z_cb = ttl.create_cb "z_cb" : !cb4
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    %c_acc = ttl.tensor_accessor %c : !tensor2 -> !ttl.accessor<!tensor2>
    %c_blk = ttl.cb_reserve %c_cb : !block2
    %c_part = ttl.index_accessor %c_acc[%c0, %c0] : !ttl.accessor<!tensor2> -> !slice2
    %c_xf = ttl.copy %c_part, %c_blk : !slice2, !block2
    %d_acc = ttl.tensor_accessor %d : !tensor3 -> !ttl.accessor<!tensor3>
    %d_blk = ttl.cb_reserve %d_cb : !block3
    %d_part = ttl.index_accessor %d_acc[%c0, %c0] : !ttl.accessor<!tensor3> -> !slice3
    %d_xf = ttl.copy %d_part, %d_blk : !slice3, !block3
    ttl.wait %a_xf
    ttl.wait %c_xf
    ttl.wait %d_xf
    ttl.cb_push %a_blk : !block
    ttl.cb_push %c_blk : !block2
    ttl.cb_push %d_blk : !block3
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %a_blk = ttl.cb_wait %a_cb : !block
    %c_blk = ttl.cb_wait %c_cb : !block2
    %d_blk = ttl.cb_wait %d_cb : !block3
    %y_blk = ttl.cb_reserve %y_cb : !block4
    %z_blk = ttl.cb_reserve %z_cb : !block4
    %s = ttl.block_bcast %a_blk {dims = array<i64: 1>} : (!block) -> !value4
    ttl.block_store %y_blk, %s : !block4, !value4
    %m = ttl.block_bcast %c_blk {dims = array<i64: 0>} : (!block2) -> !value4
    %n = ttl.block_bcast %d_blk {dims = array<i64: 0, 1>} : (!block3) -> !value4
    %o = ttl.block_sub %m, %n : (!value4, !value4) -> !value4
    ttl.block_store %z_blk, %o : !block4, !value4
    ttl.cb_push %y_blk : !block4
    ttl.cb_push %z_blk : !block4
    ttl.cb_pop %a_blk : !block
    ttl.cb_pop %c_blk : !block2
    ttl.cb_pop %d_blk : !block3
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor4 -> !ttl.accessor<!tensor4>
    %y_blk = ttl.cb_wait %y_cb : !block4
    %y_part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor4> -> !slice4
    %y_xf = ttl.copy %y_blk, %y_part : !block4, !slice4
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block4
    %z_acc = ttl.tensor_accessor %z : !tensor4 -> !ttl.accessor<!tensor4>
    %z_blk = ttl.cb_wait %z_cb : !block4
    %z_part = ttl.index_accessor %z_acc[%c0, %c0] : !ttl.accessor<!tensor4> -> !slice4
    %z_xf = ttl.copy %z_blk, %z_part : !block4, !slice4
    ttl.wait %z_xf
    ttl.cb_pop %z_blk : !block4
  }
}

func.func @main() {
  %a = ttltest.random 1 {low = -4.0, high = 4.0} : !tensor
  %c = ttltest.random 2 {low = -4.0, high = 4.0} : !tensor2
  %d = ttltest.random 3 {low = -4.0, high = 4.0} : !tensor3
  %y = ttltest.full 7.0 : !tensor4
  %z = ttltest.full 7.0 : !tensor4
  ttl.launch @broadcast(%a, %c, %d, %y, %z) : !tensor, !tensor2, !tensor3, !tensor4, !tensor4
  return
}
