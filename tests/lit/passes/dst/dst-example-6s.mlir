// RUN: ttl-opt %s --ttl-assign-dst="report=true schedule=true" 2>&1 | FileCheck %s
// RUN: ttl-opt %s --ttl-assign-dst=schedule=true --ttl-lower-to-loops --ttl-unroll-compute-loops \
// RUN:   --ttl-insert-tile-regs-sync --ttl-lower-compute | grep -v "_init(" | FileCheck %s --check-prefix=CALLS

// Example 6 with schedule=true: ops are reordered, so that the unary user is last and no copy is needed.

// CHECK: remark: DST: 5 of 8 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0 [0, 1] -> 0{{$}}
// CHECK-NEXT: {{^  }}arg1 [0, 1] -> 1{{$}}
// CHECK-NEXT: {{^  }}arg2 [0, 2] -> 2{{$}}
// CHECK-NEXT: {{^  }}mul@1, abs@3 [1, 4] -> 3 output{{$}}
// CHECK-NEXT: {{^  }}add@2 [2, 4] -> 4 output{{$}}
// CHECK-NOT: ttl.copy_dest_values
// CHECK: ttl.unroll_factor = 1 : i32

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>

ttl.program @example() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %in0 = ttl.create_cb "in0" {buffer_index = 0 : i32} : !cb
  %in1 = ttl.create_cb "in1" {buffer_index = 1 : i32} : !cb
  %in2 = ttl.create_cb "in2" {buffer_index = 2 : i32} : !cb
  %out0 = ttl.create_cb "out0" {buffer_index = 3 : i32} : !cb
  %out1 = ttl.create_cb "out1" {buffer_index = 4 : i32} : !cb
  ttl.thread @compute on compute (%in0, %in1, %in2, %out0, %out1) : !cb, !cb, !cb, !cb, !cb
}
// CALLS-LABEL: func.func @compute
// CALLS-DAG: %[[IN0:.+]] = ttkernel.get_compile_time_arg_val(0)
// CALLS-DAG: %[[IN1:.+]] = ttkernel.get_compile_time_arg_val(1)
// CALLS-DAG: %[[IN2:.+]] = ttkernel.get_compile_time_arg_val(2)
// CALLS-DAG: %[[OUT0:.+]] = ttkernel.get_compile_time_arg_val(3)
// CALLS-DAG: %[[OUT1:.+]] = ttkernel.get_compile_time_arg_val(4)
func.func @compute(%in0_cb: !cb, %in1_cb: !cb, %in2_cb: !cb, %out0_cb: !cb, %out1_cb: !cb) {
  %in0 = ttl.cb_wait %in0_cb : !block
  %in1 = ttl.cb_wait %in1_cb : !block
  %in2 = ttl.cb_wait %in2_cb : !block
  %out0 = ttl.cb_reserve %out0_cb : !block
  %out1 = ttl.cb_reserve %out1_cb : !block
  // CALLS: ttkernel.tile_regs_acquire()
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN0]], %c0_i32, %c0_i32)
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN1]], %c0_i32, %c1_i32)
  // CALLS-NEXT: ttkernel.copy_tile(%[[IN2]], %c0_i32, %c2_i32)
  // CALLS-NEXT: ttkernel.mul_binary_tile(%c0_i32, %c1_i32, %c3_i32)
  // CALLS-NEXT: ttkernel.add_binary_tile(%c3_i32, %c2_i32, %c4_i32)
  // CALLS-NEXT: ttkernel.abs_tile(%c3_i32)
  // CALLS-NEXT: ttkernel.tile_regs_commit()
  // CALLS-NEXT: ttkernel.tile_regs_wait()
  // CALLS-NEXT: ttkernel.pack_tile(%c3_i32, %[[OUT0]], %c0_i32)
  // CALLS-NEXT: ttkernel.pack_tile(%c4_i32, %[[OUT1]], %c0_i32)
  // CALLS-NEXT: ttkernel.tile_regs_release()
  // CALLS-NOT: ttkernel.tile_regs
  ttl.compute ins(%in0, %in1, %in2 : !block, !block, !block) outs(%out0, %out1 : !block, !block)
      attributes {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%i0: !t, %i1: !t, %i2: !t, %o0: !t, %o1: !t):
    %0 = ttl.tile_mul %i0, %i1 : (!t, !t) -> !t
    %1 = ttl.tile_abs %0 : (!t) -> !t
    %2 = ttl.tile_add %0, %i2 : (!t, !t) -> !t
    ttl.yield %1, %2 : !t, !t
  }
  return
}
