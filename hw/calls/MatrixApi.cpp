//===- MatrixApi.cpp - functions that only kernels in C++ call ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Broadcasts and reuse of DST by the matrix engine, the vector unit with a constant, and changes
// between row-major and tiled pages.
//===--------------------------------------------------------------------------===//

#include "hw/abi/InlineTiles.h"
#include "hw/device/Describe.h"
#include "hw/device/PageAliases.h"
#include "hw/device/Worker.h"
#include "hw/tile/HostLayout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace ttjit::hw;

Status ttl_hw_fpu_bcast(KernelThread *t, int32_t tileOp, int32_t dims, int32_t a, int32_t b,
                        int32_t tileA, int32_t tileB, int32_t dst) {
  auto op = static_cast<TileOp>(tileOp);
  return fast::fpuBinary(
      t, a, b, tileA, tileB, dst, fast::TableTiles{*t->tiles},
      [&](const float *left, const float *right, float *out, bool isFresh) {
        alignas(64) float all[kDstTileElements];
        t->tiles->broadcast(static_cast<TileDims>(dims), right, all);
        t->tiles->matrix(op, left, all, out, isFresh);
      },
      {.row = tileOp, .isMatrix = true},
      withDims(ResultKind::ByElementBroadcast, static_cast<TileDims>(dims)));
}

Status ttl_hw_fpu_reuse(KernelThread *t, int32_t tileOp, int32_t cb, int32_t tile, int32_t dst,
                        int32_t dstIsSecond) {
  auto [stored, status] = fast::readTile(t, cb, tile);
  if (!stored)
    return status;
  alignas(64) float scratch[kDstTileElements];
  const float *other = fast::TableTiles{*t->tiles}.operand(fast::formatOf(t, cb), stored, scratch);
  auto op = static_cast<TileOp>(tileOp);
  bool isTf32 = fast::formatOf(t, cb) == DataFormat::Float32;
  return fast::computeUnary(t, dst, [&](float *data) {
    if (t->tiles->mode == NumericMode::Device)
      t->tiles->moveToSource(data, isTf32);
    dstIsSecond ? t->tiles->matrix(op, other, data, data, true)
                : t->tiles->matrix(op, data, other, data, true);
  });
}

Status ttl_hw_sfpu_constant(KernelThread *t, int32_t tileOp, int32_t dst, uint32_t bits,
                            int32_t constantIsFirst) {
  alignas(64) float constant[kDstTileElements];
  std::fill(std::begin(constant), std::end(constant), std::bit_cast<float>(bits));
  auto op = static_cast<TileOp>(tileOp);
  return fast::computeUnary(t, dst,
                            [&](float *data) {
                              constantIsFirst ? t->tiles->binary(op, constant, data, data)
                                              : t->tiles->binary(op, data, constant, data);
                            },
                            {.function = contextOf(t).units.sfpuCall});
}

//===--------------------------------------------------------------------------===//
// Row-major and tiled pages
//===--------------------------------------------------------------------------===//

namespace {

// A row of `count` tiles, which one buffer holds as tiles and another one as 32 rows.
struct TileRow {
  ThreadContext &thread;
  const char *name;
  int32_t count;
  CircularBuffer *from = nullptr, *to = nullptr;
  const BufferConfig *fromConfig = nullptr, *toConfig = nullptr;

  Status find(int32_t in, int32_t out);
  Status fail(std::string message) const;
  uint64_t bytes() const;
  Status move(uint32_t firstIn, uint32_t firstOut, bool tilizes) const;
};

Status TileRow::fail(std::string message) const {
  return thread.machine->faults.report(&thread, FaultKind::Protocol,
                                       fmt::format("{}: {}", name, message));
}

uint64_t TileRow::bytes() const { return tileBytes(fromConfig->format) * uint64_t(count); }

Status TileRow::find(int32_t in, int32_t out) {
  RETURN_UNLESS_OK(thread.worker->enter(thread));
  from = fast::findBuffer(&thread, in);
  to = fast::findBuffer(&thread, out);
  fromConfig = thread.machine->index.bufferConfig(static_cast<uint32_t>(in));
  toConfig = thread.machine->index.bufferConfig(static_cast<uint32_t>(out));
  if (!from || !to || !fromConfig || !toConfig)
    return fail("this node has no such buffer");
  if (fromConfig->format != toConfig->format || isBlockFloat(fromConfig->format))
    return fail(fmt::format("'{}' has the format {} and '{}' {}; expected one format of elements",
                            fromConfig->name, formatName(fromConfig->format), toConfig->name,
                            formatName(toConfig->format)));
  return Status::Ok;
}

// Moves the elements. In the row-major buffer, a row is `count` tiles wide.
Status TileRow::move(uint32_t firstIn, uint32_t firstOut, bool tilizes) const {
  auto covers = [&](const CircularBuffer &buffer, uint32_t first, uint32_t pages) {
    return first < pages && uint64_t(pages - first) * buffer.pageBytes >= bytes();
  };
  if (!covers(*from, firstIn, from->waited))
    return fail(fmt::format("reads {} bytes of '{}', but the thread has waited for {} only",
                            bytes(), fromConfig->name, describePages(*fromConfig, from->waited)));
  if (!covers(*to, firstOut, to->reserved))
    return fail(fmt::format("writes {} bytes of '{}', but the thread has reserved {} only", bytes(),
                            toConfig->name, describePages(*toConfig, to->reserved)));
  uint32_t source = from->address + (from->readPage + firstIn) * from->pageBytes;
  uint32_t destination = to->address + (to->writePage + firstOut) * to->pageBytes;
  auto length = static_cast<uint32_t>(bytes());
  settle(*thread.node, source, length);
  settleAround(*thread.node, destination, length);
  size_t element = tileBytes(fromConfig->format) / kDstTileElements;
  for (int row = 0; row < kTileDim; ++row)
    for (int column = 0; column < count * kTileDim; ++column) {
      size_t inRows = size_t(row) * size_t(count) * kTileDim + size_t(column);
      size_t inTiles = size_t(column / kTileDim) * kDstTileElements +
                       size_t(elementIndex(row, column % kTileDim));
      std::memcpy(thread.l1 + destination + (tilizes ? inTiles : inRows) * element,
                  thread.l1 + source + (tilizes ? inRows : inTiles) * element, element);
    }
  thread.machine->listeners.noteRead(thread, source, length);
  thread.machine->listeners.noteWrite(thread, destination, length);
  uint32_t pages = (length + to->pageBytes - 1) / to->pageBytes;
  std::memset(to->written + to->writePage + firstOut, 1, pages);
  return Status::Ok;
}

} // namespace

Status ttl_hw_tilize_block(KernelThread *t, const char *name, int32_t in, int32_t count,
                           int32_t out, int32_t firstIn, int32_t firstOut, int32_t tilizes) {
  fast::countCall(t);
  TileRow row{contextOf(t), name, count};
  RETURN_UNLESS_OK(row.find(in, out));
  if (count < 1 || firstIn < 0 || firstOut < 0)
    return row.fail(fmt::format("moves {} tiles; expected at least one", count));
  return row.move(static_cast<uint32_t>(firstIn), static_cast<uint32_t>(firstOut), tilizes);
}
