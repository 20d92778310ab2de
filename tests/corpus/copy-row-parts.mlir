// Parts of the rows of row-major tensors, at addresses of any alignment; a tensor of rank 0.

!tensor = tensor<3x5x21xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
!to = tensor<3x5x7xf32, #ttl.tensor_encoding<l1, #ttl.layout<interleaved>>>
!scalar = tensor<ui16, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
!cb = !ttl.cb<[5, 7], f32, 2>
!block = !ttl.block<tensor<5x7xf32>, !cb>
!one_cb = !ttl.cb<[1], ui16, 2>
!one_block = !ttl.block<tensor<1xui16>, !one_cb>
!source = !ttl.tensor_slice<[1, 5, 7], !tensor>
!target = !ttl.tensor_slice<[1, 5, 7], !to>
!one = !ttl.tensor_slice<[1], !scalar>

ttl.kernel @parts(%a: !tensor, %y: !to, %s: !scalar, %t: !scalar)
    attributes {grid = #ttcore.grid<3>} {
  %cb = ttl.create_cb "a_cb" : !cb
  %one_cb = ttl.create_cb "one_cb" : !one_cb
  ttl.datamovement_thread "reader" {
    %n = ttl.core_linear : index
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %cb : !block
    %column = arith.muli %n, %c7 : index
    %part = ttl.index_accessor %acc[%n, %c0, %column] : !ttl.accessor<!tensor> -> !source
    %xf = ttl.copy %part, %blk : !source, !block
    ttl.wait %xf
    ttl.cb_push %blk : !block
    %s_acc = ttl.tensor_accessor %s : !scalar -> !ttl.accessor<!scalar>
    %s_blk = ttl.cb_reserve %one_cb : !one_block
    %s_part = ttl.index_accessor %s_acc[%c0] : !ttl.accessor<!scalar> -> !one
    %s_xf = ttl.copy %s_part, %s_blk : !one, !one_block
    ttl.wait %s_xf
    ttl.cb_push %s_blk : !one_block
  }
  ttl.datamovement_thread "writer" {
    %n = ttl.core_linear : index
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %y : !to -> !ttl.accessor<!to>
    %blk = ttl.cb_wait %cb : !block
    %part = ttl.index_accessor %acc[%n, %c0, %c0] : !ttl.accessor<!to> -> !target
    %xf = ttl.copy %blk, %part : !block, !target
    ttl.wait %xf
    ttl.cb_pop %blk : !block
    %t_acc = ttl.tensor_accessor %t : !scalar -> !ttl.accessor<!scalar>
    %t_blk = ttl.cb_wait %one_cb : !one_block
    %t_part = ttl.index_accessor %t_acc[%c0] : !ttl.accessor<!scalar> -> !one
    %t_xf = ttl.copy %t_blk, %t_part : !one_block, !one
    ttl.wait %t_xf
    ttl.cb_pop %t_blk : !one_block
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full -1.0 : !to
  %s = ttltest.full 5.0 : !scalar
  %t = ttltest.full 0.0 : !scalar
  ttl.launch @parts(%a, %y, %s, %t) : !tensor, !to, !scalar, !scalar
  ttltest.expect_eq %t, %s : !scalar, !scalar
  return
}
