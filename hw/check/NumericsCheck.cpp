//===- NumericsCheck.cpp - finds where NaN and infinity begin -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/NumericsCheck.h"

#include "hw/device/NodeRanges.h"
#include "hw/facts/DataFormat.h"
#include "hw/tile/TileShape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ttjit::hw::check {

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

template <typename Word>
static bool hasFullExponent(const uint8_t *bytes, Word exponent, int index) {
  Word word;
  std::memcpy(&word, bytes + static_cast<size_t>(index) * sizeof(Word), sizeof(Word));
  return (word & exponent) == exponent;
}

// Returns the index of the first infinity or NaN of a tile with words of this type, which have all
// bits of `exponent` set; -1 if there is none. If the tile is reduced over `dims`, only its
// results count.
template <typename Word>
static int firstInfinite(const uint8_t *bytes, Word exponent, std::optional<TileDims> dims) {
  if (dims) {
    for (int i = 0; i < numReduced(*dims); ++i)
      if (int index = reducedIndex(*dims, i); hasFullExponent(bytes, exponent, index))
        return index;
    return -1;
  }
  bool any = false; // the compiler vectorises this loop because it has no exit
  for (int i = 0; i < kTileElements; ++i)
    any |= hasFullExponent(bytes, exponent, i);
  for (int i = 0; any; ++i)
    if (hasFullExponent(bytes, exponent, i))
      return i;
  return -1;
}

static int firstInfinite(const float *values, std::optional<TileDims> dims) {
  return firstInfinite<uint32_t>(reinterpret_cast<const uint8_t *>(values), 0x7f800000, dims);
}

// Returns the same for a tile in L1 of any format. Block floats and integers have no infinities.
static int firstInfinite(const uint8_t *tile, DataFormat format, std::optional<TileDims> dims) {
  switch (format) {
  case DataFormat::Float32:
    return firstInfinite<uint32_t>(tile, 0x7f800000, dims);
  case DataFormat::Float16_b:
    return firstInfinite<uint16_t>(tile, 0x7f80, dims);
  case DataFormat::Float16:
    return firstInfinite<uint16_t>(tile, 0x7c00, dims);
  default:
    return -1;
  }
}

// Returns the largest finite number of a format that has infinities.
static float largestOf(DataFormat format) {
  switch (format) {
  case DataFormat::Float16:
    return 65504.0f;
  case DataFormat::Float16_b:
    return 0x1.fep127f;
  default:
    return INFINITY;
  }
}

//===--------------------------------------------------------------------------===//
// Sections
//===--------------------------------------------------------------------------===//

void NumericsCheck::onRunStart(const Program &of) {
  program = &of;
  names.setProgram(of);
  threads.assign(static_cast<size_t>(of.gridX) * of.gridY * kThreadsPerNode, {});
}

void NumericsCheck::onTile(const TileUse &use) {
  switch (use.kind) {
  case TileUse::Read:
    threads[use.agent].reads.push_back({use.bytes, use.format});
    return;
  case TileUse::Result:
    return compute(use);
  case TileUse::Packed:
    return pack(use);
  }
}

// Adds another operand. If one operand is reduced over `dims`, so is the result: elements that
// depend on elements without meaning have none. dimsOfResult() handles the other operations.
void NumericsCheck::Tile::join(const Tile &other) {
  dims = dims ? dims : other.dims;
  isInteger |= other.isInteger;
  isInfinite |= other.isInfinite;
  origin = origin ? origin : other.origin;
}

NumericsCheck::Tile &NumericsCheck::registerOf(const TileUse &use, int32_t number) {
  std::vector<Tile> &registers = threads[use.agent].registers;
  registers.resize(std::max(registers.size(), static_cast<size_t>(number) + 1));
  return registers[static_cast<size_t>(number)];
}

std::optional<TileDims> NumericsCheck::dimsOf(const ReadTile &tile) const {
  auto it = reduced.empty() ? reduced.end() : reduced.find(tile.bytes);
  return it == reduced.end() ? std::nullopt : std::optional(it->second);
}

NumericsCheck::Tile NumericsCheck::inputsOf(const TileUse &use, const Thread &thread,
                                            bool infinite) const {
  Tile inputs;
  for (const ReadTile &read : thread.reads) {
    Tile tile;
    tile.dims = dimsOf(read);
    tile.isInteger = isIntegerFormat(read.format);
    tile.isInfinite = infinite && firstInfinite(read.bytes, read.format, tile.dims) >= 0;
    inputs.join(tile);
  }
  for (int32_t input : use.inputs)
    if (input >= 0 && static_cast<size_t>(input) < thread.registers.size())
      inputs.join(thread.registers[static_cast<size_t>(input)]);
  return inputs;
}

