// All threads of two buffers hold two of three blocks at a time: sometimes, the second block
// is at the start of the ring and the first one at its end.
// With four blocks, which the second kernel has, this cannot happen.
// RUN: ttl-jit run %s --engine=jit
// RUN: ttl-jit run %s --engine=interp
// RUN: ttl-jit run %s --engine=jit --schedule=random --seed=5
// RUN: rm -rf %t && ttl-jit run %s --emit=%t && FileCheck %s --check-prefix=CPP --input-file=%t/three_compute.cpp
// The emitted code, too, counts the position of the front.
// CPP: int32_t [[FRONT:[a-z_0-9]+]] = 0;
// CPP: [[FRONT]] >= 2 ? -2 : 1

!tensor = tensor<32x320xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!cb3 = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 3>
!block3 = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb3>
!cb4 = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 4>
!block4 = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb4>

ttl.kernel @three(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb3
  %y_cb = ttl.create_cb "y_cb" : !cb3
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c10 step %c2 {
      %next = arith.addi %i, %c1 : index
      %p = ttl.cb_reserve %a_cb : !block3
      %q = ttl.cb_reserve %a_cb : !block3
      %p_part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %q_part = ttl.index_accessor %acc[%c0, %next] : !ttl.accessor<!tensor> -> !slice
      %q_xf = ttl.copy %q_part, %q : !slice, !block3
      %p_xf = ttl.copy %p_part, %p : !slice, !block3
      ttl.wait %p_xf
      ttl.wait %q_xf
      ttl.cb_push %p : !block3
      ttl.cb_push %q : !block3
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c10 step %c2 {
      %next = arith.addi %i, %c1 : index
      %p = ttl.cb_wait %y_cb : !block3
      %q = ttl.cb_wait %y_cb : !block3
      %p_part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %q_part = ttl.index_accessor %acc[%c0, %next] : !ttl.accessor<!tensor> -> !slice
      %p_xf = ttl.copy %p, %p_part : !block3, !slice
      ttl.wait %p_xf
      %q_xf = ttl.copy %q, %q_part : !block3, !slice
      ttl.wait %q_xf
      ttl.cb_pop %p : !block3
      ttl.cb_pop %q : !block3
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    scf.for %i = %c0 to %c10 step %c2 {
      %p = ttl.cb_wait %a_cb : !block3
      %q = ttl.cb_wait %a_cb : !block3
      %y0 = ttl.cb_reserve %y_cb : !block3
      %y1 = ttl.cb_reserve %y_cb : !block3
      %sum = ttl.block_add %p, %q : (!block3, !block3) -> !value
      ttl.block_store %y1, %sum : !block3, !value
      %difference = ttl.block_sub %p, %q : (!block3, !block3) -> !value
      ttl.block_store %y0, %difference : !block3, !value
      ttl.cb_push %y0 : !block3
      ttl.cb_push %y1 : !block3
      ttl.cb_pop %p : !block3
      ttl.cb_pop %q : !block3
    }
  }
}

ttl.kernel @four(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb4
  %y_cb = ttl.create_cb "y_cb" : !cb4
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c10 step %c2 {
      %next = arith.addi %i, %c1 : index
      %p = ttl.cb_reserve %a_cb : !block4
      %q = ttl.cb_reserve %a_cb : !block4
      %p_part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %q_part = ttl.index_accessor %acc[%c0, %next] : !ttl.accessor<!tensor> -> !slice
      %q_xf = ttl.copy %q_part, %q : !slice, !block4
      %p_xf = ttl.copy %p_part, %p : !slice, !block4
      ttl.wait %p_xf
      ttl.wait %q_xf
      ttl.cb_push %p : !block4
      ttl.cb_push %q : !block4
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    scf.for %i = %c0 to %c10 step %c2 {
      %next = arith.addi %i, %c1 : index
      %p = ttl.cb_wait %y_cb : !block4
      %q = ttl.cb_wait %y_cb : !block4
      %p_part = ttl.index_accessor %acc[%c0, %i] : !ttl.accessor<!tensor> -> !slice
      %q_part = ttl.index_accessor %acc[%c0, %next] : !ttl.accessor<!tensor> -> !slice
      %p_xf = ttl.copy %p, %p_part : !block4, !slice
      ttl.wait %p_xf
      %q_xf = ttl.copy %q, %q_part : !block4, !slice
      ttl.wait %q_xf
      ttl.cb_pop %p : !block4
      ttl.cb_pop %q : !block4
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    scf.for %i = %c0 to %c10 step %c2 {
      %p = ttl.cb_wait %a_cb : !block4
      %q = ttl.cb_wait %a_cb : !block4
      %y0 = ttl.cb_reserve %y_cb : !block4
      %y1 = ttl.cb_reserve %y_cb : !block4
      %sum = ttl.block_add %p, %q : (!block4, !block4) -> !value
      ttl.block_store %y1, %sum : !block4, !value
      %difference = ttl.block_sub %p, %q : (!block4, !block4) -> !value
      ttl.block_store %y0, %difference : !block4, !value
      ttl.cb_push %y0 : !block4
      ttl.cb_push %y1 : !block4
      ttl.cb_pop %p : !block4
      ttl.cb_pop %q : !block4
    }
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %y = ttltest.full 7.0 : !tensor
  %expected = ttltest.full 9.0 : !tensor
  ttl.launch @three(%a, %y) : !tensor, !tensor
  ttl.launch @four(%a, %expected) : !tensor, !tensor
  ttltest.expect_eq %y, %expected : !tensor, !tensor
  return
}
