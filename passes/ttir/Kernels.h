//===- Kernels.h - the kernels that are made of ttir ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each function adds a kernel to the module. Its arguments are the tensors of the operands on the
// device, then those of the results.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_KERNELS_H
#define TTJIT_PASSES_TTIR_KERNELS_H

#include "passes/ttir/KernelBuilder.h"

namespace ttjit {

/// What all kernels of a module have in common.
struct KernelPlace {
  mlir::ModuleOp module;
  CoreGrid cores;
};

/// Element-wise ops that one kernel computes: all results have one shape.
struct ElementwiseGroup {
  llvm::SmallVector<mlir::tt::ttir::TTIROp> ops;
  llvm::SmallVector<mlir::Value> inputs;  ///< read from the device
  llvm::SmallVector<mlir::Value> outputs; ///< results of ops that others need
};

mlir::tt::ttl::KernelOp makeElementwiseKernel(const KernelPlace &place, llvm::StringRef name,
                                              const ElementwiseGroup &group);

/// Returns whether a kernel can compute a sum, mean, maximum or minimum that keeps dimensions.
bool isReductionKernel(mlir::tt::ttir::TTIROp op);
/// Returns whether a reduction must skip the padding of its operand. `isZero`: the padding is zero.
bool needsMask(mlir::tt::ttir::TTIROp op, bool isZero);
/// If `masked`, the kernel has one more argument after the operand: the mask tensor. maskFor()
/// gives its extents, Places::mask() creates it.
mlir::tt::ttl::KernelOp makeReductionKernel(const KernelPlace &place, llvm::StringRef name,
                                            mlir::tt::ttir::TTIROp op, bool masked);

bool isMatmulKernel(mlir::tt::ttir::TTIROp op);
bool needsMatmulMask(mlir::tt::ttir::TTIROp op, bool areZero);
/// If `masked`, the mask tensor is the argument after the operands (see makeReductionKernel).
mlir::tt::ttl::KernelOp makeMatmulKernel(const KernelPlace &place, llvm::StringRef name,
                                         mlir::tt::ttir::TTIROp op, bool masked);

struct TensorMove;
struct MovedTiles;
/// Moves whole tiles, as movedTiles() says. The tensors are the operands of the parts.
mlir::tt::ttl::KernelOp makeTileMoveKernel(const KernelPlace &place, mlir::Location loc,
                                           llvm::StringRef name, const TensorMove &move,
                                           llvm::ArrayRef<MovedTiles> moved,
                                           mlir::RankedTensorType result);
/// Moves single elements, in any way.
mlir::tt::ttl::KernelOp makeElementMoveKernel(const KernelPlace &place, mlir::Location loc,
                                              llvm::StringRef name, const TensorMove &move,
                                              mlir::RankedTensorType result);

//===--------------------------------------------------------------------------===//
// Kernels that compute with single elements; the tensors are the operands, then the results
//===--------------------------------------------------------------------------===//

/// Returns whether makeFoldKernel() can compute the op. It is a cumulative sum or product; or a
/// reduction that keeps its dimensions: a product, or a sum, maximum or minimum of 32-bit integers.
bool isFoldKernel(mlir::tt::ttir::TTIROp op);
mlir::tt::ttl::KernelOp makeFoldKernel(const KernelPlace &place, llvm::StringRef name,
                                       mlir::tt::ttir::TTIROp op);
bool isGatherKernel(mlir::tt::ttir::TTIROp op);
mlir::tt::ttl::KernelOp makeGatherKernel(const KernelPlace &place, llvm::StringRef name,
                                         mlir::tt::ttir::TTIROp op);
bool isScatterKernel(mlir::tt::ttir::TTIROp op);
mlir::tt::ttl::KernelOp makeScatterKernel(const KernelPlace &place, llvm::StringRef name,
                                          mlir::tt::ttir::TTIROp op);
/// Returns whether a kernel can sort rows of that many elements of such a tensor.
bool canSortRows(mlir::RankedTensorType type, int64_t extent);
/// Returns whether the op is a sort along the last dimension, in rows that a kernel can sort.
bool isSortKernel(mlir::tt::ttir::TTIROp op);
mlir::tt::ttl::KernelOp makeSortKernel(const KernelPlace &place, llvm::StringRef name,
                                       mlir::tt::ttir::TTIROp op);
bool isIntegerMatmulKernel(mlir::tt::ttir::TTIROp op);
mlir::tt::ttl::KernelOp makeIntegerMatmulKernel(const KernelPlace &place, llvm::StringRef name,
                                                mlir::tt::ttir::TTIROp op);
bool isIntegerElementwiseKernel(mlir::tt::ttir::TTIROp op);
mlir::tt::ttl::KernelOp makeIntegerElementwiseKernel(const KernelPlace &place, llvm::StringRef name,
                                                     mlir::tt::ttir::TTIROp op);

/// Makes a kernel that copies all tiles of a tensor to one of another layout.
mlir::tt::ttl::KernelOp makeCopyKernel(const KernelPlace &place, mlir::Location loc,
                                       llvm::StringRef name, mlir::RankedTensorType from,
                                       mlir::RankedTensorType to);

/// A mask of 2x2 tiles: tile (i, j) is 1 where a tile has data if it is the last of its column
/// (i = 1), the last of its row (j = 1), else 0.
struct MaskExtents {
  int64_t rows, columns; ///< of data in the last tiles
};
MaskExtents maskFor(mlir::tt::ttir::TTIROp op);

/// Returns 0 for tiles that are not the last of `extent`, else 1: the place in a mask.
mlir::Value maskTile(KernelBuilder &kernel, mlir::Value tile, int64_t extent, bool isMasked);

/// Reports what is wrong with the mesh of a function; success if it has none.
mlir::LogicalResult checkMesh(mlir::func::FuncOp function);
/// Lets the kernels that a function launches run on all chips of its `ttl.mesh`, if it has one.
void runOnMesh(mlir::func::FuncOp function, mlir::ModuleOp module);

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_KERNELS_H
