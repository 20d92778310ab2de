//===- TileProducts.cpp - the products of a block at once ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The JIT replaces the calls of DST sections that only multiply tiles
// (passes/llvm/FuseProducts.cpp):
//
//   ttl_hw_begin_products   checks what all sections need
//   ttl_hw_add_products     once per section: checks and notes its tiles
//   ttl_hw_run_products     computes the noted products, with all effects of the calls
//
// If a call would fault, wait or tell a listener, ttl_hw_run_products has no effect and the JIT
// makes the calls. No thread is switched between the three.
//===--------------------------------------------------------------------------===//

#include "hw/facts/TileProducts.h"
#include "hw/abi/InlineTiles.h"
#include "hw/tile/BlockProduct.h"

#include <algorithm>

using namespace ttjit::hw;
using namespace ttjit::hw::fast;

namespace {

// A panel: the tiles of one operand that a chain of products reads, at equal distances.
struct PanelTiles {
  int32_t buffer, first, step, count;
  bool operator==(const PanelTiles &) const = default;
};

// The panels of one operand. Chains come row by row or column by column, so the panel of a chain
// is usually that of the chain before, or the next one. find() looks only at these two: for chains
// in another order, a panel is added twice, which costs little.
class PanelList {
public:
  void clear() { panels.clear(); }
  // Returns the number of the panel; null if neither of the two is it.
  const uint32_t *find(const PanelTiles &tiles);
  void add(const PanelTiles &tiles, uint32_t number) {
    last = panels.size();
    panels.push_back({tiles, number});
  }

private:
  struct Panel {
    PanelTiles tiles;
    uint32_t number;
  };
  std::vector<Panel> panels;
  size_t last = 0;
};

const uint32_t *PanelList::find(const PanelTiles &tiles) {
  for (size_t i = 0; i < std::min<size_t>(panels.size(), 2); ++i) {
    size_t at = (last + i) % panels.size();
    if (panels[at].tiles == tiles) {
      last = at;
      return &panels[at].number;
    }
  }
  return nullptr;
}

// A slot of a buffer that a chain packs into.
struct PackedPage {
  int32_t buffer;
  uint32_t page;
};

// The noted products of a block, until they are computed.
class ProductRecorder {
public:
  void begin(const KernelThread *t, const ProductFacts &facts);
  void add(KernelThread *t, const ChainFacts &chain, const ChainIndices &indices);
  bool canRun(const KernelThread *t) const;
  void run(KernelThread *t, const ProductFacts &facts);

private:
  const uint32_t *panel(const KernelThread *t, PanelList &list, const PanelTiles &tiles);
  bool addChain(KernelThread *t, const ChainFacts &chain, const ChainIndices &indices);
  void noteBuffer(std::vector<int32_t> &buffers, int32_t buffer);

  bool isPossible = false;
  BlockProduct product;
  PanelList lefts, rights;
  std::vector<PackedPage> packed;
  std::vector<int32_t> read, written; // the indices of buffers
};

// One per host thread: no other kernel thread runs between the calls of one block.
thread_local ProductRecorder recorder;

// Returns the float format of a buffer that exists; Invalid for a format of integers.
DataFormat floatFormat(const KernelThread *t, int32_t cb) {
  DataFormat format = formatOf(t, cb);
  return isIntegerFormat(format) ? DataFormat::Invalid : format;
}

TileMemory storedTile(const KernelThread *t, int32_t cb, const uint8_t *bytes) {
  return {floatFormat(t, cb), reinterpret_cast<std::byte *>(const_cast<uint8_t *>(bytes))};
}

// Returns whether two buffers have no byte in common.
bool areDisjoint(const CircularBuffer &a, const CircularBuffer &b) {
  uint64_t endOfA = uint64_t(a.address) + uint64_t(a.numPages) * a.pageBytes;
  uint64_t endOfB = uint64_t(b.address) + uint64_t(b.numPages) * b.pageBytes;
  return endOfA <= b.address || endOfB <= a.address;
}

} // namespace

void ProductRecorder::begin(const KernelThread *t, const ProductFacts &facts) {
  // No section is in use, so the state of the sections is the same before and after the block.
  isPossible = usesHostNumerics(t) && t->quiet && t->stepsLeft >= facts.steps && !t->math &&
               !t->pack && !t->sectionsInUse && !t->l1Accumulate &&
               static_cast<uint32_t>(facts.registers) <= t->dstCapacity;
  product.clear();
  lefts.clear();
  rights.clear();
  packed.clear();
  read.clear();
  written.clear();
}

