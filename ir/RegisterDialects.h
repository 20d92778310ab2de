//===- RegisterDialects.h - every dialect a module may use ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_REGISTERDIALECTS_H
#define TTJIT_IR_REGISTERDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ttjit {

/// Registers the dialects of this project, and the upstream ones that kernels use.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace ttjit

#endif // TTJIT_IR_REGISTERDIALECTS_H
