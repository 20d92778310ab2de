//===- BroadcastCheck.cpp - finds missing broadcasts --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/BroadcastCheck.h"

#include "hw/check/TileNumbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace ttjit::hw::check {

static constexpr size_t kMaxFindings = 8;
// Most uses kept for one position: an operation may run for many tiles.
static constexpr long kMaxStoredPerPosition = 64;

void BroadcastCheck::onRunStart(const Program &program) {
  names.setProgram(program);
  threads.assign(static_cast<size_t>(program.gridX) * program.gridY * kThreadsPerNode, {});
  for (const BufferConfig &buffer : program.buffers) {
    isBacked.resize(std::max(isBacked.size(), static_cast<size_t>(buffer.index) + 1));
    isBacked[static_cast<size_t>(buffer.index)] = buffer.backing.has_value();
  }
}

void BroadcastCheck::onEvent(const Event &event) {
  switch (event.kind) {
  case EventKind::ReadIssued:
  case EventKind::WriteIssued:
  case EventKind::MulticastLeg:
    for (const TileContent *copy : places.copy(event.source, event.destination))
      store(*copy, event.destination, event.loc);
    return;
  case EventKind::Access:
    if (event.destination)
      places.erase(event.destination);
    return;
  default:
    return;
  }
}

static MemoryPlace placeOf(const TileUse &use) {
  return {MemoryPlace::L1, use.node.x, use.node.y, use.address,
          static_cast<uint32_t>(tileBytes(use.format))};
}

void BroadcastCheck::onTile(const TileUse &use) {
  switch (use.kind) {
  case TileUse::Read:
    threads[use.agent].reads.push_back({placeOf(use), use.bytes, use.format});
    return;
  case TileUse::Result:
    return compute(use);
  case TileUse::Packed:
    return pack(use);
  }
}

TileContent &BroadcastCheck::registerOf(const TileUse &use, int32_t number) {
  std::vector<TileContent> &registers = threads[use.agent].registers;
  registers.resize(std::max(registers.size(), static_cast<size_t>(number) + 1));
  return registers[static_cast<size_t>(number)];
}

void BroadcastCheck::pack(const TileUse &use) {
  TileContent content = registerOf(use, use.reg);
  MemoryPlace place = placeOf(use);
  if (use.accumulates)
    content = combined(use, {places.at(place), content});
  if (isBacked[static_cast<size_t>(use.buffer)])
    store(content, place, use.loc);
  places.set(place, std::move(content));
}

//===--------------------------------------------------------------------------===//
// Operations
//===--------------------------------------------------------------------------===//

// Returns the operands of a use: first the tiles in L1, then the registers.
std::vector<TileContent> BroadcastCheck::operandsOf(const TileUse &use) {
  std::vector<TileContent> operands;
  for (const ReadTile &read : threads[use.agent].reads)
    operands.push_back(places.at(read.place));
  for (int32_t input : use.inputs)
    if (input >= 0)
      operands.push_back(registerOf(use, input));
  return operands;
}

void BroadcastCheck::compute(const TileUse &use) {
  TileContent result = resultOf(use, operandsOf(use));
  threads[use.agent].reads.clear();
  registerOf(use, use.reg) = std::move(result);
}

static void broadcast(TileContent &content, TileDims dims) {
  for (int axis : {Columns, Rows})
    if (goesAlong(dims, axis))
      content.broadcast(axis);
}

TileContent BroadcastCheck::resultOf(const TileUse &use, std::vector<TileContent> operands) {
  switch (withoutDims(use.result)) {
  case ResultKind::Constant:
    return {};
  case ResultKind::Masked:
  case ResultKind::Selected:
    return selected(use, operands);
  case ResultKind::Product:
    return multiplied(use, operands);
  case ResultKind::Reduced:
    return reduced(use, operands);
  case ResultKind::Transposed:
    operands.front().transpose();
    return operands.front();
  case ResultKind::Broadcast:
    broadcast(operands.front(), dimsOf(use.result));
    return operands.front();
  case ResultKind::ByElementBroadcast:
    broadcast(operands[1], dimsOf(use.result));
    return combined(use, operands);
  default:
    return combined(use, operands);
  }
}

static std::shared_ptr<MeaninglessUse> useOf(const TileUse &use, MeaninglessUse::Kind kind) {
  auto result = std::make_shared<MeaninglessUse>();
  result->kind = kind;
  result->agent = use.agent;
  result->node = use.node;
  result->loc = use.loc;
  return result;
}

// Returns the first position of a reduction along an axis.
static std::optional<uint32_t> reductionOf(const std::vector<TileContent> &operands, size_t axis) {
  auto it = std::ranges::find_if(
      operands, [&](const TileContent &operand) { return operand.reducedAt[axis].has_value(); });
  return it == operands.end() ? std::nullopt : it->reducedAt[axis];
}

