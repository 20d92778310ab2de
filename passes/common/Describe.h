//===- Describe.h - text for blocks in diagnostics ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_DESCRIBE_H
#define TTJIT_PASSES_COMMON_DESCRIBE_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Returns "block 'a_blk' of 'a_dfb'", or "a block of 'a_dfb'" if the block has no
/// name. Only before threads become functions.
std::string describeBlock(mlir::Operation *acquire);

/// The name that the user gave the buffer of `acquire`.
llvm::StringRef bufferName(mlir::Operation *acquire);

/// Returns "line 12", or "an unknown line".
std::string describeLine(mlir::Location loc);

/// Returns "pop()" for a block that was waited for, "push()" for a reserved one.
llvm::StringRef releaseText(mlir::Operation *acquire);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_DESCRIBE_H
