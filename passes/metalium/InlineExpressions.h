//===- InlineExpressions.h - EmitC values as C++ expressions --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_INLINEEXPRESSIONS_H
#define TTJIT_PASSES_METALIUM_INLINEEXPRESSIONS_H

#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace ttjit::tometalium {

/// An attribute of integer operations of the user in C++ for the host. Their overflow or division
/// by zero is a fault there, so they stay if nothing uses their value.
inline constexpr llvm::StringRef kMayFaultAttr = "may_fault";

/// Returns whether the op only computes a value from its operands. Such an op may be written where
/// its value is used, or left out if it has no use and no kMayFaultAttr.
bool isCppExpression(mlir::Operation *op);

/// Returns whether the value is written at its uses and gets no variable: constants and reads of
/// variables always; other expressions if they have one use and no name.
bool isWrittenAtUse(mlir::Operation *op);

/// Returns the number of a constant; nothing for another value.
std::optional<int64_t> numberOf(mlir::Value value);

/// Returns "int32_t", "bool", or the text of an opaque type.
std::string cppType(mlir::Type type);

/// Writes values as C++ expressions. It knows the names of the variables declared so
/// far.
class ExpressionWriter {
public:
  void setName(mlir::Value value, std::string name) { names[value] = std::move(name); }
  llvm::StringRef nameOf(mlir::Value value) const;

  std::string write(mlir::Value value) const { return operand(value, 0); }
  /// Returns the value as the right side of `<`.
  std::string writeBound(mlir::Value value) const;
  /// Returns the expression that computes the op's result; for a call, the call itself.
  std::string writeOp(mlir::Operation *op) const { return expression(op).text; }
  /// Returns `format` with each "{}" replaced by the next value.
  std::string substitute(llvm::StringRef format, mlir::ValueRange values) const;

private:
  struct Text {
    std::string text;
    int precedence; ///< a higher one binds tighter
  };
  Text expression(mlir::Operation *op) const;
  Text call(mlir::emitc::CallOpaqueOp op) const;
  Text binary(mlir::Operation *op, llvm::StringRef symbol, int precedence) const;
  Text cast(mlir::emitc::CastOp op) const;
  Text unary(mlir::Operation *op, llvm::StringRef symbol) const;
  /// Returns the value's expression, in parentheses if it binds looser than
  /// `precedence`.
  std::string operand(mlir::Value value, int precedence) const;
  std::string templateArgument(mlir::Attribute attribute, mlir::ValueRange operands) const;

  llvm::DenseMap<mlir::Value, std::string> names;
};

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_INLINEEXPRESSIONS_H
