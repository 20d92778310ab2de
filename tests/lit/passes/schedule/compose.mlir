// This project's transform ops together with upstream's: matching, tiling, unrolling, foreach, patterns.
// RUN: ttl-opt %s --transform-interpreter | FileCheck %s
// The passes of stage compute must accept the result.
// RUN: ttl-opt %s --transform-interpreter | sed '/^  module attributes/,$d' > %t.mlir && echo "}" >> %t.mlir
// RUN: ttl-opt %t.mlir --ttl-insert-synchronization --ttl-expand-threads --ttl-bufferize --ttl-allocate-circular-buffers --ttl-assign-transfer-ids --ttl-infer-dst-requirements --ttl-assign-dst --ttl-lower-to-loops --ttl-insert-tile-regs-sync --ttl-lower-compute --ttl-lower-data-movement --ttl-lower-synchronization --cse --ttl-verify-lowered | FileCheck %s --check-prefix=LOW

!tensor = tensor<64x256xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!acc = !ttl.accessor<!tensor>
!cb = !ttl.cb<[2, 4], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<2x4x!ttcore.tile<32x32, f32>>, !cb>
!slice = !ttl.tensor_slice<[2, 4], !tensor>
!t = !ttcore.tile<32x32, f32>
#id = affine_map<(i, j) -> (i, j)>
#p = #ttcore.iterator_type<parallel>

// CHECK-LABEL: ttl.kernel @k
// LOW-LABEL: ttl.program @k
ttl.kernel @k(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %y_cb = ttl.create_cb "y" : !cb
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %acc = ttl.tensor_accessor %a : !tensor -> !acc
    // Upstream's op unrolls the loop, then ours schedules it: both copies start before a wait.
    // CHECK: ttl.copy
    // CHECK: ttl.copy
    // CHECK: ttl.wait
    scf.for %i = %c0 to %c8 step %c4 {
      %blk = ttl.cb_reserve %a_cb : !block
      %part = ttl.index_accessor %acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %part, %blk : !slice, !block
      ttl.wait %xf
      ttl.cb_push %blk : !block
    }
  }
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !acc
    scf.for %i = %c0 to %c8 step %c4 {
      %blk = ttl.cb_wait %y_cb : !block
      %part = ttl.index_accessor %acc[%c0, %i] : !acc -> !slice
      %xf = ttl.copy %blk, %part : !block, !slice
      ttl.wait %xf
      ttl.cb_pop %blk : !block
    }
  }
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // CHECK: ttl.compute_thread "compute"
    // CHECK: scf.for
    scf.for %i = %c0 to %c2 step %c1 {
      %x = ttl.cb_wait %a_cb : !block
      %o = ttl.cb_reserve %y_cb : !block
      // Upstream's op tiles the rows, then ours tiles the columns.
      // CHECK: scf.for %[[I:.+]] = %c0{{.*}} to %c2{{.*}} step %c1{{.*}} {
      // CHECK: ttl.compute {{.*}} window(%[[I]], %{{.+}}) [1, 2]
      // CHECK-SAME: half
      ttl.compute ins(%x : !block) outs(%o : !block)
          attributes {indexing_maps = [#id, #id], iterator_types = [#p, #p]} {
      ^bb0(%tx: !t, %to: !t):
        %e = ttl.tile_exp %tx : (!t) -> !t
        ttl.yield %e : !t
      }
      ttl.cb_pop %x : !block
      ttl.cb_push %o : !block
    }
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %compute = transform.structured.match ops{["ttl.compute"]} in %root : (!transform.any_op) -> !transform.any_op
    %rows, %loop = transform.structured.tile_using_for %compute tile_sizes [1, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %half, %none = transform.ttl.multisize_split %rows {dimension = 1, target_size = 2}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %half "half" : !transform.any_op

    %readers = transform.structured.match ops{["ttl.datamovement_thread"]}
        attributes {name = "reader"} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %readers : !transform.any_op {
    ^bb0(%reader: !transform.any_op):
      %reads = transform.structured.match ops{["scf.for"]} in %reader : (!transform.any_op) -> !transform.any_op
      transform.loop.unroll %reads {factor = 2} : !transform.any_op
      %0 = transform.ttl.schedule_pipeline %reader {strategy = "aggressive"}
          : (!transform.any_op) -> !transform.any_op
      transform.apply_patterns to %reader {
        transform.apply_patterns.canonicalization
      } : !transform.any_op
    }
    transform.yield
  }
}
// LOW: func.func @k__reader
// LOW: ttkernel.noc_async_read
// LOW: func.func @k__compute
// LOW: ttkernel.exp_tile
