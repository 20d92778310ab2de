//===- ThreadSource.h - what the interpreter runs as one thread -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A thread of any stage: a region of a ttl.kernel, a function whose arguments a
// ttl.thread binds, or a function of stage `ttkernel` without arguments. The launcher
// gives values to the resources that the thread uses, such as buffers and tensors.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_THREADSOURCE_H
#define TTJIT_INTERP_THREADSOURCE_H

#include "hw/facts/Arch.h"

#include "mlir/IR/Operation.h"

namespace ttjit::interp {

struct ThreadSource {
  mlir::Operation *op = nullptr; ///< func.func, or a thread op of a ttl.kernel
  llvm::SmallVector<int64_t> grid;
  hw::ArchDesc arch = hw::defaultArch();

  /// Gives a number to a value: to a buffer its index, to a tensor the number of the common
  /// argument with its base address, to a semaphore, counters and landing slots their
  /// L1 address, to a table the number of the node argument at which it begins.
  struct Resource {
    mlir::Value value;
    uint32_t number;
  };
  llvm::SmallVector<Resource> resources;
  /// L1 address of a word that only this thread uses, for values that it sends to other
  /// nodes.
  uint32_t scratchWord = 0;
  /// Whether the code calls the hook of interp/Statements.h.
  bool statements = false;
};

} // namespace ttjit::interp

#endif // TTJIT_INTERP_THREADSOURCE_H
