//===- Copies.h - the two ends of a copy ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One end of a ttl.copy is a block; the other is a part of a tensor, or a pipe.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_COPIES_H
#define TTJIT_PASSES_COMMON_COPIES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// True if the copy fills its block.
inline bool fillsBlock(mlir::tt::ttl::CopyOp copy) {
  return mlir::isa<mlir::tt::ttl::BlockType>(copy.getDst().getType());
}

inline mlir::Value blockOf(mlir::tt::ttl::CopyOp copy) {
  return fillsBlock(copy) ? copy.getDst() : copy.getSrc();
}

/// Null if the other end is a tensor.
inline mlir::Value pipeOf(mlir::tt::ttl::CopyOp copy) {
  if (copy.isSend())
    return copy.getDst();
  return copy.isReceive() ? copy.getSrc() : mlir::Value();
}

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_COPIES_H
