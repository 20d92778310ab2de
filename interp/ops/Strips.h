//===- Strips.h - ops on blocks, tile by tile -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An op on a block works on each of its tiles. Ops that follow each other on blocks of one size
// make a strip: all of them work on the first tile, then all on the second, so that tiles stay
// in the host's cache. So step n of an op may use only tile n of each value, and tiles that hold
// no value.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_INTERP_OPS_STRIPS_H
#define TTJIT_INTERP_OPS_STRIPS_H

#include "interp/FunctionCompiler.h"

namespace ttjit::interp {

/// What an op does to one tile of its block.
using TileStep = hw::Status (*)(const Instruction &, Frame &, uint32_t tile);

/// Appends a strip that runs `step` for the tiles 0 to count - 1. If the last instruction is a
/// strip of `count` tiles, adds the step to that strip.
Instruction &emitTileSteps(mlir::Operation *op, uint32_t count, TileStep step,
                           llvm::ArrayRef<SlotNumber> operands, FunctionCompiler &compiler);

} // namespace ttjit::interp

#endif // TTJIT_INTERP_OPS_STRIPS_H
