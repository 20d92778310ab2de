//===- AllDialects.h - every dialect a module may use ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_ALLDIALECTS_H
#define TTJIT_IR_ALLDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ttjit {

/// Returns the dialects of this project, and the upstream ones that kernels use.
mlir::DialectRegistry allDialects();

} // namespace ttjit

#endif // TTJIT_IR_ALLDIALECTS_H
