//===- Locations.cpp - positions and names in MLIR locations ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Locations/Locations.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

ttjit::SourceRange ttjit::getSourceRange(Location loc) {
  SourceRange range;
  loc->walk([&](Location inner) {
    auto position = dyn_cast<FileLineColRange>(inner);
    if (!position)
      return WalkResult::advance();
    range.file = position.getFilename().str();
    range.line = position.getStartLine();
    range.column = position.getStartColumn();
    range.endLine = position.getEndLine();
    range.endColumn = position.getEndColumn();
    return WalkResult::interrupt();
  });
  return range;
}

std::optional<std::string> ttjit::getSourceName(Location loc) {
  std::optional<std::string> name;
  loc->walk([&](Location inner) {
    auto named = dyn_cast<NameLoc>(inner);
    if (!named)
      return WalkResult::advance();
    name = named.getName().str();
    return WalkResult::interrupt();
  });
  return name;
}

uint32_t ttjit::LocationTable::intern(Location loc) {
  auto [it, inserted] = numbers.try_emplace(Attribute(loc), 0);
  if (!inserted)
    return it->second;
  SourceRange range = getSourceRange(loc);
  if (range.line == 0)
    return 0;
  it->second = entries.size();
  entries.push_back(std::move(range));
  return it->second;
}
