// RUN: ttl-opt %s --ttl-assign-dst="report=true" 2>&1 | FileCheck %s
// RUN: ttl-opt %s --ttl-assign-dst --ttl-lower-to-loops --ttl-unroll-compute-loops \
// RUN:   --ttl-insert-tile-regs-sync --ttl-lower-compute | grep -v "_init(" | FileCheck %s --check-prefix=CALLS

// One binary operation on 2x2 tiles: all four in one section, each with its own output register.

// CHECK: remark: DST: 3 of 8 registers, unroll factor 4
// CHECK-NEXT: {{^  }}arg0 [0, 1] -> 0{{$}}
// CHECK-NEXT: {{^  }}arg1 [0, 1] -> 1{{$}}
// CHECK-NEXT: {{^  }}mul@1 [1, 2] -> 2 output{{$}}
// CHECK-NOT: ttl.copy_dest_values
// CHECK: ttl.unroll_factor = 4 : i32

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[2, 2], !t, 2>
!block = !ttl.block<tensor<2x2x!t>, !cb>

ttl.program @example() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %in0 = ttl.create_cb "in0" {buffer_index = 0 : i32} : !cb
  %in1 = ttl.create_cb "in1" {buffer_index = 1 : i32} : !cb
  %out = ttl.create_cb "out" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%in0, %in1, %out) : !cb, !cb, !cb
}
// CALLS-LABEL: func.func @compute
// CALLS-DAG: %[[IN0:.+]] = ttkernel.get_compile_time_arg_val(0)
// CALLS-DAG: %[[IN1:.+]] = ttkernel.get_compile_time_arg_val(1)
// CALLS-DAG: %[[OUT:.+]] = ttkernel.get_compile_time_arg_val(2)
func.func @compute(%in0_cb: !cb, %in1_cb: !cb, %out_cb: !cb) {
  %in0 = ttl.cb_wait %in0_cb : !block
  %in1 = ttl.cb_wait %in1_cb : !block
  %out = ttl.cb_reserve %out_cb : !block
  // CALLS: ttkernel.tile_regs_acquire()
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN0]], %c0_i32, %c0_i32)
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN1]], %c0_i32, %c1_i32)
  // CALLS-NEXT: ttkernel.mul_binary_tile(%c0_i32, %c1_i32, %c2_i32)
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN0]], %c1_i32, %c0_i32)
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN1]], %c1_i32, %c1_i32)
  // CALLS-NEXT: ttkernel.mul_binary_tile(%c0_i32, %c1_i32, %c3_i32)
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN0]], %c2_i32, %c0_i32)
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN1]], %c2_i32, %c1_i32)
  // CALLS-NEXT: ttkernel.mul_binary_tile(%c0_i32, %c1_i32, %c4_i32)
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN0]], %c3_i32, %c0_i32)
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN1]], %c3_i32, %c1_i32)
  // CALLS-NEXT: ttkernel.mul_binary_tile(%c0_i32, %c1_i32, %c5_i32)
  // CALLS-NEXT: ttkernel.tile_regs_commit()
  // CALLS-NEXT: ttkernel.tile_regs_wait()
  // CALLS-NEXT: ttkernel.pack_tile(%c2_i32, %[[OUT]], %c0_i32)
  // CALLS-NEXT: ttkernel.pack_tile(%c3_i32, %[[OUT]], %c1_i32)
  // CALLS-NEXT: ttkernel.pack_tile(%c4_i32, %[[OUT]], %c2_i32)
  // CALLS-NEXT: ttkernel.pack_tile(%c5_i32, %[[OUT]], %c3_i32)
  // CALLS-NEXT: ttkernel.tile_regs_release()
  // CALLS-NOT: ttkernel.tile_regs
  ttl.compute ins(%in0, %in1 : !block, !block) outs(%out : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%i0: !t, %i1: !t, %o0: !t):
    %0 = ttl.tile_mul %i0, %i1 : (!t, !t) -> !t
    ttl.yield %0 : !t
  }
  return
}
