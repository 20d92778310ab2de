//===- DataMovement.cpp - tensor accessors and transfers ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"

#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

using namespace ttjit;
using namespace ttjit::interp;
using namespace mlir::tt;

// On the host, the layout arguments say only in which memory the tensor is.
static llvm::Error accessorArgs(ttkernel::TensorAccessorArgsOp op, FunctionCompiler &compiler) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(op.getTensorType());
  auto encoding =
      type ? llvm::dyn_cast_or_null<ttl::TensorEncodingAttr>(type.getEncoding()) : nullptr;
  if (!encoding)
    return errorAt(op, "'tensor_type' must be a ranked tensor with a #ttl.tensor_encoding");
  int32_t inL1 = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceL1;
  compiler.define(op, Slot::of(inL1));
  return llvm::Error::success();
}

static hw::Status runKernelAccessor(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const hw::TensorAccess *access = nullptr;
  hw::Status status = ttl_hw_tensor_accessor(&frame.thread, inst.operand<uint32_t>(frame, 1),
                                             inst.operand<int32_t>(frame, 2),
                                             inst.operand<int32_t>(frame, 0), &access);
  frame.set(inst.result, access);
  return status;
}

static llvm::Error accessor(ttkernel::TensorAccessorOp op, FunctionCompiler &compiler) {
  compiler.emit(op, runKernelAccessor);
  return llvm::Error::success();
}

void interp::addDataMovementOps(OpTable &table) {
  using namespace mlir::tt::ttkernel;
  table.add<TensorAccessorArgsOp, accessorArgs>();
  table.add<TensorAccessorOp, accessor>();
  table.add<NocAsyncReadPageOp>(callApi<ttl_hw_noc_async_read_page>);
  table.add<NocAsyncWritePageOp>(callApi<ttl_hw_noc_async_write_page>);
  table.add<NocAsyncReadPagesOp>(callApi<ttl_hw_noc_async_read_pages>);
  table.add<NocAsyncWritePagesOp>(callApi<ttl_hw_noc_async_write_pages>);
  table.add<NocAsyncReadRowOp>(callApi<ttl_hw_noc_async_read_row>);
  table.add<NocAsyncWriteRowOp>(callApi<ttl_hw_noc_async_write_row>);
  table.add<NocAsyncReadSetTridOp>(callApi<ttl_hw_noc_async_read_set_trid>);
  table.add<NocAsyncWriteSetTridOp>(callApi<ttl_hw_noc_async_write_set_trid>);
  table.add<NocAsyncReadBarrierWithTridOp>(callApi<ttl_hw_noc_async_read_barrier_with_trid>);
  table.add<NocAsyncWriteBarrierWithTridOp>(callApi<ttl_hw_noc_async_write_barrier_with_trid>);
  table.add<NocAsyncReadBarrierOp>(callApi<ttl_hw_noc_async_read_barrier>);
  table.add<NocAsyncWriteBarrierOp>(callApi<ttl_hw_noc_async_write_barrier>);
  table.add<NocAsyncWritesFlushedOp>(callApi<ttl_hw_noc_async_writes_flushed>);
  table.add<ConvertLogicalXOp>(callApi<ttl_hw_convert_logical_x_to_translated>);
  table.add<ConvertLogicalYOp>(callApi<ttl_hw_convert_logical_y_to_translated>);
  table.add<GetNocAddrOp>(callApi<ttl_hw_get_noc_addr>);
  table.add<GetNocMulticastAddrOp>(callApi<ttl_hw_get_noc_multicast_addr>);
  table.add<NocAsyncReadOp>(callApi<ttl_hw_noc_async_read>);
  table.add<NocAsyncWriteOp>(callApi<ttl_hw_noc_async_write>);
  table.add<NocAsyncWriteMulticastOp>(callApi<ttl_hw_noc_async_write_multicast>);
  table.add<NocAsyncWriteMulticastLoopbackSrcOp>(
      callApi<ttl_hw_noc_async_write_multicast_loopback_src>);
  table.add<GetSemaphoreOp>(callApi<ttl_hw_get_semaphore>);
  table.add<LoadFromL1Op>(callApi<ttl_hw_load_from_l1>);
  table.add<NocSemaphoreSetOp>(callApi<ttl_hw_noc_semaphore_set>);
  table.add<NocSemaphoreWaitOp>(callApi<ttl_hw_noc_semaphore_wait>);
  table.add<NocSemaphoreWaitMinOp>(callApi<ttl_hw_noc_semaphore_wait_min>);
  table.add<NocSemaphoreIncOp>(callApi<ttl_hw_noc_semaphore_inc>);
  table.add<NocSemaphoreSetRemoteOp>(callApi<ttl_hw_noc_semaphore_set_remote>);
  table.add<NocSemaphoreSetMulticastOp>(callApi<ttl_hw_noc_semaphore_set_multicast>);
  table.add<NocSemaphoreSetMulticastLoopbackSrcOp>(
      callApi<ttl_hw_noc_semaphore_set_multicast_loopback_src>);
  table.add<NocAsyncAtomicBarrierOp>(callApi<ttl_hw_noc_async_atomic_barrier>);
}
