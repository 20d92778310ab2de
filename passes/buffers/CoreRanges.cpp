//===- CoreRanges.cpp - buffers that only some nodes have ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/CoreRanges.h"

#include "passes/common/DataFlow.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

SmallVector<int64_t> ttjit::coordinatesOf(ArrayRef<int64_t> grid, int64_t node) {
  SmallVector<int64_t> coordinates(grid.size());
  for (size_t i = grid.size(); i-- > 0; node /= grid[i])
    coordinates[i] = node % grid[i];
  return coordinates;
}

bool ttjit::isOnNode(ttl::CreateCBOp buffer, ArrayRef<int64_t> coordinates) {
  if (!buffer.getCoreRanges())
    return true;
  return llvm::any_of(buffer.getCoreRanges()->getRanges(), [&](ttcore::CoreRangeAttr range) {
    return llvm::all_of(llvm::zip(range.getStart(), coordinates, range.getEnd()), [](auto entry) {
      auto [low, at, high] = entry;
      return int64_t(low) <= at && at <= int64_t(high);
    });
  });
}

// Returns the coordinates of the first node without the buffer; empty if all nodes have
// it.
static SmallVector<int64_t> nodeWithout(ttl::CreateCBOp buffer, ArrayRef<int64_t> grid) {
  for (int64_t node = 0, nodes = llvm::product_of(grid); node < nodes; ++node)
    if (SmallVector<int64_t> at = coordinatesOf(grid, node); !isOnNode(buffer, at))
      return at;
  return {};
}

static LogicalResult checkThread(ThreadBinding &binding) {
  ArrayRef<int64_t> grid = binding.program.getGrid().getShape();
  WalkResult result = binding.function.walk([&](Operation *op) -> WalkResult {
    if (!isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
      return WalkResult::advance();
    ttl::CreateCBOp buffer = binding.bufferOf(op->getOperand(0));
    if (!buffer.getCoreRanges() || timesRun(op, binding.function).value_or(0) == 0)
      return WalkResult::advance();
    SmallVector<int64_t> without = nodeWithout(buffer, grid);
    if (without.empty())
      return WalkResult::advance();
    InFlightDiagnostic diagnostic =
        op->emitError() << "every node acquires a block of '" << buffer.getName()
                        << "' here, but core_ranges of the buffer leave out node "
                        << ttl::shapeText(without)
                        << ": acquire it only on nodes that have the buffer, or extend core_ranges";
    diagnostic.attachNote(buffer.getLoc()) << "the buffer is made here";
    return diagnostic;
  });
  return failure(result.wasInterrupted());
}

LogicalResult ttjit::checkCoreRanges(ttl::ProgramOp program) {
  for (ThreadBinding &binding : getThreads(program->getParentOfType<ModuleOp>()))
    if (binding.program == program && failed(checkThread(binding)))
      return failure();
  return success();
}
