//===- Locations.h - positions and names in MLIR locations ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads positions and names from MLIR locations, for engines and diagnostics. Ops carry
// the user's position as FileLineColRange. It is inside a NameLoc if the value has a
// name in the user's program, and inside a FusedLoc if passes merged ops.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_LOCATIONS_LOCATIONS_H
#define TTJIT_IR_LOCATIONS_LOCATIONS_H

#include "mlir/IR/Location.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <string>
#include <vector>

namespace ttjit {

/// A position. Lines and columns count from 1; `endColumn` is one past the last
/// character, on `endLine`. Line 0 means unknown.
struct SourceRange {
  std::string file;
  int line = 0, column = 0, endLine = 0, endColumn = 0;
};

/// Returns the first position in `loc`; line 0 if there is none.
SourceRange getSourceRange(mlir::Location loc);

/// Returns the user's name of a value if its location has one.
std::optional<std::string> getSourceName(mlir::Location loc);

/// The numbered positions of one program: engines store the number of the running op
/// into hw::KernelThread::loc. Number 0 is the unknown position.
class LocationTable {
public:
  LocationTable() : entries(1) {}
  uint32_t intern(mlir::Location loc);
  /// Adds positions with the next numbers.
  void append(llvm::ArrayRef<SourceRange> ranges) { llvm::append_range(entries, ranges); }
  const std::vector<SourceRange> &ranges() const { return entries; }

private:
  std::vector<SourceRange> entries;
  llvm::DenseMap<mlir::Attribute, uint32_t> numbers;
};

} // namespace ttjit

#endif // TTJIT_IR_LOCATIONS_LOCATIONS_H
