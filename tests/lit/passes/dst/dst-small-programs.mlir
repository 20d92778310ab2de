// RUN: ttl-opt %s --ttl-assign-dst=report=true --split-input-file -o /dev/null 2>&1 | FileCheck %s

// Small programs on which register allocators make mistakes. Expected are the interval and the register of
// each class of values: [first, last step] -> register.

// A later unary operation reads the argument again, so the earlier one works on a copy.
// CHECK: remark: DST: 3 of 8 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0, neg@5 [0, 6] -> 1 output{{$}}
// CHECK-NEXT: {{^  }}copy@1, abs@2, exp@3 [1, 4] -> 0{{$}}
// CHECK-NEXT: {{^  }}add@4 [4, 6] -> 2 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @later_unary() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  %y1 = ttl.create_cb "y1" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0, %y1) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb, %y1_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  %y1 = ttl.cb_reserve %y1_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0, %y1 : !block, !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t, %o1: !t):
    %0 = ttl.tile_abs %t0 : (!t) -> !t
    %1 = ttl.tile_exp %0 : (!t) -> !t
    %2 = ttl.tile_add %t0, %1 : (!t, !t) -> !t
    %3 = ttl.tile_neg %t0 : (!t) -> !t
    ttl.yield %2, %3 : !t, !t
  }
  return
}

// -----

// The argument is read again after the unary operation.
// CHECK: remark: DST: 3 of 8 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0 [0, 3] -> 0{{$}}
// CHECK-NEXT: {{^  }}copy@1, abs@2 [1, 3] -> 1{{$}}
// CHECK-NEXT: {{^  }}sub@3 [3, 4] -> 2 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @unary_then_binary() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.tile_abs %t0 : (!t) -> !t
    %1 = ttl.tile_sub %0, %t0 : (!t, !t) -> !t
    ttl.yield %1 : !t
  }
  return
}

// -----

// Two values are made from one argument, one of them in place twice.
// CHECK: remark: DST: 5 of 8 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0 [0, 5] -> 0{{$}}
// CHECK-NEXT: {{^  }}copy@1, abs@2 [1, 5] -> 1{{$}}
// CHECK-NEXT: {{^  }}copy@3, exp@4, neg@6 [3, 7] -> 2{{$}}
// CHECK-NEXT: {{^  }}sub@5 [5, 7] -> 3{{$}}
// CHECK-NEXT: {{^  }}add@7 [7, 8] -> 4 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @interleaved() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.tile_abs %t0 : (!t) -> !t
    %1 = ttl.tile_exp %0 : (!t) -> !t
    %2 = ttl.tile_sub %0, %t0 : (!t, !t) -> !t
    %3 = ttl.tile_neg %1 : (!t) -> !t
    %4 = ttl.tile_add %2, %3 : (!t, !t) -> !t
    ttl.yield %4 : !t
  }
  return
}

// -----

// One operation reads a value twice, the next one changes it in place.
// CHECK: remark: DST: 2 of 8 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0, abs@1, exp@3 [0, 4] -> 0 output{{$}}
// CHECK-NEXT: {{^  }}mul@2 [2, 4] -> 1 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @twice_and_in_place() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  %y1 = ttl.create_cb "y1" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0, %y1) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb, %y1_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  %y1 = ttl.cb_reserve %y1_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0, %y1 : !block, !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t, %o1: !t):
    %0 = ttl.tile_abs %t0 : (!t) -> !t
    %1 = ttl.tile_mul %0, %0 : (!t, !t) -> !t
    %2 = ttl.tile_exp %0 : (!t) -> !t
    ttl.yield %1, %2 : !t, !t
  }
  return
}

// -----

// An operand that an op has twice is one value.
// CHECK: remark: DST: 2 of 8 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0 [0, 1] -> 0{{$}}
// CHECK-NEXT: {{^  }}mul@1 [1, 2] -> 1 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @square() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    %0 = ttl.tile_mul %t0, %t0 : (!t, !t) -> !t
    ttl.yield %0 : !t
  }
  return
}

// -----

// An argument that is yielded is loaded into the output's register.
// CHECK: remark: DST: 1 of 8 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0 [0, 1] -> 0 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @passthrough() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 1 : i32} : !cb
  ttl.thread @compute on compute (%a0, %y0) : !cb, !cb
}
func.func @compute(%a0_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0 : !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %o0: !t):
    ttl.yield %t0 : !t
  }
  return
}

// -----

// A value that is yielded twice has one register and two packs.
// CHECK: remark: DST: 3 of 8 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0 [0, 1] -> 0{{$}}
// CHECK-NEXT: {{^  }}arg1 [0, 1] -> 1{{$}}
// CHECK-NEXT: {{^  }}add@1 [1, 2] -> 2 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @yielded_twice() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  %y1 = ttl.create_cb "y1" {buffer_index = 3 : i32} : !cb
  ttl.thread @compute on compute (%a0, %a1, %y0, %y1) : !cb, !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %a1_cb: !cb, %y0_cb: !cb, %y1_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  %y1 = ttl.cb_reserve %y1_cb : !block
  ttl.compute ins(%a0, %a1 : !block, !block) outs(%y0, %y1 : !block, !block)
      attributes {indexing_maps = [#id, #id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t, %o1: !t):
    %0 = ttl.tile_add %t0, %t1 : (!t, !t) -> !t
    ttl.yield %0, %0 : !t, !t
  }
  return
}

// -----