// Adds a use to `result` if some operands are reduced along an axis and others are not.
static void addCombination(const TileUse &use, const std::vector<TileContent> &operands,
                           TileContent &result) {
  TileContent others;
  TileContent::Spread spread;
  std::array<std::optional<uint32_t>, kNumAxes> reducedAt;
  for (int axis : {Columns, Rows}) {
    auto at = static_cast<size_t>(axis);
    reducedAt[at] = reductionOf(operands, at);
    for (const TileContent &operand : operands)
      if (reducedAt[at] && !operand.reducedAt[at])
        others.addSources(axis, operand.sources[at]);
    spread.along[at] = !others.sources[at].empty();
    if (!spread.along[at])
      reducedAt[at].reset();
  }
  if (!spread.along[Columns] && !spread.along[Rows])
    return;
  spread.use = useOf(use, MeaninglessUse::Combines);
  spread.use->reducedAt = reducedAt;
  spread.use->others = std::move(others.sources);
  result.addSpread(spread);
}

TileContent BroadcastCheck::combined(const TileUse &use,
                                     const std::vector<TileContent> &operands) const {
  TileContent result;
  for (int axis : {Columns, Rows})
    result.reducedAt[static_cast<size_t>(axis)] = reductionOf(operands, static_cast<size_t>(axis));
  for (const TileContent &operand : operands) {
    for (int axis : {Columns, Rows})
      result.addSources(axis, operand.sources[static_cast<size_t>(axis)]);
    for (const TileContent::Spread &spread : operand.spreads)
      result.addSpread(spread);
  }
  addCombination(use, operands, result);
  return result;
}

// Handles where and mask. The condition may choose only elements with a meaning: so the result has
// one unless all data are reduced. A condition or mask without a meaning is a mistake.
TileContent BroadcastCheck::selected(const TileUse &use,
                                     const std::vector<TileContent> &operands) const {
  bool isMask = use.result == ResultKind::Masked;
  const TileContent &condition = isMask ? operands.back() : operands.front();
  std::vector<TileContent> data(operands.begin() + (isMask ? 0 : 1),
                                operands.end() - (isMask ? 1 : 0));
  TileContent result = combined(use, data);
  std::erase_if(result.spreads, [&](const TileContent::Spread &spread) {
    return spread.use->loc == use.loc; // of the data: the condition tells them apart
  });
  for (size_t axis = 0; axis < kNumAxes; ++axis) {
    bool isAnyWhole = std::ranges::any_of(data, [&](const TileContent &operand) {
      return !operand.reducedAt[axis] && !operand.sources[axis].empty();
    });
    if (isAnyWhole)
      result.reducedAt[axis].reset();
  }
  std::erase_if(result.spreads, [&](const TileContent::Spread &spread) {
    return !spread.isEverywhere &&
           (!spread.along[Columns] || isUniformBehind(use.values, Columns)) &&
           (!spread.along[Rows] || isUniformBehind(use.values, Rows));
  });
  if (condition.isReduced())
    addCombination(use, {condition, result}, result);
  return result;
}

void BroadcastCheck::addSum(const TileUse &use, const TileContent &operand, int axis,
                            TileContent &result) const {
  auto sum = useOf(use, MeaninglessUse::Sums);
  sum->reducedAt[static_cast<size_t>(axis)] = operand.reducedAt[static_cast<size_t>(axis)];
  result.addSpread({sum, {}, /*isEverywhere=*/true});
}

TileContent BroadcastCheck::reduced(const TileUse &use,
                                    const std::vector<TileContent> &operands) const {
  const ReadTile &read = threads[use.agent].reads.front();
  TileNumbers numbers(read.format, read.bytes);
  const TileContent &tile = operands.front();
  TileContent result = tile;
  for (int axis : {Columns, Rows}) {
    if (!goesAlong(dimsOf(use.result), axis))
      continue;
    bool isHarmless = isZeroBehind(numbers.values(), axis);
    bool isReduced = tile.reducedAt[static_cast<size_t>(axis)].has_value();
    if (!isReduced && differsAlong(numbers.values(), axis))
      tile.setWhole(axis);
    result.reduce(axis, use.loc, isHarmless);
    if (isReduced && !isHarmless)
      addSum(use, tile, axis, result);
  }
  bool accumulates = use.inputs[0] >= 0;
  return accumulates ? combined(use, {result, operands.back()}) : result;
}

