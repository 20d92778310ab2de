//===- KernelDialects.h - the dialects of kernels -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_KERNELDIALECTS_H
#define TTJIT_IR_KERNELDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ttjit {

/// Returns the dialects that a kernel has at any stage, from the frontend to LLVM IR and C++.
mlir::DialectRegistry kernelDialects();

} // namespace ttjit

#endif // TTJIT_IR_KERNELDIALECTS_H
