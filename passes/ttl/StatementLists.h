//===- StatementLists.h - which ops come from one list of statements *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_STATEMENTLISTS_H
#define TTJIT_PASSES_TTL_STATEMENTLISTS_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"

namespace ttjit {

/// Finds the statements around an op in its source. A block of the IR has the ops of several lists
/// of statements if the frontend unrolled a loop or inlined a function. Locations tell the lists
/// apart: a copy of a statement has the statement's location, and an inlined one has the location
/// of its call. Ops without a location count as statements of the list around them.
class StatementLists {
public:
  using Visit = llvm::function_ref<bool(mlir::Operation *)>;

  explicit StatementLists(mlir::Operation *thread);

  /// Whether visitAround() visits the ops after an op first, or those before it.
  enum class First { After, Before };

  /// Visits the ops around `op` in its block, nearest first, until `visit` returns true: those
  /// after it in its list of statements and those before it, in the given order, then the same in
  /// the list of the call, and so on; at last all others of the block. An op may be visited several
  /// times. Returns whether a visit returned true.
  bool visitAround(mlir::Operation *op, First first, Visit visit) const;

private:
  // `list` is the location of the call that runs a list of statements, or null for the thread's
  // own.
  bool visitAfter(mlir::Operation *op, mlir::LocationAttr list, Visit visit) const;
  bool visitBefore(mlir::Operation *op, mlir::LocationAttr list, Visit visit) const;
  unsigned firstOf(mlir::Block *block, mlir::LocationAttr statement, unsigned otherwise) const;
  bool isNextRun(mlir::Operation *op, mlir::Operation *later, mlir::LocationAttr list) const;

  llvm::DenseMap<mlir::Operation *, unsigned> numbers; ///< in the order of the thread
  /// The first op of each location in each block.
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Attribute>, unsigned> firsts;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_STATEMENTLISTS_H