// Returns the source of a product: that of the products to which it is added, if there are any.
static std::shared_ptr<TileSource> productSource(const std::vector<TileContent> &operands) {
  if (operands.size() > 2)
    for (const TileSources &sources : operands[2].sources)
      for (const std::shared_ptr<TileSource> &source : sources)
        if (source->isProduct)
          return source;
  auto source = std::make_shared<TileSource>();
  source->isProduct = true;
  return source;
}

// Handles a product, which sums over the columns of its first operand and the rows of the second.
TileContent BroadcastCheck::multiplied(const TileUse &use,
                                       const std::vector<TileContent> &operands) const {
  const std::vector<ReadTile> &reads = threads[use.agent].reads;
  TileNumbers a(reads[0].format, reads[0].bytes), b(reads[1].format, reads[1].bytes);
  bool isHarmless = !multipliesBehind(a.values(), b.values());
  TileContent result = TileContent::fromSource(productSource(operands));
  for (int axis : {Columns, Rows}) {
    auto at = static_cast<size_t>(axis);
    result.sources[at].front()->isWhole[at] |= differsAlong(use.values, axis);
    TileContent operand = operands[at]; // the sum goes along axis 0 of the first, 1 of the second
    const TileNumbers &numbers = axis == Columns ? a : b;
    bool isReduced = operand.reducedAt[at].has_value();
    if (!isReduced && !isHarmless && differsAlong(numbers.values(), axis))
      operand.setWhole(axis);
    if (isReduced && !isHarmless)
      addSum(use, operand, axis, result);
    operand.reduce(axis, use.loc, isHarmless);
    size_t kept = 1 - at;
    if (operand.reducedAt[kept]) {
      result.reducedAt[kept] = operand.reducedAt[kept];
      result.sources[kept].clear();
    }
    for (const TileContent::Spread &spread : operand.spreads)
      result.addSpread(spread);
  }
  return operands.size() > 2 ? combined(use, {result, operands[2]}) : result;
}

//===--------------------------------------------------------------------------===//
// Reports
//===--------------------------------------------------------------------------===//

// Keeps those uses of `content` on which an element of the tensor (not its padding) depends.
void BroadcastCheck::store(const TileContent &content, const MemoryPlace &place, uint32_t loc) {
  if (content.spreads.empty())
    return;
  std::optional<TileExtent> extent = tensorTile(place);
  if (!extent)
    return;
  for (const TileContent::Spread &spread : content.spreads) {
    bool isSeen = spread.isEverywhere || (spread.along[Columns] && extent->columns > 1) ||
                  (spread.along[Rows] && extent->rows > 1);
    long known = std::ranges::count_if(
        stored, [&](const Stored &other) { return other.use->loc == spread.use->loc; });
    if (isSeen && known < kMaxStoredPerPosition)
      stored.push_back({spread.use, place, loc});
  }
}

static const char *dimsText(const MeaninglessUse &use) {
  if (!use.reducedAt[Rows])
    return "[-1]";
  return use.reducedAt[Columns] ? "[-2, -1]" : "[-2]";
}

static const char *meaningfulText(const MeaninglessUse &use) {
  if (!use.reducedAt[Rows])
    return "column 0";
  return use.reducedAt[Columns] ? "element (0, 0)" : "row 0";
}

Fault BroadcastCheck::explain(const Stored &stored) const {
  const MeaninglessUse &use = *stored.use;
  Fault fault;
  fault.kind = FaultKind::Runtime;
  fault.node = names.ofDevice(use.node);
  fault.location = names.location(use.loc);
  if (const ThreadConfig *thread = names.configOf(use.agent))
    fault.thread = thread->name;
  const char *what = use.kind == MeaninglessUse::Sums
                         ? "{} sums elements of a reduced block that have no meaning: only {} of "
                           "each of its tiles has one"
                         : "{} combines a reduced block with one that is not reduced: only {} of "
                           "each reduced tile has a meaning";
  fault.message =
      fmt::format(fmt::runtime(what), names.ofThread(use.agent, use.node), meaningfulText(use));
  const auto &at = use.reducedAt[Columns] ? use.reducedAt[Columns] : use.reducedAt[Rows];
  fault.notes = {
      {fmt::format("the block is reduced over dims={}", dimsText(use)), names.location(*at)},
      {fmt::format("the result reaches {}", names.of(stored.place)), names.location(stored.loc)},
      {fmt::format("use ttl.broadcast(block, dims={}), which fills the tiles", dimsText(use)), {}}};
  return fault;
}

std::vector<Fault> BroadcastCheck::findings() const {
  std::vector<Fault> found;
  std::set<uint32_t> reported;
  for (const Stored &candidate : stored)
    if (found.size() < kMaxFindings && candidate.use->isMistake() &&
        reported.insert(candidate.use->loc).second)
      found.push_back(explain(candidate));
  return found;
}

} // namespace ttjit::hw::check
