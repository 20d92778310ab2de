//===- NarrowIntegers.h - uint16 and uint8 in registers of 32 bits --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Integers are computed with 32 bits. The unpacker leaves the elements of a uint16 buffer in the
// low halves of the registers, and the packer expects them there; typecast_tile moves them. The
// unpacker widens uint8, and the packer takes uint8 that a typecast has made.
// (tt-metal, api/compute/eltwise_unary/typecast.h: UInt8 to UInt32 needs no function of the SFPU.)
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_NARROWINTEGERS_H
#define TTJIT_PASSES_TTKERNEL_NARROWINTEGERS_H

#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ttjit {

/// On a call of row ToUInt16: the register has what the unpacker wrote.
inline constexpr llvm::StringLiteral kUnpackedAttr = "ttkernel.unpacked";
/// On a call of row ToUInt16 or ToUInt8: the packer reads the register next.
inline constexpr llvm::StringLiteral kPackedAttr = "ttkernel.packed";
/// On a pack: its register is also packed in another format, so that no conversion was inserted.
inline constexpr llvm::StringLiteral kTwoFormatsAttr = "ttkernel.two_formats";

/// Inserts calls of the rows ToUInt16 and ToUInt8 behind unpacks of narrow integers and in front of
/// their packs, in each DST section that computes. A section that only copies tiles of one format
/// stays as it is.
void convertNarrowIntegers(mlir::func::FuncOp thread);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_NARROWINTEGERS_H
