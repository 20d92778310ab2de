//===- KernelArguments.cpp - a thread's resources as kernel arguments ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/KernelArguments.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

KernelArguments::KernelArguments(ThreadBinding binding) : binding(binding) {
  Block &entry = binding.function.getBody().front();
  DenseMap<int64_t, Value> existing;
  for (Operation &op : entry) {
    if (auto argument = ttkernel::asCall<ttkernel::GetCompileTimeArgValOp>(&op))
      existing[argument.getIndex()] = argument;
    else if (!isa<arith::ConstantOp>(op))
      break;
    last = &op;
  }
  OpBuilder builder(binding.function.getContext());
  setToPrologueEnd(builder);
  for (BlockArgument argument : entry.getArguments()) {
    auto type = dyn_cast<ttl::CircularBufferType>(argument.getType());
    if (!type)
      continue;
    Value &buffer = buffers[argument];
    int64_t index = *this->binding.bufferOf(argument).getBufferIndex();
    buffer = existing.lookup(index);
    if (buffer)
      continue;
    auto kernelType =
        ttkernel::CBType::get(type.getContext(), type.getTotalElements(), type.getElementType());
    auto op = ttkernel::createCall<ttkernel::GetCompileTimeArgValOp>(
        builder, argument.getLoc(), kernelType, builder.getI32IntegerAttr(index));
    buffer = op;
    last = op;
  }
}

Value KernelArguments::bufferOfBlock(Value block) { return buffer(bufferValueOf(block)); }

void KernelArguments::setToPrologueEnd(OpBuilder &builder) {
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(&binding.function.getBody().front());
}
