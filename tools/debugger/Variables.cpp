//===- Variables.cpp - the variables that a debugger shows and sets -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/debugger/Variables.h"

#include "hw/tile/TileMath.h"
#include "hw/tile/TileShape.h"

#include <algorithm>
#include <bit>

using namespace ttjit;
using namespace ttjit::debugger;
using interp::Variable;

static constexpr int64_t kSide = 32;

namespace {
// The pages of a block in L1.
struct Pages {
  const hw::BufferConfig &config;
  const hw::FormatKernels &format;
  hw::NodeCoord node;
  uint32_t address;
  bool isInteger;

  uint32_t addressOf(uint64_t page) const {
    return address + static_cast<uint32_t>(page) * config.pageBytes;
  }
};
} // namespace

static bool holdsIntegers(hw::DataFormat format) {
  return format == hw::DataFormat::Int32 || format == hw::DataFormat::UInt32 ||
         format == hw::DataFormat::UInt16 || format == hw::DataFormat::UInt8;
}

static std::optional<Pages> pagesOf(const Debugger &debugger, hw::AgentId agent,
                                    const Variable &variable) {
  ThreadPosition at = debugger.position(agent);
  if (!at.frame)
    return std::nullopt;
  interp::BlockPlace block = interp::blockOf(*at.frame, variable);
  const hw::KernelThread &thread = at.frame->thread;
  for (const hw::BufferConfig &config : debugger.program().buffers) {
    const hw::FormatKernels *format = thread.tiles->format(config.format);
    if (config.index == int(block.buffer) && format && block.page < config.numPages)
      return Pages{config,
                   *format,
                   {thread.x, thread.y},
                   thread.buffers[block.buffer].address + block.page * config.pageBytes,
                   holdsIntegers(config.format)};
  }
  return std::nullopt;
}

//===--------------------------------------------------------------------------===//
// Arrays
//===--------------------------------------------------------------------------===//

static double valueOf(float element, bool isInteger) {
  return isInteger ? double(std::bit_cast<int32_t>(element)) : double(element);
}

// Returns the extents in elements of an array of tiles.
static std::vector<int64_t> elementShape(std::vector<int64_t> shape) {
  if (shape.size() < 2)
    shape.insert(shape.begin(), 1);
  shape[shape.size() - 1] *= kSide;
  shape[shape.size() - 2] *= kSide;
  return shape;
}

static uint64_t product(const std::vector<int64_t> &shape) {
  uint64_t result = 1;
  for (int64_t extent : shape)
    result *= static_cast<uint64_t>(extent);
  return result;
}

namespace {
// The tile that holds an element of an array of tiles, and the element's place in it.
struct TilePlace {
  uint64_t tile;
  int index;

  TilePlace(const std::vector<int64_t> &shape, uint64_t element) {
    auto columns = static_cast<uint64_t>(shape.back());
    uint64_t row = element / columns, column = element % columns;
    tile = row / kSide * (columns / kSide) + column / kSide;
    index = hw::elementIndex(int(row % kSide), int(column % kSide));
  }
};
} // namespace

// Makes a row-major array from tiles that follow each other.
static ArrayValue arrayOfTiles(std::vector<int64_t> shape, const std::vector<float> &tiles,
                               bool isInteger) {
  ArrayValue array{elementShape(std::move(shape)), {}, isInteger};
  array.elements.resize(product(array.shape));
  for (uint64_t i = 0; i < array.elements.size(); ++i) {
    TilePlace place(array.shape, i);
    array.elements[i] = valueOf(tiles[place.tile * hw::kDstTileElements + place.index], isInteger);
  }
  return array;
}

// Reads the data of one page, in the order in which they are stored.
static std::vector<float> readPage(const Debugger &debugger, const Pages &pages, uint64_t page,
                                   uint32_t slotBytes) {
  uint32_t bytes = pages.config.pageBytes;
  std::vector<std::byte> stored((bytes + slotBytes - 1) / slotBytes * slotBytes);
  std::vector<float> data(stored.size() / slotBytes * hw::kDstTileElements);
  if (!debugger.state().readL1(pages.node, pages.addressOf(page), {stored.data(), bytes}))
    return {};
  for (size_t slot = 0; slot * slotBytes < stored.size(); ++slot)
    pages.format.unpack(stored.data() + slot * slotBytes,
                        data.data() + slot * hw::kDstTileElements);
  return data;
}