void ProductRecorder::noteBuffer(std::vector<int32_t> &buffers, int32_t buffer) {
  if (std::find(buffers.begin(), buffers.end(), buffer) == buffers.end())
    buffers.push_back(buffer);
}

// Returns the number of a panel, which it adds if it is new; null if a tile cannot be read.
const uint32_t *ProductRecorder::panel(const KernelThread *t, PanelList &list,
                                       const PanelTiles &tiles) {
  if (const uint32_t *known = list.find(tiles))
    return known;
  if (!findBuffer(t, tiles.buffer) || floatFormat(t, tiles.buffer) == DataFormat::Invalid)
    return nullptr;
  list.add(tiles, product.addPanel(floatFormat(t, tiles.buffer)));
  noteBuffer(read, tiles.buffer);
  for (int32_t i = 0; i < tiles.count; ++i) {
    uint32_t index = static_cast<uint32_t>(tiles.first) +
                     static_cast<uint32_t>(i) * static_cast<uint32_t>(tiles.step);
    const uint8_t *tile = frontTile(t, tiles.buffer, static_cast<int32_t>(index));
    if (!tile)
      return nullptr;
    product.addTile(reinterpret_cast<const std::byte *>(tile));
  }
  return list.find(tiles);
}

bool ProductRecorder::addChain(KernelThread *t, const ChainFacts &chain,
                               const ChainIndices &indices) {
  const uint32_t *left = panel(t, lefts, {chain.left, indices.left, indices.leftStep, chain.count});
  const uint32_t *right =
      left ? panel(t, rights, {chain.right, indices.right, indices.rightStep, chain.count})
           : nullptr;
  TileMemory start;
  if (chain.start >= 0) {
    const uint8_t *tile = frontTile(t, chain.start, indices.start);
    start = tile ? storedTile(t, chain.start, tile) : start;
    noteBuffer(read, chain.start);
  }
  const CircularBuffer *b = findBuffer(t, chain.out);
  uint32_t page = b ? pageToPack(t, *b, indices.out) : kNoPage;
  bool startIsFloat = chain.start < 0 || start.format != DataFormat::Invalid;
  if (!left || !right || !startIsFloat || page == kNoPage ||
      floatFormat(t, chain.out) == DataFormat::Invalid)
    return false;
  noteBuffer(written, chain.out);
  packed.push_back({chain.out, page});
  product.addChain(*left, *right, start, storedTile(t, chain.out, pageToWrite(t, *b, page)));
  return true;
}

void ProductRecorder::add(KernelThread *t, const ChainFacts &chain, const ChainIndices &indices) {
  isPossible = isPossible && addChain(t, chain, indices);
}

// Returns whether the products may be computed in any order. A buffer's front and its
// reserved pages never overlap.
bool ProductRecorder::canRun(const KernelThread *t) const {
  if (!isPossible || product.hasSharedResults())
    return false;
  for (int32_t out : written)
    for (const std::vector<int32_t> *others : {&read, &written})
      for (int32_t other : *others)
        if (other != out && !areDisjoint(t->buffers[out], t->buffers[other]))
          return false;
  return true;
}

// Computes the products, and notes what the calls of the sections would note: written slots,
// steps and the last event.
void ProductRecorder::run(KernelThread *t, const ProductFacts &facts) {
  product.run(*t->tiles);
  for (const PackedPage &slot : packed)
    t->buffers[slot.buffer].written[slot.page] = 1;
  t->stepsLeft -= facts.steps - facts.stepsAfter;
  markEvent(t);
  t->stepsLeft -= facts.stepsAfter;
}

int32_t ttl_hw_begin_products(KernelThread *t, const ProductFacts *facts) {
  recorder.begin(t, *facts);
  return t->quiet != 0;
}

void ttl_hw_add_products(KernelThread *t, const ChainFacts *chains, int32_t count,
                         const ChainIndices *indices) {
  for (int32_t i = 0; i < count; ++i)
    recorder.add(t, chains[i], indices[i]);
}

int32_t ttl_hw_run_products(KernelThread *t, const ProductFacts *facts) {
  if (!likely(recorder.canRun(t)))
    return 0;
  recorder.run(t, *facts);
  return 1;
}
