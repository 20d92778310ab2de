//===- SectionOrder.h - the order of ops of a DST section -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A section computes several tiles with the same ops. If it runs all ops for one tile before the
// next tile, each op needs an init for each tile. If it runs each op for all tiles, one init is
// enough.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LOOPS_SECTIONORDER_H
#define TTJIT_PASSES_LOOPS_SECTIONORDER_H

#include "passes/common/PassDialects.h"

#include <optional>

namespace ttjit {

/// An op for one tile of the section.
struct SectionStep {
  mlir::Operation *op;
  int64_t tile;
  /// The register of its result. Without it the result keeps the register of the body's op, or, for
  /// an output of tile t, the register that follows that of tile t - 1.
  std::optional<int> reg = {};
};

/// Orders the ops of a body that computes one tile; packs are no part of the order.
class SectionOrder {
public:
  /// `outputs` are the registers of one tile's outputs.
  SectionOrder(mlir::Block &body, llvm::ArrayRef<int32_t> outputs);

  /// Returns the ops of a section with this number of tiles. A `capacity` above 0 allows other
  /// registers below that number.
  llvm::SmallVector<SectionStep> order(int64_t tiles, int capacity);

private:
  using Group = llvm::SmallVector<mlir::Operation *>;

  void findGroups();
  void keepTogether(mlir::Operation *op, int64_t number, llvm::SmallVectorImpl<bool> &cuts);
  llvm::SmallVector<Group> groupsByOp() const;
  bool mayRenumber() const;
  bool isOutput(int reg) const { return llvm::is_contained(outputs, reg); }

  mlir::Block &body;
  llvm::ArrayRef<int32_t> outputs;
  llvm::SmallVector<mlir::Operation *> ops;           ///< those of the body
  llvm::DenseMap<mlir::Operation *, int64_t> numbers; ///< their numbers
  llvm::SmallVector<Group> groups; ///< the ops between which a tile has values in outputs only
};

} // namespace ttjit

#endif // TTJIT_PASSES_LOOPS_SECTIONORDER_H
