//===- Buffers.cpp - circular buffers, arguments and identity -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"

#include "ir/TTKernel/TTKernel.h"

using namespace ttjit;
using namespace ttjit::interp;
using namespace mlir::tt;

// A buffer's value is its index.
static llvm::Error compileTimeArg(ttkernel::GetCompileTimeArgValOp op, FunctionCompiler &compiler) {
  if (!llvm::isa<ttkernel::CBType>(op.getType()))
    return errorAt(op, "compile-time argument " + llvm::Twine(op.getIndex()) +
                           " is read as a number; on the host only buffers are "
                           "compile-time arguments");
  compiler.define(op, Slot::of(op.getIndex()));
  return llvm::Error::success();
}

void interp::addBufferOps(OpTable &table) {
  table.add<ttkernel::GetCompileTimeArgValOp, compileTimeArg>();
  table.add<ttkernel::GetArgValOp>(callApi<ttl_hw_get_arg_val>);
  table.add<ttkernel::GetCommonArgValOp>(callApi<ttl_hw_get_common_arg_val>);
  table.add<ttkernel::MyLogicalXOp>(callApi<ttl_hw_my_logical_x>);
  table.add<ttkernel::MyLogicalYOp>(callApi<ttl_hw_my_logical_y>);
  table.add<ttkernel::CBReserveBackOp>(callApi<ttl_hw_cb_reserve_back>);
  table.add<ttkernel::CBPushBackOp>(callApi<ttl_hw_cb_push_back>);
  table.add<ttkernel::CBWaitFrontOp>(callApi<ttl_hw_cb_wait_front>);
  table.add<ttkernel::CBPopFrontOp>(callApi<ttl_hw_cb_pop_front>);
  table.add<ttkernel::CBPublishOp>(callApi<ttl_hw_cb_publish>);
  table.add<ttkernel::GetWritePtrOp>(callApi<ttl_hw_get_write_ptr>);
  table.add<ttkernel::GetReadPtrOp>(callApi<ttl_hw_get_read_ptr>);
}
