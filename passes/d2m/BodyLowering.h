//===- BodyLowering.h - the body of a d2m.generic as a thread -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Lowers the ops of a region into a thread. Tensors and memrefs of the region are blocks: each is,
// at a place in the text, the block or block expression that was written into it last. So every
// write gives the block a new value here, and nothing is stored before a d2m.remote_store, or
// before the slot of a queue is handed over.
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
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <functional>

namespace ttjit {

/// An operand of the d2m.generic: a view of an argument of the kernel.
struct KernelOperand {
  mlir::Value accessor; ///< the ttl.accessor of the storage
  Storage storage;      ///< what the operand is in the function
  mlir::Type type;      ///< the operand's own type
  unsigned number = 0;  ///< among the operands of the d2m.generic
  bool isOutput = false;
};

class BodyLowering {
public:
  /// `builder` stands in the thread, `resources` where the kernel's buffers are made.
  BodyLowering(mlir::tt::d2m::GenericOp generic, mlir::OpBuilder &builder,
               mlir::OpBuilder &resources)
      : generic(generic), builder(builder), resources(resources) {}

  llvm::DenseMap<mlir::Value, KernelOperand> operands;
  mlir::IRMapping numbers;                    ///< indices and other scalars
  llvm::SmallVector<mlir::Value> coordinates; ///< of this core
  llvm::SmallVector<mlir::Value> steps;       ///< of each dimension of the iteration space

  /// Returns the circular buffer of a queue, by the number of its operand.
  std::function<mlir::FailureOr<mlir::Value>(mlir::tt::d2m::GetCBOp)> queueFor;

  mlir::LogicalResult lower(mlir::Operation &op);
  /// Copies this core's shard into the queue of an operand, or out of it.
  mlir::LogicalResult moveOwnShard(const KernelOperand &operand, mlir::Value queue, bool isLoad);
  /// Hands over the slots that were reserved in this block of ops, and frees blocks that were
  /// waited for in it.
  void releaseBlocks(mlir::Block *block);

  /// The block or expression that a tensor or memref contains; null if nothing was written.
  mlir::Value blockOf(mlir::Value value) const { return blocks.lookup(value); }
  void setBlock(mlir::Value value, mlir::Value block) { blocks[value] = block; }
  /// Returns the start of an accumulation by `op` into its output.
  mlir::Value identityFor(mlir::Operation *op, mlir::Value output);

private:
  mlir::LogicalResult lower(mlir::tt::d2m::RemoteLoadOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::RemoteStoreOp op);
  mlir::LogicalResult lowerDMA(mlir::Operation *op, mlir::Value remote, mlir::ValueRange indices,
                               mlir::Value local, int64_t elements, bool isLoad);
  mlir::LogicalResult lower(mlir::tt::d2m::DMAReadOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::DMAWriteOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::GetCBOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::WaitOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::ReserveOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::PushOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::PopOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::StoreOp op);
  mlir::LogicalResult loadIntoQueue(mlir::tt::d2m::RemoteLoadOp op, const KernelOperand &operand);
  mlir::LogicalResult storeFromQueue(mlir::tt::d2m::RemoteStoreOp op, const KernelOperand &operand);
  mlir::LogicalResult lower(mlir::tt::linalg::GenericOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::TileMatmulBlockOp op);
  mlir::LogicalResult lower(mlir::scf::ForOp op);
  mlir::LogicalResult lower(mlir::affine::AffineForOp op);
  mlir::LogicalResult lower(mlir::scf::IfOp op);
  mlir::LogicalResult lowerIndex(mlir::Operation *op, int64_t dim);
  mlir::LogicalResult lowerNumber(mlir::Operation *op);
  struct Bounds {
    mlir::Value low, high, step;
  };
  /// A loop of the region while it is lowered.
  struct LoopPlan {
    mlir::Operation *loop;
    mlir::Block::BlockArgListType arguments;       ///< of its body, but for the index
    llvm::SmallVector<mlir::Value> carried, inits; ///< blocks from outside; all start values
    llvm::SetVector<mlir::Value> written;          ///< blocks from outside that it writes
  };
  mlir::LogicalResult addStart(LoopPlan &plan, mlir::Value block, mlir::Value target,
                               mlir::Operation *first);
  mlir::LogicalResult planLoop(LoopPlan &plan, mlir::ValueRange starts);
  mlir::LogicalResult lowerLoopBody(LoopPlan &plan);
  mlir::LogicalResult lowerLoop(mlir::Operation *loop, Bounds bounds, mlir::Value variable,
                                mlir::ValueRange starts, mlir::Block::BlockArgListType arguments);

  mlir::FailureOr<KernelOperand> operandFor(mlir::Value value, mlir::Operation *user);
  mlir::FailureOr<mlir::Value> numberFor(mlir::Value value, mlir::Operation *user);
  mlir::FailureOr<mlir::Value> read(mlir::Value block, mlir::Operation *user);
  /// Copies a shard to or from a block, page by page if the operand is a view.
  mlir::LogicalResult copyShard(mlir::Operation *op, const KernelOperand &operand,
                                mlir::ValueRange indices, mlir::Value block, bool isLoad);
  /// The same; `start` are indices of the kernel.
  mlir::LogicalResult copyShardAt(mlir::Operation *op, const KernelOperand &operand,
                                  llvm::SmallVector<mlir::Value> start, mlir::Value block,
                                  bool isLoad);
  void copyPages(mlir::Location loc, const KernelOperand &operand,
                 llvm::ArrayRef<mlir::Value> indices, mlir::Value block, bool isLoad);
  void copyOne(mlir::Location loc, const KernelOperand &operand,
               llvm::ArrayRef<mlir::Value> indices, llvm::ArrayRef<int64_t> sizes,
               mlir::Value block, bool isLoad, mlir::Value part);
  /// Stores what was computed for a slot, and pushes it.
  void pushSlot(mlir::Location loc, mlir::Value reserved);
  mlir::Value createBuffer(mlir::Location loc, const KernelOperand &operand);
  mlir::Value constant(mlir::Location loc, int64_t value);
  /// Returns a block's value as an expression, which loops can carry.
  mlir::Value asExpression(mlir::Location loc, mlir::Value block);
  static bool isNumber(mlir::Type type) { return type.isIntOrIndexOrFloat(); }

  mlir::tt::d2m::GenericOp generic;
  mlir::OpBuilder &builder, &resources;
  llvm::DenseMap<mlir::Value, mlir::Value> blocks;
  llvm::StringMap<unsigned> bufferNames;
  llvm::DenseMap<mlir::Value, mlir::Value> queues;       ///< circular buffers, by d2m's queue
  llvm::MapVector<mlir::Value, mlir::Value> slots;       ///< reserved blocks, by d2m's block
  llvm::DenseMap<mlir::Value, mlir::Value> lastReserved; ///< d2m's block, by circular buffer
  llvm::MapVector<mlir::Value, mlir::Value> waited;      ///< blocks, by d2m's block
};

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_BODYLOWERING_H
