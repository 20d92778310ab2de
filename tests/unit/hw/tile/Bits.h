//===- Bits.h - hashes of what the tile operations compute ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One hash for each tile operation, storage format, product, reduction and move, of its results
// on inputs with fixed seeds. docs/accuracy.md records the hashes: every host and every
// instruction set gives them. LevelsTest.cpp compares, ttjit-accuracy --update writes.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_BITS_H
#define TTJIT_TESTS_UNIT_HW_TILE_BITS_H

#include "hw/tile/TileMath.h"

#include <cstdint>
#include <map>
#include <string>

namespace ttjit::hw {

/// Returns the hashes of one instruction set, by name.
std::map<std::string, uint64_t> bitsOf(const TileKernels &kernels);
/// Returns the hashes in the section "Bits" of the page.
std::map<std::string, uint64_t> recordedBits(const std::string &page);
/// Returns the text of a file.
std::string textOf(const char *path);

} // namespace ttjit::hw

#endif // TTJIT_TESTS_UNIT_HW_TILE_BITS_H
