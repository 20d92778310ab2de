//===- TTIRBuilder.h - makes ops of ttir whose shapes follow --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_TTIRBUILDER_H
#define TTJIT_PASSES_TTIR_TTIRBUILDER_H

#include "ir/modules/TTIR/ShapeRules.h"

#include "mlir/IR/Builders.h"

namespace ttjit {

inline mlir::RankedTensorType tensorOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

/// Creates ops of ttir in front of an op. The operands must be ranked tensors of known extents.
class TTIRBuilder {
public:
  explicit TTIRBuilder(mlir::Operation *op) : builder(op), loc(op->getLoc()) {}

  /// Creates an op with one result, whose elements have this type and whose shape follows from the
  /// operands and the attributes. Returns null if an operand is null, or if the shapes do not fit,
  /// which is reported.
  mlir::Value make(llvm::StringRef name, mlir::Type element, mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// Creates an op like the other make(), with elements of the type of the first operand's.
  mlir::Value make(llvm::StringRef name, mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

  mlir::Value cast(mlir::Value value, mlir::Type element);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value permute(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<int64_t> begins, llvm::ArrayRef<int64_t> ends,
                    llvm::ArrayRef<int64_t> steps);
  /// `padding` has two numbers for each dimension.
  mlir::Value pad(mlir::Value value, llvm::ArrayRef<int64_t> padding, double with);
  mlir::Value concat(mlir::ValueRange values, int64_t dim);
  /// Returns a scalar, which broadcasts.
  mlir::Value number(mlir::Type element, double value);
  mlir::Value constant(mlir::DenseElementsAttr elements);

  /// Returns an attribute such as [1 : i32, 2 : i32].
  mlir::NamedAttribute integers(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  /// Returns an attribute such as array<i64: 1, 2>.
  mlir::NamedAttribute wideIntegers(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  mlir::NamedAttribute integer(llvm::StringRef name, int64_t value);
  /// Returns an attribute such as #ttcore.reduce_type<invalid>.
  mlir::NamedAttribute reduction(llvm::StringRef name, llvm::StringRef value);
  mlir::NamedAttribute flag(llvm::StringRef name, bool value);
  mlir::NamedAttribute floating(llvm::StringRef name, double value);

  mlir::OpBuilder builder;
  mlir::Location loc;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_TTIRBUILDER_H
