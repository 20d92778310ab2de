// A kernel for several devices that has no C++: the error is at the net, or at the kernel.
// RUN: ttl-opt --ttl-to-ttkernel-pipeline --mlir-print-debuginfo %s -o %t
// RUN: not ttl-translate --ttkernel-to-cpp %t 2>&1 | FileCheck %s
// RUN: not ttl-translate --ttkernel-to-cpp --metalium=old %t 2>&1 | FileCheck %s --check-prefix=OLD

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.tensor_slice<[1, 1], !tensor>

// OLD: fabric-errors.mlir:[[# @LINE + 1]]:{{.*}}: error: kernels that send between devices have no C++ of generation 'old': use --metalium=mid or --metalium=new
ttl.kernel @gather(%a: !tensor) attributes {grid = #ttcore.grid<2x1>, ttl.devices = 2 : i64, ttl.mesh = array<i64: 2, 1>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  // CHECK: fabric-errors.mlir:[[# @LINE + 1]]:{{.*}}: error: net 'net' receives into slices of a tensor, which has no C++ yet: receive into a block and copy that to the tensor, or run without --emit and --engine=emitted
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet {ttl.queued}
  ttl.datamovement_thread "net" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
  }
  ttl.datamovement_thread "take" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %from = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !part
    %filled = ttl.cb_reserve %out_cb : !block
    %read = ttl.copy %from, %filled : !part, !block
    ttl.wait %read
    ttl.cb_push %filled : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
    %got = ttl.cb_wait %in_cb : !block
    ttl.cb_pop %got : !block
  }
}
