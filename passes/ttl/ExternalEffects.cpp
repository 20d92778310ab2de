//===- ExternalEffects.cpp - what C++ functions do with buffers ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/ExternalEffects.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

SmallVector<BlockQueue> ttjit::statedQueues(ttcpp::CallOp call) {
  SmallVector<BlockQueue> queues;
  for (ttcpp::EffectAttr effect : call.getEffectList()) {
    bool produces = effect.getKind() == ttcpp::EffectKind::Reserve ||
                    effect.getKind() == ttcpp::EffectKind::Push;
    BlockQueue queue{call.getDependencies()[effect.getDependency()], produces};
    if (!llvm::is_contained(queues, queue))
      queues.push_back(queue);
  }
  return queues;
}

ExternalEffects::ExternalEffects(ttl::KernelOp kernel) {
  kernel.walk([&](ttcpp::CallOp call) {
    usesAll |= call.getUnknownAccess();
    for (auto [number, buffer] : llvm::enumerate(call.getDependencies()))
      if (call.isOpaque(number))
        opaque.insert(buffer);
    for (BlockQueue queue : statedQueues(call))
      first.insert({queue, call});
  });
}

bool ExternalEffects::mayUse(BlockQueue queue) const {
  return usesAll || opaque.contains(queue.first) || first.contains(queue);
}
