// wait_any: a loop waits for the first of two receives that completes.

!tensor = tensor<128x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.tensor_slice<[1, 1], !tensor>

ttl.kernel @wait_any(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<3>} {
  %out_cb = ttl.create_cb "out" : !cb
  %left_cb = ttl.create_cb "left_cb" : !cb
  %right_cb = ttl.create_cb "right_cb" : !cb
  %p = ttl.create_pipe src = [0], dst = [2] : !ttl.pipe
  %q = ttl.create_pipe src = [1], dst = [2] : !ttl.pipe
  %left = ttl.create_pipenet "left" %p : !ttl.pipe -> !ttl.pipenet
  %right = ttl.create_pipenet "right" %q : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      ttl.if_pipe_src %left {
      ^bb0(%pipe: !ttl.pipe):
        %out = ttl.cb_wait %out_cb : !block
        %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
        ttl.wait %sent
        ttl.cb_pop %out : !block
      }
      ttl.if_pipe_src %right {
      ^bb0(%pipe: !ttl.pipe):
        %out = ttl.cb_wait %out_cb : !block
        %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
        ttl.wait %sent
        ttl.cb_pop %out : !block
      }
      ttl.if_pipe_dst %left {
      ^bb0(%from_left: !ttl.pipe):
        %left_blk = ttl.cb_reserve %left_cb : !block
        %left_xf = ttl.copy %from_left, %left_blk : !ttl.pipe, !block
        ttl.if_pipe_dst %right {
        ^bb1(%from_right: !ttl.pipe):
          %right_blk = ttl.cb_reserve %right_cb : !block
          %right_xf = ttl.copy %from_right, %right_blk : !ttl.pipe, !block
          %which = ttl.wait_any %left_xf, %right_xf start %i
          %is_left = arith.cmpi eq, %which, %c0 : index
          scf.if %is_left {
            ttl.wait %right_xf
          } else {
            ttl.wait %left_xf
          }
          ttl.cb_push %right_blk : !block
        }
        ttl.cb_push %left_blk : !block
      }
    }
  }
  ttl.datamovement_thread "io" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %node = ttl.core_linear : index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %sends = arith.cmpi ne, %node, %c2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %row = arith.addi %i, %c2 : index
      scf.if %sends {
        %twice = arith.muli %node, %c2 : index
        %tile = arith.addi %twice, %i : index
        %out = ttl.cb_reserve %out_cb : !block
        %from = ttl.index_accessor %a_acc[%tile, %c0] : !ttl.accessor<!tensor> -> !part
        %read = ttl.copy %from, %out : !part, !block
        ttl.wait %read
        ttl.cb_push %out : !block
      } else {
        %l = ttl.cb_wait %left_cb : !block
        %l_part = ttl.index_accessor %y_acc[%i, %c0] : !ttl.accessor<!tensor> -> !part
        %l_xf = ttl.copy %l, %l_part : !block, !part
        ttl.wait %l_xf
        ttl.cb_pop %l : !block
        %r = ttl.cb_wait %right_cb : !block
        %r_part = ttl.index_accessor %y_acc[%row, %c0] : !ttl.accessor<!tensor> -> !part
        %r_xf = ttl.copy %r, %r_part : !block, !part
        ttl.wait %r_xf
        ttl.cb_pop %r : !block
      }
    }
  }
}

func.func @main() {
  %a = ttltest.random 3 : !tensor
  %y = ttltest.full 0.0 : !tensor
  ttl.launch @wait_any(%a, %y) : !tensor, !tensor
  return
}
