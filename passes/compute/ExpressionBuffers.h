//===- ExpressionBuffers.h - BufferizableOpInterface of expressions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_EXPRESSIONBUFFERS_H
#define TTJIT_PASSES_COMPUTE_EXPRESSIONBUFFERS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ttjit {

/// Gives ops on blocks the BufferizableOpInterface. The buffer of an expression is a
/// block of a compiler-made circular buffer: bufferizing the op computes it into that
/// block and makes its users read the block. Operands must be bufferized first.
void registerExpressionBuffers(mlir::DialectRegistry &registry);

} // namespace ttjit

#endif // TTJIT_PASSES_COMPUTE_EXPRESSIONBUFFERS_H
