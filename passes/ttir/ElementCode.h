//===- ElementCode.h - threads that compute with single elements ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Some ops of ttir have no counterpart among the operations on tiles: they choose elements by the
// values of others, or compute with integers. A data movement thread computes those. It copies
// tiles into scratch blocks, which no other thread sees, and reads and writes their elements.
//
// The value of an element is an f32, or an i32 if the block has integers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_ELEMENTCODE_H
#define TTJIT_PASSES_TTIR_ELEMENTCODE_H

#include "passes/ttir/KernelBuilder.h"

namespace ttjit {

/// Returns whether data movement threads access elements of this type on the device.
bool hasElementAccess(mlir::RankedTensorType type);

/// Returns whether a kernel may take that many steps, each of some elements. More would take longer
/// than a function of the host, by far.
inline bool isFewSteps(int64_t steps) { return steps <= int64_t(1) << 24; }

/// Returns a shape with ones in front, so that it has at least two dimensions.
Shape atLeastMatrix(llvm::ArrayRef<int64_t> shape);

/// Returns the types of an op's tensors on the device: operands, then the result.
llvm::SmallVector<mlir::RankedTensorType> tensorsOf(mlir::tt::ttir::TTIROp op);

/// A block that only one data movement thread uses.
struct ScratchBlock {
  mlir::Value buffer;
  BlockShape shape;  ///< in tiles
  mlir::Value block; ///< while it is open
};

/// Creates the code of one thread, called `reader`.
class ElementCode {
public:
  explicit ElementCode(KernelBuilder &kernel) : kernel(kernel) {}

  using Values = KernelBuilder::Values;
  using AtElement = llvm::function_ref<void(mlir::Value row, mlir::Value column)>;

  //===------------------------------------------------------------------------===//
  // Blocks
  //===------------------------------------------------------------------------===//

  /// Adds a scratch buffer of a tensor's elements.
  ScratchBlock addScratch(llvm::StringRef name, mlir::RankedTensorType tensor, BlockShape shape);
  /// Adds a scratch buffer of one tile for sums and the like: f32 for floats, else 32-bit integers.
  ScratchBlock addWideScratch(llvm::StringRef name, mlir::RankedTensorType tensor);
  void open(ScratchBlock &scratch);
  void close(ScratchBlock &scratch);
  /// Copies a tile of argument `tensor` into an open block: its first tile, or tile `part`.
  void copyTile(unsigned tensor, mlir::ValueRange tile, const ScratchBlock &scratch,
                mlir::Value part = {});

  /// Reserves a block for the tile at these coordinates of a tensor of that shape. Its padding is
  /// 0, so that checks of values find nothing there.
  mlir::Value reserveTile(mlir::Value buffer, mlir::ValueRange tile, llvm::ArrayRef<int64_t> shape);

  mlir::Value read(mlir::Value block, mlir::Value row, mlir::Value column);
  void write(mlir::Value value, mlir::Value block, mlir::Value row, mlir::Value column);
  /// Reads an integer as an index.
  mlir::Value readIndex(mlir::Value block, mlir::Value row, mlir::Value column);
  void writeIndex(mlir::Value index, mlir::Value block, mlir::Value row, mlir::Value column);

  /// Returns how many rows (columns) of a tile are data. `tile` is its number along a dimension of
  /// that extent.
  mlir::Value dataIn(mlir::Value tile, int64_t extent);
  /// Creates loops over the data of the tile at these coordinates of a tensor of that shape.
  void forEachElement(mlir::ValueRange tile, llvm::ArrayRef<int64_t> shape, AtElement body);
  void forEachElement(mlir::Value rows, mlir::Value columns, AtElement body);

  //===------------------------------------------------------------------------===//
  // Values of elements
  //===------------------------------------------------------------------------===//

  /// Returns a number as an element of a block.
  mlir::Value number(mlir::Value block, double value);
  mlir::Value toIndex(mlir::Value integer);
  /// Returns 1 or 0 as an element of a block.
  mlir::Value truth(mlir::Value block, mlir::Value condition);
  /// Returns a + b, a * b, or the greater or the smaller one: how is sum, prod, max or min.
  /// Integers wrap.
  mlir::Value combine(llvm::StringRef how, mlir::Value a, mlir::Value b, bool isUnsigned);
  mlir::Value isLess(mlir::Value a, mlir::Value b, bool isUnsigned);
  mlir::Value isNan(mlir::Value a);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b);
  mlir::Value choose(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value isEqual(mlir::Value a, mlir::Value b);
  /// Creates an operation on integers that wrap, such as arith::AddIOp.
  template <typename OpTy> mlir::Value wrapping(mlir::Value a, mlir::Value b);

private:
  mlir::OpBuilder &builder() { return kernel.builder; }

  KernelBuilder &kernel;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_ELEMENTCODE_H
