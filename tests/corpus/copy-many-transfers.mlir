// More transfers in flight than there are transaction ids.

!tensor = tensor<640x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[20, 1], !ttcore.tile<32x32, f32>, 1>
!block = !ttl.block<tensor<20x1x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[20, 1], !tensor>
!small = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 20>
!one = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !small>
!page = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @many(%a: !tensor, %y: !tensor, %z: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "a_cb" : !cb
  %small = ttl.create_cb "small_cb" : !small
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_reserve %cb : !block
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %part, %blk : !slice, !block
    %i0 = arith.constant 19 : index
    %b0 = ttl.cb_reserve %small : !one
    %s0 = ttl.index_accessor %acc[%i0, %c0] : !ttl.accessor<!tensor> -> !page
    %x0 = ttl.copy %s0, %b0 : !page, !one
    %i1 = arith.constant 18 : index
    %b1 = ttl.cb_reserve %small : !one
    %s1 = ttl.index_accessor %acc[%i1, %c0] : !ttl.accessor<!tensor> -> !page
    %x1 = ttl.copy %s1, %b1 : !page, !one
    %i2 = arith.constant 17 : index
    %b2 = ttl.cb_reserve %small : !one
    %s2 = ttl.index_accessor %acc[%i2, %c0] : !ttl.accessor<!tensor> -> !page
    %x2 = ttl.copy %s2, %b2 : !page, !one
    %i3 = arith.constant 16 : index
    %b3 = ttl.cb_reserve %small : !one
    %s3 = ttl.index_accessor %acc[%i3, %c0] : !ttl.accessor<!tensor> -> !page
    %x3 = ttl.copy %s3, %b3 : !page, !one
    %i4 = arith.constant 15 : index
    %b4 = ttl.cb_reserve %small : !one
    %s4 = ttl.index_accessor %acc[%i4, %c0] : !ttl.accessor<!tensor> -> !page
    %x4 = ttl.copy %s4, %b4 : !page, !one
    %i5 = arith.constant 14 : index
    %b5 = ttl.cb_reserve %small : !one
    %s5 = ttl.index_accessor %acc[%i5, %c0] : !ttl.accessor<!tensor> -> !page
    %x5 = ttl.copy %s5, %b5 : !page, !one
    %i6 = arith.constant 13 : index
    %b6 = ttl.cb_reserve %small : !one
    %s6 = ttl.index_accessor %acc[%i6, %c0] : !ttl.accessor<!tensor> -> !page
    %x6 = ttl.copy %s6, %b6 : !page, !one
    %i7 = arith.constant 12 : index
    %b7 = ttl.cb_reserve %small : !one
    %s7 = ttl.index_accessor %acc[%i7, %c0] : !ttl.accessor<!tensor> -> !page
    %x7 = ttl.copy %s7, %b7 : !page, !one
    %i8 = arith.constant 11 : index
    %b8 = ttl.cb_reserve %small : !one
    %s8 = ttl.index_accessor %acc[%i8, %c0] : !ttl.accessor<!tensor> -> !page
    %x8 = ttl.copy %s8, %b8 : !page, !one
    %i9 = arith.constant 10 : index
    %b9 = ttl.cb_reserve %small : !one
    %s9 = ttl.index_accessor %acc[%i9, %c0] : !ttl.accessor<!tensor> -> !page
    %x9 = ttl.copy %s9, %b9 : !page, !one
    %i10 = arith.constant 9 : index
    %b10 = ttl.cb_reserve %small : !one
    %s10 = ttl.index_accessor %acc[%i10, %c0] : !ttl.accessor<!tensor> -> !page
    %x10 = ttl.copy %s10, %b10 : !page, !one
    %i11 = arith.constant 8 : index
    %b11 = ttl.cb_reserve %small : !one
    %s11 = ttl.index_accessor %acc[%i11, %c0] : !ttl.accessor<!tensor> -> !page
    %x11 = ttl.copy %s11, %b11 : !page, !one
    %i12 = arith.constant 7 : index
    %b12 = ttl.cb_reserve %small : !one
    %s12 = ttl.index_accessor %acc[%i12, %c0] : !ttl.accessor<!tensor> -> !page
    %x12 = ttl.copy %s12, %b12 : !page, !one
    %i13 = arith.constant 6 : index
    %b13 = ttl.cb_reserve %small : !one
    %s13 = ttl.index_accessor %acc[%i13, %c0] : !ttl.accessor<!tensor> -> !page
    %x13 = ttl.copy %s13, %b13 : !page, !one
    %i14 = arith.constant 5 : index
    %b14 = ttl.cb_reserve %small : !one
    %s14 = ttl.index_accessor %acc[%i14, %c0] : !ttl.accessor<!tensor> -> !page
    %x14 = ttl.copy %s14, %b14 : !page, !one
    %i15 = arith.constant 4 : index
    %b15 = ttl.cb_reserve %small : !one
    %s15 = ttl.index_accessor %acc[%i15, %c0] : !ttl.accessor<!tensor> -> !page
    %x15 = ttl.copy %s15, %b15 : !page, !one
    %i16 = arith.constant 3 : index
    %b16 = ttl.cb_reserve %small : !one
    %s16 = ttl.index_accessor %acc[%i16, %c0] : !ttl.accessor<!tensor> -> !page
    %x16 = ttl.copy %s16, %b16 : !page, !one
    %i17 = arith.constant 2 : index
    %b17 = ttl.cb_reserve %small : !one
    %s17 = ttl.index_accessor %acc[%i17, %c0] : !ttl.accessor<!tensor> -> !page
    %x17 = ttl.copy %s17, %b17 : !page, !one
    ttl.wait %x0
    ttl.wait %x1
    ttl.wait %x2
    ttl.wait %x3
    ttl.wait %x4
    ttl.wait %x5
    ttl.wait %x6
    ttl.wait %x7
    ttl.wait %x8
    ttl.wait %x9
    ttl.wait %x10
    ttl.wait %x11
    ttl.wait %x12
    ttl.wait %x13
    ttl.wait %x14
    ttl.wait %x15
    ttl.wait %x16
    ttl.wait %x17
    ttl.cb_push %b0 : !one
    ttl.cb_push %b1 : !one
    ttl.cb_push %b2 : !one
    ttl.cb_push %b3 : !one
    ttl.cb_push %b4 : !one
    ttl.cb_push %b5 : !one
    ttl.cb_push %b6 : !one
    ttl.cb_push %b7 : !one
    ttl.cb_push %b8 : !one
    ttl.cb_push %b9 : !one
    ttl.cb_push %b10 : !one
    ttl.cb_push %b11 : !one
    ttl.cb_push %b12 : !one
    ttl.cb_push %b13 : !one
    ttl.cb_push %b14 : !one
    ttl.cb_push %b15 : !one
    ttl.cb_push %b16 : !one
    ttl.cb_push %b17 : !one
    ttl.wait %xf
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c18 = arith.constant 18 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %z_acc = ttl.tensor_accessor %z : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %cb : !block
    %part = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %blk, %part : !block, !slice
    scf.for %i = %c0 to %c18 step %c1 {
      %each = ttl.cb_wait %small : !one
      %to = ttl.index_accessor %z_acc[%i, %c0] : !ttl.accessor<!tensor> -> !page
      %x = ttl.copy %each, %to : !one, !page
      ttl.wait %x
      ttl.cb_pop %each : !one
    }
    ttl.wait %xf
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full -1.0 : !tensor
  %z = ttltest.full -1.0 : !tensor
  ttl.launch @many(%a, %y, %z) : !tensor, !tensor, !tensor
  ttltest.expect_eq %y, %a : !tensor, !tensor
  return
}
