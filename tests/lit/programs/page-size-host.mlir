// A function of the host gets only the elements of a block, not the padding behind rows and tiles,
// which no thread has written.
// RUN: ttl-jit run %s --trust --engine=jit --check=all 2>&1 | FileCheck %s
// RUN: ttl-jit run %s --trust --engine=interp --check=all 2>&1 | FileCheck %s
// CHECK: checks: no findings

!tensor = tensor<32x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 2], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x2x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[1, 2], !tensor>
!rows = tensor<3x5xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved>>>
!row_cb = !ttl.cb<[3, 5], f32, 2>
!row_block = !ttl.block<tensor<3x5xf32>, !row_cb>
!row_slice = !ttl.tensor_slice<[3, 5], !rows>

ttl.kernel @calls(%x: !tensor, %r: !rows, %y: !tensor) attributes {grid = #ttcore.grid<1>} {
  %x_cb = ttl.create_cb "x_cb" {page_size = 4160 : i64} : !cb
  %r_cb = ttl.create_cb "r_cb" {page_size = 64 : i64} : !row_cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c40 = arith.constant 40 : index
    %x_acc = ttl.tensor_accessor %x : !tensor -> !ttl.accessor<!tensor>
    %r_acc = ttl.tensor_accessor %r : !rows -> !ttl.accessor<!rows>
    %row = ttl.cb_reserve %r_cb : !row_block
    %row_part = ttl.index_accessor %r_acc[%c0, %c0] : !ttl.accessor<!rows> -> !row_slice
    %row_xf = ttl.copy %row_part, %row : !row_slice, !row_block
    ttl.wait %row_xf
    %v = ttl.element_read %row[%c2, %c1] : !row_block
    ttl.cb_push %row : !row_block
    %blk = ttl.cb_reserve %x_cb : !block
    %part = ttl.index_accessor %x_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %part, %blk : !slice, !block
    ttl.wait %xf
    %length = ttl.call_host "strnlen" in "libc.so.6" (%blk) : (!block) -> i32
    ttl.element_write %v, %blk[%c1, %c40] : !block
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %row = ttl.cb_wait %r_cb : !row_block
    %short = ttl.call_host "strnlen" in "libc.so.6" (%row) : (!row_block) -> i32
    ttl.cb_pop %row : !row_block
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %x_cb : !block
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %blk, %part : !block, !slice
    ttl.wait %xf
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %x = ttltest.full 11.0 : !tensor
  %r = ttltest.iota : !rows
  %y = ttltest.full -1.0 : !tensor
  ttl.launch @calls(%x, %r, %y) : !tensor, !rows, !tensor
  %eleven = ttltest.full 11.0 : !tensor
  ttltest.expect_eq %y, %eleven : !tensor, !tensor
  return
}
