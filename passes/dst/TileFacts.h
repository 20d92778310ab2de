//===- TileFacts.h - what tile operations need of DST registers -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Facts about one tile operation or one ttl.compute, and the names of the attributes
// that passes of the stages dst and loops write for later passes.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_TILEFACTS_H
#define TTJIT_PASSES_DST_TILEFACTS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Attribute of a ttl.compute, and later of its outermost loop: the number of tiles
/// that one DST section computes.
inline constexpr llvm::StringLiteral kUnrollFactorAttr = "ttl.unroll_factor";

/// Attribute beside kUnrollFactorAttr: the registers of the n outputs of one tile,
/// ascending and without gaps. The outputs of the next tile of a section use the next n
/// registers. All tiles of a section share the other registers.
inline constexpr llvm::StringLiteral kOutputRegistersAttr = "ttl.output_registers";

/// Attribute beside kUnrollFactorAttr: the program gives the registers, so every op keeps its own.
inline constexpr llvm::StringLiteral kGivenRegistersAttr = "ttl.given_registers";

/// Attribute of a ttl.fresh_tile: the value of its register while no op has written it;
/// +0 if the attribute is absent.
inline constexpr llvm::StringLiteral kFreshStartAttr = "ttl.start";

/// Attribute of a loop or branch in IR of stage loops: the op packs nothing and belongs
/// to the DST section of the ops around it.
inline constexpr llvm::StringLiteral kInSectionAttr = "ttl.in_section";

/// The operands that a tile op reads from DST, without those read from L1; each once.
llvm::SmallVector<mlir::Value> dstOperands(mlir::Operation *op);

/// Number of registers that an op needs if `operands` are the numbers that its operands
/// need. Each operand is computed for this op alone, the most demanding first (Sethi
/// and Ullman).
unsigned registersFor(llvm::SmallVector<unsigned> operands);

/// The operand whose register the result overwrites; null if the result has a register
/// of its own.
mlir::Value inPlaceOperand(mlir::Operation *op);

/// Returns whether the op adds to (or combines with) its result's register, which no op must have
/// written before in this section.
bool needsFreshRegister(mlir::Operation *op);

/// Returns whether the op's second operand must be in the register after the first one's.
bool needsPair(mlir::Operation *op);

/// Returns whether the tile ops of the compute have registers.
bool hasRegisters(mlir::tt::ttl::ComputeOp compute);

/// Returns whether the body has ttl.require_dst, ttl.acquire_dst or ttl.release_dst, which fix
/// registers or the order of the ops.
bool hasDSTMarkers(mlir::tt::ttl::ComputeOp compute);

/// Number of tiles that the compute writes: the product of its parallel extents.
int64_t numTiles(mlir::tt::ttl::ComputeOp compute);

/// Returns whether the compute reads other tiles of a block that it writes than the one it writes
/// next. Several of its tiles cannot be in one DST section then, because a section reads all of its
/// tiles before it packs one.
bool readsOtherTilesOfOutputs(mlir::tt::ttl::ComputeOp compute);

/// Fills register `reg` with `start`, or +0 if that is null; the register then has the
/// value of one that no op has written in the section. Returns the tile.
mlir::Value refillRegister(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type tile,
                           mlir::FloatAttr start, int reg);

/// Replaces a ttl.fresh_tile by a fill with its start value and returns the fill.
mlir::Value refillRegister(mlir::tt::ttl::FreshTileOp op);

} // namespace ttjit

#endif // TTJIT_PASSES_DST_TILEFACTS_H
