//===- IndexUnits.cpp - what the index of a tensor or block counts ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/IndexUnits.h"

#include "ir/TTL/DiscardableAttrs.h"

using namespace mlir;
using namespace mlir::tt;

StringRef ttl::indexUnit(size_t dim, size_t rank, bool isTiled) {
  if (rank < 2)
    return "elements";
  if (dim + 1 == rank)
    return isTiled ? "tile columns" : "columns";
  if (dim + 2 == rank)
    return isTiled ? "tile rows" : "rows";
  return "matrices";
}

StringRef ttl::indexUnit(size_t dim, ttl::TensorSliceType part) {
  auto encoding = dyn_cast_or_null<ttl::TensorEncodingAttr>(part.getTensor().getEncoding());
  return indexUnit(dim, ttl::getStoredShape(part).size(),
                   encoding && encoding.getLayout().isTiled());
}

void ttl::setIndexUnit(ttl::CheckIndexOp check, StringRef unit) {
  check->setAttr(kIndexUnitAttr, StringAttr::get(check.getContext(), unit));
}

// Returns "1 tile row", "2 matrices".
static std::string countOf(int64_t bound, StringRef unit) {
  std::string noun = unit.str();
  if (bound == 1 && unit == "matrices")
    noun = "matrix";
  else if (bound == 1 && unit.ends_with("s"))
    noun.pop_back();
  return std::to_string(bound) + " " + noun;
}

static std::string adviceOnIndex(int64_t size, int64_t bound, StringRef unit) {
  std::string what =
      size == 1 ? "the index must be " : "a slice of " + std::to_string(size) + " must start at ";
  std::string range = bound == size ? "0" : "0 to " + std::to_string(bound - size);
  StringRef counts = unit.starts_with("tile") ? ", in tiles" : "";
  return what + range + counts.str() +
         ": correct the loop or the expression that computes it, or skip this statement with 'if'";
}

std::string ttl::describeIndexed(const Twine &object, int64_t size, int64_t bound, StringRef unit) {
  return (object + ", which has " + countOf(bound, unit) + "; " + adviceOnIndex(size, bound, unit))
      .str();
}

std::string ttl::describeIndexed(ttl::CheckIndexOp check) {
  auto unit = check->getAttrOfType<StringAttr>(kIndexUnitAttr);
  std::string object = check.getTensor().empty() ? "the grid of cores" : check.describeObject();
  return describeIndexed(object, check.getSize(), check.getBound(),
                         unit ? unit.getValue() : StringRef("there"));
}
