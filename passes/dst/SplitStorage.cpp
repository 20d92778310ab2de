//===- SplitStorage.cpp - buffers for values between pieces of a split --------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/SplitStorage.h"

#include "ir/Locations/Locations.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Grouping values by buffer
//===--------------------------------------------------------------------------===//

namespace {

// Largest number of blocks in the type of a buffer.
constexpr int64_t kMostBlocks = 32;

class RingChooser {
public:
  RingChooser(ArrayRef<PassedValue> values, unsigned count) : values(values), rings(count) {}

  // Returns nothing if the values do not fit into the given number of rings.
  std::vector<ValueRing> run();

private:
  struct Ring {
    SmallVector<unsigned> values, releases; // values in order; releases never decrease
    size_t front = 0;                       // index of the oldest value that is held
    int64_t most = 0;                       // largest number of values held at a time
  };

  // The number of blocks that a ring needs more for a value, and the distance between
  // the release of the value and the release before it.
  using Cost = std::pair<int64_t, unsigned>;
  Cost costOf(Ring &ring, const PassedValue &value);
  static void closeRing(Ring &ring, std::vector<ValueRing> &result);

  ArrayRef<PassedValue> values;
  std::vector<Ring> rings;
};

RingChooser::Cost RingChooser::costOf(Ring &ring, const PassedValue &value) {
  while (ring.front < ring.values.size() && ring.releases[ring.front] < value.maker)
    ++ring.front;
  int64_t held = ring.values.size() - ring.front;
  unsigned before = held ? ring.releases.back() : value.lastReader;
  unsigned distance = std::max(before, value.lastReader) - std::min(before, value.lastReader);
  int64_t grow = std::max<int64_t>(held + 1 - ring.most, 0);
  return {ring.most + grow > kMostBlocks ? kMostBlocks : grow, distance};
}

std::vector<ValueRing> RingChooser::run() {
  for (auto [number, value] : llvm::enumerate(values)) {
    Ring *best = nullptr;
    Cost least;
    for (Ring &ring : rings)
      if (Cost cost = costOf(ring, value); !best || cost < least) {
        best = &ring;
        least = cost;
      }
    if (least.first == kMostBlocks)
      return {};
    best->most += least.first;
    best->releases.push_back(
        std::max(best->values.empty() ? 0 : best->releases.back(), value.lastReader));
    best->values.push_back(number);
  }
  std::vector<ValueRing> result;
  for (Ring &ring : rings)
    closeRing(ring, result);
  return result;
}

// Ends a ring, whose number of blocks must divide that of its values: it gets more blocks than are
// held at a time, or a second ring takes some of its values.
void RingChooser::closeRing(Ring &ring, std::vector<ValueRing> &result) {
  ArrayRef<unsigned> all = ring.values;
  if (all.empty())
    return;
  int64_t count = all.size(), best = ring.most, leastRest = count;
  for (int64_t blocks = ring.most; blocks <= kMostBlocks && leastRest > 0; ++blocks)
    if (count % blocks < leastRest) {
      best = blocks;
      leastRest = count % blocks;
    }
  if (int64_t whole = count - leastRest)
    result.push_back({llvm::to_vector(all.take_front(whole)), best});
  if (leastRest)
    result.push_back({llvm::to_vector(all.take_back(leastRest)), leastRest});
}

} // namespace

std::vector<ValueRing> ttjit::distributeValues(ArrayRef<PassedValue> values, unsigned limit) {
  std::vector<ValueRing> best;
  // The cost of `best`: whether it has more rings than the limit, then its rings plus its blocks.
  std::pair<bool, int64_t> least;
  for (unsigned count = 1; count <= values.size() && (count <= limit || best.empty()); ++count) {
    std::vector<ValueRing> rings = RingChooser(values, count).run();
    std::pair<bool, int64_t> cost = {rings.size() > limit, rings.size()};
    for (const ValueRing &ring : rings)
      cost.second += ring.blocks;
    if (rings.empty() || (!best.empty() && cost >= least))
      continue;
    least = cost;
    best = std::move(rings);
  }
  return best;
}

//===--------------------------------------------------------------------------===//
// Buffers
//===--------------------------------------------------------------------------===//

// Returns a free buffer of the type, or a new one with the name of its first value in the program.
Value SplitBuffers::take(ttl::CircularBufferType type, Location loc) {
  auto *it = llvm::find_if(
      buffers, [&](Value buffer) { return buffer.getType() == type && !taken.contains(buffer); });
  if (it == buffers.end()) {
    std::string name = getSourceName(loc).value_or("tile") + "_split" +
                       std::to_string(binding.function.getNumArguments());
    buffers.push_back(binding.addBuffer(type, name, loc));
    it = std::prev(buffers.end());
  }
  taken.insert(*it);
  return *it;
}

