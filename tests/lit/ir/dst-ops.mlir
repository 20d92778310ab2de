// RUN: ttl-opt %s | ttl-opt | FileCheck %s
// RUN: ttl-opt %s --mlir-print-op-generic | ttl-opt | FileCheck %s

// Every form of the ops on DST registers is printed and read again.

#id = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #ttcore.iterator_type<parallel>
!t = !ttcore.tile<32x32, f32>
!cb = !ttl.cb<[2, 1], !t, 1>
!block = !ttl.block<tensor<2x1x!t>, !cb>

ttl.program @program() attributes {grid = #ttcore.grid<1>} {
  %a = ttl.create_cb "a" : !cb
  %y = ttl.create_cb "y" : !cb
  ttl.thread @compute on compute (%a, %y) : !cb, !cb
}
// CHECK-LABEL: func.func @compute
func.func @compute(%a_dfb: !cb, %y_dfb: !cb) {
  %c0 = arith.constant 0 : index
  %a = ttl.cb_wait %a_dfb : !block
  %y = ttl.cb_reserve %y_dfb : !block
  // CHECK: ttl.dst_tile {dst_idx = 2 : i32} : <32x32, f32>
  %acc = ttl.dst_tile {dst_idx = 2 : i32} : !t
  ttl.compute ins(%a, %a, %a : !block, !block, !block) outs(%y : !block)
      attributes {indexing_maps = [#id, #id, #id, #id], iterator_types = [#parallel, #parallel]} {
  ^bb0(%ta: !t, %tb: !t, %tc: !t, %ty: !t):
    // CHECK: ttl.require_dst %{{.+}} : <32x32, f32>
    ttl.require_dst %ta : !t
    // CHECK: %[[R:.+]] = ttl.acquire_dst : index
    %r = ttl.acquire_dst : index
    // CHECK: ttl.release_dst %[[R]]
    ttl.release_dst %r
    // CHECK: ttl.acquire_dst {index = 3 : i64} : index
    %r3 = ttl.acquire_dst {index = 3 : i64} : index
    // CHECK: %[[S:.+]] = ttl.tile_fpu_binary add %{{.+}}, %{{.+}} {dst_idx = 1 : i32} : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
    %s = ttl.tile_fpu_binary add %ta, %tb {dst_idx = 1 : i32} : (!t, !t) -> !t
    // CHECK: ttl.tile_fpu_binary mul %{{.+}}, %{{.+}} acc %{{.+}} :
    %m = ttl.tile_fpu_binary mul %ta, %tb acc %tc : (!t, !t, !t) -> !t
    // CHECK: %[[SLOT:.+]] = ttl.spill_tile_to_l1 %[[S]] : <32x32, f32> -> index
    %slot = ttl.spill_tile_to_l1 %s : !t -> index
    // CHECK: ttl.restore_tile_from_l1 %[[SLOT]] : index -> <32x32, f32>
    %s2 = ttl.restore_tile_from_l1 %slot : index -> !t
    ttl.yield %s2 : !t
  }
  // CHECK: ttl.fpu_binary_tiles sub %{{.+}}[%{{.+}}], %{{.+}}[%{{.+}}] {dst_idx = 0 : i32} : !block, !block -> <32x32, f32>
  %0 = ttl.fpu_binary_tiles sub %a[%c0], %a[%c0] {dst_idx = 0 : i32} : !block, !block -> !t
  // CHECK: ttl.fpu_binary_tiles mul %{{.+}}[%{{.+}}], %{{.+}}[%{{.+}}] acc %{{.+}} : !ttcore.tile<32x32, f32> {dst_idx = 0 : i32} : !block, !block -> <32x32, f32>
  %1 = ttl.fpu_binary_tiles mul %a[%c0], %a[%c0] acc %0 : !t {dst_idx = 0 : i32} : !block, !block -> !t
  %2 = ttl.get_tile %a[%c0] {dst_idx = 1 : i32} : !block -> !t
  // CHECK: ttl.pack_tile_block(%{{.+}}, %{{.+}}), %{{.+}}[%{{.+}}] : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>), !block
  ttl.pack_tile_block (%1, %2), %y[%c0] : (!t, !t), !block
  return
}

// CHECK-LABEL: func.func @calls
func.func @calls() attributes {ttl.kernel_thread = #ttkernel.thread<compute>} {
  %i = arith.constant 0 : i32
  %cb = ttkernel.get_compile_time_arg_val(0) : () -> !ttkernel.cb<4, !t>
  // CHECK: ttkernel.binary_op_init_common(%{{.+}}, %{{.+}}, %{{.+}})
  ttkernel.binary_op_init_common(%cb, %cb, %cb) : (!ttkernel.cb<4, !t>, !ttkernel.cb<4, !t>, !ttkernel.cb<4, !t>) -> ()
  // CHECK: ttkernel.add_tiles_init(%{{.+}}, %{{.+}})
  ttkernel.add_tiles_init(%cb, %cb) : (!ttkernel.cb<4, !t>, !ttkernel.cb<4, !t>) -> ()
  // CHECK: ttkernel.sub_tiles_init(%{{.+}}, %{{.+}})
  ttkernel.sub_tiles_init(%cb, %cb) : (!ttkernel.cb<4, !t>, !ttkernel.cb<4, !t>) -> ()
  // CHECK: ttkernel.mul_tiles_init(%{{.+}}, %{{.+}})
  ttkernel.mul_tiles_init(%cb, %cb) : (!ttkernel.cb<4, !t>, !ttkernel.cb<4, !t>) -> ()
  // CHECK: ttkernel.add_tiles(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}})
  ttkernel.add_tiles(%cb, %cb, %i, %i, %i) : (!ttkernel.cb<4, !t>, !ttkernel.cb<4, !t>, i32, i32, i32) -> ()
  // CHECK: ttkernel.sub_tiles(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}})
  ttkernel.sub_tiles(%cb, %cb, %i, %i, %i) : (!ttkernel.cb<4, !t>, !ttkernel.cb<4, !t>, i32, i32, i32) -> ()
  // CHECK: ttkernel.mul_tiles(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}})
  ttkernel.mul_tiles(%cb, %cb, %i, %i, %i) : (!ttkernel.cb<4, !t>, !ttkernel.cb<4, !t>, i32, i32, i32) -> ()
  // CHECK: ttkernel.pack_tile_block(%{{.+}}, %{{.+}}, %{{.+}})
  ttkernel.pack_tile_block(%i, %cb, %i) : (i32, !ttkernel.cb<4, !t>, i32) -> ()
  return
}
