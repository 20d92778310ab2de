// Passes of this project may be called by the names of the design documents and of tt-lang.
// RUN: ttl-opt %s --ttl-to-ttkernel-pipeline > %t.theirs && ttl-opt %s --ttl-to-ttkernel > %t.ours && diff %t.ours %t.theirs
// RUN: ttl-opt %s --convert-ttl-to-compute --ttl-expand-threads --ttl-allocate-cbs --ttl-set-compute-kernel-config --ttl-assign-dst-registers --ttl-lower-to-loops --ttl-insert-tile-regs-sync --ttl-lower-to-ttkernel --cse --ttl-validate | FileCheck %s
// RUN: ttl-opt %s --convert-ttl-to-compute --ttl-expand-threads --ttl-allocate-cbs --ttl-set-compute-kernel-config --ttl-tile-and-assign-dst --ttl-lower-to-loops --ttl-insert-tile-regs-sync --convert-ttl-to-ttkernel --cse --ttl-validate | FileCheck %s
// RUN: ttl-opt --help | FileCheck %s --check-prefix=HELP
// RUN: not ttl-opt %s --convert-ttl-to-compute=merge=false 2>&1 | FileCheck %s --check-prefix=OPTIONS

// HELP-DAG: --convert-ttl-to-compute {{.*}} Same as ttl-form-compute
// HELP-DAG: --ttl-to-ttkernel {{.*}} Lower the frontend's IR to calls of the device API
// HELP-DAG: --arch=<string> {{.*}} Chip for kernels that do not name one
// HELP-DAG: --strict {{.*}} Reject kernels that exceed the limits of the real chip
// OPTIONS: takes no options; use ttl-form-compute to set options

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

// CHECK: ttl.create_cb "a" {{.*}}buffer_index = 0
// CHECK: ttkernel.exp_tile
ttl.kernel @k() attributes {grid = #ttcore.grid<1x1>} {
  %a = ttl.create_cb "a" : !cb
  ttl.datamovement_thread "reader" {
    %x = ttl.cb_wait %a : !block
    ttl.cb_pop %x : !block
  }
  ttl.compute_thread "compute" {
    %x = ttl.cb_reserve %a : !block
    %one = arith.constant 1.0 : f32
    %f = ttl.block_fill %one : !e
    %y = ttl.block_exp %f : (!e) -> !e
    ttl.block_store %x, %y : !block, !e
    ttl.cb_push %x : !block
  }
}
