// RUN: ttl-opt %s --ttl-lower-synchronization --split-input-file | FileCheck %s

!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 4>
!block = !ttl.block<tensor<2x3x!ttcore.tile<32x32, f32>>, !cb>
!rows = !ttl.cb<[5, 64], f32, 2>
!row_block = !ttl.block<tensor<5x64xf32>, !rows>

ttl.program @buffers() attributes {grid = #ttcore.grid<4x3>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %b = ttl.create_cb "b" {buffer_index = 4 : i32} : !rows
  ttl.thread @thread on riscv_1 (%a, %b) : !cb, !rows
}

// The function has no arguments any more.
// CHECK-LABEL: func.func @thread() {
func.func @thread(%a: !cb, %b: !rows) {
  // CHECK-DAG: %[[A:.+]] = ttkernel.get_compile_time_arg_val(0) : () -> !ttkernel.cb<24, !ttcore.tile<32x32, f32>>
  // CHECK-DAG: %[[B:.+]] = ttkernel.get_compile_time_arg_val(4) : () -> !ttkernel.cb<640, f32>
  // Pages are tiles or rows. A wait for a second block waits for the pages of both.
  // CHECK: ttkernel.cb_wait_front(%[[A]], %c6_i32)
  // CHECK-NEXT: ttkernel.cb_wait_front(%[[A]], %c12_i32)
  // CHECK-NEXT: ttkernel.cb_pop_front(%[[A]], %c6_i32)
  // CHECK-NEXT: ttkernel.cb_wait_front(%[[A]], %c12_i32)
  // CHECK-NEXT: ttkernel.cb_pop_front(%[[A]], %c6_i32)
  // CHECK-NEXT: ttkernel.cb_pop_front(%[[A]], %c6_i32)
  %0 = ttl.cb_wait %a : !block
  %1 = ttl.cb_wait %a {outstanding = 2 : i32} : !block
  ttl.cb_pop %0 : !block
  %2 = ttl.cb_wait %a {outstanding = 2 : i32} : !block
  ttl.cb_pop %1 : !block
  ttl.cb_pop %2 : !block
  // CHECK-NEXT: ttkernel.cb_reserve_back(%[[B]], %c5_i32)
  // CHECK-NEXT: ttkernel.cb_push_back(%[[B]], %c5_i32)
  %3 = ttl.cb_reserve %b : !row_block
  ttl.cb_push %3 : !row_block
  // A wait for all blocks of the buffer at once.
  // CHECK-NEXT: ttkernel.cb_publish(%[[A]], %c24_i32)
  ttl.cb_publish %a : !cb
  return
}

// -----

// A grid of rank 2 is the compute grid: column and row.
ttl.program @rank2() attributes {grid = #ttcore.grid<4x3>} {
  ttl.thread @rank2_thread on riscv_1 ()
}
// CHECK-LABEL: func.func @rank2_thread
func.func @rank2_thread() {
  // CHECK: %[[X:.+]] = ttkernel.my_logical_x_
  // CHECK: %[[Y:.+]] = ttkernel.my_logical_y_
  // CHECK: ttl.check_index %[[X]]
  // CHECK: ttl.check_index %[[Y]]
  // CHECK: ttl.check_index %c0
  %x, %y, %z = ttl.core {dims = 3} : index, index, index
  ttl.check_index %x {size = 1 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "x"}
  ttl.check_index %y {size = 1 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "y"}
  ttl.check_index %z {size = 1 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "z"}
  // The flattened number of a node: x * 3 + y.
  // CHECK: %[[X1:.+]] = ttkernel.my_logical_x_
  // CHECK: %[[Y1:.+]] = ttkernel.my_logical_y_
  // CHECK: %[[X3:.+]] = arith.muli %[[X1]], %c3
  // CHECK: %[[N:.+]] = arith.addi %[[X3]], %[[Y1]]
  // CHECK: ttl.check_index %[[N]]
  %n = ttl.core_linear : index
  ttl.check_index %n {size = 1 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "n"}
  // CHECK: ttl.check_index %c12
  %size = ttl.grid_size {dims = 1} : index
  ttl.check_index %size {size = 1 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "size"}
  return
}

// -----

// Nodes of grids of other ranks are numbered row by row over the chip's 8 columns.
ttl.program @rank3() attributes {grid = #ttcore.grid<2x3x5>} {
  ttl.thread @rank3_thread on riscv_1 ()
}
// CHECK-LABEL: func.func @rank3_thread
func.func @rank3_thread() {
  // CHECK: %[[X:.+]] = ttkernel.my_logical_x_
  // CHECK: %[[Y:.+]] = ttkernel.my_logical_y_
  // CHECK: %[[Y8:.+]] = arith.muli %[[Y]], %c8
  // CHECK: %[[N:.+]] = arith.addi %[[Y8]], %[[X]]
  // CHECK: %[[LAST:.+]] = arith.remsi %[[N]], %c15
  // CHECK: %[[FIRST:.+]] = arith.divsi %[[N]], %c15
  // CHECK: ttl.check_index %[[FIRST]]
  // CHECK: ttl.check_index %[[LAST]]
  %x, %y = ttl.core : index, index
  ttl.check_index %x {size = 1 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "x"}
  ttl.check_index %y {size = 1 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "y"}
  return
}

// -----

// Numbers for all nodes are among the common arguments, after the addresses of tensors. The other
// tables begin at argument 0.
#dram = #ttl.tensor_encoding<dram, <interleaved, tile = 32x32>>
ttl.program @numbers(%x: tensor<32x32xf32, #dram>) attributes {grid = #ttcore.grid<2x1>} {
  %s = ttl.create_node_table "s" dense<[[1]]> : tensor<1x1xi32> {ttl.common_number = f32} : !ttl.node_table
  %n = ttl.create_node_table "n" dense<[[1], [2]]> : tensor<2x1xi32> : !ttl.node_table
  %t = ttl.create_node_table "t" dense<[[1]]> : tensor<1x1xi32> {ttl.common_number = i32} : !ttl.node_table
  ttl.thread @numbers_thread on riscv_1 (%s, %n, %t, %x) : !ttl.node_table, !ttl.node_table, !ttl.node_table, tensor<32x32xf32, #dram>
}
// CHECK-LABEL: func.func @numbers_thread
func.func @numbers_thread(%s: !ttl.node_table, %n: !ttl.node_table, %t: !ttl.node_table, %x: tensor<32x32xf32, #dram>) {
  %c0 = arith.constant 0 : index
  // CHECK: ttkernel.get_common_arg_val(%c1_i32)
  // CHECK: ttkernel.get_arg_val(%c0_i32)
  // CHECK: ttkernel.get_common_arg_val(%c2_i32)
  %0 = ttl.node_value %s[%c0]
  %1 = ttl.node_value %n[%c0]
  %2 = ttl.node_value %t[%c0]
  ttl.check_index %0 {size = 1 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "x"}
  ttl.check_index %1 {size = 1 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "y"}
  ttl.check_index %2 {size = 1 : i64, bound = 8 : i64, dim = 0 : i64, tensor = "z"}
  return
}
