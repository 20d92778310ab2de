//===- ShapeText.h - shapes and coordinates as text -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_LAYOUTS_SHAPETEXT_H
#define TTJIT_IR_LAYOUTS_SHAPETEXT_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace ttjit::layouts {

inline std::string joined(llvm::ArrayRef<int64_t> numbers, const char *separator) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : separator) + std::to_string(number);
  return text;
}

/// Returns "64x128"; "()" for the shape of a scalar.
inline std::string textOf(llvm::ArrayRef<int64_t> shape) {
  return shape.empty() ? "()" : joined(shape, "x");
}

/// Returns "(1, 5)".
inline std::string coordinateText(llvm::ArrayRef<int64_t> coordinate) {
  return "(" + joined(coordinate, ", ") + ")";
}

} // namespace ttjit::layouts

#endif // TTJIT_IR_LAYOUTS_SHAPETEXT_H
