//===- TileKernels.cpp - the tile kernels of one level --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// This file is compiled once per instruction set level; TTJIT_TILE_ISA (v2, v3, v4) is
// the level's name. Every function is internal or in the level's namespace, so that the
// linker cannot choose one level's code for another translation unit.
//===--------------------------------------------------------------------------===//

#include "hw/tile/TileKernels.h"

#include "hw/facts/TileOps.h"
#include "hw/tile/FormatLoops.h"
#include "hw/tile/TileLoops.h"
#include "hw/tile/TileReduce.h"

#define TTJIT_TILE_FUNCTION_OF(isa) fillTileKernels_##isa
#define TTJIT_TILE_FILL_FUNCTION(isa) TTJIT_TILE_FUNCTION_OF(isa)

using namespace ttjit::hw;

namespace {

#define TILE_UNARY(Id, name, call, init, header)                                                   \
  void name##Tile(float *dst) { loops::unary<lane::name>(dst); }
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  void name##Tile(float *dst, const float *p) {                                                    \
    loops::unaryWith<lane::name>(dst, TILE_NUMBERS_##params);                                      \
  }
#define TILE_NUMBERS_1 p[0]
#define TILE_NUMBERS_2 p[0], p[1]
#define TILE_NUMBERS_3 p[0], p[1], p[2]
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  void name##Tile(float *dst, int32_t number) { loops::unaryWith<lane::name>(dst, number); }
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  void name##Tile(const float *a, const float *b, float *out) {                                    \
    loops::binary<lane::name>(a, b, out);                                                          \
  }
#define TILE_MASK TILE_BINARY
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  void name##Tile(const float *a, const float *b, const float *c, float *out) {                    \
    loops::ternary<lane::name>(a, b, c, out);                                                      \
  }
#include "hw/facts/TileOps.def"

template <typename PoolT, TileDims dims>
void reduceTile(const float *tile, float scaling, float *acc, bool accIsFresh) {
  loops::reduce<PoolT, dims>(tile, scaling, acc, accIsFresh);
}
template <TileDims dims> void broadcastTile(const float *tile, float *out) {
  loops::broadcast<dims>(tile, out);
}
void transposeTile(const float *tile, float *out) { loops::transpose(tile, out); }

void fillTile(float *dst, float value) { loops::fill(dst, value); }
void copyTile(const float *from, float *to) { loops::copy(from, to); }
void multiplyAddTile(const float *a, const float *b, float *acc) { loops::multiplyAdd(a, b, acc); }

/// Computes so many rows at a time that their sums fit into the vector registers.
void matmulTile(const float *a, const float *b, float *acc, bool accIsZero) {
#ifdef __AVX512F__
  loops::matmul<8>(a, b, acc, accIsZero);
#else
  loops::matmul<4>(a, b, acc, accIsZero);
#endif
}

void matmulIntTile(const float *a, const float *b, float *acc, bool accIsZero) {
  loops::matmulInt(a, b, acc, accIsZero);
}

template <typename Format> struct Stored {
  static void unpack(const std::byte *slot, float *dst) { loops::unpack<Format>(slot, dst); }
  static void pack(const float *dst, std::byte *slot) { loops::pack<Format>(dst, slot); }
  static void packAccumulate(const float *dst, std::byte *slot) {
    loops::packAccumulate<Format>(dst, slot);
  }
  static float loadElement(const std::byte *slot, int index) {
    return loops::loadElement<Format>(slot, index);
  }
  static void storeElement(std::byte *slot, int index, float value) {
    loops::storeElement<Format>(slot, index, value);
  }
  static void addTo(TileKernels &kernels) {
    kernels.formats[static_cast<int>(Format::kFormat)] = {unpack, pack, packAccumulate, loadElement,
                                                          storeElement};
  }
};

template <typename... Formats> void addFormats(TileKernels &kernels) {
  (Stored<Formats>::addTo(kernels), ...);
}

template <typename PoolT> void fillReductions(TileKernels &kernels, Pool pool) {
  auto &ops = kernels.reduceOps[static_cast<int>(pool)];
  ops[static_cast<int>(TileDims::Row)] = reduceTile<PoolT, TileDims::Row>;
  ops[static_cast<int>(TileDims::Col)] = reduceTile<PoolT, TileDims::Col>;
  ops[static_cast<int>(TileDims::Scalar)] = reduceTile<PoolT, TileDims::Scalar>;
}

void fillReductions(TileKernels &kernels) {
  fillReductions<loops::SumPool>(kernels, Pool::Sum);
  fillReductions<loops::MaxPool>(kernels, Pool::Max);
  fillReductions<loops::SumIntPool>(kernels, Pool::SumInt);
  fillReductions<loops::MaxInt32Pool>(kernels, Pool::MaxInt32);
  fillReductions<loops::MaxUInt32Pool>(kernels, Pool::MaxUInt32);
  kernels.broadcastOps[static_cast<int>(TileDims::Row)] = broadcastTile<TileDims::Row>;
  kernels.broadcastOps[static_cast<int>(TileDims::Col)] = broadcastTile<TileDims::Col>;
  kernels.broadcastOps[static_cast<int>(TileDims::Scalar)] = broadcastTile<TileDims::Scalar>;
  kernels.transpose = transposeTile;
}

} // namespace

namespace ttjit::hw {

void TTJIT_TILE_FILL_FUNCTION(TTJIT_TILE_ISA)(TileKernels &kernels) {
#define TILE_UNARY(Id, name, call, init, header)                                                   \
  kernels.unaryOps[static_cast<int>(TileOp::Id)] = name##Tile;
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  kernels.paramOps[static_cast<int>(TileOp::Id)] = name##Tile;
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  kernels.intOps[static_cast<int>(TileOp::Id)] = name##Tile;
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  kernels.binaryOps[static_cast<int>(TileOp::Id)] = name##Tile;
#define TILE_MASK TILE_BINARY
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  kernels.ternaryOps[static_cast<int>(TileOp::Id)] = name##Tile;
#include "hw/facts/TileOps.def"
  fillReductions(kernels);
  kernels.fill = fillTile;
  kernels.copy = copyTile;
  kernels.multiplyAdd = multiplyAddTile;
  kernels.matmul = matmulTile;
  kernels.matmulInt = matmulIntTile;
  addFormats<loops::StoredFloat32, loops::StoredFloat16b, loops::StoredFloat16, loops::StoredBfp8b,
             loops::StoredBfp4b, loops::StoredInt32, loops::StoredUInt32, loops::StoredUInt16,
             loops::StoredUInt8>(kernels);
}

} // namespace ttjit::hw
