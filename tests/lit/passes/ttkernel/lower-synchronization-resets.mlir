// RUN: ttl-opt %s --ttl-lower-synchronization | FileCheck %s

!cb = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 4>

ttl.program @resets() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  %b = ttl.create_cb "b" {buffer_index = 33 : i32} : !cb
  ttl.thread @thread on riscv_1 (%a, %b) : !cb, !cb
}

// CHECK-LABEL: func.func @thread() {
func.func @thread(%a: !cb, %b: !cb) {
  // CHECK-DAG: %[[A:.+]] = ttkernel.get_compile_time_arg_val(0)
  // CHECK-DAG: %[[B:.+]] = ttkernel.get_compile_time_arg_val(33)
  // CHECK: ttkernel.cb_reset 3 "ttl.reset_dfbs"(%{{.+}}, %[[A]], %[[B]])
  ttl.cb_reset 3 "ttl.reset_dfbs" %a, %b : !cb, !cb
  return
}
