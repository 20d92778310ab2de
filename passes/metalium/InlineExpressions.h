//===- InlineExpressions.h - EmitC values as C++ expressions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_INLINEEXPRESSIONS_H
#define TTJIT_PASSES_METALIUM_INLINEEXPRESSIONS_H

#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace ttjit::emit {

/// True if the op only computes a value from its operands: it may be written
/// where the value is used, or left out if it is not.
bool isCppExpression(mlir::Operation *op);

/// True if the value is written at its uses and gets no variable: constants and
/// reads of variables always, other expressions if used once and not named.
bool isWrittenAtUse(mlir::Operation *op);

/// "int32_t", "bool", the text of an opaque type, ...
std::string cppType(mlir::Type type);

/// Writes values as C++. Knows the names of variables declared so far.
class ExpressionWriter {
public:
  void setName(mlir::Value value, std::string name) { names[value] = std::move(name); }
  llvm::StringRef nameOf(mlir::Value value) const;

  std::string write(mlir::Value value) const { return operand(value, 0); }
  /// The right-hand side that computes the op's result; for calls, the call.
  std::string writeOp(mlir::Operation *op) const { return expression(op).text; }
  /// `format` with each "{}" replaced by the next value.
  std::string substitute(llvm::StringRef format, mlir::ValueRange values) const;

private:
  struct Text {
    std::string text;
    int precedence; ///< higher binds tighter
  };
  Text expression(mlir::Operation *op) const;
  Text call(mlir::emitc::CallOpaqueOp op) const;
  Text binary(mlir::Operation *op, llvm::StringRef symbol, int precedence) const;
  Text unary(mlir::Operation *op, llvm::StringRef symbol) const;
  /// In parentheses if it binds looser than `precedence`.
  std::string operand(mlir::Value value, int precedence) const;
  std::string templateArgument(mlir::Attribute attribute, mlir::ValueRange operands) const;

  llvm::DenseMap<mlir::Value, std::string> names;
};

} // namespace ttjit::emit

#endif // TTJIT_PASSES_METALIUM_INLINEEXPRESSIONS_H
