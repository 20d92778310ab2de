//===- KernelBuilder.h - makes the ttl.kernel of some ops of ttir ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// All kernels made of ttir have one form. The work is a list of steps, each of which makes one
// block of the result. Cores take turns: core c of n does the steps c, c + n, c + 2 n, ... A thread
// reads blocks of the operands, one computes, one writes.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_KERNELBUILDER_H
#define TTJIT_PASSES_TTIR_KERNELBUILDER_H

#include "passes/common/PassDialects.h"

#include "ir/modules/TTIR/Shapes.h"
#include "ir/modules/TTIR/TTIR.h"

namespace ttjit {

using mlir::tt::ttir::Shape;

/// The most cores that a kernel uses.
struct CoreGrid {
  int64_t rows, columns;
};

inline mlir::RankedTensorType tensorTypeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

/// Returns the type of a tensor on the device: tiles in DRAM, interleaved. A truth value (i1) is a
/// bf16 that is 0 or 1. Null if the device has no such elements.
mlir::RankedTensorType deviceType(mlir::RankedTensorType type);

/// Returns the extents of a tensor in tiles; a vector is a row of tiles.
Shape tilesOf(mlir::RankedTensorType type);

/// Returns the greatest divisor of `extent` that is at most `most`.
int64_t divisorUpTo(int64_t extent, int64_t most);

/// The rows, and the columns, of a tile.
inline constexpr int64_t kTile = 32;

/// The rows and columns of a block, in tiles.
struct BlockShape {
  int64_t rows, columns;
};

class KernelBuilder {
public:
  using Body = llvm::function_ref<void(mlir::ValueRange step)>;
  using Values = llvm::SmallVector<mlir::Value>;

  /// Begins a kernel with these tensors as arguments. `steps` has the extents of the work: the
  /// coordinates of a step have one of each.
  KernelBuilder(mlir::ModuleOp module, mlir::Location loc, llvm::StringRef name,
                llvm::ArrayRef<mlir::RankedTensorType> tensors, llvm::ArrayRef<int64_t> steps,
                const CoreGrid &most);

  mlir::tt::ttl::KernelOp kernel() const { return op; }

  /// Adds a buffer of blocks of a tensor's elements.
  mlir::Value addBuffer(llvm::StringRef name, mlir::RankedTensorType tensor, BlockShape block,
                        int64_t blocks = 2);

  /// Adds a thread whose body runs for each step of a core.
  void addCompute(Body body);
  void addDataMovement(llvm::StringRef name, Body body);

  //===------------------------------------------------------------------------===//
  // In the body of a thread
  //===------------------------------------------------------------------------===//

  mlir::OpBuilder builder;
  mlir::Location loc;

  mlir::Value constant(int64_t value);
  /// Returns the value of an affine expression of the operands.
  mlir::Value apply(mlir::AffineExpr result, mlir::ValueRange operands);
  mlir::Value times(mlir::Value value, int64_t factor);
  /// Splits a number into coordinates, the last of which changes fastest.
  llvm::SmallVector<mlir::Value> split(mlir::Value number, llvm::ArrayRef<int64_t> extents);
  /// Returns 1 if the number is the last of `extent`, else 0.
  mlir::Value isLast(mlir::Value number, int64_t extent);
  mlir::Value isBelow(mlir::Value number, mlir::Value bound);

  mlir::Value wait(mlir::Value buffer);
  mlir::Value reserve(mlir::Value buffer);
  void pop(mlir::Value block);
  void push(mlir::Value block);
  /// Rounds an expression to elements of this type: stores it in a buffer that only this thread
  /// uses, and returns the stored block. closeBuffers() releases it.
  mlir::Value throughBuffer(mlir::Value expression, mlir::Type element);
  void closeBuffers();
  /// Copies the block of this shape that begins at these tiles of argument `tensor` into a reserved
  /// block; if it is one tile, perhaps into tile `part` of it.
  void copyIn(unsigned tensor, mlir::ValueRange tiles, BlockShape shape, mlir::Value block,
              mlir::Value part = {});
  /// Copies the block that begins at these tiles of argument `tensor` into the buffer.
  void load(unsigned tensor, mlir::ValueRange tiles, mlir::Value buffer);
  /// Copies the next block of the buffer to these tiles of argument `tensor`.
  void store(mlir::Value buffer, unsigned tensor, mlir::ValueRange tiles);

  /// Creates a loop over `count` numbers that carries a value; without one, `carried` is null.
  mlir::Value loop(int64_t count, mlir::Value carried,
                   llvm::function_ref<mlir::Value(mlir::Value number, mlir::Value carried)> body);
  /// Creates a loop that carries any number of values; its count may be known at run time only.
  Values
  loopWithValues(mlir::Value count, mlir::ValueRange carried,
                 llvm::function_ref<Values(mlir::Value number, mlir::ValueRange carried)> body);
  /// Creates a branch; `otherwise` may be null.
  void branch(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise);
  Values branchWithValues(mlir::Value condition, mlir::TypeRange types,
                          llvm::function_ref<Values()> then,
                          llvm::function_ref<Values()> otherwise);

private:
  void addThread(mlir::Operation *thread, Body body);
  mlir::Value slice(unsigned tensor, mlir::ValueRange tiles, BlockShape shape);

  mlir::tt::ttl::KernelOp op;
  Shape steps, grid;
  unsigned numRounded = 0;
  llvm::SmallVector<mlir::Value> rounded; ///< blocks of throughBuffer()
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_KERNELBUILDER_H
