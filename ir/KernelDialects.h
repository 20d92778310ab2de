//===- KernelDialects.h - the dialects of kernels -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_KERNELDIALECTS_H
#define TTJIT_IR_KERNELDIALECTS_H

#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace ttjit {

/// Returns the dialects that a kernel has at any stage, from the frontend to LLVM IR and C++.
mlir::DialectRegistry kernelDialects();

/// Returns the names of the ops that programs of kernels may have. The context has the dialects.
std::vector<std::string> kernelOpNames(mlir::MLIRContext &context);

} // namespace ttjit

#endif // TTJIT_IR_KERNELDIALECTS_H
