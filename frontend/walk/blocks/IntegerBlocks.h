//===- IntegerBlocks.h - arithmetic of blocks of integers -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Operations on blocks of integers use 32-bit integers that wrap on overflow. The integers are
// unsigned if the elements of all operands are uint32, uint16 or uint8, and signed otherwise. '/'
// rounds towards zero, '//' rounds down, and '%' has the sign of the divisor. A quotient by zero
// has all bits set, and the remainder is the dividend: a fault would not do, since the padding of
// tensors is zero.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKS_INTEGERBLOCKS_H
#define TTJIT_FRONTEND_WALK_BLOCKS_INTEGERBLOCKS_H

#include "frontend/tensor/TensorSpec.h"
#include "frontend/walk/values/Values.h"
#include "hw/facts/TileOps.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/Builders.h"

namespace ttjit::frontend {

class Walker;

class IntegerBlocks {
public:
  using DataType = mlir::tt::ttcore::DataType;

  IntegerBlocks(Walker &walker, py::handle node) : walker(walker), node(node) {}

  /// Returns the type in which an operation on these operands computes: Float32, Int32 or UInt32.
  /// Fails if integers and floats are mixed.
  DataType commonType(llvm::ArrayRef<Value> operands) const;

  /// Builds `op` on operands of the common integer type `type`. Fails if `op` does not exist for
  /// integers.
  Value elementwise(hw::TileOp op, llvm::ArrayRef<Value> operands, llvm::ArrayRef<Value> numbers,
                    DataType type, llvm::ArrayRef<int64_t> shape);

  /// Builds a block expression with `number` in every element. Fails if `number` is not an integer.
  Value fill(const Value &number, llvm::ArrayRef<int64_t> shape, DataType type);

  /// Builds an expression with the unchanged elements of a block.
  Value copyOf(const Value &block);

  /// Builds an expression that converts the elements of `input` to `dtype`.
  Value typecast(const Value &input, DType dtype);

  /// Fails unless the value's elements are floats. `what` names the operation in the message.
  void requireFloats(const Value &value, std::string_view what) const;

private:
  Value row(hw::TileOp op, llvm::ArrayRef<Value> operands, DataType type,
            llvm::ArrayRef<int64_t> shape);
  Value power(const Value &base, const Value &exponent, DataType type,
              llvm::ArrayRef<int64_t> shape);
  Value fromFloats(const Value &input, DType dtype);
  Value fromIntegers(const Value &input, DType dtype);

  Walker &walker;
  py::handle node;
};

/// Builds the op ttl.block_<name> for row `op` of the operation table.
mlir::Value createRow(mlir::OpBuilder &builder, mlir::Location loc, hw::TileOp op, mlir::Type type,
                      llvm::ArrayRef<mlir::Value> operands);

/// Returns the type in which operations on blocks of `dtype` compute.
mlir::tt::ttcore::DataType computedTypeOf(DType dtype);

/// Returns the data type that a dtype object of ttnn, torch or numpy names. Fails for other
/// objects.
DType dtypeOf(Walker &walker, py::handle node, const Value &value);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKS_INTEGERBLOCKS_H
