//===- ErrorTracker.cpp - follows the errors of a run -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/explain/ErrorTracker.h"

#include "hw/explain/ExactRows.h"
#include "hw/tile/TileMath.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace ttjit::hw;
using namespace ttjit::hw::explain;

static constexpr AgentId kComputeThread = static_cast<AgentId>(Processor::Compute);

static NumericConfig otherChipOf(NumericConfig config) {
  config.isWormhole = !config.isWormhole;
  return config;
}

ErrorTracker::ErrorTracker(const std::vector<NumericConfig> &configs)
    : names([](const MemoryPlace &) { return std::string(); }) {
  for (const NumericConfig &config : configs)
    ofNode.push_back({config, {config.dst32, config.fidelity}, &tileKernels(otherChipOf(config))});
}

void ErrorTracker::onRunStart(const Program &of) {
  program = &of;
  names.setProgram(of);
  threads.assign(static_cast<size_t>(of.gridX) * static_cast<size_t>(of.gridY) * kThreadsPerNode,
                 {});
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

static MemoryPlace placeOf(const TileUse &use) {
  return {MemoryPlace::L1, use.node.x, use.node.y, use.address,
          static_cast<uint32_t>(tileBytes(use.format))};
}

void ErrorTracker::onEvent(const Event &event) {
  switch (event.kind) {
  case EventKind::ReadIssued:
  case EventKind::WriteIssued:
  case EventKind::MulticastIssued:
  case EventKind::MulticastLeg:
    places.copy(event.source, event.destination);
    return;
  case EventKind::Access:
    if (event.destination && event.agent % kThreadsPerNode != kComputeThread)
      overwrite(event.destination, names.location(event.loc));
    return;
  default:
    return;
  }
}

// A data movement thread has written to memory. Compute threads do not come here: they pack tiles.
void ErrorTracker::overwrite(const MemoryPlace &place, const SourceLocation &location) {
  const TrackedTile *tile = places.find(place);
  bool hadErrors = tile && !tile->lanes.empty();
  if (places.erase(place) && hadErrors)
    lost.push_back({"a write to a part of a tile", location});
}

// Unpacks the numbers of a stored tile without rounding them.
static void decode(DataFormat format, const uint8_t *bytes, float *values) {
  tileKernels().format(format)->unpack(reinterpret_cast<const std::byte *>(bytes), values);
}

std::string ErrorTracker::nameOf(const TileUse &use) const {
  for (const BufferConfig &buffer : program->buffers)
    if (buffer.index == use.buffer)
      return fmt::format("tile {} of '{}'", use.tile, buffer.name);
  return fmt::format("register {}", use.reg);
}

//===--------------------------------------------------------------------------===//
// Reading and packing
//===--------------------------------------------------------------------------===//

void ErrorTracker::onTile(const TileUse &use) {
  switch (use.kind) {
  case TileUse::Read:
    return read(use);
  case TileUse::Result:
    return compute(use);
  case TileUse::Packed:
    return pack(use);
  }
}

void ErrorTracker::read(const TileUse &use) {
  ReadTile result{{}, use.format, {}, nameOf(use)};
  if (const TrackedTile *known = places.find(placeOf(use)))
    result.tile.lanes = known->lanes;
  result.tile.isInteger = isIntegerFormat(use.format);
  decode(use.format, use.bytes, result.tile.device.data());
  auto *bytes = reinterpret_cast<const std::byte *>(use.bytes);
  result.bytes.assign(bytes, bytes + tileBytes(use.format));
  threads[use.agent].reads.push_back(std::move(result));
}

TrackedTile &ErrorTracker::registerOf(const TileUse &use, int32_t number) {
  std::vector<TrackedTile> &registers = threads[use.agent].registers;
  registers.resize(std::max(registers.size(), static_cast<size_t>(number) + 1));
  return registers[static_cast<size_t>(number)];
}

static Reals realsOf(const float *values) {
  Reals reals;
  std::copy_n(values, kTileElements, reals.begin());
  return reals;
}

// Returns the elements of `a` - `b` where both are finite.
static Reals difference(const Reals &a, const Reals &b) {
  Reals result{};
  for (size_t i = 0; i < result.size(); ++i)
    if (std::isfinite(a[i]) && std::isfinite(b[i]))
      result[i] = a[i] - b[i];
  return result;
}

void ErrorTracker::pack(const TileUse &use) {
  TrackedTile &source = registerOf(use, use.reg);
  MemoryPlace place = placeOf(use);
  TrackedTile packed;
  decode(use.format, use.bytes, packed.device.data());
  if (source.isInteger || isIntegerFormat(use.format)) {
    packed.isInteger = true;
    places.set(place, std::move(packed));
    return;
  }
  std::vector<const TrackedTile *> operands{&source};
  if (const TrackedTile *slot = use.accumulates ? places.find(place) : nullptr)
    operands.push_back(slot);
  auto sum = [](std::span<const Reals> values) {
    Reals result = values[0];
    for (size_t i = 0; values.size() > 1 && i < result.size(); ++i)
      result[i] += values[1][i];
    return result;
  };
  if (use.accumulates && operands.size() == 1)
    return (void)places.set(place, lose(use, "accumulation onto a tile that was not packed here"));
  std::vector<Reals> values;
  for (const TrackedTile *operand : operands)
    values.push_back(realsOf(operand->device.data()));
  ObservedOperation observed{sum, sum(values), packed.device.data(), {}, lineOf(use)};
  observed.parts = {
      {Cause::Packer, -1, difference(realsOf(packed.device.data()), observed.onDevice)}};
  if (!use.accumulates)
    noteStoredQuirks(use, source.device.data(), packed.device.data());
  places.set(place, combine(operands, observed, allLanes));
}

int ErrorTracker::lineOf(const TileUse &use) {
  SourceLocation location = names.location(use.loc);
  return location.line ? allLanes.ofLine(location.file, location.line) : -1;
}

// Notes an operation whose errors cannot be followed. Returns its result as a tile without errors.
TrackedTile ErrorTracker::lose(const TileUse &use, const std::string &what) {
  SourceLocation location = names.location(use.loc);
  bool isKnown = std::ranges::any_of(lost, [&](const UnfollowedOperation &known) {
    return known.what == what && known.location.line == location.line;
  });
  if (!isKnown)
    lost.push_back({what, location});
  TrackedTile tile;
  if (use.kind == TileUse::Packed)
    decode(use.format, use.bytes, tile.device.data());
  else
    std::copy_n(use.values, kTileElements, tile.device.begin());
  return tile;
}

//===--------------------------------------------------------------------------===//
// Computing
//===--------------------------------------------------------------------------===//

std::vector<const TrackedTile *> ErrorTracker::Operation::operands() const {
  std::vector<const TrackedTile *> all;
  for (const ReadTile &read : reads)
    all.push_back(&read.tile);
  for (const TrackedTile &tile : registers)
    all.push_back(&tile);
  return all;
}

void ErrorTracker::compute(const TileUse &use) {
  Operation operation{use, std::move(threads[use.agent].reads), {}};
  threads[use.agent].reads.clear();
  for (int32_t input : use.inputs)
    if (input >= 0)
      operation.registers.push_back(registerOf(use, input));
  TrackedTile result = resultOf(operation);
  compareChips(operation);
  registerOf(use, use.reg) = std::move(result);
}

TrackedTile ErrorTracker::resultOf(const Operation &operation) {
  const TileUse &use = operation.use;
  auto isInteger = [](const TrackedTile *tile) { return tile->isInteger; };
  bool movesInts = use.call.row >= 0 && movesIntegers(static_cast<TileOp>(use.call.row)) &&
                   static_cast<TileOp>(use.call.row) != TileOp::ToBFloat16;
  if (movesInts || std::ranges::any_of(operation.operands(), isInteger))
    return integersOf(operation);
  auto first = [](std::span<const Reals> values) { return values.front(); };
  switch (withoutDims(use.result)) {
  case ResultKind::Constant:
    return constantOf(operation);
  case ResultKind::Copy:
    return movedTile(operation, first);
  case ResultKind::Broadcast:
    return movedTile(operation, [dims = dimsOf(use.result)](std::span<const Reals> values) {
      return broadcast(dims, values.front());
    });
  case ResultKind::Transposed:
    return movedTile(operation,
                     [](std::span<const Reals> values) { return transposed(values.front()); });
  case ResultKind::Product:
    return productOf(operation);
  case ResultKind::Reduced:
    return reductionOf(operation);
  default:
    if (use.call.isMatrix && operation.reads.size() == 2 &&
        withoutDims(use.result) == ResultKind::ByElement)
      return matrixOf(operation);
    bool isRow = use.call.row >= 0 && !use.call.isMatrix && operation.reads.empty();
    return isRow ? vectorOf(operation) : lose(use, "an operation that only C++ has");
  }
}

// Integer results are exact, unless an operand already had an error.
TrackedTile ErrorTracker::integersOf(const Operation &operation) const {
  const TileUse &use = operation.use;
  TrackedTile tile;
  std::copy_n(use.values, kTileElements, tile.device.begin());
  auto row = static_cast<TileOp>(use.call.row);
  bool makesFloats =
      use.call.row >= 0 && (row == TileOp::Int32ToFloat || row == TileOp::UInt32ToFloat);
  tile.isInteger = !makesFloats;
  return tile;
}

TrackedTile ErrorTracker::finish(const Operation &operation, ObservedOperation observed) {
  observed.result = operation.use.values;
  observed.line = lineOf(operation.use);
  std::vector<const TrackedTile *> operands = operation.operands();
  return combine(operands, observed, allLanes);
}

static std::vector<Reals> deviceValues(const std::vector<const TrackedTile *> &operands) {
  std::vector<Reals> values;
  for (const TrackedTile *operand : operands)
    values.push_back(realsOf(operand->device.data()));
  return values;
}

TrackedTile ErrorTracker::constantOf(const Operation &operation) {
  const TileUse &use = operation.use;
  Reals value;
  value.fill(use.call.numbers ? static_cast<double>(*use.call.numbers) : 0);
  ObservedOperation observed{[value](std::span<const Reals>) { return value; }, value};
  observed.parts = {{Cause::Dst, -1, difference(realsOf(use.values), value)}};
  return finish(operation, std::move(observed));
}

TrackedTile ErrorTracker::movedTile(const Operation &operation, const ExactOperation &move) {
  const TileUse &use = operation.use;
  std::vector<Reals> values = deviceValues(operation.operands());
  ObservedOperation observed{move, move(values)};
  observed.parts = {{Cause::Input, -1, difference(realsOf(use.values), observed.onDevice)}};
  if (withoutDims(use.result) == ResultKind::Copy && !operation.reads.empty())
    noteStoredQuirks(use, operation.reads.front().tile.device.data(), use.values);
  return finish(operation, std::move(observed));
}

// Divides the error of an operation of the matrix engine. `steps` are exact results: the first has
// no effect of the card, and each next one has one more effect, up to all but the width of DST.
static std::vector<ErrorPart> partsOf(const std::vector<std::pair<Cause, Reals>> &steps,
                                      const Reals &result, const Reals &onDevice) {
  std::vector<ErrorPart> parts;
  Reals before = onDevice;
  for (const auto &[cause, values] : steps) {
    parts.push_back({cause, -1, difference(values, before)});
    before = values;
  }
  parts.push_back({Cause::Dst, -1, difference(result, before)});
  // Elements that are not finite get no parts: their cause is Special.
  for (size_t i = 0; i < result.size(); ++i)
    if (!std::isfinite(result[i]) || !std::isfinite(onDevice[i]))
      for (ErrorPart &part : parts)
        part.error[i] = 0;
  return parts;
}

TrackedTile ErrorTracker::productOf(const Operation &operation) {
  auto exact = [](std::span<const Reals> values) {
    return product(values[0], values[1], values.size() > 2 ? values[2] : Reals{});
  };
  std::vector<Reals> values = deviceValues(operation.operands());
  ObservedOperation observed{exact, exact(values)};
  Reals acc = values.size() > 2 ? values[2] : Reals{};
  auto isWide = [&](size_t i) { return operation.reads[i].format == DataFormat::Float32; };
  const SourceRegisters &sources = arithmeticOf(operation.use).sources;
  Reals a = sources.held(values[0], isWide(0)), b = sources.held(values[1], isWide(1));
  // SrcA has the second operand, so the operands are exchanged here.
  Reals seen = sources.multiplied(
      b, a, [](const Reals &inA, const Reals &inB) { return product(inB, inA, Reals{}); });
  observed.parts = partsOf({{Cause::Input, product(a, b, acc)},
                            {Cause::Fidelity, elementwise(TileOp::Add, seen, acc, {})}},
                           realsOf(operation.use.values), observed.onDevice);
  noteMatrixQuirks(operation, observed.onDevice);
  return finish(operation, std::move(observed));
}

TrackedTile ErrorTracker::matrixOf(const Operation &operation) {
  auto op = static_cast<TileOp>(operation.use.call.row);
  auto exact = [op](std::span<const Reals> values) {
    return elementwise(op, values[0], values[1], values.size() > 2 ? values[2] : Reals{});
  };
  std::vector<Reals> values = deviceValues(operation.operands());
  ObservedOperation observed{exact, exact(values)};
  Reals acc = values.size() > 2 ? values[2] : Reals{};
  auto isWide = [&](size_t i) { return operation.reads[i].format == DataFormat::Float32; };
  const SourceRegisters &sources = arithmeticOf(operation.use).sources;
  Reals a = sources.held(values[0], isWide(0)), b = sources.held(values[1], isWide(1));
  std::vector<std::pair<Cause, Reals>> steps{{Cause::Input, elementwise(op, a, b, acc)}};
  if (op == TileOp::Mul) {
    Reals seen = sources.multiplied(a, b, [](const Reals &inA, const Reals &inB) {
      return elementwise(TileOp::Mul, inA, inB, Reals{});
    });
    steps.emplace_back(Cause::Fidelity, elementwise(TileOp::Add, seen, acc, {}));
  }
  observed.parts = partsOf(steps, realsOf(operation.use.values), observed.onDevice);
  noteMatrixQuirks(operation, observed.onDevice);
  return finish(operation, std::move(observed));
}

TrackedTile ErrorTracker::reductionOf(const Operation &operation) {
  const TileUse &use = operation.use;
  auto pool = static_cast<Pool>(use.call.number);
  TileDims dims = dimsOf(use.result);
  auto exact = [=](std::span<const Reals> values) {
    return reduced(pool, dims, values[0], values[1][0], values.size() > 2 ? values[2] : Reals{});
  };
  std::vector<Reals> values = deviceValues(operation.operands());
  if (values.size() < 3 && pool == Pool::Max) { // the register is not written: -inf loses to all
    values.emplace_back().fill(-INFINITY);
  }
  auto onDevice = [&](const Reals &tile, const Reals &scaling) {
    return reduced(pool, dims, tile, scaling[0], values.size() > 2 ? values[2] : Reals{});
  };
  ObservedOperation observed{exact, onDevice(values[0], values[1])};
  if (operation.operands().size() < 3 && pool == Pool::Max)
    observed.exact = [=](std::span<const Reals> tiles) {
      Reals lowest;
      lowest.fill(-INFINITY);
      return reduced(pool, dims, tiles[0], tiles[1][0], lowest);
    };
  auto isWide = [&](size_t i) { return operation.reads[i].format == DataFormat::Float32; };
  const SourceRegisters &sources = arithmeticOf(operation.use).sources;
  Reals tile = sources.held(values[0], isWide(0)), scaling = sources.held(values[1], isWide(1));
  std::vector<std::pair<Cause, Reals>> steps{{Cause::Input, onDevice(tile, scaling)}};
  if (pool == Pool::Sum) {
    Reals acc = values.size() > 2 ? values[2] : Reals{};
    Reals seen = sources.multiplied(tile, scaling, [&](const Reals &inA, const Reals &inB) {
      return reduced(pool, dims, inA, inB[0], Reals{});
    });
    steps.emplace_back(Cause::Fidelity, elementwise(TileOp::Add, seen, acc, {}));
    if (dims == TileDims::Scalar && scaling[0] != 1) {
      for (double &value : seen)
        value *= scaling[0];
      steps.emplace_back(Cause::Scaler, elementwise(TileOp::Add, seen, acc, {}));
    }
  }
  observed.parts = partsOf(steps, realsOf(use.values), observed.onDevice);
  noteMatrixQuirks(operation, observed.onDevice);
  return finish(operation, std::move(observed));
}

//===--------------------------------------------------------------------------===//
// The vector engine
//===--------------------------------------------------------------------------===//

// Returns the exact function of a row of TileOps.def as an operation on tiles.
static ExactOperation exactRow(TileOp op, const TileCall &call) {
  std::array<float, 3> numbers{static_cast<float>(call.number), 0, 0};
  for (int i = 0; call.numbers && i < factsOf(op).params; ++i)
    numbers[static_cast<size_t>(i)] = call.numbers[i];
  ExactFunction function = exactFunction(op);
  return [=](std::span<const Reals> values) {
    Reals result;
    for (size_t i = 0; i < result.size(); ++i) {
      long double operands[3] = {};
      for (size_t n = 0; n < values.size(); ++n)
        operands[n] = values[n][i];
      result[i] = static_cast<double>(function(operands, numbers.data()));
    }
    return result;
  };
}

TrackedTile ErrorTracker::vectorOf(const Operation &operation) {
  const TileUse &use = operation.use;
  auto op = static_cast<TileOp>(use.call.row);
  if (op == TileOp::ToBFloat16) // it only rounds for the store that follows
    return movedTile(operation, [](std::span<const Reals> values) { return values.front(); });
  if (!exactFunction(op))
    return lose(use, std::string("'") + factsOf(op).name + "'");
  ExactOperation exact = exactRow(op, use.call);
  std::vector<Reals> values = deviceValues(operation.operands());
  ObservedOperation observed{exact, exact(values)};
  observed.parts = vectorParts(use, observed.onDevice);
  return finish(operation, std::move(observed));
}

// Divides the error of a row of TileOps.def. If the result is one of the two numbers of DST next to
// the exact one, the width of DST is the cause; else the routine is, for what rounding leaves.
std::vector<ErrorPart> ErrorTracker::vectorParts(const TileUse &use, const Reals &onDevice) const {
  ErrorPart dst{Cause::Dst, -1, {}}, routine{Cause::Vector, use.call.row, {}};
  const bool dst32 = arithmeticOf(use).config.dst32;
  Reals result = realsOf(use.values), inner = cut(onDevice, dst32 ? 24 : 8);
  for (size_t i = 0; i < result.size(); ++i) {
    if (!std::isfinite(result[i]) || !std::isfinite(onDevice[i]))
      continue;
    double low = std::fabs(onDevice[i]) < 0x1p-126 ? 0 : inner[i];
    double unit = low == 0 ? 0x1p-126 : std::ldexp(1.0, std::ilogb(low) - (dst32 ? 23 : 7));
    double high = low == onDevice[i] ? low : low + std::copysign(unit, onDevice[i]);
    bool isNear = result[i] == low || result[i] == high;
    double nearest = onDevice[i] - low <= high - onDevice[i] ? low : high;
    if (onDevice[i] < 0)
      nearest = low - onDevice[i] <= onDevice[i] - high ? low : high;
    double stored = isNear ? result[i] : nearest;
    dst.error[i] = stored - onDevice[i];
    routine.error[i] = result[i] - stored;
  }
  return {dst, routine};
}
