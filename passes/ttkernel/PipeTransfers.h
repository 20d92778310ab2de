//===- PipeTransfers.h - sends and receives as NoC calls --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The part of ttl-lower-data-movement for transfers between nodes. A block is one
// range of L1: the pages of one slot are consecutive.
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

  /// True if `op` was lowered and can be erased, after the ops that use it.
  bool lower(mlir::Operation *op);

private:
  void send(mlir::tt::ttl::SendOp op);
  void multicast(mlir::tt::ttl::SendMulticastOp op);
  void receive(mlir::tt::ttl::ReceiveOp op);
  mlir::Value addressOf(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value block);
  mlir::Value slotAddress(mlir::OpBuilder &builder, mlir::Value slot);

  ThreadBinding binding;
  KernelArguments &arguments;
  Arithmetic &arithmetic;
};

/// NoC coordinate of a column and a row of the compute grid.
mlir::Value translatedX(mlir::OpBuilder &builder, mlir::Location loc, Arithmetic &arithmetic,
                        mlir::Value column);
mlir::Value translatedY(mlir::OpBuilder &builder, mlir::Location loc, Arithmetic &arithmetic,
                        mlir::Value row);

/// An address on the core in this column and row; on a rectangle of cores.
mlir::Value nocAddress(mlir::OpBuilder &builder, mlir::Location loc, Arithmetic &arithmetic,
                       mlir::Value column, mlir::Value row, mlir::Value address);
mlir::Value nocMulticastAddress(mlir::OpBuilder &builder, mlir::Location loc,
                                Arithmetic &arithmetic, mlir::ValueRange corners,
                                mlir::Value address);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_PIPETRANSFERS_H
