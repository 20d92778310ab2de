// SPDX-License-Identifier: Apache-2.0
// Sizes of tiles.
#pragma once

#include <cstdint>

namespace tt::constants {
constexpr uint32_t TILE_HEIGHT = 32, TILE_WIDTH = 32, TILE_HW = TILE_WIDTH * TILE_HEIGHT;
constexpr uint32_t FACE_HEIGHT = 16, FACE_WIDTH = 16, FACE_HW = FACE_WIDTH * FACE_HEIGHT;
/// Bytes of a tile: its elements, and an exponent for each row of 16.
constexpr uint32_t BFLOAT8_B_TILE_HW = TILE_HW + 64, BFLOAT4_B_TILE_HW = TILE_HW / 2 + 64;
} // namespace tt::constants
