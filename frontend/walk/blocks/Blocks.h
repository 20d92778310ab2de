//===- Blocks.h - buffers, blocks and block expressions -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Acquires and releases blocks, computes with them, and stores into them. A number in block
// arithmetic becomes a block with that number in every element.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKS_BLOCKS_H
#define TTJIT_FRONTEND_WALK_BLOCKS_BLOCKS_H

#include "frontend/walk/values/Values.h"

#include "hw/facts/TileOpFwd.h"
#include "ir/TTCore/TTCore.h"

#include <optional>

namespace ttjit::frontend {

class Walker;

class Blocks {
public:
  explicit Blocks(Walker &walker) : walker(walker) {}

  /// Acquires a block of a buffer with reserve() or wait(). `buffer` is the buffer's index in
  /// Kernel::buffers.
  Block acquire(py::handle node, unsigned buffer, bool reserve);
  /// Makes all blocks of a tensor-backed buffer readable.
  void publish(py::handle node, unsigned buffer);
  /// Makes a block of the result `value` of a region or loop; the new block is of the same buffer
  /// as `like`. In the thread's list of held blocks it replaces the blocks `replaced`.
  Block passOn(const BlockInfo &like, mlir::Value value, llvm::ArrayRef<Block> replaced);
  void release(py::handle node, const Block &block);
  /// Releases the oldest block of a buffer, for the program's calls buffer.push() and buffer.pop().
  void releaseOldest(py::handle node, unsigned buffer, bool push);

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
  /// Stores an expression into a block. With `accumulate`, adds it to what was stored since the
  /// block was reserved.
  void store(py::handle node, const Block &block, const Value &value, bool accumulate);
  /// Builds `block += operand`.
  void add(py::handle node, const Block &block, const Value &operand);
  /// Notes that a block has contents, to which `+=` adds.
  void noteWritten(py::handle node, const Block &block);

  /// Builds `y += lhs @ rhs` as one product that accumulates into y. Returns nothing if `product`
  /// is not a matrix product that only this statement uses.
  std::optional<Value> addProduct(py::handle node, py::handle productNode, const Value &accumulator,
                                  const Value &product);

  /// Fails unless the thread is the compute thread. `what` names the operation in the message.
  void requireCompute(py::handle node, std::string_view what) const;
  /// Fails if `value` is a block that the compute engine cannot read.
  void checkOperand(py::handle node, const Value &value) const;

private:
  llvm::SmallVector<int64_t> productShape(py::handle node, llvm::ArrayRef<int64_t> m,
                                          llvm::ArrayRef<int64_t> n) const;
  mlir::Value operand(py::handle node, const Value &value, llvm::ArrayRef<int64_t> shape);
  llvm::ArrayRef<int64_t> commonShape(py::handle node, hw::TileOp op,
                                      llvm::ArrayRef<Value> operands);
  void checkElements(py::handle node, const Block &block, const Value &value) const;
  mlir::Value accumulationFlag(py::handle node, const Block &block);
  [[noreturn]] void failShapes(py::handle node, std::string_view symbol,
                               llvm::ArrayRef<Value> operands) const;

  Walker &walker;
  unsigned nextId = 0;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKS_BLOCKS_H
