//===- ForeignDialects.h - what to write instead of linalg and d2m --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The parser reads `linalg.yield` as ttl.yield. For all other text of these dialects it says what
// to write instead. MLIR's own linalg dialect must not be in the same context.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_FOREIGN_FOREIGNDIALECTS_H
#define TTJIT_IR_FOREIGN_FOREIGNDIALECTS_H

#include "mlir/IR/Dialect.h"

namespace ttjit {

class LinalgTextDialect : public mlir::Dialect {
public:
  explicit LinalgTextDialect(mlir::MLIRContext *context);
  static constexpr llvm::StringLiteral getDialectNamespace() {
    return llvm::StringLiteral("linalg");
  }
  std::optional<ParseOpHook> getParseOperationHook(llvm::StringRef opName) const override;
};

class D2MTextDialect : public mlir::Dialect {
public:
  explicit D2MTextDialect(mlir::MLIRContext *context);
  static constexpr llvm::StringLiteral getDialectNamespace() { return llvm::StringLiteral("d2m"); }
  std::optional<ParseOpHook> getParseOperationHook(llvm::StringRef opName) const override;
  mlir::Type parseType(mlir::DialectAsmParser &parser) const override;
};

} // namespace ttjit

MLIR_DECLARE_EXPLICIT_TYPE_ID(ttjit::LinalgTextDialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(ttjit::D2MTextDialect)

#endif // TTJIT_IR_FOREIGN_FOREIGNDIALECTS_H