static ArrayValue readBlock(const Debugger &debugger, const Pages &pages,
                            const std::vector<int64_t> &shape) {
  auto slotBytes = static_cast<uint32_t>(hw::tileBytes(pages.config.format));
  std::vector<float> data;
  if (pages.config.tiled) {
    for (uint64_t page = 0; page < product(shape); ++page) {
      std::vector<float> tile = readPage(debugger, pages, page, slotBytes);
      data.insert(data.end(), tile.begin(), tile.end());
    }
    return arrayOfTiles(shape, data, pages.isInteger);
  }
  ArrayValue array{shape, {}, pages.isInteger};
  uint64_t left = product(shape), perPage = static_cast<uint64_t>(shape.back());
  for (uint64_t page = 0; left > 0; ++page) {
    std::vector<float> row = readPage(debugger, pages, page, slotBytes);
    for (uint64_t i = 0; i < std::min(perPage, left) && i < row.size(); ++i)
      array.elements.push_back(valueOf(row[i], pages.isInteger));
    left -= std::min(perPage, left);
  }
  array.elements.resize(product(shape));
  return array;
}

std::optional<ArrayValue> debugger::arrayOf(const Debugger &debugger, hw::AgentId agent,
                                            const Variable &variable) {
  ThreadPosition at = debugger.position(agent);
  if (!at.frame)
    return std::nullopt;
  if (variable.kind == Variable::Kind::Block) {
    std::optional<Pages> pages = pagesOf(debugger, agent, variable);
    return pages ? std::optional(readBlock(debugger, *pages, variable.shape)) : std::nullopt;
  }
  const float *first = at.frame->tile(variable.tile);
  uint64_t count = product(variable.shape) * hw::kDstTileElements;
  return arrayOfTiles(variable.shape, std::vector<float>(first, first + count), false);
}

//===--------------------------------------------------------------------------===//
// DST
//===--------------------------------------------------------------------------===//

std::vector<RegisterValue> debugger::registersOf(const Debugger &debugger, hw::AgentId agent) {
  std::vector<RegisterValue> registers;
  ThreadPosition at = debugger.position(agent);
  if (!at.frame)
    return registers;
  const hw::KernelThread &thread = at.frame->thread;
  auto add = [&](const float *section, const uint8_t *written, bool isPacking) {
    for (uint32_t i = 0; section && i < thread.dstCapacity; ++i) {
      const float *tile = section + size_t(i) * hw::kDstTileElements;
      if (written[i])
        registers.push_back(
            {i, isPacking,
             arrayOfTiles({1, 1}, std::vector<float>(tile, tile + hw::kDstTileElements), false)});
    }
  };
  add(thread.math, thread.mathWritten, false);
  add(thread.pack, thread.packWritten, true);
  return registers;
}

//===--------------------------------------------------------------------------===//
// Changes
//===--------------------------------------------------------------------------===//

std::string debugger::setElement(Debugger &debugger, hw::AgentId agent, const Variable &variable,
                                 uint64_t element, double value) {
  bool isBlock = variable.kind == Variable::Kind::Block;
  std::optional<Pages> pages = isBlock ? pagesOf(debugger, agent, variable) : std::nullopt;
  if (!pages || !pages->config.tiled)
    return "only elements of blocks of tiles can be set";
  std::vector<int64_t> shape = elementShape(variable.shape);
  if (element >= product(shape))
    return "the block has no such element";
  TilePlace place(shape, element);
  auto slotBytes = static_cast<uint32_t>(hw::tileBytes(pages->config.format));
  std::vector<float> tile = readPage(debugger, *pages, place.tile, slotBytes);
  if (tile.empty())
    return "the block is not in L1";
  tile[place.index] = pages->isInteger ? std::bit_cast<float>(static_cast<int32_t>(value))
                                       : static_cast<float>(value);
  std::vector<std::byte> stored(slotBytes);
  pages->format.pack(tile.data(), stored.data());
  return debugger.write(pages->node, pages->addressOf(place.tile), std::move(stored))
             ? ""
             : "the run has ended";
}

std::string debugger::setScalar(Debugger &debugger, hw::AgentId agent, const Variable &variable,
                                double value) {
  interp::Slot slot;
  if (variable.kind == Variable::Kind::Float)
    slot = interp::Slot::of(static_cast<float>(value));
  else if (variable.kind == Variable::Kind::Integer)
    slot = interp::Slot::of(static_cast<int64_t>(value));
  else if (variable.kind == Variable::Kind::Bool)
    slot = interp::Slot::of(static_cast<int64_t>(value != 0));
  else
    return "only numbers can be set: name one element, as in a_blk[0, 0]";
  return debugger.setSlot(agent, variable.slot, slot.bits) ? "" : "the run has ended";
}
