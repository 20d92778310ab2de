//===- CppTiles.cpp - operations on DST that only C++ has ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/CppApi.h"
#include "hw/abi/InlineTiles.h"
#include "hw/device/Describe.h"
#include "hw/device/PageAliases.h"
#include "hw/device/Worker.h"
#include "hw/facts/TileDims.h"
#include "hw/tile/TileShape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

using namespace ttjit::hw;

static void sumDownOnHost(float *data, float *sums) {
  for (int row = 0; row < kTileDim; ++row)
    for (int column = 0; column < kTileDim; ++column) {
      float &element = data[elementIndex(row, column)];
      element = sums[column] += element;
    }
}

Status ttl_hw_cumsum(KernelThread *t, int32_t dst, int32_t isFirst) {
  std::array<float, kTileDim> &sums = contextOf(t).units.columnSums;
  if (isFirst)
    sums.fill(0);
  auto sumDown = t->tiles->mode == NumericMode::Device ? t->tiles->sumDown : sumDownOnHost;
  return fast::computeUnary(t, dst, [&](float *data) { sumDown(data, sums.data()); },
                            {.function = contextOf(t).units.sfpuCall});
}

//===--------------------------------------------------------------------------===//
// Rows and columns within DST
//===--------------------------------------------------------------------------===//

static uint32_t combine(Pool pool, uint32_t a, uint32_t b) {
  switch (pool) {
  case Pool::MaxInt32:
    return static_cast<int32_t>(a) < static_cast<int32_t>(b) ? b : a;
  case Pool::MaxUInt32:
    return std::max(a, b);
  default:
    return a + b;
  }
}

// Returns element `i` of a row (column) of a tile; `line` is the number of the row (column).
static float &elementOf(float *data, bool isRow, int line, int i) {
  return data[isRow ? elementIndex(line, i) : elementIndex(i, line)];
}

Status ttl_hw_sfpu_reduce(KernelThread *t, int32_t dst, int32_t pool, int32_t dims) {
  bool ofRows = static_cast<TileDims>(dims) == TileDims::Row;
  auto reduce = [&](float *data) {
    for (int line = 0; line < kTileDim; ++line) {
      auto result = std::bit_cast<uint32_t>(elementOf(data, ofRows, line, 0));
      for (int i = 1; i < kTileDim; ++i) {
        float &element = elementOf(data, ofRows, line, i);
        auto bits = std::bit_cast<uint32_t>(element);
        result = combine(static_cast<Pool>(pool), result, bits);
        element = std::bit_cast<float>(~bits);
      }
      elementOf(data, ofRows, line, 0) = std::bit_cast<float>(result);
    }
  };
  return fast::computeUnary(t, dst, reduce, {.function = contextOf(t).units.sfpuCall});
}

Status ttl_hw_transpose_dst(KernelThread *t, int32_t dst, const char *unknown) {
  auto transpose = [&](float *data) {
    for (int row = 0; row < kTileDim; ++row)
      for (int column = 0; column < row; ++column)
        std::swap(data[elementIndex(row, column)], data[elementIndex(column, row)]);
  };
  return fast::computeUnary(t, dst, transpose, {.function = unknown});
}

//===--------------------------------------------------------------------------===//
// Random numbers
//===--------------------------------------------------------------------------===//

// SplitMix64 of Steele, Lea and Flood: Fast splittable pseudorandom number generators, 2014.
static uint32_t nextRandom(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return static_cast<uint32_t>((z ^ z >> 31) >> 32);
}

void ttl_hw_rand_seed(KernelThread *t, uint32_t seed) { contextOf(t).units.randomState = seed; }

Status ttl_hw_rand(KernelThread *t, int32_t dst, float from, float scale) {
  RETURN_UNLESS_OK(ttl_hw_fill_tile(t, dst, from)); // DST[dst] may be unwritten before
  uint64_t &state = contextOf(t).units.randomState;
  auto fill = [&](float *data) {
    for (uint32_t i = 0; i < kDstTileElements; ++i)
      data[i] = from + scale * (static_cast<float>(nextRandom(state) >> 8) * 0x1p-24f);
    if (t->tiles->mode == NumericMode::Device)
      t->tiles->storeHostResults(data);
  };
  return fast::computeUnary(t, dst, fill, {.function = contextOf(t).units.sfpuCall});
}

