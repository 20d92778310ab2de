// Names of tt-mlir's passes: some run passes of this project, others are errors that name what does the work.
// RUN: ttl-opt %s --ttir-to-d2m 2>%t.remark > %t.theirs && FileCheck %s --check-prefix=REMARK < %t.remark
// RUN: ttl-opt %s --ttir-decompose --ttir-to-ttl > %t.ours && diff %t.ours %t.theirs
// RUN: ttl-opt %s --ttir-to-ttmetal-frontend 2>/dev/null | diff %t.ours -
// RUN: ttl-opt %s --ttir-to-ttmetal-pipeline 2>/dev/null | FileCheck %s --check-prefix=KERNEL
// RUN: ttl-opt %s --ttir-to-ttmetal-backend 2>/dev/null | FileCheck %s --check-prefix=KERNEL
// RUN: ttl-opt %t.ours --d2m-be-pipeline 2>/dev/null | FileCheck %s --check-prefix=KERNEL
// RUN: ttl-opt %s --ttir-to-ttmetal-pipeline 2>/dev/null | ttl-opt - --convert-ttkernel-to-emitc 2>/dev/null | FileCheck %s --check-prefix=EMITC
// RUN: ttl-opt %s --ttir-to-d2m=override-device-shape=1,2 2>/dev/null | FileCheck %s --check-prefix=GRID
// RUN: ttc %s -ttir-to-ttmetal-frontend -print-ir-after-all 2>&1 | FileCheck %s --check-prefix=PRINTED
// RUN: not ttl-opt %s --ttir-to-d2m=mesh-shape=1,2 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not ttl-opt %s --convert-ttkernel-to-emitc=x=1 2>&1 | FileCheck %s --check-prefix=NO-OPTIONS
// RUN: not ttl-opt %s --d2m-allocate 2>&1 | FileCheck %s --check-prefix=WITHIN
// RUN: not ttl-opt %s --d2m-insert-explicit-streams 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: ttl-opt --help | FileCheck %s --check-prefix=HELP

// REMARK: upstream-names.mlir:{{[0-9:]+}}: remark: ttir-to-d2m of tt-mlir runs ttir-decompose, ttir-to-ttl
// KERNEL: ttkernel.add_binary_tile
// EMITC: call_opaque "add_binary_tile"
// GRID: ttl.kernel @sum_0_add({{.*}}grid = #ttcore.grid<2x1>
// PRINTED: IR Dump After TTIRToTTL (ttir-to-ttl)
// OPTION: takes override-device-shape=ROWS,COLUMNS only, found 'mesh-shape=1,2'
// NO-OPTIONS: takes no options; use ttkernel-to-emitc to set options
// WITHIN: d2m-allocate of tt-mlir gives buffers their addresses. Here ttl-allocate-circular-buffers does this and more: run that, or the whole pipeline with --ttl-to-ttkernel
// NONE: d2m-insert-explicit-streams of tt-mlir makes a stream of each argument that is marked so. A transfer reads a tensor itself, so that Stream(x) is x.
// HELP-DAG: --d2m-allocate {{.*}} Of tt-mlir; here ttl-allocate-circular-buffers
// HELP-DAG: --ttir-to-d2m {{.*}} Of tt-mlir; here ttir-decompose and ttir-to-ttl

func.func @sum(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = "ttir.add"(%x, %y) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
