//===- TileFacts.h - what tile operations need of DST registers ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Facts about one tile operation or one ttl.compute, and the names of the attributes
// that passes of the stages dst and loops write for later passes.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_TILEFACTS_H
#define TTJIT_PASSES_DST_TILEFACTS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// On a ttl.compute, and then on the outermost of its loops: how many tiles one DST
/// section computes.
inline constexpr llvm::StringLiteral kUnrollFactorAttr = "ttl.unroll_factor";

/// Beside kUnrollFactorAttr: the registers of the n outputs of one tile, ascending and
/// without gaps. The outputs of the next tile of a section use the next n registers. All
/// tiles of a section share the other registers.
inline constexpr llvm::StringLiteral kOutputRegistersAttr = "ttl.output_registers";

/// On a ttl.fresh_tile: the number that its register counts as while nothing wrote it;
/// +0 if absent.
inline constexpr llvm::StringLiteral kFreshStartAttr = "ttl.start";

/// On a loop or branch in IR of stage loops: it packs nothing and belongs to the DST
/// section of the ops around it.
inline constexpr llvm::StringLiteral kInSectionAttr = "ttl.in_section";

/// Operands of a tile op that it reads from DST, not from L1; each once.
llvm::SmallVector<mlir::Value> dstOperands(mlir::Operation *op);

/// Registers that an op takes whose operands, each computed for it alone and the
/// most demanding first, take `operands` (Sethi and Ullman).
unsigned registersFor(llvm::SmallVector<unsigned> operands);

/// The operand whose register the result takes over; null if the result gets a
/// register of its own.
mlir::Value inPlaceOperand(mlir::Operation *op);

/// True for ops that combine with what their result's register holds from the
/// start: the register must not have been written in this section.
bool needsFreshRegister(mlir::Operation *op);

/// True for ops whose second operand must be in the register after the first one's.
bool needsPair(mlir::Operation *op);

/// True if the tile ops have their registers.
bool hasRegisters(mlir::tt::ttl::ComputeOp compute);

/// True if the body has ops that fix registers or the order of its ops: ttl.require_dst,
/// ttl.acquire_dst or ttl.release_dst.
bool hasDSTMarkers(mlir::tt::ttl::ComputeOp compute);

/// Tiles that the compute makes: the product of its parallel extents.
int64_t numTiles(mlir::tt::ttl::ComputeOp compute);

/// True if the compute reads a block that it writes, and not only the tile that it
/// writes next: several of its tiles cannot be in one DST section then, because a
/// section reads all of its tiles before it packs one.
bool readsOtherTilesOfOutputs(mlir::tt::ttl::ComputeOp compute);

/// Fills register `reg` with `start`, or +0 if that is null: the register then counts
/// as one that nothing wrote since the section began. Returns the tile.
mlir::Value refillRegister(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type tile,
                           mlir::FloatAttr start, int reg);

/// Replaces a ttl.fresh_tile by such a fill and returns it.
mlir::Value refillRegister(mlir::tt::ttl::FreshTileOp op);

} // namespace ttjit

#endif // TTJIT_PASSES_DST_TILEFACTS_H
