//===- IntegerBlocks.h - arithmetic of blocks of integers -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of integers are computed as 32-bit integers that wrap. They are unsigned if all
// operands are uint32, uint16 or uint8, else signed. '/' rounds towards zero, '//' down, and '%'
// has the sign of the divisor. A quotient by zero has all bits set, the remainder is the
// dividend: a fault would not do, since the padding of tensors is zero.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_INTEGERBLOCKS_H
#define TTJIT_FRONTEND_WALK_INTEGERBLOCKS_H

#include "frontend/tensor/TensorSpec.h"
#include "frontend/walk/Values.h"

#include "hw/facts/TileOps.h"
#include "ir/TTL/TTL.h"

namespace ttjit::frontend {

class Walker;

class IntegerBlocks {
public:
  using DataType = mlir::tt::ttcore::DataType;

  IntegerBlocks(Walker &walker, py::handle node) : walker(walker), node(node) {}

  /// As what an operation on these operands computes: Float32, Int32 or UInt32. Fails if
  /// integers meet floats.
  DataType commonType(llvm::ArrayRef<Value> operands) const;

  /// `op` of operands with the common type `type`, which is no float. Fails if integers have
  /// no such operation.
  Value elementwise(hw::TileOp op, llvm::ArrayRef<Value> operands, llvm::ArrayRef<Value> numbers,
                    DataType type, llvm::ArrayRef<int64_t> shape);

  /// `lhs // rhs` or `lhs % rhs`, of which one or both are blocks of integers.
  Value divide(bool remainder, const Value &lhs, const Value &rhs);

  /// A number in every element. Fails for a number that is no integer.
  Value fill(const Value &number, llvm::ArrayRef<int64_t> shape, DataType type);

  /// The elements of a block, unchanged, as an expression.
  Value copyOf(const Value &block);

  /// The elements as values of `dtype`.
  Value typecast(const Value &input, DType dtype);

  /// Fails unless the value's elements are floats. `what` says what needs them.
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

/// As what blocks of `dtype` are computed.
mlir::tt::ttcore::DataType computedTypeOf(DType dtype);

/// The DataType that a Python object names: ttnn's, torch's or numpy's. Fails for others.
DType dtypeOf(Walker &walker, py::handle node, const Value &value);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_INTEGERBLOCKS_H
