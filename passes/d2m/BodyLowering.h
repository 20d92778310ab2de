//===- BodyLowering.h - the body of a d2m.generic as a thread -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Lowers the ops of a unified region into a ttl.unified_thread. Tensors and memrefs of the region
// are blocks: each is, at a place in the text, the block or block expression that was written into
// it last. So every write gives the block a new value here, and nothing is stored before a
// d2m.remote_store.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_BODYLOWERING_H
#define TTJIT_PASSES_D2M_BODYLOWERING_H

#include "ir/D2M/D2M.h"
#include "ir/Linalg/Linalg.h"
#include "passes/d2m/Storage.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace ttjit {

/// An operand of the d2m.generic: a view of an argument of the kernel.
struct KernelOperand {
  mlir::Value accessor;    ///< the ttl.accessor of the storage
  Storage storage;         ///< what the operand is in the function
  mlir::Type type;         ///< the operand's own type
  unsigned number = 0;     ///< among the operands of the d2m.generic
  bool isOutput = false;
};

class BodyLowering {
public:
  /// `builder` stands in the thread, `resources` where the kernel's buffers are made.
  BodyLowering(mlir::tt::d2m::GenericOp generic, mlir::OpBuilder &builder,
               mlir::OpBuilder &resources)
      : generic(generic), builder(builder), resources(resources) {}

  llvm::DenseMap<mlir::Value, KernelOperand> operands;
  mlir::IRMapping numbers;                        ///< indices and other scalars
  llvm::SmallVector<mlir::Value> coordinates;     ///< of this core
  llvm::SmallVector<mlir::Value> steps;           ///< of each dimension of the iteration space

  mlir::LogicalResult lower(mlir::Operation &op);

  /// The block or expression that a tensor or memref contains; null if nothing was written.
  mlir::Value blockOf(mlir::Value value) const { return blocks.lookup(value); }
  void setBlock(mlir::Value value, mlir::Value block) { blocks[value] = block; }
  /// Returns the start of an accumulation by `op` into its output.
  mlir::Value identityFor(mlir::Operation *op, mlir::Value output);

private:
  mlir::LogicalResult lower(mlir::tt::d2m::RemoteLoadOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::RemoteStoreOp op);
  mlir::LogicalResult lower(mlir::tt::linalg::GenericOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::TileMatmulBlockOp op);
  mlir::LogicalResult lower(mlir::scf::ForOp op);
  mlir::LogicalResult lower(mlir::affine::AffineForOp op);
  mlir::LogicalResult lower(mlir::scf::IfOp op);
  mlir::LogicalResult lowerIndex(mlir::Operation *op, int64_t dim);
  mlir::LogicalResult lowerNumber(mlir::Operation *op);
  mlir::LogicalResult lowerLoop(mlir::Operation *loop, mlir::Value low, mlir::Value high,
                                mlir::Value step, mlir::Value variable, mlir::ValueRange starts,
                                mlir::Block::BlockArgListType carried);

  mlir::FailureOr<KernelOperand> operandFor(mlir::Value value, mlir::Operation *user);
  mlir::FailureOr<mlir::Value> numberFor(mlir::Value value, mlir::Operation *user);
  mlir::FailureOr<mlir::Value> read(mlir::Value block, mlir::Operation *user);
  /// Copies a shard to or from a block, page by page if the operand is a view.
  mlir::LogicalResult copyShard(mlir::Operation *op, const KernelOperand &operand,
                                mlir::ValueRange indices, mlir::Value block, bool isLoad);
  void copyPages(mlir::Location loc, const KernelOperand &operand,
                 llvm::ArrayRef<mlir::Value> indices, mlir::Value block, bool isLoad);
  void copyOne(mlir::Location loc, const KernelOperand &operand,
               llvm::ArrayRef<mlir::Value> indices, llvm::ArrayRef<int64_t> sizes,
               mlir::Value block, bool isLoad, mlir::Value part);
  mlir::Value createBuffer(mlir::Location loc, const KernelOperand &operand);
  mlir::Value constant(mlir::Location loc, int64_t value);

  mlir::tt::d2m::GenericOp generic;
  mlir::OpBuilder &builder, &resources;
  llvm::DenseMap<mlir::Value, mlir::Value> blocks;
  llvm::StringMap<unsigned> bufferNames;
};

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_BODYLOWERING_H
