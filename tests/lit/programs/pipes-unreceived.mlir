// A transfer that no node receives gives a warning at the end of the run. Here, node 1 receives
// two of three transfers.
// RUN: ttl-jit run %s --engine=jit 2>&1 | FileCheck %s
// RUN: ttl-jit run %s --engine=interp 2>&1 | FileCheck %s
// RUN: ttl-jit run %s --engine=interp --stage=sync 2>&1 | FileCheck %s

// CHECK:      warning: ttl.copy: 1 transfer over pipes was never received: each send needs a receive, in a callback of if_dst()
// CHECK-NEXT:   at {{.*}}pipes-unreceived.mlir:22:
// CHECK:        note: 1 of 3 transfers over pipe 1 of 'net' from node (0,) to node (1,) were not received
// CHECK-NOT:  {{note|warning|error}}

!a = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.tensor_slice<[1, 1], !a>

ttl.kernel @k(%a: !a, %y: !a) attributes {grid = #ttcore.grid<3>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p0 = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %p1 = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p0, %p1 : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "io" {
    %c0 = arith.constant 0 : index
    %a_acc = ttl.tensor_accessor %a : !a -> !ttl.accessor<!a>
    %y_acc = ttl.tensor_accessor %y : !a -> !ttl.accessor<!a>
    %n = ttl.core_linear : index
    %out = ttl.cb_reserve %out_cb : !block
    %from = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!a> -> !part
    %read = ttl.copy %from, %out : !part, !block
    ttl.wait %read
    ttl.cb_push %out : !block
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %last = arith.cmpi eq, %n, %c1 : index
    %turns = arith.select %last, %c2, %c3 : index
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      scf.for %turn = %c0 to %turns step %c1 {
        %in = ttl.cb_wait %in_cb : !block
        %to = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!a> -> !part
        %write = ttl.copy %in, %to : !block, !part
        ttl.wait %write
        ttl.cb_pop %in : !block
      }
    }
  }
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %n = ttl.core_linear : index
    %last = arith.cmpi eq, %n, %c1 : index
    %turns = arith.select %last, %c2, %c3 : index
    %out = ttl.cb_wait %out_cb : !block
    scf.for %turn = %c0 to %c3 step %c1 {
      ttl.if_pipe_src %net {
      ^bb0(%pipe: !ttl.pipe):
        %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
        ttl.wait %sent
      }
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      scf.for %turn = %c0 to %turns step %c1 {
        %in = ttl.cb_reserve %in_cb : !block
        %received = ttl.copy %pipe, %in : !ttl.pipe, !block
        ttl.wait %received
        ttl.cb_push %in : !block
      }
    }
  }
}

func.func @main() {
  %a = ttltest.random 7 : !a
  %y = ttltest.full 0.0 : !a
  ttl.launch @k(%a, %y) : !a, !a
  ttltest.expect_eq %y, %a : !a, !a
  return
}
