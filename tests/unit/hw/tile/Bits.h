//===- Bits.h - hashes of what the tile operations compute ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// There is one hash for each tile operation, storage format, product, reduction and move, of
// results on inputs with fixed seeds. docs/accuracy.md records them: all hosts and instruction sets
// give the same. LevelsTest.cpp compares them, ttjit-accuracy --update writes them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_BITS_H
#define TTJIT_TESTS_UNIT_HW_TILE_BITS_H

#include "hw/tile/TileMath.h"

#include <cstdint>
#include <map>
#include <string>

namespace ttjit::hw {

/// Returns the hashes that one instruction set gives, by name.
std::map<std::string, uint64_t> bitsOf(const TileKernels &kernels);
/// Returns the hashes in the section "Bits" of the page.
std::map<std::string, uint64_t> recordedBits(const std::string &page);
/// Returns the text of a file.
std::string textOf(const char *path);

} // namespace ttjit::hw

#endif // TTJIT_TESTS_UNIT_HW_TILE_BITS_H
