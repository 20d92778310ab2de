//===- BlockAddress.h - address of a block in L1 --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_BLOCKADDRESS_H
#define TTJIT_PASSES_TTKERNEL_BLOCKADDRESS_H

#include "passes/common/Arithmetic.h"
#include "passes/ttkernel/KernelArguments.h"

namespace ttjit {

/// Creates the byte address of the block's first page, named like the user's block.
mlir::Value blockAddress(mlir::OpBuilder &builder, mlir::Location loc, Arithmetic &arithmetic,
                         KernelArguments &arguments, mlir::Value block);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_BLOCKADDRESS_H
