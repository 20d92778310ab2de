// RUN: ttl-opt %s --d2m-to-ttl --split-input-file | FileCheck %s

// A thread that no d2m.generic runs gets its queues as arguments of the function.
!t = !ttcore.tile<32x32, f32>
!b = memref<1x2x!t, #ttcore.memory_space<l1>>
!q = !d2m.cb<!b>

// CHECK-LABEL: ttl.kernel @square_0(%arg0: tensor<1x1x32x64xf32,
// CHECK-SAME: %arg1: tensor<1x1x32x64xf32,
// CHECK-SAME: attributes {grid = #ttcore.grid<1x1>}
// CHECK: ttl.compute_thread
// CHECK: ttl.datamovement_thread "reader"
// CHECK: ttl.datamovement_thread "writer"
// CHECK-LABEL: func.func private @square(
// CHECK-SAME: memref<1x1x1x2x!ttcore.tile<32x32, f32>
// CHECK-SAME: memref<1x1x1x2x!ttcore.tile<32x32, f32>
// CHECK: ttl.launch @square_0
func.func private @square() attributes {d2m.thread = #d2m.thread<compute>} {
  %out = d2m.get_cb(7) : !q
  %in = d2m.get_cb(3) : !q
  %x = d2m.wait %in : !q -> !b
  %y = d2m.reserve %out : !q -> !b
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%x : !b) outs(%y : !b) {
  ^bb0(%a: !t, %o: !t):
    %s = "d2m.tile_square"(%a) : (!t) -> !t
    linalg.yield %s : !t
  }
  d2m.push %out : !q
  d2m.pop %in : !q
  return
}

// -----

// A semaphore becomes a semaphore of the program.
// CHECK-LABEL: ttl.kernel @signals_0
// CHECK: ttl.create_semaphore
// CHECK: ttl.datamovement_thread
// CHECK: ttl.semaphore_set
// CHECK-LABEL: func.func @signals()
func.func @signals() attributes {d2m.thread = #d2m.thread<datamovement>} {
  %s = d2m.get_arg(0) : !d2m.local_semaphore
  %one = arith.constant 1 : index
  d2m.semaphore_set %s, %one : !d2m.local_semaphore
  return
}

// -----

// If a module has other functions to run, its threads stay as they are.
// CHECK-LABEL: func.func private @unused()
// CHECK-NEXT: d2m.get_cb
!q2 = !d2m.cb<memref<1x2x!ttcore.tile<32x32, f32>>>
func.func private @unused() attributes {d2m.thread = #d2m.thread<compute>} {
  %in = d2m.get_cb(0) : !q2
  return
}
func.func @other() {
  return
}

// -----

// CHECK-LABEL: func.func @empty()
// CHECK-NEXT: return
func.func @empty() attributes {d2m.thread = #d2m.thread<datamovement>} {
  return
}
