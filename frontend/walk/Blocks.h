//===- Blocks.h - buffers, blocks and block expressions -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Acquiring and releasing blocks, arithmetic on them, and storing. Scalars in
// block arithmetic become blocks of one value.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKS_H
#define TTJIT_FRONTEND_WALK_BLOCKS_H

#include "frontend/walk/Values.h"

#include "hw/facts/TileOpFwd.h"
#include "ir/TTCore/TTCore.h"

#include <optional>

namespace ttjit::frontend {

class Walker;

class Blocks {
public:
  explicit Blocks(Walker &walker) : walker(walker) {}

  /// `buffer` indexes Kernel::buffers.
  Block acquire(py::handle node, unsigned buffer, bool reserve);
  /// `value`, which a region or loop passes on, as a block like `like`. It takes the place
  /// of the blocks `replaced` among those that the thread holds.
  Block passOn(const BlockInfo &like, mlir::Value value, llvm::ArrayRef<Block> replaced);
  void release(py::handle node, const Block &block);
  /// buffer.push() and buffer.pop().
  void releaseOldest(py::handle node, unsigned buffer, bool push);

  /// Operators; at least one operand is a block or block expression. `op` is
  /// the ast class's name.
  Value binary(py::handle node, std::string_view op, const Value &lhs, const Value &rhs);
  Value unary(py::handle node, std::string_view op, const Value &operand);

  /// An element-wise operation of the table; scalars take the blocks' shape. `numbers`
  /// are what the row takes beside blocks.
  Value elementwise(py::handle node, hw::TileOp op, llvm::ArrayRef<Value> operands,
                    llvm::ArrayRef<Value> numbers = {});
  /// base ** exponent, the latter a number or a block.
  Value power(py::handle node, const Value &base, const Value &exponent);
  /// `acc`: null or what the product is added to.
  Value matmul(py::handle node, const Value &lhs, const Value &rhs, mlir::Value acc);
  /// A number in every element.
  Value fill(py::handle node, const Value &number, llvm::ArrayRef<int64_t> shape,
             mlir::tt::ttcore::DataType type = mlir::tt::ttcore::DataType::Float32);
  void store(py::handle node, const Block &block, const Value &value, bool accumulate);

  /// y += lhs @ rhs: the product continues from y. Nothing if `product` is not
  /// a matrix product made by `node` alone.
  std::optional<Value> addProduct(py::handle node, py::handle productNode, const Value &accumulator,
                                  const Value &product);

  /// Fails in a data movement thread; `what` is "block arithmetic" or a name.
  void requireCompute(py::handle node, std::string_view what) const;
  /// Fails for blocks that cannot be computed on.
  void checkOperand(py::handle node, const Value &value) const;

private:
  llvm::SmallVector<int64_t> productShape(py::handle node, llvm::ArrayRef<int64_t> m,
                                          llvm::ArrayRef<int64_t> n) const;
  mlir::Value operand(py::handle node, const Value &value, llvm::ArrayRef<int64_t> shape);
  llvm::ArrayRef<int64_t> commonShape(py::handle node, hw::TileOp op,
                                      llvm::ArrayRef<Value> operands);
  void checkElements(py::handle node, const Block &block, const Value &value) const;
  [[noreturn]] void failShapes(py::handle node, std::string_view symbol,
                               llvm::ArrayRef<Value> operands) const;

  Walker &walker;
  unsigned nextId = 0;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKS_H
