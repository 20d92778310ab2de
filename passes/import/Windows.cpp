//===- Windows.cpp - windows that move over images ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/import/Windows.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

Value ttjit::padded(TTIRBuilder &ops, const Windows &windows, Value image, double with) {
  SmallVector<int64_t> padding = {0, 0};
  llvm::append_range(padding, windows.padding);
  padding.append({0, 0});
  return ops.pad(image, padding, with);
}

Value ttjit::elementsAt(TTIRBuilder &ops, const Windows &windows, Value image,
                        ArrayRef<int64_t> place) {
  ArrayRef<int64_t> shape = tensorOf(image).getShape();
  SmallVector<int64_t> begins = {0}, ends = {shape[0]}, steps = {1};
  for (auto [i, index] : llvm::enumerate(place)) {
    begins.push_back(index * windows.dilation[i]);
    ends.push_back(begins.back() + (windows.counts[i] - 1) * windows.stride[i] + 1);
    steps.push_back(windows.stride[i]);
  }
  begins.push_back(0);
  ends.push_back(shape.back());
  steps.push_back(1);
  return ops.slice(image, begins, ends, steps);
}

void ttjit::forEachPlace(const Windows &windows,
                         llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> place(windows.kernel.size(), 0);
  for (int64_t left = llvm::product_of(windows.kernel); left > 0; --left) {
    visit(place);
    for (size_t i = place.size(); i-- > 0;) {
      if (++place[i] < windows.kernel[i])
        break;
      place[i] = 0;
    }
  }
}

Value ttjit::convolved(TTIRBuilder &ops, const Windows &windows, Value image, Value weights) {
  SmallVector<Value> places;
  forEachPlace(windows, [&](ArrayRef<int64_t> place) {
    places.push_back(elementsAt(ops, windows, image, place));
  });
  ArrayRef<int64_t> extents = tensorOf(weights).getShape();
  int64_t inner = llvm::product_of(extents.drop_front()), batch = tensorOf(image).getDimSize(0);
  Value rows = ops.reshape(ops.concat(places, windows.kernel.size() + 1),
                           {batch * llvm::product_of(windows.counts), inner});
  Value product = ops.make("matmul", {rows, ops.reshape(weights, {extents[0], inner})},
                           ops.flag("transpose_b", true));
  SmallVector<int64_t> shape = {batch};
  llvm::append_range(shape, windows.counts);
  shape.push_back(extents[0]);
  return ops.reshape(product, shape);
}
