//===- Arithmetic.h - index arithmetic and constants for passes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_ARITHMETIC_H
#define TTJIT_PASSES_COMMON_ARITHMETIC_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Builds arithmetic inside one function. Every constant is created once, at the start
/// of the function; operations on constants are folded. Call it with at most one
/// argument that creates ops: C++ does not fix the order in which arguments are
/// evaluated, so with two the IR would depend on the compiler.
class Arithmetic {
public:
  explicit Arithmetic(mlir::func::FuncOp function);

  mlir::Value index(int64_t value);
  mlir::Value i32(int64_t value);

  mlir::Value add(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a, int64_t b);
  mlir::Value toI32(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value index);

  /// Row-major index of the element at `indices` in an array of these extents.
  mlir::Value linearise(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange indices,
                        llvm::ArrayRef<int64_t> shape);

  /// Creates `for iv in 0..extent`, or no loop if there is one iteration. Leaves the
  /// builder inside the loop; returns iv.
  mlir::Value enterLoop(mlir::OpBuilder &builder, mlir::Location loc, int64_t extent);

private:
  mlir::Value constant(mlir::Type type, int64_t value);

  mlir::func::FuncOp function;
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, mlir::Value> constants;
};

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_ARITHMETIC_H
