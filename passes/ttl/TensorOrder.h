//===- TensorOrder.h - copies of a tensor whose order matters -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_TENSORORDER_H
#define TTJIT_PASSES_TTL_TENSORORDER_H

#include "ir/TTL/TTL.h"

namespace ttjit {

/// The copies between blocks and tensors of a unified body.
class TensorOrder {
public:
  explicit TensorOrder(mlir::tt::ttl::UnifiedThreadOp thread);

  using Copies = llvm::function_ref<bool(mlir::tt::ttl::CopyOp, mlir::tt::ttl::CopyOp)>;
  /// Calls `found` with each pair of copies of one tensor, one of which writes it, that two threads
  /// must not run: they may touch the same elements, and nothing else keeps them in the order of
  /// the body. Skips pairs that `wanted` refuses. Returns whether `found` returned true for a pair.
  bool visitPairs(Copies wanted, Copies found) const;

private:
  struct Access {
    mlir::tt::ttl::CopyOp copy;
    mlir::tt::ttl::IndexAccessorOp slice;
    bool writes;
    llvm::SmallVector<std::optional<int64_t>> constants; ///< its indices, as far as they are known
    llvm::ArrayRef<int64_t> extents;
  };
  using Buffers = llvm::DenseSet<mlir::Value>;

  void add(mlir::tt::ttl::CopyOp copy, mlir::Value end, bool writes);
  void addFlow(mlir::Operation *op);
  bool flows(const Access &read, const Access &write) const;
  bool isInOrder(const Access &first, const Access &second) const;

  llvm::MapVector<mlir::Value, llvm::SmallVector<Access>> tensors; ///< in the order of the body
  llvm::DenseMap<mlir::Value, Buffers> flow; ///< buffer to those that are computed from it
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_TENSORORDER_H
