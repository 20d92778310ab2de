//===- IntegerWriter.h - calls that compute on integers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_INTEGERWRITER_H
#define TTJIT_PASSES_METALIUM_INTEGERWRITER_H

#include "passes/metalium/EmitRules.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include "llvm/ADT/StringExtras.h"

#include <optional>

namespace ttjit::tometalium {

/// Writes calls of Metalium's functions of tiles, in front of an op.
class IntegerWriter {
public:
  IntegerWriter(mlir::Operation *before, mlir::Location loc) : builder(before), loc(loc) {}

protected:
  using Value = mlir::Value;
  using StringRef = llvm::StringRef;

  void call(StringRef callee, mlir::ValueRange operands, llvm::ArrayRef<mlir::Attribute> arguments);
  /// `format`: the template argument, if it is not empty.
  void call(StringRef callee, mlir::ValueRange operands, StringRef format = {});
  /// Calls the function after its init. `initFormat`: the template argument of the init.
  void initAndCall(StringRef callee, mlir::ValueRange operands, StringRef format = {},
                   StringRef initFormat = {});
  void typecast(Value reg, StringRef from, StringRef to);
  /// Copies a tile, or the transposed tile, from a buffer of this type to the register. It widens
  /// what the unpacker has written.
  void unpack(StringRef callee, Value buffer, Value tile, Value reg,
              mlir::tt::ttcore::DataType type);
  /// Fills the register with 1.0 in the row whose number, from 1 on, has these bits as a float, and
  /// with 0.0 elsewhere.
  void fillMask(Value reg, Value rowBits);
  void multiply(Value a, Value b, Value to);

  mlir::Attribute opaque(const llvm::Twine &text);
  Value number(int64_t value);
  Value word(uint32_t bits);
  Value real(float value);

  mlir::OpBuilder builder;
  mlir::Location loc;
};

/// Returns the type of a buffer's elements if they are integers.
std::optional<mlir::tt::ttcore::DataType> integerTypeOf(mlir::Value buffer);

/// Returns whether `op` is reduce_tile on a buffer of integers.
bool isIntegerReduction(mlir::Operation *op);

/// Returns whether `op` is matmul_tiles on buffers of integers.
bool isIntegerProduct(mlir::Operation *op);

/// Returns the call that begins the DST section of an emitted call.
mlir::Operation *sectionOfCall(mlir::emitc::CallOpaqueOp call);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_INTEGERWRITER_H
