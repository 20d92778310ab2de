// RUN: ttl-opt %s --ttl-assign-dst="report=true expire-at-use=true" 2>&1 | FileCheck %s --check-prefix=EXPIRE
// RUN: ttl-opt %s --ttl-assign-dst="report=true lazy-loads=true" 2>&1 | FileCheck %s --check-prefix=LAZY
// RUN: ttl-opt %s --ttl-assign-dst="fpu-binary=true" | FileCheck %s --check-prefix=FPU
// RUN: ttl-opt %s --ttl-assign-dst="fpu-binary=true" --ttl-lower-to-loops --ttl-insert-tile-regs-sync \
// RUN:   --ttl-lower-compute | FileCheck %s --check-prefix=CALLS

// The sixth worked example of assign-dst.mlir, with each option of the pass.

// With `<=`, the product gets the register of an operand that no other op reads.
// EXPIRE: remark: DST: 5 of 8 registers, unroll factor 1
// EXPIRE-NEXT: {{^  }}arg0 [0, 1] -> 0{{$}}
// EXPIRE-NEXT: {{^  }}arg1 [0, 1] -> 1{{$}}
// EXPIRE-NEXT: {{^  }}arg2 [0, 4] -> 2{{$}}
// EXPIRE-NEXT: {{^  }}mul@1 [1, 4] -> 0{{$}}
// EXPIRE-NEXT: {{^  }}copy@2, abs@3 [2, 5] -> 3 output{{$}}
// EXPIRE-NEXT: {{^  }}add@4 [4, 5] -> 4 output{{$}}

// Loads count as steps where they happen.
// LAZY: remark: DST: 5 of 8 registers, unroll factor 1
// LAZY-NEXT: {{^  }}arg0 [1, 3] -> 0{{$}}
// LAZY-NEXT: {{^  }}arg1 [2, 3] -> 1{{$}}
// LAZY-NEXT: {{^  }}mul@3 [3, 7] -> 2{{$}}
// LAZY-NEXT: {{^  }}copy@4, abs@5 [4, 8] -> 3 output{{$}}
// LAZY-NEXT: {{^  }}arg2 [6, 7] -> 0{{$}}
// LAZY-NEXT: {{^  }}add@7 [7, 8] -> 4 output{{$}}

// The product of two tiles in L1 needs no registers for them.
// FPU: %[[M:.+]] = ttl.tile_fpu_binary mul %{{.+}}, %{{.+}} {dst_idx = 1 : i32}
// FPU-NEXT: %[[C:.+]] = ttl.copy_dest_values %[[M]] {dst_idx = 2 : i32}
// FPU-NEXT: ttl.tile_abs %[[C]] {dst_idx = 2 : i32}
// FPU-NEXT: ttl.tile_add %[[M]], %{{.+}} {dst_idx = 3 : i32}
// CALLS: ttkernel.mul_tiles_init(%[[A:.+]], %[[B:.+]]) :
// CALLS: ttkernel.mul_tiles(%[[A]], %[[B]], %c0_i32, %c0_i32, %c1_i32)

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @example() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %a2 = ttl.create_cb "a2" {buffer_index = 2 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 3 : i32} : !cb
  %y1 = ttl.create_cb "y1" {buffer_index = 4 : i32} : !cb
  ttl.thread @compute on compute (%a0, %a1, %a2, %y0, %y1) : !cb, !cb, !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %a1_cb: !cb, %a2_cb: !cb, %y0_cb: !cb, %y1_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %a2 = ttl.cb_wait %a2_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  %y1 = ttl.cb_reserve %y1_cb : !block
  ttl.compute ins(%a0, %a1, %a2 : !block, !block, !block) outs(%y0, %y1 : !block, !block)
      attributes {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %t2: !t, %o0: !t, %o1: !t):
    %0 = ttl.tile_mul %t0, %t1 : (!t, !t) -> !t
    %1 = ttl.tile_abs %0 : (!t) -> !t
    %2 = ttl.tile_add %0, %t2 : (!t, !t) -> !t
    ttl.yield %1, %2 : !t, !t
  }
  ttl.cb_push %y0 : !block
  ttl.cb_push %y1 : !block
  return
}
