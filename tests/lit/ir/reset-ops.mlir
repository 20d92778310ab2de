// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

!a = !ttl.cb<[2, 3], !ttcore.tile<32x32, f32>, 4>
!b = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>

// CHECK-LABEL: func.func @resets
func.func @resets(%a: !a, %b: !b, %words: !ttl.counters<1>) {
  // CHECK: ttl.cb_reset 0 "ttl.reset_dfbs" %{{.+}}, %{{.+}} : !{{.+}}, !{{.+}}
  ttl.cb_reset 0 "ttl.reset_dfbs" %a, %b : !a, !b
  // CHECK: ttl.cb_reset 1 "ttl.reset_all_dfbs" words(%{{.+}} : !ttl.counters<1>) %{{.+}} : !{{.+}}
  ttl.cb_reset 1 "ttl.reset_all_dfbs" words(%words : !ttl.counters<1>) %b : !b
  // CHECK: ttl.cb_reset 1023 "ttl.reconfigure_dfbs" reconfigures{{$}}
  ttl.cb_reset 1023 "ttl.reconfigure_dfbs" reconfigures
  return
}

// CHECK-LABEL: func.func @calls
func.func @calls(%a: !ttkernel.cb<24, !ttcore.tile<32x32, f32>>, %words: i32) {
  // CHECK: ttkernel.cb_reset 0 "ttl.reset_dfbs"(%{{.+}}, %{{.+}}) : (i32, !ttkernel.cb<24, !ttcore.tile<32x32, f32>>) -> ()
  ttkernel.cb_reset 0 "ttl.reset_dfbs"(%words, %a) : (i32, !ttkernel.cb<24, !ttcore.tile<32x32, f32>>) -> ()
  // CHECK: ttkernel.cb_reset 1 "ttl.reconfigure_dfbs"(%{{.+}}) : (i32) -> ()
  ttkernel.cb_reset 1 "ttl.reconfigure_dfbs"(%words) : (i32) -> ()
  return
}
