//===- TTLAssembly.h - parsing and checks that files of ttl share ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TTLASSEMBLY_H
#define TTJIT_IR_TTL_TTLASSEMBLY_H

#include "ir/TTL/TTL.h"

namespace mlir::tt::ttl {

/// Parses `[#ttl.slice<0, 4, 1>, 2]`. A bare integer is a slice of one.
ParseResult parseSliceRange(OpAsmParser &parser, ArrayAttr &range);
void printSliceRange(OpAsmPrinter &printer, Operation *op, ArrayAttr range);

/// Parses `, dst = [1, 0]` or `, dst_range = [...]`. The verifier checks that there is
/// one of them.
ParseResult parsePipeEnds(OpAsmParser &parser, DenseI64ArrayAttr &dst, ArrayAttr &range);
void printPipeEnds(OpAsmPrinter &printer, Operation *op, DenseI64ArrayAttr dst, ArrayAttr range);

/// Checks that coordinates have the rank of the grid around `op`, or rank 1 (flattened
/// node numbers). `what` names them in the message.
LogicalResult verifyNodeRank(Operation *op, StringRef what, size_t rank);

/// Checks a range of nodes against the grid around `op`.
LogicalResult verifyNodeRange(Operation *op, StringRef what, ArrayAttr range);

/// Checks one coordinate against the grid around `op`.
LogicalResult verifyNodeCoords(Operation *op, StringRef what, ArrayRef<int64_t> coords);

/// Returns whether the block ends with ttl.yield. Verifiers of ops run before those of their
/// regions, so a block may still be empty or end with any op.
inline bool endsWithYield(Block &block) { return !block.empty() && isa<YieldOp>(block.back()); }

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_TTLASSEMBLY_H
