//===- HostLowering.h - prints, signposts, calls of the host --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_HOSTLOWERING_H
#define TTJIT_PASSES_TTKERNEL_HOSTLOWERING_H

#include "passes/common/Arithmetic.h"
#include "passes/common/IndexRange.h"
#include "passes/ttkernel/KernelArguments.h"

namespace ttjit {

/// Lowers ops on blocks by buffer and page, for ttl-lower-synchronization.
class HostLowering {
public:
  HostLowering(Arithmetic &arithmetic, KernelArguments &arguments)
      : arithmetic(arithmetic), arguments(arguments) {}

  /// Lowers `op` if this class knows it. Returns true if `op` was lowered and can be erased.
  bool lower(mlir::Operation *op);

private:
  void print(mlir::tt::ttl::PrintOp op);
  void printBlock(mlir::tt::ttl::PrintBlockOp op);
  void call(mlir::tt::ttl::CallHostOp op);
  mlir::Value pageOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value block);

  Arithmetic &arithmetic;
  KernelArguments &arguments;
};

/// Element reads and writes as loads and stores at L1 addresses, for
/// ttl-lower-data-movement.
class ElementLowering {
public:
  ElementLowering(Arithmetic &arithmetic, KernelArguments &arguments, IndexRanges &ranges)
      : arithmetic(arithmetic), arguments(arguments), ranges(ranges) {}

  /// Fails if a coordinate is certainly outside of the block. `lowered` is set if `op` was
  /// lowered and can be erased.
  mlir::LogicalResult lower(mlir::Operation *op, bool &lowered);

private:
  mlir::LogicalResult check(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value block,
                            mlir::ValueRange coords);
  mlir::Value byteOffset(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value block,
                         mlir::ValueRange coords);
  mlir::Value offsetInRows(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::tt::ttl::CreateCBOp buffer, mlir::ValueRange coords,
                           llvm::ArrayRef<int64_t> extents);
  mlir::Value address(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value block,
                      mlir::ValueRange coords);

  Arithmetic &arithmetic;
  KernelArguments &arguments;
  IndexRanges &ranges;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_HOSTLOWERING_H
