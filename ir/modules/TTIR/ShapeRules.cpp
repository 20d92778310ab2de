//===- ShapeRules.cpp - what rules for shapes of results share ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/TTIR/ShapeRules.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

std::string ttir::shapeText(ArrayRef<int64_t> shape) {
  return shape.empty()
             ? "()"
             : llvm::join(
                   llvm::map_range(shape, [](int64_t extent) { return std::to_string(extent); }),
                   "x");
}

Shape ttir::inputShape(TTIROp op, unsigned index) { return Shape(op.inputType(index).getShape()); }

FailureOr<int64_t> ttir::dimension(TTIROp op, StringRef what, int64_t dim, int64_t rank) {
  if (dim < -rank || dim >= rank)
    return op->emitOpError() << what << " = " << dim << ", but the tensor has "
                             << (rank == 1 ? "1 dimension" : std::to_string(rank) + " dimensions");
  return fromFront(dim, rank);
}

FailureOr<int64_t> ttir::dimension(TTIROp op, StringRef name, int64_t rank) {
  return dimension(op, name, op.getInteger(name, -1), rank);
}

std::optional<Shape> ttir::broadcastShape(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  Shape result(a);
  size_t offset = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t &extent = result[offset + i];
    if (extent != b[i] && extent != 1 && b[i] != 1)
      return std::nullopt;
    extent = extent == 1 ? b[i] : extent;
  }
  return result;
}
