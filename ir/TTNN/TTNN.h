//===- TTNN.h - layouts as tt-mlir writes them ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A dialect of nothing but text: `#ttnn.ttnn_layout` reads in as
// #ttl.tensor_encoding, `#ttnn.buffer_type` as #ttcore.memory_space.
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
