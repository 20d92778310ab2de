//===- Transfers.h - slices of tensors and copies -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_TRANSFERS_TRANSFERS_H
#define TTJIT_FRONTEND_WALK_TRANSFERS_TRANSFERS_H

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

class Walker;

class Transfers {
public:
  explicit Transfers(Walker &walker) : walker(walker) {}

  /// Builds an accessor for every tensor at the start of the thread.
  void createAccessors();
  /// Returns the !ttl.accessor of a tensor. Only data movement threads have accessors.
  mlir::Value accessor(unsigned tensor) const { return accessors[tensor]; }

  /// Evaluates `tensor[index]`; `indexNode` is the ast node of the index.
  TensorSlice part(py::handle node, unsigned tensor, const Value &index, py::handle indexNode);
  /// Returns the whole tensor as a TensorSlice.
  TensorSlice whole(py::handle node, unsigned tensor);

  /// Returns the part of the block that begins at these tiles.
  BlockPart subview(py::handle node, const Block &block, llvm::ArrayRef<Value> offsets,
                    llvm::ArrayRef<int64_t> sizes);

  /// Returns the slice that a value is: a slice, or a whole tensor. Nothing for other values.
  std::optional<TensorSlice> sliceOf(py::handle node, const Value &value);

  /// Builds ttl.copy(from, to). If one of them is a circular buffer, the copy uses its oldest
  /// acquired block.
  TransferHandle copy(py::handle node, const Value &from, const Value &to);
  /// Builds ttl.copy(from, to, byte_count=...) between two blocks.
  TransferHandle copyBlock(py::handle node, const Value &from, const Value &to,
                           const Arguments::Item &byteCount);
  /// Fails unless byte_count= of another copy, as over a pipe, is the size of its whole block.
  void checkByteCount(const Value &from, const Value &to, const Arguments::Item &byteCount) const;
  void wait(py::handle node, const TransferHandle &transfer);

private:
  /// One dimension of a slice: its start, also of type index, and its length.
  struct Extent {
    mlir::Value start;
    int64_t size;
    Value first;
  };
  struct Dimension {
    const KernelTensor &tensor;
    unsigned number;         ///< the dimension's number in the stored shape
    int64_t bound;           ///< the tensor's extent in this dimension
    const char *unit;        ///< "tile" or "element"
    llvm::StringRef indexed; ///< what an index counts, such as "tile rows"
    py::handle node;
  };

  TensorSlice build(py::handle node, unsigned tensor, llvm::ArrayRef<Value> indices,
                    llvm::ArrayRef<py::handle> nodes);
  TensorSlice makePart(py::handle node, unsigned tensor, llvm::ArrayRef<mlir::Value> starts,
                       std::vector<Value> firsts, std::vector<int64_t> sizes,
                       std::vector<bool> ranges);
  TensorSlice withSlice(py::handle node, const TensorSlice &part);
  TensorSlice shard(py::handle node, unsigned tensor, const Value &index, py::handle indexNode);
  mlir::Value shardIndex(const KernelTensor &tensor, const Value &index, py::handle indexNode);
  void checkWholeShard(const KernelTensor &tensor, int64_t number, py::handle indexNode) const;
  llvm::SmallVector<mlir::Value> startOfShard(py::handle node, mlir::Value number,
                                              const TensorSpec &spec);
  Extent extent(const Dimension &dimension, const Value &index);
  Extent staticExtent(const Dimension &dimension, int64_t start, int64_t stop, bool isIndex);
  Extent dynamicExtent(const Dimension &dimension, const Value &start, int64_t size);
  Extent sliceExtent(const Dimension &dimension, llvm::ArrayRef<Value> bounds);
  mlir::Value partStart(py::handle node, const Block &block, unsigned dim, const Value &offset,
                        int64_t size);
  Value oldestBlock(py::handle node, const Value &end, bool reserved) const;
  TensorSlice ownPart(py::handle node, unsigned tensor, llvm::ArrayRef<int64_t> shape);
  TransferHandle copyEnds(py::handle node, const Value &source, const Value &destination);
  Value endOf(py::handle node, const Value &value, unsigned &tensor);
  TransferHandle copyOverPipe(py::handle node, const Value &source, const Value &destination);
  void checkCopy(py::handle node, const Value &source, const Value &destination) const;

  Walker &walker;
  std::vector<mlir::Value> accessors; ///< the index is the tensor's number
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_TRANSFERS_TRANSFERS_H
