// Threads that name their processors: short forms are read, and printed in full.
// RUN: ttl-opt %s | FileCheck %s
// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

// CHECK-LABEL: ttl.kernel @short
// CHECK: ttl.tile_proc microcores = #ttl.microcore_config<[@noc0 : data_movement, @noc1 : data_movement, @unpack : compute, @math : compute, @pack : compute]> {
// CHECK: ttl.microcore_thread @noc1 "noc1" {
// CHECK: ttl.microcore_thread [@unpack, @math, @pack] "compute" attributes {microcore_hint = "MATH"} {
// CHECK: ttl.microcore_thread @noc0 "noc0" {
ttl.kernel @short() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<blackhole> {
    ttl.microcore_thread @noc1 {}
    ttl.thread @math attributes {microcore_hint = "MATH"} {
    }
    ttl.microcore_thread [@noc0] {
    }
  }
}

// CHECK-LABEL: ttl.kernel @listed
// CHECK: ttl.tile_proc microcores = #ttl.microcore_config<[@noc0 : data_movement]> {
// CHECK: ttl.microcore_thread @noc0 "only" {
ttl.kernel @listed() attributes {grid = #ttcore.grid<1x1>} {
  ttl.tile_proc microcores = #ttl.microcore_config<[@noc0 : data_movement]> {
    ttl.thread [@noc0] "only" {
    }
  }
}

// CHECK-LABEL: ttl.kernel @hints
// CHECK-SAME: microcores = #ttl.microcore_config<[@noc0 : data_movement, @noc1 : data_movement]>
// CHECK: ttl.datamovement_thread "a" attributes {microcore_hint = "NOC1"} {
// CHECK: ttl.datamovement_thread "b" {
ttl.kernel @hints() attributes {grid = #ttcore.grid<1x1>, microcores = #ttl.microcore_config<[@noc0 : data_movement, @noc1 : data_movement]>} {
  ttl.datamovement_thread "a" attributes {microcore_hint = "NOC1"} {
  }
  ttl.datamovement_thread "b" {
  }
}

// Threads inside a program are written in the same way.
// CHECK-LABEL: ttl.program @program
// CHECK: ttl.thread @program__reader on riscv_1 ()
ttl.program @program() attributes {grid = #ttcore.grid<1x1>} {
  ttl.thread @program__reader on riscv_1 ()
}
func.func @program__reader() attributes {ttl.kernel_thread = #ttkernel.thread<noc>} {
  return
}
