// Two devices with one column of nodes each: sends with their counts, credits, semaphores of the other
// device, the device's number, and a set of the device's own semaphore.
// RUN: ttl-opt --ttl-to-ttkernel-pipeline --mlir-print-debuginfo %s | ttl-translate --ttkernel-to-cpp > %t
// RUN: FileCheck %s --input-file=%t
// RUN: python3 %S/Inputs/check-cpp.py < %t
// RUN: ttl-opt --ttl-to-ttkernel-pipeline %s | ttl-translate --ttkernel-to-cpp --metalium=new \
// RUN:   | python3 %S/Inputs/check-cpp.py --metalium=new

!tensor = tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!part = !ttl.tensor_slice<[1, 1], !tensor>

// CHECK-LABEL: //--- swap_net.cpp
// CHECK: //   in buffer 'semaphores', semaphores {{.*}}, zero at the start: words of 'net'
// CHECK: //   run-time arguments from {{[0-9]+}} on: the number of the device, routes, connections
// CHECK: #include "tt_metal/fabric/hw/inc/edm_fabric/routing_plane_connection_manager.hpp"
// CHECK: #include "tt_metal/fabric/hw/inc/packet_header_pool.h"
// CHECK: struct ttl_fabric {
// CHECK-LABEL: void kernel_main() {
// CHECK: ttl_fabric fabric = ttl_fabric_open([[FIRST:[0-9]+]]);
// CHECK-NOT: noc_async_write(
// CHECK: uint64_t [[TO:[a-z0-9]+]] = get_noc_addr(ttl_virtual_x_of<1>(
// CHECK: ttl_fabric_send<1>(fabric, {{.*}}, [[TO]], 4096,
// CHECK: noc_async_write_barrier();
// CHECK: ttl_fabric_inc<1>(fabric, {{.*}}, 1);
// CHECK: ttl_fabric_close(fabric);
// CHECK-NEXT: }
ttl.kernel @swap(%a: !tensor, %y: !tensor) attributes {grid = #ttcore.grid<2x1>, ttl.devices = 2 : i64, ttl.mesh = array<i64: 2, 1>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
  %q = ttl.create_pipe src = [1, 0], dst = [0, 0] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p, %q : !ttl.pipe, !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "net" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
      ttl.wait %sent
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.wait %received
      ttl.cb_push %in : !block
    }
  }
  // CHECK-LABEL: //--- swap_io.cpp
  // CHECK: //   run-time argument from 0 on: the number of the device
  // CHECK-LABEL: void kernel_main() {
  // CHECK: uint32_t device = get_arg_val<uint32_t>(0);
  // CHECK-NOT: ttl_fabric
  // CHECK: ttl_column<1>(device)
  ttl.datamovement_thread "io" {
    %c0 = arith.constant 0 : index
    %x, %row = ttl.core : index, index
    %a_acc = ttl.tensor_accessor %a : !tensor -> !ttl.accessor<!tensor>
    %y_acc = ttl.tensor_accessor %y : !tensor -> !ttl.accessor<!tensor>
    %is_first = arith.cmpi eq, %x, %c0 : index
    %out = ttl.cb_reserve %out_cb : !block
    %from = ttl.index_accessor %a_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !part
    scf.if %is_first {
      %read = ttl.copy %from, %out : !part, !block
      ttl.wait %read
    } else {
      %read = ttl.copy %from, %out : !part, !block
      ttl.wait %read
    }
    ttl.cb_push %out : !block
    %in = ttl.cb_wait %in_cb : !block
    %to = ttl.index_accessor %y_acc[%c0, %c0] : !ttl.accessor<!tensor> -> !part
    %write = ttl.copy %in, %to : !block, !part
    ttl.wait %write
    ttl.cb_pop %in : !block
  }
}
