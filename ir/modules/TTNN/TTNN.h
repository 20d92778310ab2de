//===- TTNN.h - text of ttnn as tt-mlir writes it -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads text of tt-mlir's ttnn dialect: `#ttnn.ttnn_layout` becomes
// #ttl.tensor_encoding, `#ttnn.layout` becomes #ttl.layout, `#ttnn.shape` becomes array<i64>, and
// `#ttnn.buffer_type`, `#ttnn.tensor_memory_layout`, `#ttnn.core_range` and
// `#ttnn.core_range_set` become attributes of ttcore. Other attributes and types are kept as text.
//
// Ops are not registered: ttnn-to-ttir replaces them, and reports those that it does not know.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_TTNN_TTNN_H
#define TTJIT_IR_MODULES_TTNN_TTNN_H

#include "mlir/IR/Dialect.h"

namespace mlir::tt::ttnn {

class TTNNDialect : public Dialect {
public:
  explicit TTNNDialect(MLIRContext *context);
  static constexpr StringLiteral getDialectNamespace() { return StringLiteral("ttnn"); }
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override;
  Type parseType(DialectAsmParser &parser) const override;
};

} // namespace mlir::tt::ttnn

MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::tt::ttnn::TTNNDialect)

#endif // TTJIT_IR_MODULES_TTNN_TTNN_H
