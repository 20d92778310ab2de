//===- PipeTransfers.h - lowers sends and receives to NoC calls -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The part of ttl-lower-data-movement for transfers between nodes. One transfer moves a whole
// block, or one page of a loop if there is padding between the pages.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_PIPETRANSFERS_H
#define TTJIT_PASSES_TTKERNEL_PIPETRANSFERS_H

#include "passes/common/Arithmetic.h"
#include "passes/ttkernel/KernelArguments.h"

namespace ttjit {

class PipeTransfers {
public:
  PipeTransfers(ThreadBinding binding, KernelArguments &arguments, Arithmetic &arithmetic)
      : binding(binding), arguments(arguments), arithmetic(arithmetic) {}

  /// Returns whether `op` was lowered and can be erased, after the ops that use it.
  bool lower(mlir::Operation *op);

private:
  void send(mlir::tt::ttl::SendOp op);
  void multicast(mlir::tt::ttl::SendMulticastOp op);
  void receive(mlir::tt::ttl::ReceiveOp op);
  mlir::Value slotAddress(mlir::OpBuilder &builder, mlir::Value slot);
  int64_t pageSizeOfSlot(mlir::Value slot, int64_t unpadded);

  /// What one transfer moves between a block and a slot: its bytes, and its distances from their
  /// starts, null for a whole block.
  struct Piece {
    mlir::Value bytes, inBlock, inSlot;
  };
  Piece enterPieces(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value block,
                    mlir::Value slot);
  mlir::Value addressInBlock(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value block,
                             const Piece &piece);
  mlir::Value addressInSlot(mlir::OpBuilder &builder, mlir::Value slot, const Piece &piece);

  ThreadBinding binding;
  KernelArguments &arguments;
  Arithmetic &arithmetic;
};

/// Creates the NoC coordinate of a column (row) of the compute grid.
mlir::Value translatedX(mlir::OpBuilder &builder, mlir::Location loc, Arithmetic &arithmetic,
                        mlir::Value column);
mlir::Value translatedY(mlir::OpBuilder &builder, mlir::Location loc, Arithmetic &arithmetic,
                        mlir::Value row);

/// Creates the NoC address of an L1 address on the core in this column and row (on a
/// rectangle of cores).
mlir::Value nocAddress(mlir::OpBuilder &builder, mlir::Location loc, Arithmetic &arithmetic,
                       mlir::Value column, mlir::Value row, mlir::Value address);
mlir::Value nocMulticastAddress(mlir::OpBuilder &builder, mlir::Location loc,
                                Arithmetic &arithmetic, mlir::ValueRange corners,
                                mlir::Value address);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_PIPETRANSFERS_H
