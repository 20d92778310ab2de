// RUN: ttl-opt %s | ttl-opt | FileCheck %s

// tt-mlir's programs on a grid of cores (dialect d2m) are parsed and printed.

#L = #ttcore.metal_layout<logical_shape = 64x128, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>
!t = !ttcore.tile<32x32, f32>
!s = tensor<1x1x!t>
!a = tensor<2x4x1x1x!t, #L>
!b = tensor<4x2x1x1x!t, #L>
!c = tensor<2x2x1x1x!t, #L>
!m = memref<2x4x1x1x!t, #ttcore.shard<4096x4096, 1>, #ttcore.memory_space<l1>>
!block = memref<1x1x!t, #ttcore.memory_space<l1>>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#p = #ttcore.iterator_type<parallel>
#r = #ttcore.iterator_type<reduction>

// CHECK: module attributes {ttcore.fabric = #ttcore.fabric_connection_config<noc_index = noc0, num_links = 1>, ttcore.system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86"}], [0]>}
module attributes {ttcore.fabric = #ttcore.fabric_connection_config<noc_index = noc0, num_links = 1>, ttcore.system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86"}], [0]>} {
  // CHECK: ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1) -> (0, d1), meshShape = , chipIds = [0]>
  ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1) -> (0, d1), meshShape = , chipIds = [0]>
  // CHECK: ttcore.global @weights = tensor<2x2xf32>[0]
  ttcore.global @weights = tensor<2x2xf32> [0]

  // CHECK-LABEL: func.func @unified
  func.func @unified(%a: !a, %b: !b) -> !c {
    // CHECK: d2m.empty() : tensor<2x2x1x1x!ttcore.tile<32x32, f32>
    %c = d2m.empty() : !c
    // CHECK: d2m.generic {block_factors = [1, 1, 4], grid = #ttcore.grid<2x2>, indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>, #ttcore.iterator_type<reduction>], threads = [#d2m.thread<unified>]}
    // CHECK-NEXT: ins(%{{.*}}, %{{.*}} : tensor<2x4x1x1x!ttcore.tile<32x32, f32>
    // CHECK-NEXT: outs(%{{.*}} : tensor<2x2x1x1x
    %r = d2m.generic {block_factors = [1, 1, 4], grid = #ttcore.grid<2x2>, indexing_maps = [#mk, #kn, #mn], iterator_types = [#p, #p, #r], threads = [#d2m.thread<unified>]}
        ins(%a, %b : !a, !b) outs(%c : !c) {
    ^unified0:
      // CHECK: d2m.block_index(0) : index
      %m = d2m.block_index(0) : index
      %n = d2m.block_index(1) : index
      %k = d2m.block_index(2) : index
      %e0 = tensor.empty() : !s
      // CHECK: d2m.remote_load %{{.*}} %{{.*}}[%{{.*}}, %{{.*}}] mcast[%{{.*}}] : tensor<1x1x!ttcore.tile<32x32, f32>>, tensor<2x4x1x1x{{.*}}> -> tensor<1x1x!ttcore.tile<32x32, f32>>
      %x = d2m.remote_load %e0 %a[%m, %k] mcast[%m] : !s, !a -> !s
      %e1 = tensor.empty() : !s
      %y = d2m.remote_load %e1 %b[%k, %n] : !s, !b -> !s
      %e2 = tensor.empty() : !s
      // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(
      %z = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : !s, !s) outs(%e2 : !s) {
      ^bb0(%i: !t, %j: !t, %acc: !t):
        // CHECK: "d2m.tile_matmul"(%{{.*}}, %{{.*}}, %{{.*}}) : (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f32>) -> !ttcore.tile<32x32, f32>
        %q = "d2m.tile_matmul"(%i, %j, %acc) : (!t, !t, !t) -> !t
        // CHECK: linalg.yield %{{.*}} : !ttcore.tile<32x32, f32>
        linalg.yield %q : !t
      } -> !s
      // CHECK: d2m.remote_store %{{.*}}[%{{.*}}, %{{.*}}] %{{.*}} : tensor<2x2x1x1x{{.*}}>, tensor<1x1x{{.*}}> -> tensor<2x2x1x1x
      %w = d2m.remote_store %c[%m, %n] %z : !c, !s -> !c
      // CHECK: d2m.yield %{{.*}} : (tensor<2x2x1x1x
      d2m.yield %w : (!c)
    } : !c
    return %r : !c
  }

  // CHECK-LABEL: func.func @split
  func.func @split(%src: !m, %dst: !m) {
    // CHECK: d2m.create_local_semaphore <{initialValue = 0 : ui32}> -> !d2m.local_semaphore
    %s = d2m.create_local_semaphore <{initialValue = 0 : ui32}> -> !d2m.local_semaphore
    // CHECK: additionalArgs(%{{.*}} : !d2m.local_semaphore)
    d2m.generic {block_factors = [], grid = #ttcore.grid<2x4>, indexing_maps = [], iterator_types = [], threads = [#d2m.thread<datamovement, dm_core = 1>, #d2m.thread<datamovement>, #d2m.thread<compute>]}
        ins(%src : !m) outs(%dst : !m) additionalArgs(%s : !d2m.local_semaphore) {
    ^datamovement0:
      // CHECK: d2m.get_cb(0) : <memref<1x1x
      %q = d2m.get_cb(0) : !d2m.cb<!block>
      // CHECK: d2m.get_arg(2) resolution_stage = runtime : !d2m.local_semaphore
      %g = d2m.get_arg(2) resolution_stage = runtime : !d2m.local_semaphore
      %y = d2m.core_index(0) : index
      %x = d2m.core_index(1) {phys_to_virt_map = affine_map<(d0, d1) -> (0, d0, d1)>} : index
      // CHECK: d2m.remote_load %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} mcore[%{{.*}}, %{{.*}}] mshape[%{{.*}}, %{{.*}}] : memref<2x4x1x1x{{.*}}> into !d2m.cb<memref
      d2m.remote_load %src[%y, %x] into %q mcore[%y, %x] mshape[%x, %y] : !m into !d2m.cb<!block>
      // CHECK: d2m.semaphore_set %{{.*}}, %{{.*}}, core[%{{.*}}, %{{.*}}] mcast[%{{.*}}, %{{.*}}] : !d2m.local_semaphore
      d2m.semaphore_set %g, %x, core[%y, %x] mcast[%y, %x] : !d2m.local_semaphore
      d2m.semaphore_inc %g, %x : !d2m.local_semaphore
      // CHECK: d2m.semaphore_wait %{{.*}}, %{{.*}} reset %{{.*}} : !d2m.local_semaphore
      d2m.semaphore_wait %g, %x reset %y : !d2m.local_semaphore
    }, {
    ^datamovement1:
      %q = d2m.get_cb(1) : <!block>
      %y = d2m.core_index(0) : index
      %b = d2m.wait %q : <!block> -> !block
      // CHECK: d2m.dma_write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], <0> : ({{.*}}) -> !d2m.mem_tx<write>
      %t = d2m.dma_write %b, %dst[%y, %y], <0> : (!block, !m) -> !d2m.mem_tx<write>
      // CHECK: d2m.dma_wait %{{.*}} : !d2m.mem_tx<write>
      d2m.dma_wait %t : !d2m.mem_tx<write>
      d2m.pop %q : <!block>
    }, {
    ^compute0:
      %qi = d2m.get_cb(0) : !d2m.cb<!block>
      %qo = d2m.get_cb(1) : !d2m.cb<!block>
      %i = d2m.wait %qi : !d2m.cb<!block> -> !block
      // CHECK: d2m.reserve %{{.*}} : <memref<1x1x{{.*}}> -> memref<1x1x
      %o = d2m.reserve %qo : !d2m.cb<!block> -> !block
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%i : !block) outs(%o : !block) {
      ^bb0(%x: !t, %y: !t):
        // CHECK: "d2m.tile_bcast"(%{{.*}}) <{bcast_type = #d2m<tile_bcast_type col>}> :
        %e = "d2m.tile_bcast"(%x) {bcast_type = #d2m<tile_bcast_type col>} : (!t) -> !t
        %f = "d2m.tile_clamp_scalar"(%e) <{min = 0.0 : f32, max = 1.0 : f32}> : (!t) -> !t
        linalg.yield %f : !t
      }
      // CHECK: d2m.push
      d2m.push %qo : !d2m.cb<!block>
      d2m.pop %qi : !d2m.cb<!block>
    }
    return
  }

  // CHECK-LABEL: func.func @layouts
  func.func @layouts(%h: tensor<64x128xf32>, %a: !a, %x: !m) {
    %e = d2m.empty() : !a
    // CHECK: d2m.to_layout %{{.*}}, %{{.*}} : tensor<64x128xf32> into tensor<2x4x1x1x{{.*}}> -> tensor<2x4x1x1x
    %0 = d2m.to_layout %h, %e : tensor<64x128xf32> into !a -> !a
    // CHECK: d2m.to_host %{{.*}}, %{{.*}} layout = <logical_shape = 64x128
    %1 = d2m.to_host %0, %h layout = #L : !a into tensor<64x128xf32> -> tensor<64x128xf32>
    // CHECK: d2m.view_layout %{{.*}} remapping = #{{.*}} : memref<
    %v = d2m.view_layout %x remapping = #id4 : !m -> memref<2x4x1x1x!t, #ttcore.view<4>, #ttcore.memory_space<l1>>
    // CHECK: d2m.mask %{{.*}}, %{{.*}} logical_shape = [50, 64] fill_value = <zero> : tensor
    %2 = d2m.mask %0, %e logical_shape = [50, 64] fill_value = <zero> : !a into !a -> !a
    // CHECK: "d2m.composite_view"(%{{.*}}, %{{.*}}) <{dim = 0 : si32}>
    %3 = "d2m.composite_view"(%0, %2) <{dim = 0 : si32}> : (!a, !a) -> tensor<4x4x1x1x!t, #L>
    return
  }

  // CHECK-LABEL: func.func @cast
  func.func @cast(%x: tensor<64x128xf32>) {
    // CHECK: d2m.ttnn_metal_layout_cast %{{.*}} : tensor<64x128xf32> -> tensor<2x4x1x1x
    %0 = ttir.ttnn_metal_layout_cast %x : tensor<64x128xf32> -> !a
    return
  }

  // Functions that are threads, and the spellings of older versions.
  // CHECK-LABEL: func.func private @thread
  // CHECK-SAME: ttkernel.arg_spec = "arg_spec<ct_args = [<arg_type = cb_port, operand_index = 4>]>"
  func.func private @thread(%s: !d2m.semaphore, %x: memref<2x2x!t>) attributes {d2m.thread = #d2m.thread<compute>, ttkernel.arg_spec = #ttkernel.arg_spec<ct_args = [<arg_type = cb_port, operand_index = 4>]>} {
    // CHECK: d2m.null_tx : !d2m.mem_tx<read>
    %t = d2m.null_tx : !d2m.mem_tx
    d2m.dma_wait %t
    // CHECK: d2m.acquire_dst() : memref<4x
    %d = d2m.acquire_dst() : memref<4x!t>
    %f = arith.constant 1.0 : f32
    // CHECK: d2m.tile_fill(%{{.*}}) : f32 -> <32x32, f32>
    %c = d2m.tile_fill(%f) : f32 -> !t
    // CHECK: d2m.print("x = %f", %{{.*}}) : (f32) -> ()
    d2m.print("x = %f", %f) : (f32) -> ()
    // CHECK: "d2m.tile_matmul_block"(%{{.*}}, %{{.*}}, %{{.*}}) <{transpose_b = true}>
    "d2m.tile_matmul_block"(%x, %x, %x) {transpose_b = true} : (memref<2x2x!t>, memref<2x2x!t>, memref<2x2x!t>) -> ()
    return
  }
}
