//===- Windows.h - windows that move over images --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// ttir has no windows that move over an image. Each place in a window is a slice of the padded
// image: every stride-th element from that place on. A convolution is one matrix product of all
// slices, side by side along the channels, with the weights.
//
// The dimensions of an image are batch, then those of the windows, such as rows and columns, then
// channels.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_IMPORT_WINDOWS_H
#define TTJIT_PASSES_IMPORT_WINDOWS_H

#include "passes/import/TTIRBuilder.h"

namespace ttjit {

struct Windows {
  /// One for each dimension of the windows.
  llvm::SmallVector<int64_t> kernel, stride, dilation;
  /// Two for each: before and behind the image.
  llvm::SmallVector<int64_t> padding;
  /// How many windows there are along each.
  llvm::SmallVector<int64_t> counts;
};

/// Returns the image with its padding.
mlir::Value padded(TTIRBuilder &ops, const Windows &windows, mlir::Value image, double with);

/// Returns the elements of a padded image at one place of all windows.
mlir::Value elementsAt(TTIRBuilder &ops, const Windows &windows, mlir::Value image,
                       llvm::ArrayRef<int64_t> place);

/// Calls the function for each place in a window, in row-major order.
void forEachPlace(const Windows &windows,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t> place)> visit);

/// Returns the convolution of a padded image with weights: outputs, then the kernel, then channels.
mlir::Value convolved(TTIRBuilder &ops, const Windows &windows, mlir::Value image,
                      mlir::Value weights);

} // namespace ttjit

#endif // TTJIT_PASSES_IMPORT_WINDOWS_H
