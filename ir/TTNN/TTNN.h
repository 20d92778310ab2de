//===- TTNN.h - layouts as tt-mlir writes them ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads text of tt-mlir's ttnn dialect: `#ttnn.ttnn_layout` becomes
// #ttl.tensor_encoding, `#ttnn.layout` becomes #ttl.layout, and `#ttnn.buffer_type`,
// `#ttnn.tensor_memory_layout`, `#ttnn.core_range` and `#ttnn.core_range_set` become attributes of
// ttcore. The dialect has no attributes of its own.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTNN_TTNN_H
#define TTJIT_IR_TTNN_TTNN_H

#include "mlir/IR/Dialect.h"

namespace mlir::tt::ttnn {

class TTNNDialect : public Dialect {
public:
  explicit TTNNDialect(MLIRContext *context);
  static constexpr StringLiteral getDialectNamespace() { return StringLiteral("ttnn"); }
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override;
};

} // namespace mlir::tt::ttnn

MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::tt::ttnn::TTNNDialect)

#endif // TTJIT_IR_TTNN_TTNN_H
