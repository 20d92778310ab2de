//===- TileKernels.h - the tile kernels of one numeric policy -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// KernelTable<Numerics>::fill() fills a table of kernels with loops of the numeric policy
// `Numerics`. It is compiled once per instruction set level and policy. The policy has
// internal linkage, so the functions here have it too, and the linker cannot choose one
// level's code for another translation unit.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILEKERNELS_H
#define TTJIT_HW_TILE_TILEKERNELS_H

#include "hw/facts/TileOps.h"
#include "hw/tile/FormatLoops.h"
#include "hw/tile/TileLayout.h"
#include "hw/tile/TileLoops.h"
#include "hw/tile/TileMath.h"
#include "hw/tile/TileProduct.h"
#include "hw/tile/TileReduce.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA {

template <typename Numerics> struct KernelTable {
  static void fill(TileKernels &kernels);

private:
#define TILE_UNARY(Id, name, call, init, header)                                                   \
  static void name##Tile(float *dst) { loops::unary<Numerics, lane::name>(dst); }
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  static void name##Tile(float *dst, const float *p) {                                             \
    loops::unaryWith<Numerics, lane::name>(dst, TILE_NUMBERS_##params);                            \
  }
#define TILE_NUMBERS_1 p[0]
#define TILE_NUMBERS_2 p[0], p[1]
#define TILE_NUMBERS_3 p[0], p[1], p[2]
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  static void name##Tile(float *dst, int32_t number) {                                             \
    loops::unaryWith<Numerics, lane::name>(dst, number);                                           \
  }
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  static void name##Tile(const float *a, const float *b, float *out) {                             \
    loops::binary<Numerics, lane::name>(a, b, out);                                                \
  }
#define TILE_MASK TILE_BINARY
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  static void name##Tile(const float *a, const float *b, const float *c, float *out) {             \
    loops::ternary<Numerics, lane::name>(a, b, c, out);                                            \
  }
#include "hw/facts/TileOps.def"

  template <typename PoolT, TileDims dims>
  static void reduceTile(const float *tile, const float *ahead, float scaling, float *results,
                         bool isFresh) {
    loops::reduce<Numerics, PoolT, dims>(tile, ahead, scaling, results, isFresh);
  }
  template <TileDims dims> static void broadcastTile(const float *tile, float *out) {
    loops::broadcast<dims>(tile, out);
  }
  static void transposeTile(const float *tile, float *out) { loops::transpose(tile, out); }

  template <typename T>
  static void storeTiles(const std::byte *array, int64_t stride, int64_t count, std::byte *pages) {
    loops::storeTiles<T>(array, stride, count, pages);
  }
  template <typename T>
  static void loadTiles(std::byte *array, int64_t stride, int64_t count, const std::byte *pages) {
    loops::loadTiles<T>(array, stride, count, pages);
  }
  template <typename T> static void fillLayout(TileKernels &kernels, int width) {
    kernels.storeTiles[width] = storeTiles<T>;
    kernels.loadTiles[width] = loadTiles<T>;
  }

  static void fillTile(float *dst, float value) { loops::fill<Numerics>(dst, value); }
  static void copyTile(const float *from, float *to) { loops::copy(from, to); }
  static void multiplyAddTile(const float *a, const float *b, float *acc) {
    loops::multiplyAdd<Numerics>(a, b, acc);
  }

  /// Each fma of a chain waits for the one before. So the registers hold more chains than the CPU
  /// can multiply at the same time.
  static void multiplyTiles(const ProductChain &chain) {
#if defined(__AVX512F__)
    loops::chainTile<Numerics, 2, 8, 8>(chain);
#elif TTJIT_TILE_HAS_FMA
    loops::chainTile<Numerics, 1, 6, 5, 5>(chain);
#else
    loops::chainTile<Numerics, 1, 4, 4, 4, 4>(chain);
#endif
  }

  static void matmulIntTile(const float *a, const float *b, float *acc, bool accIsZero) {
    loops::matmulInt(a, b, acc, accIsZero);
  }

  template <typename Format> struct Stored {
    static void unpack(const std::byte *slot, float *dst) {
      loops::unpack<Numerics, Format>(slot, dst);
    }
    static void unpackOperand(const std::byte *slot, float *out) {
      loops::unpackOperand<Numerics, Format>(slot, out);
    }
    static void pack(const float *dst, std::byte *slot) {
      loops::pack<Numerics, Format>(dst, slot);
    }
    static void packAccumulate(const float *dst, std::byte *slot) {
      loops::packAccumulate<Numerics, Format>(dst, slot);
    }
    static float loadElement(const std::byte *slot, int index) {
      return Format::template loadElement<Numerics>(slot, index);
    }
    static void storeElement(std::byte *slot, int index, float value) {
      Format::template storeElement<Numerics>(slot, index, value);
    }
    static constexpr FormatKernels kKernels = {unpack,         unpackOperand, pack,
                                               packAccumulate, loadElement,   storeElement};
  };

  template <typename PoolT> static void fillPool(TileKernels &kernels, Pool pool) {
    auto &ops = kernels.reduceOps[static_cast<int>(pool)];
    ops[static_cast<int>(TileDims::Row)] = reduceTile<PoolT, TileDims::Row>;
    ops[static_cast<int>(TileDims::Col)] = reduceTile<PoolT, TileDims::Col>;
    ops[static_cast<int>(TileDims::Scalar)] = reduceTile<PoolT, TileDims::Scalar>;
  }

  static void fillReductions(TileKernels &kernels) {
    fillPool<loops::SumPool>(kernels, Pool::Sum);
    fillPool<loops::MaxPool>(kernels, Pool::Max);
    fillPool<loops::SumIntPool>(kernels, Pool::SumInt);
    fillPool<loops::MaxInt32Pool>(kernels, Pool::MaxInt32);
    fillPool<loops::MaxUInt32Pool>(kernels, Pool::MaxUInt32);
    kernels.broadcastOps[static_cast<int>(TileDims::Row)] = broadcastTile<TileDims::Row>;
    kernels.broadcastOps[static_cast<int>(TileDims::Col)] = broadcastTile<TileDims::Col>;
    kernels.broadcastOps[static_cast<int>(TileDims::Scalar)] = broadcastTile<TileDims::Scalar>;
    kernels.transpose = transposeTile;
  }

  static void fillOps(TileKernels &kernels) {
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
  }
};

template <typename Numerics> void KernelTable<Numerics>::fill(TileKernels &kernels) {
  kernels.mode = Numerics::kMode;
  kernels.readsFloat32 = Numerics::kReadsFloat32;
  fillOps(kernels);
  fillReductions(kernels);
  fillLayout<uint8_t>(kernels, 0);
  fillLayout<uint16_t>(kernels, 1);
  fillLayout<uint32_t>(kernels, 2);
  kernels.fill = fillTile;
  kernels.copy = copyTile;
  kernels.multiplyAdd = multiplyAddTile;
  kernels.multiplyChain = multiplyTiles;
  kernels.matmulInt = matmulIntTile;
  loops::TileFormats::visitAll([&]<typename Format>(Format) {
    kernels.formats[static_cast<int>(Format::kFormat)] = Stored<Format>::kKernels;
  });
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA

#endif // TTJIT_HW_TILE_TILEKERNELS_H
