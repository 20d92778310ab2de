// RUN: ttl-opt %s --ttl-assign-dst="report=true" 2>&1 | FileCheck %s
// RUN: ttl-opt %s --ttl-assign-dst --ttl-lower-to-loops --ttl-unroll-compute-loops \
// RUN:   --ttl-insert-tile-regs-sync --ttl-lower-compute | grep -v "_init(" | FileCheck %s --check-prefix=CALLS

// One unary operation works in place, in the output's register.

// CHECK: remark: DST: 1 of 8 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0, abs@1 [0, 2] -> 0 output{{$}}
// CHECK-NOT: ttl.copy_dest_values
// CHECK: ttl.unroll_factor = 1 : i32

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>

ttl.program @example() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %in0 = ttl.create_cb "in0" {buffer_index = 0 : i32} : !cb
  %out = ttl.create_cb "out" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%in0, %out) : !cb, !cb
}
// CALLS-LABEL: func.func @compute
// CALLS-DAG: %[[IN0:.+]] = ttkernel.get_compile_time_arg_val(0)
// CALLS-DAG: %[[OUT:.+]] = ttkernel.get_compile_time_arg_val(1)
func.func @compute(%in0_cb: !cb, %out_cb: !cb) {
  %in0 = ttl.cb_wait %in0_cb : !block
  %out = ttl.cb_reserve %out_cb : !block
  // CALLS: ttkernel.tile_regs_acquire()
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN0]], %c0_i32, %c0_i32)
  // CALLS-NEXT: ttkernel.abs_tile(%c0_i32)
  // CALLS-NEXT: ttkernel.tile_regs_commit()
  // CALLS-NEXT: ttkernel.tile_regs_wait()
  // CALLS-NEXT: ttkernel.pack_tile(%c0_i32, %[[OUT]], %c0_i32)
  // CALLS-NEXT: ttkernel.tile_regs_release()
  // CALLS-NOT: ttkernel.tile_regs
  ttl.compute ins(%in0 : !block) outs(%out : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%i0: !t, %o0: !t):
    %0 = ttl.tile_abs %i0 : (!t) -> !t
    ttl.yield %0 : !t
  }
  return
}
