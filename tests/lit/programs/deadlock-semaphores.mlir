// The report of a deadlock names the threads that would end each wait, and says what they are doing.
// RUN: not ttl-jit run %s --engine=jit 2>&1 | FileCheck %s
// RUN: not ttl-jit run %s --engine=interp 2>&1 | FileCheck %s
// RUN: not ttl-jit run %s --stage=ttl 2>&1 | FileCheck %s

// CHECK: error: {{.*}}nobody will set semaphore 'ready' to the awaited value
// CHECK-DAG: note: waiting() waits until semaphore 'ready' is at least 2: it is 1
// CHECK-DAG: note: telling() increments semaphore 'ready' here; it is blocked on 2 nodes
// CHECK-DAG: note: no thread has reserved 'cb' so far
// CHECK-DAG: note: waiting() pushes 'cb' here; it is blocked on 2 nodes

!y = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.tensor_slice<[1, 1], !y>
!s = !ttl.semaphore
!far = !ttl.semaphore<true>

ttl.kernel @short(%y: !y)
    attributes {grid = #ttcore.grid<2x1>} {
  %cb = ttl.create_cb "cb" : !cb
  %out_cb = ttl.create_cb "out" : !cb
  %ready = ttl.create_semaphore "ready" : !s
  ttl.datamovement_thread "waiting" {
    %c0 = arith.constant 0 : index
    %i2 = arith.constant 2 : i32
    %acc = ttl.tensor_accessor %y : !y -> !ttl.accessor<!y>
    ttl.semaphore_wait_min %ready, %i2 : !s
    %blk = ttl.cb_reserve %cb : !block
    %from = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!y> -> !part
    %read = ttl.copy %from, %blk : !part, !block
    ttl.wait %read
    ttl.cb_push %blk : !block
  }
  ttl.datamovement_thread "telling" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i1 = arith.constant 1 : i32
    %node = ttl.core_linear : index
    %other = arith.subi %c1, %node : index
    %remote = ttl.get_remote_semaphore %ready[%other] : !s -> !far
    ttl.semaphore_inc %remote, %i1 : !far
    %acc = ttl.tensor_accessor %y : !y -> !ttl.accessor<!y>
    %blk = ttl.cb_wait %out_cb : !block
    %to = ttl.index_accessor %acc[%c0, %c0] : !ttl.accessor<!y> -> !part
    %write = ttl.copy %blk, %to : !block, !part
    ttl.wait %write
    ttl.cb_pop %blk : !block
  }
  ttl.compute_thread "computing" {
    %blk = ttl.cb_wait %cb : !block
    %out = ttl.cb_reserve %out_cb : !block
    %value = ttl.block_exp %blk : (!block) -> tensor<1x1x!ttcore.tile<32x32, f32>>
    ttl.block_store %out, %value : !block, tensor<1x1x!ttcore.tile<32x32, f32>>
    ttl.cb_push %out : !block
    ttl.cb_pop %blk : !block
  }
}

func.func @main() {
  %y = ttltest.random 3 : !y
  ttl.launch @short(%y) : !y
  return
}
