//===- TTCoreRanges.cpp - boxes of cores --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTCore/TTCore.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt::ttcore;

//===--------------------------------------------------------------------------===//
// #ttcore.core_range
//===--------------------------------------------------------------------------===//

void CoreRangeAttr::print(AsmPrinter &printer) const {
  printer << "<(";
  llvm::interleaveComma(getStart(), printer);
  printer << "), (";
  llvm::interleaveComma(getEnd(), printer);
  printer << ")>";
}

LogicalResult CoreRangeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                    ArrayRef<int64_t> start, ArrayRef<int64_t> end) {
  if (start.empty() || start.size() != end.size())
    return emitError()
           << "both corners of a range of cores must have the same rank, at least 1; found ranks "
           << start.size() << " and " << end.size();
  for (auto [low, high] : llvm::zip(start, end))
    if (low < 0 || high < low)
      return emitError()
             << "a range of cores must begin at 0 or more and end at or after its start, found "
             << low << " to " << high;
  return success();
}

int64_t CoreRangeAttr::getNumCores() const {
  int64_t cores = 1;
  for (auto [low, high] : llvm::zip(getStart(), getEnd()))
    cores *= high - low + 1;
  return cores;
}

bool CoreRangeAttr::contains(ArrayRef<int64_t> core) const {
  return core.size() == getStart().size() &&
         llvm::all_of(llvm::zip(getStart(), core, getEnd()), [](auto bounds) {
           auto [low, coordinate, high] = bounds;
           return low <= coordinate && coordinate <= high;
         });
}

//===--------------------------------------------------------------------------===//
// #ttcore.core_range_set
//===--------------------------------------------------------------------------===//

static bool overlap(CoreRangeAttr a, CoreRangeAttr b) {
  return llvm::all_of(llvm::zip(a.getStart(), a.getEnd(), b.getStart(), b.getEnd()),
                      [](auto bounds) {
                        auto [lowA, highA, lowB, highB] = bounds;
                        return lowA <= highB && lowB <= highA;
                      });
}

LogicalResult CoreRangeSetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       ArrayRef<CoreRangeAttr> ranges) {
  for (auto [i, range] : llvm::enumerate(ranges)) {
    if (range.getStart().size() != ranges.front().getStart().size())
      return emitError() << "all ranges of a set must have the same rank, found "
                         << ranges.front().getStart().size() << " and " << range.getStart().size();
    for (CoreRangeAttr other : ranges.take_front(i))
      if (overlap(range, other))
        return emitError() << "the ranges of a set must not overlap, found " << other << " and "
                           << range;
  }
  return success();
}

int64_t CoreRangeSetAttr::getNumCores() const {
  int64_t cores = 0;
  for (CoreRangeAttr range : getRanges())
    cores += range.getNumCores();
  return cores;
}

bool CoreRangeSetAttr::contains(ArrayRef<int64_t> core) const {
  return llvm::any_of(getRanges(), [&](CoreRangeAttr range) { return range.contains(core); });
}
