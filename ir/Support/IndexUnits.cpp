//===- IndexUnits.cpp - what the index of a tensor or block counts ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Support/IndexUnits.h"

using namespace mlir;
using namespace mlir::tt;

StringRef ttjit::indexUnit(size_t dim, size_t rank, bool isTiled) {
  if (rank < 2)
    return "elements";
  if (dim + 1 == rank)
    return isTiled ? "tile columns" : "columns";
  if (dim + 2 == rank)
    return isTiled ? "tile rows" : "rows";
  return "matrices";
}

StringRef ttjit::indexUnit(size_t dim, ttl::TensorSliceType part) {
  auto encoding = dyn_cast_or_null<ttl::TensorEncodingAttr>(part.getTensor().getEncoding());
  return indexUnit(dim, ttl::getStoredShape(part).size(),
                   encoding && encoding.getLayout().isTiled());
}

void ttjit::setIndexUnit(ttl::CheckIndexOp check, StringRef unit) {
  check->setAttr(kIndexUnitAttr, StringAttr::get(check.getContext(), unit));
}

std::string ttjit::describeIndexed(const Twine &object, int64_t bound, StringRef unit) {
  return (object + ", which has " + Twine(bound) + " " + unit).str();
}

std::string ttjit::describeIndexed(ttl::CheckIndexOp check) {
  auto unit = check->getAttrOfType<StringAttr>(kIndexUnitAttr);
  return describeIndexed(check.describeObject(), check.getBound(),
                         unit ? unit.getValue() : StringRef("there"));
}
