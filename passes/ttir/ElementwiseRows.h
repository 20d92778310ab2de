//===- ElementwiseRows.h - element-wise ops as block expressions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A value of f32, bf16, f16 or i1 is computed in Float32, and rounded to its type; one of 32-bit
// integers in Int32 or UInt32. So a value does not depend on whether its op is fused with others.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_ELEMENTWISEROWS_H
#define TTJIT_PASSES_TTIR_ELEMENTWISEROWS_H

#include "passes/ttir/KernelBuilder.h"

#include "hw/facts/TileOps.h"

namespace ttjit {

/// Returns the type in which values of these elements are computed on blocks; nothing if they
/// cannot be.
std::optional<mlir::tt::ttcore::DataType> computedType(mlir::Type element);

/// Returns whether blocks can compute the op, with the types that it has.
bool isElementwiseKernel(mlir::tt::ttir::TTIROp op);

/// Returns the number of an op that makes a tensor of one number: full, zeros, ones, a constant.
std::optional<llvm::APFloat> splatFloat(mlir::tt::ttir::TTIROp op);
/// Returns the number of such an op if its tensor has integers.
std::optional<int64_t> splatInteger(mlir::tt::ttir::TTIROp op);

/// Creates block expressions of one shape.
class ExpressionBuilder {
public:
  ExpressionBuilder(KernelBuilder &kernel, BlockShape shape) : kernel(kernel), shape(shape) {}

  /// Creates the value of an op. The operands are blocks or block expressions of the block's shape.
  mlir::Value compute(mlir::tt::ttir::TTIROp op, llvm::ArrayRef<mlir::Value> operands);
  /// Creates a block of the number of an op that splatFloat or splatInteger knows.
  mlir::Value splat(mlir::tt::ttir::TTIROp op);

  mlir::Value row(hw::TileOp op, mlir::ValueRange operands,
                  mlir::tt::ttcore::DataType type = mlir::tt::ttcore::DataType::Float32);
  /// Creates the op of a row, like row(), with numbers after its operand.
  mlir::Value rowWith(hw::TileOp op, mlir::Value operand, llvm::ArrayRef<double> numbers);
  mlir::Value fill(double value);
  mlir::Value fillInteger(int64_t value, mlir::tt::ttcore::DataType type);
  /// Replicates a block that has one row or one column of elements.
  mlir::Value broadcast(mlir::Value block, llvm::ArrayRef<int64_t> dims);
  /// Creates 1.0 where the value is not 0, else 0.0. An integer other than 0 is not 0 as a float.
  mlir::Value truth(mlir::Value value);
  mlir::Value toFloat(mlir::Value value);
  mlir::Value toInteger(mlir::Value value, mlir::tt::ttcore::DataType type);

private:
  mlir::Value asElements(mlir::Value value, mlir::Type element, bool isTruth, bool isExact);
  mlir::RankedTensorType typeOf(mlir::tt::ttcore::DataType type);

  KernelBuilder &kernel;
  BlockShape shape;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_ELEMENTWISEROWS_H
