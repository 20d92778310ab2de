// A kernel in the spelling of tt-lang's own ttl dialect, with windows of the grid and
// regions of expressions, on both engines. Without fusion it gives the same bits.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --stage=input
// RUN: ttl-opt %s --ttl-canonicalize --ttl-bufferize-expressions -o %t.mlir
// RUN: ttl-jit run %t.mlir --start-from=sync
// RUN: ttl-jit run %s --dump=dst-assignment 2>&1 | FileCheck %s --check-prefix=DRAWN

// The registers of the fused compute: w marks a write, r a read, x both.
// DRAWN: compute at {{.*}}upstream-text.mlir:{{[0-9]+}}: 4 of 4 registers for a tile, sections of 1
// DRAWN-NEXT: copy_tile                w . . .
// DRAWN-NEXT: copy_tile                | w . .
// DRAWN-NEXT: add                      r r w .
// DRAWN-NEXT: neg                      . . x .
// DRAWN-NEXT: mul                      . . r w
// DRAWN-NEXT: pack                     . . . r

!tensor = tensor<64x64xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!accessor = !ttl.accessor<!tensor>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @add(%a: !tensor, %b: !tensor, %y: !tensor) attributes {
    grid = #ttcore.grid<2x2>, block_factors = [[1, 1], [1, 1], [1, 1]]} {
  %a_cb = ttl.bind_cb {cb_index = 0, buffer_factor = 2} : !cb
  %b_cb = ttl.bind_cb {cb_index = 1, buffer_factor = 2} : !cb
  %y_cb = ttl.bind_cb {cb_index = 16, buffer_factor = 2} : !cb
  ttl.datamovement_thread "reader" {
    %x = ttl.core_x : index
    %z = ttl.core_y : index
    ttl.cb_reserve %a_cb : <[1, 1], !ttcore.tile<32x32, f32>, 2> -> !e
    %a_part = ttl.tensor_slice %a[%x, %z] : !tensor -> !tensor
    %a_xf = ttl.copy %a_part, %a_cb : (!tensor, !cb) -> !ttl.transfer_handle<read>
    ttl.cb_reserve %b_cb : <[1, 1], !ttcore.tile<32x32, f32>, 2> -> !e
    %b_part = ttl.tensor_slice %b[%x, %z] : !tensor -> !tensor
    %b_xf = ttl.copy %b_part, %b_cb : (!tensor, !cb) -> !ttl.transfer_handle<read>
    ttl.wait %a_xf : !ttl.transfer_handle<read>
    ttl.wait %b_xf : !ttl.transfer_handle<read>
    ttl.cb_push %a_cb : <[1, 1], !ttcore.tile<32x32, f32>, 2>
    ttl.cb_push %b_cb : <[1, 1], !ttcore.tile<32x32, f32>, 2>
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %y_acc = ttl.tensor_accessor %y : !tensor -> !accessor
    %window = ttl.grid_slice %y_acc {block_factors = array<i64: 1, 1>} : !accessor
    %y_blk = ttl.cb_wait %y_cb : !block
    %y_part = ttl.index_accessor %window[%c0, %c0] : !accessor -> !slice
    %y_xf = ttl.copy %y_blk, %y_part : !block, !slice
    ttl.wait %y_xf
    ttl.cb_pop %y_blk : !block
  }
  ttl.compute_thread "compute" {
    %a_val = ttl.cb_wait %a_cb : <[1, 1], !ttcore.tile<32x32, f32>, 2> -> !e
    %b_val = ttl.cb_wait %b_cb : <[1, 1], !ttcore.tile<32x32, f32>, 2> -> !e
    %a_att = ttl.attach_cb %a_val, %a_cb : (!e, !cb) -> !e
    %y_blk = ttl.cb_reserve %y_cb : !block
    %sum = ttl.block_compute {
      %0 = ttl.add %a_att, %b_val : !e, !e -> !e
      ttl.yield %0 : !e
    } -> !e
    ttl.compute_region ins(%sum : !e) outs(%y_blk : !block) keep_in_dst {
    ^bb0(%s: !e):
      %1 = ttl.neg %s : !e -> !e
      %2 = ttl.mul %1, %1 : !e, !e -> !e
      ttl.yield %2 : !e
    }
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %a_cb : !cb
    ttl.cb_pop %b_cb : !cb
  }
}

func.func @main() {
  // Every sum is 3.
  %a = ttltest.iota : !tensor
  %b = ttltest.iota {start = 3.0, step = -1.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  %expected = ttltest.full 9.0 : !tensor
  ttl.launch @add(%a, %b, %y) : !tensor, !tensor, !tensor
  ttltest.expect_eq %y, %expected : !tensor, !tensor
  return
}
