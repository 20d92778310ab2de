//===- TTLAssembly.h - parsing and checks that files of ttl share ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TTLASSEMBLY_H
#define TTJIT_IR_TTL_TTLASSEMBLY_H

#include "ir/TTL/TTL.h"

#include "mlir/IR/OpImplementation.h"

namespace mlir::tt::ttl {

//===--------------------------------------------------------------------------===//
// Types that the text leaves out
//===--------------------------------------------------------------------------===//

/// Returns the type of the operand; null, after an error that names it, if the text has not
/// defined the operand yet.
Type lookUpType(OpAsmParser &parser, const OpAsmParser::UnresolvedOperand &operand);

/// Parses the operand's type after a colon, or looks it up if there is no colon.
ParseResult parseOrLookUpType(OpAsmParser &parser, const OpAsmParser::UnresolvedOperand &operand,
                              Type &type);

/// Parses `: types`, or looks the types up if there is no colon. Resolves the operands.
ParseResult parseOrLookUpTypes(OpAsmParser &parser, SMLoc loc,
                               ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                               OperationState &result);

/// Returns whether the type is that of `!ttl.block<...>`, written with three dots.
bool isElidedBlock(Type type);

/// Parses an optional dictionary, and checks the attributes that the op declares.
ParseResult parseAttributes(OpAsmParser &parser, OperationState &result);

/// Makes the op that is being parsed one of another class.
template <typename OpT> void become(OpAsmParser &parser, OperationState &result) {
  result.name = OperationName(OpT::getOperationName(), parser.getContext());
}

/// Parses the coordinates of a node, such as `[0, 1]`.
ParseResult parseCoords(AsmParser &parser, SmallVectorImpl<int64_t> &coords);

/// Returns the name of the op's result in the text; `kind` and its number if it has no name.
std::string nameOfResult(OpAsmParser &parser, StringRef kind);

/// Returns the memory that `dram`, `DRAM` and `DeviceDRAM` name; nothing for another name.
std::optional<ttcore::MemorySpace> lookUpMemorySpace(StringRef name);

//===--------------------------------------------------------------------------===//
// Parts of the formats of ops
//===--------------------------------------------------------------------------===//

/// Parses `: (T, T) -> T` of an element-wise op; without it the result has the operands' shape.
ParseResult parseRowTypes(OpAsmParser &parser, const OpAsmParser::UnresolvedOperand &input,
                          Type &inputType, Type &resultType);
ParseResult parseRowTypes(OpAsmParser &parser, const OpAsmParser::UnresolvedOperand &lhs,
                          const OpAsmParser::UnresolvedOperand &rhs, Type &lhsType, Type &rhsType,
                          Type &resultType);
ParseResult parseRowTypes(OpAsmParser &parser, const OpAsmParser::UnresolvedOperand &first,
                          const OpAsmParser::UnresolvedOperand &second,
                          const OpAsmParser::UnresolvedOperand &third, Type &firstType,
                          Type &secondType, Type &thirdType, Type &resultType);
void printRowTypes(OpAsmPrinter &printer, Operation *op, Value input, Type inputType,
                   Type resultType);
void printRowTypes(OpAsmPrinter &printer, Operation *op, Value lhs, Value rhs, Type lhsType,
                   Type rhsType, Type resultType);
void printRowTypes(OpAsmPrinter &printer, Operation *op, Value first, Value second, Value third,
                   Type firstType, Type secondType, Type thirdType, Type resultType);

ParseResult parseMatmulTypes(OpAsmParser &parser, const OpAsmParser::UnresolvedOperand &lhs,
                             const OpAsmParser::UnresolvedOperand &rhs,
                             const std::optional<OpAsmParser::UnresolvedOperand> &acc,
                             Type &lhsType, Type &rhsType, Type &accType, Type &resultType);
void printMatmulTypes(OpAsmPrinter &printer, Operation *op, Value lhs, Value rhs, Value acc,
                      Type lhsType, Type rhsType, Type accType, Type resultType);

ParseResult parseStoreTypes(OpAsmParser &parser, const OpAsmParser::UnresolvedOperand &dst,
                            const OpAsmParser::UnresolvedOperand &src, Type &dstType,
                            Type &srcType);
void printStoreTypes(OpAsmPrinter &printer, Operation *op, Value dst, Value src, Type dstType,
                     Type srcType);

/// Parses the name of a thread, which may be absent: see nameThreads().
ParseResult parseThreadName(OpAsmParser &parser, StringAttr &name);
void printThreadName(OpAsmPrinter &printer, Operation *op, StringAttr name);

/// Parses the processors of a ttl.microcore_thread, such as `[@unpack, @math, @pack]`.
ParseResult parseRole(OpAsmParser &parser, SmallVectorImpl<Attribute> &role);
/// Parses what follows the processors of a ttl.microcore_thread.
ParseResult parseMicrocoreThread(OpAsmParser &parser, ArrayRef<Attribute> role,
                                 OperationState &result);

/// Parses the one net of `ttl.if_pipe_src`.
ParseResult parseNetOperand(OpAsmParser &parser, OpAsmParser::UnresolvedOperand &net);
void printNetOperand(OpAsmPrinter &printer, Operation *op, Value net);

/// Parses `[%index]`, the tile of a block.
ParseResult parseTileIndex(OpAsmParser &parser, OpAsmParser::UnresolvedOperand &index);
void printTileIndex(OpAsmPrinter &printer, Operation *op, Value index);

/// Parses `[#ttl.slice<0, 4, 1>, 2]`. A bare integer is a slice of one.
ParseResult parseSliceRange(OpAsmParser &parser, ArrayAttr &range);
void printSliceRange(OpAsmPrinter &printer, ArrayAttr range);

/// Checks that coordinates have the rank of the grid around `op`, or rank 1 (flattened
/// node numbers). `what` names them in the message.
LogicalResult verifyNodeRank(Operation *op, StringRef what, size_t rank);

/// Checks a range of nodes against the grid around `op`.
LogicalResult verifyNodeRange(Operation *op, StringRef what, ArrayAttr range);

/// Checks one coordinate against the grid around `op`.
LogicalResult verifyNodeCoords(Operation *op, StringRef what, ArrayRef<int64_t> coords);

/// Checks that a thread does not move data, or does not compute on blocks.
LogicalResult verifyComputeBody(Operation *thread);
LogicalResult verifyDataMovementBody(Operation *thread);

/// Checks the `microcore_hint` of a thread that has processors of this kind.
LogicalResult verifyHint(Operation *thread, MicrocoreKind kind);

/// Checks that the threads of a kernel run on different processors, and on declared ones.
LogicalResult verifyPlaces(KernelOp kernel);

/// Returns whether the block ends with ttl.yield. Verifiers of ops run before those of their
/// regions, so a block may still be empty or end with any op.
inline bool endsWithYield(Block &block) { return !block.empty() && isa<YieldOp>(block.back()); }

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_TTLASSEMBLY_H
