//===- TileKernels.cpp - the tile kernels of one level --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiled once per instruction set level, with TTJIT_TILE_ISA (v2, v3, v4)
// naming it. Nothing here may be emitted that another translation unit could
// pick at link time: every function is internal or in this level's namespace.
//===--------------------------------------------------------------------------===//

#include "hw/tile/TileKernels.h"

#include "hw/tile/FormatLoops.h"
#include "hw/tile/TileLoops.h"

#define TTJIT_TILE_FUNCTION_OF(isa) fillTileKernels_##isa
#define TTJIT_TILE_FILL_FUNCTION(isa) TTJIT_TILE_FUNCTION_OF(isa)

using namespace ttjit::hw;

namespace {

#define TILE_UNARY(Id, name, call, init, header)                                                   \
  void name##Tile(float *dst) { loops::unary<lane::name>(dst); }
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  void name##Tile(const float *a, const float *b, float *out) {                                    \
    loops::binary<lane::name>(a, b, out);                                                          \
  }
#include "hw/facts/TileOps.def"

void fillTile(float *dst, float value) { loops::fill(dst, value); }
void copyTile(const float *from, float *to) { loops::copy(from, to); }

/// Rows whose sums fit the vector registers.
void matmulTile(const float *a, const float *b, float *acc, bool accIsZero) {
#ifdef __AVX512F__
  loops::matmul<8>(a, b, acc, accIsZero);
#else
  loops::matmul<4>(a, b, acc, accIsZero);
#endif
}

template <typename Format> struct Stored {
  using Datum = typename Format::Datum;
  static void unpack(const std::byte *slot, float *dst) {
    loops::unpack<Format>(reinterpret_cast<const Datum *>(slot), dst);
  }
  static void pack(const float *dst, std::byte *slot) {
    loops::pack<Format>(dst, reinterpret_cast<Datum *>(slot));
  }
  static void packAccumulate(const float *dst, std::byte *slot) {
    loops::packAccumulate<Format>(dst, reinterpret_cast<Datum *>(slot));
  }
  static float loadElement(const std::byte *slot, int index) {
    return Format::load(reinterpret_cast<const Datum *>(slot)[index]);
  }
  static void storeElement(std::byte *slot, int index, float value) {
    reinterpret_cast<Datum *>(slot)[index] = Format::store(value);
  }
  static void addTo(TileKernels &kernels) {
    kernels.formats[static_cast<int>(Format::kFormat)] = {unpack, pack, packAccumulate, loadElement,
                                                          storeElement};
  }
};

} // namespace

namespace ttjit::hw {

void TTJIT_TILE_FILL_FUNCTION(TTJIT_TILE_ISA)(TileKernels &kernels) {
#define TILE_UNARY(Id, name, call, init, header)                                                   \
  kernels.unaryOps[static_cast<int>(TileOp::Id)] = name##Tile;
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  kernels.binaryOps[static_cast<int>(TileOp::Id)] = name##Tile;
#include "hw/facts/TileOps.def"
  kernels.fill = fillTile;
  kernels.copy = copyTile;
  kernels.matmul = matmulTile;
  Stored<loops::StoredFloat32>::addTo(kernels);
  Stored<loops::StoredFloat16b>::addTo(kernels);
}

} // namespace ttjit::hw
