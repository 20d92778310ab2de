//===- Describe.cpp - text for blocks in diagnostics --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/Describe.h"

#include "ir/Locations/Locations.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

StringRef ttjit::bufferName(Operation *acquire) {
  auto buffer = acquire->getOperand(0).getDefiningOp<ttl::CreateCBOp>();
  return buffer ? buffer.getName() : "a buffer";
}

std::string ttjit::describeBlock(Operation *acquire) {
  std::string buffer = "'" + bufferName(acquire).str() + "'";
  if (std::optional<std::string> name = getSourceName(acquire->getLoc()))
    return "block '" + *name + "' of " + buffer;
  return "a block of " + buffer;
}

std::string ttjit::describeLine(Location loc) {
  int line = getSourceRange(loc).line;
  return line ? "line " + std::to_string(line) : "an unknown line";
}

StringRef ttjit::releaseText(Operation *acquire) {
  return isReserved(acquire) ? "push()" : "pop()";
}
