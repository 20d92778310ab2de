// `ttl-jit bisect` names the first pass that changes a result: what changed, where the result was
// written, and how to print the IR around this pass.
// RUN: ttl-jit bisect %s | FileCheck %s --check-prefix=KEPT
// KEPT: bisect: every pass keeps the bits (1 launch, {{[0-9]+}} versions run)

// RUN: not ttl-jit bisect %s --pass-plugin=%test_passes \
// RUN:   --insert-pass=test-break-add@ttl-assign-dst 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: bisect: add: test-break-add (stage dst) is the first pass that changes a result
// BROKEN-NEXT: tensor argument 2, element [0, 1]: 3 (0x40400000) before, -1 (0xBF800000) after; 1023 of 1024 elements differ
// BROKEN-NEXT: written by thread writer of node (0, 0) at {{.*}}bisect.mlir:[[# @LINE + 40]]:11
// BROKEN-NEXT: the IR before: ttl-jit run {{.*}}bisect.mlir --pass-plugin={{.*}}ttjit-test-passes.so --insert-pass=test-break-add@ttl-assign-dst --stage=ttl-assign-dst --dump=ttl-assign-dst
// BROKEN-NOT: {{.}}

// RUN: not ttl-jit bisect %s --pass-plugin=%test_passes \
// RUN:   --insert-pass=test-drop-push@sync 2>&1 | FileCheck %s --check-prefix=STUCK
// STUCK: bisect: add: test-drop-push (stage sync) is the first pass that changes a result
// STUCK-NEXT: before: finished
// STUCK-NEXT: after: fault in thread {{.*}}deadlock

// RUN: not ttl-jit bisect %s --stage=dst 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: ttl-jit: --bisect runs every stage; leave --stage out
// RUN: ttl-jit run %s --record=%t.record
// RUN: not ttl-jit bisect %s --schedule=replay:%t.record 2>&1 | FileCheck %s --check-prefix=REPLAY
// REPLAY: ttl-jit: --bisect runs each kernel several times, {{.*}}; leave --schedule=replay out
// RUN: ttl-opt %s --ttl-to-ttkernel -o %t.lowered.mlir
// RUN: ttl-jit bisect %t.lowered.mlir | FileCheck %s --check-prefix=LOWERED
// LOWERED: bisect: nothing to compare: no pass ran on a kernel
// RUN: not ttl-jit run %s --insert-pass=test-break-add@nowhere 2>&1 | FileCheck %s --check-prefix=WHERE
// WHERE: ttl-jit: --insert-pass: expected PASS@STEP, where STEP is a stage (ttl, {{.*}}; found 'test-break-add@nowhere'
// RUN: not ttl-jit run %s --insert-pass=test-break-add@dst 2>&1 | FileCheck %s --check-prefix=NOPASS
// NOPASS: ttl-jit: --insert-pass=test-break-add@dst: 'test-break-add' does not refer to a registered pass
// RUN: not ttl-jit run %s --pass-plugin=%t.none.so 2>&1 | FileCheck %s --check-prefix=PLUGIN
// PLUGIN: ttl-jit: --pass-plugin: {{.*}}none.so

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!value = tensor<1x1x!ttcore.tile<32x32, f32>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @add(%a: !tensor, %b: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a_cb" : !cb
  %b_cb = ttl.create_cb "b_cb" : !cb
  %y_cb = ttl.create_cb "y_cb" : !cb
  ttl.datamovement_thread "writer" {
    %c0 = arith.constant 0 : index
    %acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %blk = ttl.cb_wait %y_cb : !block
    %part = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %xf = ttl.copy %blk, %part : !block, !slice
    ttl.wait %xf
    ttl.cb_pop %blk : !block
  }
  ttl.datamovement_thread "reader" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %b_acc = ttl.tensor_accessor %b : !tensor -> !ttl.accessor<!tensor>
    %a_blk = ttl.cb_reserve %a_cb : !block
    %b_blk = ttl.cb_reserve %b_cb : !block
    %a_part = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %b_part = ttl.index_accessor %b_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !slice
    %a_xf = ttl.copy %a_part, %a_blk : !slice, !block
    %b_xf = ttl.copy %b_part, %b_blk : !slice, !block
    ttl.wait %a_xf
    ttl.wait %b_xf
    ttl.cb_push %a_blk : !block
    ttl.cb_push %b_blk : !block
  }
  ttl.compute_thread "compute" {
    %a_blk = ttl.cb_wait %a_cb : !block
    %b_blk = ttl.cb_wait %b_cb : !block
    %y_blk = ttl.cb_reserve %y_cb : !block
    %sum = ttl.block_add %a_blk, %b_blk : (!block, !block) -> !value
    ttl.block_store %y_blk, %sum : !block, !value
    ttl.cb_push %y_blk : !block
    ttl.cb_pop %b_blk : !block
    ttl.cb_pop %a_blk : !block
  }
}

func.func @main() {
  %a = ttltest.iota : !tensor
  %b = ttltest.iota {step = 2.0} : !tensor
  %y = ttltest.full 7.0 : !tensor
  ttl.launch @add(%a, %b, %y) : !tensor, !tensor, !tensor
  return
}
