//===- BlockMath.h - arithmetic of blocks and block expressions -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A block expression is a tensor that an op of `ttl` computes. A scalar operand of block
// arithmetic becomes a block with that number in every element.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKS_BLOCKMATH_H
#define TTJIT_FRONTEND_WALK_BLOCKS_BLOCKMATH_H

#include "frontend/walk/values/Values.h"
#include "hw/facts/TileOpFwd.h"
#include "ir/TTCore/TTCore.h"

#include <optional>

namespace ttjit::frontend {

class BlockMath {
public:
  explicit BlockMath(Walker &walker) : walker(walker) {}

  /// Applies an operator; at least one operand is a block or a block expression. `op` is the name
  /// of the operator's class in module `ast`, such as "Add".
  Value binary(py::handle node, std::string_view op, const Value &lhs, const Value &rhs);
  Value unary(py::handle node, std::string_view op, const Value &operand);

  /// Builds an element-wise operation `op` of the operation table. Scalar operands become blocks of
  /// the other operands' shape. `numbers` are the operation's parameters that are not blocks.
  Value elementwise(py::handle node, hw::TileOp op, llvm::ArrayRef<Value> operands,
                    llvm::ArrayRef<Value> numbers = {});
  /// Builds base ** exponent. `exponent` is a number or a block.
  Value power(py::handle node, const Value &base, const Value &exponent);
  /// Builds the matrix product lhs @ rhs. The product is added to `acc`, which may be null.
  Value matmul(py::handle node, const Value &lhs, const Value &rhs, mlir::Value acc);
  /// Builds a block expression with `number` in every element.
  Value fill(py::handle node, const Value &number, llvm::ArrayRef<int64_t> shape,
             mlir::tt::ttcore::DataType type = mlir::tt::ttcore::DataType::Float32);

  /// Builds `y += lhs @ rhs` as one product that accumulates into y. Returns nothing if `product`
  /// is not a matrix product that only this statement uses.
  std::optional<Value> addProduct(py::handle node, py::handle productNode, const Value &accumulator,
                                  const Value &product);

private:
  llvm::SmallVector<int64_t> productShape(py::handle node, llvm::ArrayRef<int64_t> m,
                                          llvm::ArrayRef<int64_t> n) const;
  mlir::Value operand(py::handle node, const Value &value, llvm::ArrayRef<int64_t> shape);
  llvm::ArrayRef<int64_t> commonShape(py::handle node, hw::TileOp op,
                                      llvm::ArrayRef<Value> operands);
  [[noreturn]] void failShapes(py::handle node, std::string_view symbol,
                               llvm::ArrayRef<Value> operands) const;

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKS_BLOCKMATH_H
