//===- BodyLowering.h - the body of a d2m.generic as a thread -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Lowers the ops of a region of d2m.generic into a thread. Tensors and memrefs of the region are
// blocks. The value of a block at an op is the block or block expression that was written into it
// last, or the tiles that were written one by one (BodyTiles.cpp). A write only changes this value.
// Data are stored at a d2m.remote_store, or when the slot of a queue is pushed.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_D2M_BODYLOWERING_H
#define TTJIT_PASSES_D2M_BODYLOWERING_H

#include "ir/modules/D2M/D2M.h"
#include "ir/modules/Linalg/Linalg.h"
#include "passes/d2m/Storage.h"
#include "passes/d2m/TileMemrefs.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <array>
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

  llvm::DenseMap<mlir::Value, mlir::Value> semaphores; ///< of ttl, by d2m's semaphore
  bool isRectangle = false; ///< the grid is one of the device's cores, of two dimensions

  /// Returns the circular buffer of a queue, by the number of its operand.
  std::function<mlir::FailureOr<mlir::Value>(mlir::tt::d2m::GetCBOp)> queueFor;

  mlir::LogicalResult lower(mlir::Operation &op);
  /// Copies this core's shard into the queue of an operand, or out of it.
  mlir::LogicalResult moveOwnShard(const KernelOperand &operand, mlir::Value queue, bool isLoad);
  /// Hands over the slots that were reserved in this block of ops, and frees blocks that were
  /// waited for in it.
  void releaseBlocks(mlir::Block *block);

  /// The block or expression that a tensor or memref contains; null if nothing was written.
  mlir::Value blockOf(mlir::Value value);
  void setBlock(mlir::Value value, mlir::Value block);
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
  mlir::LogicalResult lower(mlir::tt::d2m::LocalCopyOp op);
  mlir::LogicalResult lower(mlir::memref::CopyOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::SetL1AccumulateOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::SemaphoreWaitOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::SemaphoreSetOp op);
  mlir::LogicalResult lower(mlir::tt::d2m::SemaphoreIncOp op);
  mlir::LogicalResult lowerOp(mlir::Operation &op);
  mlir::LogicalResult lowerIndex(mlir::Operation *op, int64_t dim);
  mlir::LogicalResult lowerNumber(mlir::Operation *op);
  struct Bounds {
    mlir::Value low, high, step;
  };
  /// A loop of the region while it is lowered.
  struct LoopPlan {
    mlir::Operation *loop;
    mlir::Block::BlockArgListType arguments;       ///< of its body, without the index
    llvm::SmallVector<mlir::Value> carried, inits; ///< carried blocks; start values of all
    llvm::SetVector<mlir::Value> written;          ///< blocks from outside that it writes
  };
  mlir::LogicalResult addStart(LoopPlan &plan, mlir::Value block, mlir::Value target,
                               mlir::Operation *first);
  mlir::LogicalResult planLoop(LoopPlan &plan, mlir::ValueRange starts);
  mlir::LogicalResult lowerLoopBody(LoopPlan &plan);
  mlir::LogicalResult lowerLoop(mlir::Operation *loop, Bounds bounds, mlir::Value variable,
                                mlir::ValueRange starts, mlir::Block::BlockArgListType arguments);

  // KnownLoops.cpp
  static bool isKnownLoop(mlir::Operation *loop, mlir::Value index);
  mlir::LogicalResult runLoop(mlir::Operation *loop, Bounds bounds, mlir::Value variable,
                              mlir::ValueRange starts, mlir::Block::BlockArgListType arguments);
  mlir::LogicalResult runBranch(mlir::scf::IfOp op, bool condition);
  mlir::LogicalResult lowerAll(mlir::Block &body);
  mlir::LogicalResult bind(mlir::ValueRange names, mlir::ValueRange values, mlir::Operation *user);

  // BodyTiles.cpp
  struct TilePlace {
    mlir::Value memref;
    int64_t number;
  };
  /// Returns the memref that has the tiles of `value`, if it has no others.
  mlir::Value ownerOf(mlir::Value value) const;
  void forget(mlir::Value memref);
  void settleReadersOf(mlir::Value block);
  mlir::FailureOr<mlir::Value> expressionOf(llvm::ArrayRef<TileNumber> tiles, mlir::Value memref,
                                            mlir::Location loc);
  mlir::FailureOr<mlir::Value> readPart(mlir::Value value, mlir::Operation *user);
  TileNumber tileAt(mlir::Value memref, int64_t place);
  void setTile(mlir::Value memref, int64_t place, TileNumber tile);
  static bool nextIndex(llvm::MutableArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);
  std::optional<int64_t> knownNumber(mlir::Value value);
  mlir::FailureOr<TilePlace> placeOf(mlir::Operation *op, mlir::Value memref, mlir::AffineMap map,
                                     mlir::ValueRange operands);
  mlir::LogicalResult loadTile(mlir::Operation *op, mlir::Value memref, mlir::AffineMap map,
                               mlir::ValueRange operands);
  mlir::LogicalResult storeTile(mlir::Operation *op, mlir::Value tile, mlir::Value memref,
                                mlir::AffineMap map, mlir::ValueRange operands);
  mlir::LogicalResult lowerAccess(mlir::Operation *op);
  mlir::FailureOr<TileNumber> operandTile(mlir::Operation *op, unsigned operand);
  mlir::LogicalResult lowerTile(mlir::Operation *op);
  bool needsPoints(mlir::tt::linalg::GenericOp op) const;
  llvm::SmallVector<int64_t> extentsOf(mlir::tt::linalg::GenericOp op) const;
  mlir::FailureOr<TilePlace> placeAt(mlir::tt::linalg::GenericOp op, unsigned operand,
                                     llvm::ArrayRef<int64_t> point);
  mlir::LogicalResult lowerInPoint(mlir::tt::linalg::GenericOp op, mlir::Operation &each,
                                   llvm::ArrayRef<int64_t> point);
  mlir::LogicalResult lowerPoint(mlir::tt::linalg::GenericOp op, llvm::ArrayRef<int64_t> point);
  mlir::LogicalResult lowerPoints(mlir::tt::linalg::GenericOp op);
  mlir::LogicalResult lowerPoints(mlir::tt::d2m::TileMatmulBlockOp op);
  mlir::LogicalResult copyTiles(mlir::Operation *op, mlir::Value from, mlir::AffineMap fromMap,
                                mlir::Value to, mlir::AffineMap toMap);

  // BodySemaphores.cpp
  mlir::FailureOr<mlir::Value> semaphoreFor(mlir::Operation *op, mlir::Value semaphore);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> pairOf(mlir::Operation *op,
                                                         mlir::ValueRange values);
  /// Reports a core that the grid does not have when the kernel runs.
  void checkCore(mlir::Location loc, llvm::ArrayRef<mlir::Value> core);
  mlir::LogicalResult setRectangle(mlir::tt::d2m::SemaphoreSetOp op, mlir::Value own,
                                   mlir::Value word);
  mlir::FailureOr<mlir::Value> semaphoreOn(mlir::Operation *op, mlir::Value own,
                                           mlir::ValueRange core);
  mlir::FailureOr<mlir::Value> wordFor(mlir::Value number, mlir::Operation *user);

  // BodyMulticast.cpp
  std::optional<std::array<bool, 2>> groupOf(mlir::tt::d2m::RemoteLoadOp op);
  mlir::Value netFor(mlir::tt::d2m::RemoteLoadOp op, const KernelOperand &operand,
                     std::array<bool, 2> differs);
  /// Copies the shard of a load into a block, or receives it from the core that does.
  mlir::LogicalResult loadShard(mlir::tt::d2m::RemoteLoadOp op, const KernelOperand &operand,
                                mlir::Value block);

  mlir::FailureOr<KernelOperand> operandFor(mlir::Value value, mlir::Operation *user);
  mlir::FailureOr<mlir::Value> numberFor(mlir::Value value, mlir::Operation *user);
  mlir::FailureOr<mlir::Value> read(mlir::Value block, mlir::Operation *user);
  /// Copies a shard to or from a block, page by page if the operand is a view.
  mlir::LogicalResult copyShard(mlir::Operation *op, const KernelOperand &operand,
                                mlir::ValueRange indices, mlir::Value block, bool isLoad);
  /// Copies a shard that begins at `start`, indices of the kernel, to or from a block.
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
  TileGraph graph;
  TileMemrefs memory;
  llvm::DenseMap<mlir::Value, TileNumber> tileValues; ///< values of the region that are tiles
  llvm::DenseSet<mlir::Value> unknown;                ///< memrefs whose tiles were lost
  bool accumulatesInL1 = false;                       ///< stores add to what is there
  bool isBroken = false;                              ///< an error was reported
  int64_t lowered = 0;                                ///< number of lowered ops
  llvm::DenseMap<mlir::Value, mlir::Value> blocks;
  llvm::StringMap<unsigned> bufferNames;                 ///< how many resources have the name
  llvm::DenseMap<mlir::Operation *, mlir::Value> nets;   ///< of pipes, by load
  llvm::DenseMap<mlir::Value, mlir::Value> queues;       ///< circular buffers, by d2m's queue
  llvm::MapVector<mlir::Value, mlir::Value> slots;       ///< reserved blocks, by d2m's block
  llvm::DenseMap<mlir::Value, mlir::Value> lastReserved; ///< d2m's block, by circular buffer
  llvm::MapVector<mlir::Value, mlir::Value> waited;      ///< blocks, by d2m's block
};

} // namespace ttjit

#endif // TTJIT_PASSES_D2M_BODYLOWERING_H