static std::optional<TileDims> transposed(std::optional<TileDims> dims) {
  if (!dims || *dims == TileDims::Scalar)
    return dims;
  return *dims == TileDims::Row ? TileDims::Col : TileDims::Row;
}

// Returns the dimensions over which the result of an operation is reduced.
static std::optional<TileDims> dimsOfResult(ResultKind kind, std::optional<TileDims> inputs) {
  switch (withoutDims(kind)) {
  case ResultKind::Reduced:
    return dimsOf(kind);
  case ResultKind::Transposed:
    return transposed(inputs);
  case ResultKind::Product:
  case ResultKind::Broadcast:
    return std::nullopt;
  default:
    return inputs;
  }
}

void NumericsCheck::compute(const TileUse &use) {
  Thread &thread = threads[use.agent];
  Tile tile = inputsOf(use, thread, /*infinite=*/false);
  tile.dims = dimsOfResult(use.result, tile.dims);
  int index = tile.isInteger ? -1 : firstInfinite(use.values, tile.dims);
  bool isWanted = use.result == ResultKind::Constant || use.result == ResultKind::Masked;
  if (index < 0)
    tile.origin.reset();
  else if (!isWanted && !inputsOf(use, thread, /*infinite=*/true).isInfinite)
    tile.origin = {use.loc, {index, use.values[index]}};
  tile.isInfinite = index >= 0;
  thread.reads.clear();
  registerOf(use, use.reg) = tile;
}

void NumericsCheck::pack(const TileUse &use) {
  Tile &tile = registerOf(use, use.reg);
  if (tile.dims)
    reduced[use.bytes] = *tile.dims;
  else if (!reduced.empty())
    reduced.erase(use.bytes);
  if (isIntegerFormat(use.format) || tile.isInteger)
    return;
  if (tile.origin)
    reportProduced(use, *tile.origin);
  if (tile.isInfinite)
    return;
  int index = firstInfinite(use.bytes, use.format, tile.dims);
  if (index >= 0 && std::abs(use.values[index]) > largestOf(use.format))
    reportOverflow(use, {index, use.values[index]});
}

//===--------------------------------------------------------------------------===//
// Reports
//===--------------------------------------------------------------------------===//

std::string NumericsCheck::describePlace(const TileUse &use, const TileElement &element) const {
  int face = element.index / kFaceElements, inFace = element.index % kFaceElements;
  int row = face / 2 * kFaceDim + inFace / kFaceDim;
  int column = face % 2 * kFaceDim + inFace % kFaceDim;
  std::string place = fmt::format("element ({}, {})", row, column);
  for (const BufferConfig &buffer : program->buffers)
    if (buffer.index == use.buffer)
      place += fmt::format(" of tile {} of '{}'", use.tile, buffer.name);
  return place;
}

// Adds a finding at `loc` and returns it; null if that position has one, or too many were found.
Fault *NumericsCheck::addFault(const TileUse &use, uint32_t loc) {
  if (found.size() == kMaxFindings || !reported.insert(loc).second)
    return nullptr;
  Fault &fault = found.emplace_back();
  fault.kind = FaultKind::Runtime;
  fault.node = nodeOfDevice(*program, use.node.x, use.node.y);
  fault.location = names.location(loc);
  if (const ThreadConfig *thread = names.configOf(use.agent))
    fault.thread = thread->name;
  return &fault;
}

static std::string describe(float value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

void NumericsCheck::reportProduced(const TileUse &use, const Origin &origin) {
  Fault *fault = addFault(use, origin.loc);
  if (!fault)
    return;
  fault->message = fmt::format("{} computes {} from finite numbers",
                               names.ofThread(use.agent, use.node), describe(origin.element.value));
  int stored = origin.element.index;
  fault->notes = {{fmt::format("{} becomes {}", describePlace(use, origin.element),
                               describe(use.values[stored])),
                   names.location(use.loc)}};
}

void NumericsCheck::reportOverflow(const TileUse &use, const TileElement &element) {
  Fault *fault = addFault(use, use.loc);
  if (!fault)
    return;
  fault->message =
      fmt::format("{} stores {} in {}, which becomes infinite: the largest number of "
                  "{} is {}",
                  names.ofThread(use.agent, use.node), element.value, describePlace(use, element),
                  formatName(use.format), largestOf(use.format));
  fault->notes = {{"use a buffer of float32, or scale the numbers before they are stored", {}}};
}

} // namespace ttjit::hw::check