void ttl_hw_vector_number(KernelThread *t, uint32_t word) { contextOf(t).units.number = word; }

uint32_t ttl_hw_vector_number_of(KernelThread *t) { return contextOf(t).units.number; }

//===--------------------------------------------------------------------------===//
// Row-major pages of tiles of DST
//===--------------------------------------------------------------------------===//

namespace {

// Rows of tiles of DST that are stored as row-major rows into a buffer.
struct UntilizedRows {
  ThreadContext &thread;
  int32_t rows, columns, width, column;
  CircularBuffer *to = nullptr;
  const BufferConfig *config = nullptr;

  Status fail(const std::string &text) const {
    return thread.machine->faults.report(&thread, FaultKind::Protocol,
                                         "pack_untilize_dest: " + text);
  }
  Status find(int32_t cb);
  Status checkRegisters() const;
  Status checkPages() const;
  uint64_t bytes() const {
    return tileBytes(config->format) * static_cast<uint64_t>(rows) * static_cast<uint64_t>(width);
  }
  void pack() const;
};

Status UntilizedRows::find(int32_t cb) {
  RETURN_UNLESS_OK(thread.worker->enter(thread));
  to = fast::findBuffer(&thread, cb);
  config = thread.machine->index.bufferConfig(static_cast<uint32_t>(cb));
  if (!to || !config)
    return fail("this node has no such buffer");
  if (isBlockFloat(config->format))
    return fail(fmt::format("'{}' has the format {}; expected a format of elements", config->name,
                            formatName(config->format)));
  if (rows < 1 || columns < 1 || column < 0 || column + columns > width)
    return fail(fmt::format("packs {} rows of {} tiles at tile {} of rows of {} tiles", rows,
                            columns, column, width));
  return Status::Ok;
}

Status UntilizedRows::checkRegisters() const {
  if (!thread.pack)
    return fail("called outside tile_regs_wait and tile_regs_release");
  for (int32_t dst = 0; dst < rows * columns; ++dst)
    if (static_cast<uint32_t>(dst) >= thread.dstCapacity || !thread.packWritten[dst])
      return thread.machine->faults.report(
          &thread, FaultKind::UninitializedRead,
          fmt::format("pack_untilize_dest: nobody wrote DST register {} in this section; the call "
                      "packs {}",
                      dst, rows * columns));
  return Status::Ok;
}

Status UntilizedRows::checkPages() const {
  if (uint64_t{to->reserved} * to->pageBytes < bytes())
    return fail(fmt::format("writes {} bytes of '{}', but the thread has reserved {} only", bytes(),
                            config->name, describePages(*config, to->reserved)));
  return Status::Ok;
}

void UntilizedRows::pack() const {
  uint32_t begin = to->address + to->writePage * to->pageBytes;
  auto length = static_cast<uint32_t>(bytes());
  settleAround(*thread.node, begin, length);
  size_t element = tileBytes(config->format) / kDstTileElements;
  std::array<uint8_t, kDstTileElements * sizeof(float)> tile;
  fast::TableTiles tiles{*thread.tiles};
  for (int32_t dst = 0; dst < rows * columns; ++dst) {
    tiles.pack(config->format, thread.pack + size_t(dst) * kDstTileElements, tile.data());
    int firstRow = dst / columns * kTileDim, firstColumn = (column + dst % columns) * kTileDim;
    for (int row = 0; row < kTileDim; ++row)
      for (int i = 0; i < kTileDim; ++i) {
        size_t place = size_t(firstRow + row) * size_t(width) * kTileDim + size_t(firstColumn + i);
        std::memcpy(thread.l1 + begin + place * element,
                    tile.data() + size_t(elementIndex(row, i)) * element, element);
      }
  }
  thread.machine->listeners.noteWrite(thread, begin, length);
  std::memset(to->written + to->writePage, 1, (length + to->pageBytes - 1) / to->pageBytes);
}

} // namespace

Status ttl_hw_pack_untilize(KernelThread *t, int32_t cb, int32_t rows, int32_t columns,
                            int32_t width, int32_t column) {
  fast::countCall(t);
  UntilizedRows block{contextOf(t), rows, columns, width, column};
  RETURN_UNLESS_OK(block.find(cb));
  RETURN_UNLESS_OK(block.checkRegisters());
  RETURN_UNLESS_OK(block.checkPages());
  block.pack();
  return Status::Ok;
}
