//===- TileLoopFunctions.h - functions with loops over tiles --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds a function for each loop of a DST section. Its arguments are the addresses of
// the tiles, the addresses that it prefetches, and the numbers, except constant integers.
// No tile that it writes overlaps another one, so the pointers of tiles are `noalias` and
// LLVM vectorises the loop.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_LLVM_TILELOOPFUNCTIONS_H
#define TTJIT_PASSES_LLVM_TILELOOPFUNCTIONS_H

#include "passes/llvm/CallBuilder.h"
#include "passes/llvm/LoopPlan.h"

namespace ttjit::tollvm {

/// How a loop is called.
struct TileLoopCall {
  mlir::LLVM::LLVMFuncOp function;
  llvm::SmallVector<unsigned> tiles;      ///< the tiles whose addresses it takes, in order
  llvm::SmallVector<unsigned> prefetched; ///< those of them after which more tiles are read; the
                                          ///< next arguments are the addresses of these
  llvm::SmallVector<mlir::Value> numbers; ///< the arguments after that
};

class TileLoops {
public:
  TileLoops(mlir::ModuleOp module, CallBuilder &calls) : module(module), calls(calls) {}

  /// Returns the calls of the loops of a section. Loops that compute the same share a function.
  /// Returns nothing if the module has too many different loops already.
  std::optional<llvm::SmallVector<TileLoopCall, 1>>
  get(const SectionGraph &graph, llvm::ArrayRef<TileLoop> loops, mlir::Location loc);

private:
  mlir::ModuleOp module;
  CallBuilder &calls;
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> functions; ///< by what they compute
};

} // namespace ttjit::tollvm

#endif // TTJIT_PASSES_LLVM_TILELOOPFUNCTIONS_H
