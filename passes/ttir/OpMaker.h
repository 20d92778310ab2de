//===- OpMaker.h - makes ops of ttir that replace others ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_OPMAKER_H
#define TTJIT_PASSES_TTIR_OPMAKER_H

#include "ir/modules/TTIR/Shapes.h"

#include "mlir/IR/Builders.h"

namespace ttjit {

/// Creates ops at the place of the op that they replace.
class OpMaker {
public:
  explicit OpMaker(mlir::tt::ttir::TTIROp op) : builder(op), loc(op.getLoc()) {}

  using Attributes = llvm::ArrayRef<mlir::NamedAttribute>;

  mlir::Value make(llvm::StringRef name, llvm::ArrayRef<int64_t> shape, mlir::Type element,
                   mlir::ValueRange operands, Attributes attributes = {});
  /// Creates an element-wise op of operands of one type.
  mlir::Value elementwise(llvm::StringRef name, mlir::ValueRange operands);

  mlir::Value cast(mlir::Value value, mlir::Type element);
  /// Keeps the dimensions.
  mlir::Value reduce(llvm::StringRef name, mlir::Value value, llvm::ArrayRef<int64_t> dims);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value permute(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  mlir::Value full(llvm::ArrayRef<int64_t> shape, mlir::Type element, double value);

  /// Returns an attribute such as [1 : i32, 2 : i32].
  mlir::NamedAttribute integers(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  /// Returns an attribute such as array<i64: 1, 2>.
  mlir::NamedAttribute wide(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  mlir::NamedAttribute integer(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute flag(llvm::StringRef name, bool value);

  static mlir::RankedTensorType typeOf(mlir::Value value) {
    return mlir::cast<mlir::RankedTensorType>(value.getType());
  }

  mlir::OpBuilder builder;

private:
  mlir::Location loc;
};

using OpValues = llvm::SmallVector<mlir::Value>;

//===--------------------------------------------------------------------------===//
// Ops that choose elements (DecomposeSelection.cpp). Nothing: the op stays as it is
//===--------------------------------------------------------------------------===//

/// Sorts along the last dimension, with indices of 32 bits.
OpValues decomposeSort(OpMaker &maker, mlir::tt::ttir::TTIROp op);
/// Sorts, and takes the first elements.
OpValues decomposeTopK(OpMaker &maker, mlir::tt::ttir::TTIROp op);
/// Gathers along the rows of a matrix.
mlir::Value decomposeEmbedding(OpMaker &maker, mlir::tt::ttir::TTIROp op);
/// Gives a gather or scatter indices of 32 bits.
mlir::Value narrowIndices(OpMaker &maker, mlir::tt::ttir::TTIROp op);

//===--------------------------------------------------------------------------===//
// Convolutions and pools (DecomposeWindows.cpp)
//===--------------------------------------------------------------------------===//

/// Decomposes conv2d and conv_transpose2d.
mlir::Value decomposeConvolution(OpMaker &maker, mlir::tt::ttir::TTIROp op);
/// Decomposes max_pool2d and avg_pool2d.
mlir::Value decomposePool(OpMaker &maker, mlir::tt::ttir::TTIROp op);
mlir::Value decomposeGlobalPool(OpMaker &maker, mlir::tt::ttir::TTIROp op);

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_OPMAKER_H
