//===- UnitOp.h - operations that need an init of their own ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The unpackers and the matrix engine of the card run one program at a time. The init of an
// operation loads the program of that operation, until another init replaces it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_UNITOP_H
#define TTJIT_HW_FACTS_UNITOP_H

#include <cstdint>

namespace ttjit::hw {

enum class UnitOp : uint8_t {
  None,
  Copy,
  Add, ///< variant: BinaryVariant
  Sub,
  Mul,
  Matmul,    ///< variant: the dimensions of a block, each less one; 0 for one tile
  Reduce,    ///< variant: ReduceKind
  Broadcast, ///< variant: TileDims
  Transpose,
  Tilize,     ///< variant: tiles of a block
  FastTilize, ///< variant: tiles of a block
  Untilize,
  PackUntilize, ///< variant: tiles of a block
  TransposeDst, ///< variant: whether it moves 32 bits
};

/// How add_tiles, sub_tiles and mul_tiles get their operands.
enum class BinaryVariant : int32_t { Plain, BroadcastCol, BroadcastRow, BroadcastScalar, ReuseDst };

/// Returns an operation with a variant of it, as one number.
constexpr uint32_t unitProgram(UnitOp op, int32_t variant = 0) {
  return static_cast<uint32_t>(op) | static_cast<uint32_t>(variant) << 8;
}

/// The formats that an init or a reconfiguration sets.
enum class UnitFormat : uint8_t { SrcA, SrcB, Packer };
inline constexpr int kNumUnitFormats = 3;

/// A bit in the number of a buffer. It is set if the unpacker writes the buffer's tiles to DST
/// unchanged (UnpackToDestFp32).
inline constexpr int32_t kUnpackedToDst = 1 << 16;

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_UNITOP_H