// A value is yielded, and another operation changes it in place.
// CHECK: remark: DST: 4 of 8 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0 [0, 1] -> 0{{$}}
// CHECK-NEXT: {{^  }}arg1 [0, 1] -> 1{{$}}
// CHECK-NEXT: {{^  }}add@1 [1, 4] -> 2 output{{$}}
// CHECK-NEXT: {{^  }}copy@2, exp@3 [2, 4] -> 3 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @yielded_and_used() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  %y1 = ttl.create_cb "y1" {buffer_index = 3 : i32} : !cb
  ttl.thread @compute on compute (%a0, %a1, %y0, %y1) : !cb, !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %a1_cb: !cb, %y0_cb: !cb, %y1_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  %y1 = ttl.cb_reserve %y1_cb : !block
  ttl.compute ins(%a0, %a1 : !block, !block) outs(%y0, %y1 : !block, !block)
      attributes {indexing_maps = [#id, #id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t, %o1: !t):
    %0 = ttl.tile_add %t0, %t1 : (!t, !t) -> !t
    %1 = ttl.tile_exp %0 : (!t) -> !t
    ttl.yield %0, %1 : !t, !t
  }
  return
}

// -----

// Inputs, intermediates and the output need exactly the four registers of this DST.
// CHECK: remark: DST: 4 of 4 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0 [0, 2] -> 0{{$}}
// CHECK-NEXT: {{^  }}arg1 [0, 1] -> 1{{$}}
// CHECK-NEXT: {{^  }}add@1 [1, 2] -> 2{{$}}
// CHECK-NEXT: {{^  }}mul@2 [2, 3] -> 3 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @exactly() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %a1, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %a1_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0, %a1 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.tile_add %t0, %t1 : (!t, !t) -> !t
    %1 = ttl.tile_mul %0, %t0 : (!t, !t) -> !t
    ttl.yield %1 : !t
  }
  return
}

// -----

// The compute needs one register too many: loads move to their uses, and values share registers.
// CHECK: remark: DST: 4 of 4 registers, unroll factor 1
// CHECK-NEXT: {{^  }}arg0 [1, 6] -> 0{{$}}
// CHECK-NEXT: {{^  }}arg1 [2, 6] -> 1{{$}}
// CHECK-NEXT: {{^  }}add@3 [3, 5] -> 2{{$}}
// CHECK-NEXT: {{^  }}arg2 [4, 5] -> 3{{$}}
// CHECK-NEXT: {{^  }}sub@5 [5, 7] -> 2{{$}}
// CHECK-NEXT: {{^  }}mul@6 [6, 7] -> 0{{$}}
// CHECK-NEXT: {{^  }}max@7 [7, 8] -> 0 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 1], !t, 2>
!block = !ttl.block<tensor<1x1x!t>, !cb>
ttl.program @one_more() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %a2 = ttl.create_cb "a2" {buffer_index = 2 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 3 : i32} : !cb
  ttl.thread @compute on compute (%a0, %a1, %a2, %y0) : !cb, !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %a1_cb: !cb, %a2_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %a2 = ttl.cb_wait %a2_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0, %a1, %a2 : !block, !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %t2: !t, %o0: !t):
    %0 = ttl.tile_add %t0, %t1 : (!t, !t) -> !t
    %1 = ttl.tile_mul %t0, %t1 : (!t, !t) -> !t
    %2 = ttl.tile_sub %0, %t2 : (!t, !t) -> !t
    %3 = ttl.tile_max %1, %2 : (!t, !t) -> !t
    ttl.yield %3 : !t
  }
  return
}

// -----

// Three tiles, two of them in a section: the last section is shorter.
// CHECK: remark: DST: 3 of 4 registers, unroll factor 2
// CHECK-NEXT: {{^  }}arg0 [0, 1] -> 0{{$}}
// CHECK-NEXT: {{^  }}arg1 [0, 1] -> 1{{$}}
// CHECK-NEXT: {{^  }}add@1 [1, 2] -> 2 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[1, 3], !t, 2>
!block = !ttl.block<tensor<1x3x!t>, !cb>
ttl.program @remainder() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<fp32_dest_acc_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %a1, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %a1_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0, %a1 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.tile_add %t0, %t1 : (!t, !t) -> !t
    ttl.yield %0 : !t
  }
  return
}

// -----

// A DST of sixteen registers.
// CHECK: remark: DST: 3 of 16 registers, unroll factor 14
// CHECK-NEXT: {{^  }}arg0 [0, 1] -> 0{{$}}
// CHECK-NEXT: {{^  }}arg1 [0, 1] -> 1{{$}}
// CHECK-NEXT: {{^  }}add@1 [1, 2] -> 2 output{{$}}
#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, bf16>
!cb = !ttl.cb<[4, 4], !t, 2>
!block = !ttl.block<tensor<4x4x!t>, !cb>
ttl.program @full_sync() attributes {grid = #ttcore.grid<1x1>, compute_config = #ttcore.compute_config<dst_full_sync_en = true>} {
  %a0 = ttl.create_cb "a0" {buffer_index = 0 : i32} : !cb
  %a1 = ttl.create_cb "a1" {buffer_index = 1 : i32} : !cb
  %y0 = ttl.create_cb "y0" {buffer_index = 2 : i32} : !cb
  ttl.thread @compute on compute (%a0, %a1, %y0) : !cb, !cb, !cb
}
func.func @compute(%a0_cb: !cb, %a1_cb: !cb, %y0_cb: !cb) {
  %a0 = ttl.cb_wait %a0_cb : !block
  %a1 = ttl.cb_wait %a1_cb : !block
  %y0 = ttl.cb_reserve %y0_cb : !block
  ttl.compute ins(%a0, %a1 : !block, !block) outs(%y0 : !block)
      attributes {indexing_maps = [#id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%t0: !t, %t1: !t, %o0: !t):
    %0 = ttl.tile_add %t0, %t1 : (!t, !t) -> !t
    ttl.yield %0 : !t
  }
  return
}
