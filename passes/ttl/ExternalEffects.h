//===- ExternalEffects.h - what C++ functions do with buffers -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_EXTERNALEFFECTS_H
#define TTJIT_PASSES_TTL_EXTERNALEFFECTS_H

#include "passes/common/Threads.h"

#include "ir/TTCpp/TTCpp.h"

namespace ttjit {

/// Returns the sides of buffers on which the call states effects: those that it reserves or pushes
/// (waits for or pops).
llvm::SmallVector<BlockQueue> statedQueues(mlir::tt::ttcpp::CallOp call);

/// What the C++ functions that a kernel calls do with its buffers.
class ExternalEffects {
public:
  explicit ExternalEffects(mlir::tt::ttl::KernelOp kernel);

  /// Returns whether a function may produce (consume) pages of the buffer.
  bool mayProduce(mlir::Value buffer) const { return mayUse({buffer, 1}); }
  bool mayConsume(mlir::Value buffer) const { return mayUse({buffer, 0}); }
  /// The first call that states effects on each side of a buffer.
  const llvm::MapVector<BlockQueue, mlir::tt::ttcpp::CallOp> &stated() const { return first; }

private:
  bool mayUse(BlockQueue queue) const;

  llvm::MapVector<BlockQueue, mlir::tt::ttcpp::CallOp> first;
  llvm::DenseSet<mlir::Value> opaque; ///< buffers that a function may use in any way
  bool usesAll = false;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_EXTERNALEFFECTS_H
