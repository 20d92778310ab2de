//===- AllDialects.h - every dialect a module may use ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_ALLDIALECTS_H
#define TTJIT_IR_MODULES_ALLDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ttjit {

/// Returns the dialects of kernels (ir/KernelDialects.h), and those of modules that other compilers
/// write: ttir, ttnn, d2m, linalg and tosa.
mlir::DialectRegistry allDialects();

} // namespace ttjit

#endif // TTJIT_IR_MODULES_ALLDIALECTS_H
