//===- Windows.h - windows that move over images --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// There are no kernels of windows that move over an image. The n-th place in all windows along a
// dimension is a slice of the padded image: every stride-th element from that place on. Slices
// along one dimension after the other make the elements of all windows. A convolution is one matrix
// product of these, with the places side by side along the channels, and the weights. If a group
// has one input, it is a sum of products. A pool combines the slices one after the other.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_WINDOWS_H
#define TTJIT_PASSES_TTIR_WINDOWS_H

#include "ir/modules/TTIR/WindowShapes.h"
#include "passes/ttir/TTIRBuilder.h"

namespace ttjit {

using mlir::tt::ttir::Windows;

/// Returns the type in which the elements of a result are summed: f32 for floats of at most 32
/// bits.
mlir::Type sumElement(mlir::Type result);

/// Returns the image with its padding. Negative padding removes elements.
mlir::Value padded(TTIRBuilder &ops, const Windows &windows, mlir::Value image, double with);

/// Returns the convolution of an image with weights: outputs, then the kernel, then the inputs of a
/// group.
mlir::Value convolved(TTIRBuilder &ops, const Windows &windows, mlir::Value image,
                      mlir::Value weights, int64_t groups = 1);

/// Returns the convolution of an image whose groups have one input each. The weights have a row for
/// each place in the window, and `factor` columns for each channel.
mlir::Value convolvedDepthwise(TTIRBuilder &ops, const Windows &windows, mlir::Value image,
                               mlir::Value weights, int64_t factor);

/// Returns the transposed convolution of an image. The weights have the layout of those of a
/// convolution. The padding is added to the result.
mlir::Value convolvedTransposed(TTIRBuilder &ops, Windows windows, mlir::Value image,
                                mlir::Value weights, int64_t groups = 1);

/// Returns the maximum of the elements of the image in each window.
mlir::Value pooledMaximum(TTIRBuilder &ops, const Windows &windows, mlir::Value image);

/// Returns the sum of the elements of the image in each window, divided by how many they are, with
/// the elements of the padding or without.
mlir::Value pooledMean(TTIRBuilder &ops, const Windows &windows, mlir::Value image,
                       bool countsPadding);

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_WINDOWS_H
