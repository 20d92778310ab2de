//===- DSTCapacity.cpp - DST registers of a kernel ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/DSTCapacity.h"

#include "ir/TTL/TTLResetOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

bool ttjit::hasWideBuffer(ValueRange resources) {
  return llvm::any_of(resources, [](Value resource) {
    auto type = dyn_cast<ttl::CircularBufferType>(resource.getType());
    return type && (hw::datumBits(type.getFormat()) == 32 || hw::isIntegerFormat(type.getFormat()));
  });
}

SmallVector<Value> ttjit::acquiredBuffers(Region &thread) {
  llvm::SetVector<Value, SmallVector<Value>> buffers;
  thread.walk([&](Operation *op) {
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
      buffers.insert(op->getOperand(0));
  });
  return buffers.takeVector();
}

SmallVector<Value> ttjit::usedResources(ThreadBinding &binding) {
  SmallVector<Value> used;
  for (auto [resource, argument] :
       llvm::zip(binding.thread.getResources(), binding.function.getArguments()))
    if (argument.use_empty() || !llvm::all_of(argument.getUsers(), llvm::IsaPred<ttl::CBResetOp>))
      used.push_back(resource);
  return used;
}

int ttjit::dstCapacityOf(const hw::ArchDesc &arch, ttcore::ComputeConfigAttr config,
                         ValueRange resources) {
  bool wide = config ? config.getFp32DestAccEn() : hasWideBuffer(resources);
  return arch.dstCapacity(wide, config && config.getDstFullSyncEn());
}