unsigned SplitBuffers::available() {
  int64_t chip = archOf(binding.program).maxCircularBuffers;
  int64_t used = getBuffers(binding.program).size();
  int64_t free = llvm::count_if(buffers, [&](Value buffer) { return !taken.contains(buffer); });
  return std::max<int64_t>(chip - used + free, 1);
}

//===--------------------------------------------------------------------------===//
// Protocol
//===--------------------------------------------------------------------------===//

// Plans rings for each type: the packer of a buffer of floats would round integers.
void SplitStorage::plan(ArrayRef<Value> values, ArrayRef<PassedValue> lives,
                        ArrayRef<int64_t> shape) {
  for (auto type : {ttcore::DataType::Float32, ttcore::DataType::Int32, ttcore::DataType::UInt32}) {
    SmallVector<Value> chosen;
    SmallVector<PassedValue> theirLives;
    for (auto [value, life] : llvm::zip(values, lives))
      if (ttl::getComputedType(value.getType()) == type) {
        chosen.push_back(value);
        theirLives.push_back(life);
      }
    planRings(chosen, theirLives, shape, type);
  }
}

void SplitStorage::planRings(ArrayRef<Value> values, ArrayRef<PassedValue> lives,
                             ArrayRef<int64_t> shape, ttcore::DataType elements) {
  if (values.empty())
    return;
  buffers.numValues += values.size();
  MLIRContext *context = builder.getContext();
  Type tile = ttl::getBlockTensorType(context, shape, elements).getElementType();
  for (const ValueRing &chosen : distributeValues(lives, buffers.available())) {
    Value first = values[chosen.values.front()];
    auto type = ttl::CircularBufferType::get(context, shape, tile, chosen.blocks);
    Ring &ring = rings.emplace_back();
    ring.buffer = buffers.take(type, first.getLoc());
    ring.blocks = chosen.blocks;
    unsigned release = 0;
    for (auto [number, value] : llvm::enumerate(chosen.values)) {
      places[values[value]] = {static_cast<unsigned>(rings.size() - 1),
                               static_cast<int64_t>(number)};
      release = std::max(release, lives[value].lastReader);
      ring.releases.push_back(release);
    }
  }
}

// Returns the block that comes `older` blocks after `block` in the ring; `block` is in
// slot `front`. The distance in pages is negative if the ring wraps between the two.
Value SplitStorage::blockAt(const Ring &ring, Value block, int64_t front, int64_t older) {
  if (older == 0)
    return block;
  int64_t distance = front % ring.blocks + older < ring.blocks ? older : older - ring.blocks;
  int64_t pages =
      distance * cast<ttl::CircularBufferType>(ring.buffer.getType()).getPagesPerBlock();
  Value constant = arith::ConstantIndexOp::create(builder, block.getLoc(), pages);
  return ttl::BlockAtOp::create(builder, block.getLoc(), block, constant);
}

template <typename AcquireOp>
static Value acquire(OpBuilder &builder, Location loc, Value buffer, size_t held) {
  auto op = AcquireOp::create(builder, loc, buffer);
  if (held > 1)
    op.setOutstanding(held);
  return op;
}

Value SplitStorage::reserve(Value value) {
  Ring &ring = rings[places.lookup(value).ring];
  int64_t older = ring.reserved.size(), pushed = ring.waited.size();
  ring.reserved.push_back(
      acquire<ttl::CBReserveOp>(builder, value.getLoc(), ring.buffer, older + 1));
  return blockAt(ring, ring.reserved.back(), pushed, older);
}

void SplitStorage::publish() {
  for (Ring &ring : rings) {
    for (Value block : ring.reserved)
      ttl::CBPushOp::create(builder, block.getLoc(), block);
    for (Value block : ring.reserved)
      ring.waited.push_back(acquire<ttl::CBWaitOp>(builder, block.getLoc(), ring.buffer,
                                                   ring.waited.size() + 1 - ring.popped));
    ring.reserved.clear();
  }
}

Value SplitStorage::read(Value value) {
  auto [number, place] = places.lookup(value);
  const Ring &ring = rings[number];
  return blockAt(ring, ring.waited[place], ring.popped, place - ring.popped);
}

void SplitStorage::releaseAfter(unsigned piece) {
  for (Ring &ring : rings)
    while (ring.popped < static_cast<int64_t>(ring.waited.size()) &&
           ring.releases[ring.popped] <= piece) {
      Value block = ring.waited[ring.popped++];
      ttl::CBPopOp::create(builder, block.getLoc(), block);
    }
}
