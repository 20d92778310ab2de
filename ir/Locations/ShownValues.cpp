//===- ShownValues.cpp - what locations tell a debugger -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Locations/ShownValues.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

// Returns the first metadata of this kind in the location.
template <typename AttrT> static AttrT findMetadata(Location loc) {
  AttrT found;
  loc->walk([&](Location inner) {
    if (auto fused = dyn_cast<FusedLoc>(inner))
      found = dyn_cast_or_null<AttrT>(fused.getMetadata());
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::optional<int64_t> ttjit::getValueNumber(Location loc) {
  auto number = findMetadata<IntegerAttr>(loc);
  return number ? std::optional(number.getInt()) : std::nullopt;
}

llvm::StringRef ttjit::getShownScope(Location loc) {
  auto text = findMetadata<StringAttr>(loc);
  return text ? text.getValue() : llvm::StringRef();
}
