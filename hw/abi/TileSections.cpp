//===- TileSections.cpp - a whole DST section at once --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A DST section reads tiles, computes, and packs tiles. The JIT computes it with loops
// that never write the DST registers (passes/llvm/FuseSections.cpp). Before these loops
// it calls ttl_hw_enter_section, which checks all that the calls of the section would
// check. If a call would fault, wait or tell a listener, the function has no effect and
// the JIT makes the calls.
//===--------------------------------------------------------------------------===//

#include "hw/abi/Inline.h"
#include "hw/facts/DataFormat.h"
#include "hw/facts/TileSection.h"

using namespace ttjit::hw;
using namespace ttjit::hw::fast;

/// Returns whether every call of a section would take its fast path. No section is in
/// use, so the state of the sections is the same before the acquire and after the release.
static bool canRunSection(const KernelThread *t, const SectionFacts &facts) {
  return t->quiet && t->stepsLeft >= facts.steps && !t->math && !t->pack && !t->sectionsInUse &&
         !t->l1Accumulate && static_cast<uint32_t>(facts.registers) <= t->dstCapacity;
}

/// Returns slot `index` of the reserved region; null if pack_tile would fault.
static uint8_t *slotToPack(KernelThread *t, int32_t cb, int32_t index) {
  const CircularBuffer *b = findBuffer(t, cb);
  uint32_t page = b ? pageToPack(t, *b, index) : kNoPage;
  return page != kNoPage ? pageToWrite(t, *b, page) : nullptr;
}

static uint8_t *scratchTile(const KernelThread *t, int32_t number) {
  uint32_t registers = t->dstCapacity * t->numSections;
  if (!likely(static_cast<uint32_t>(number) < registers))
    return nullptr;
  return reinterpret_cast<uint8_t *>(t->dst + static_cast<size_t>(number) * kDstTileElements);
}

/// Returns the bytes of a tile; null if a call would fault or if the buffer has another
/// format than compiled code expects.
static uint8_t *sectionTile(KernelThread *t, SectionTile tile, int32_t index) {
  if (tile.kind == SectionTileKind::Scratch)
    return scratchTile(t, tile.number);
  uint8_t *bytes = tile.kind == SectionTileKind::Packed
                       ? slotToPack(t, tile.number, index)
                       : const_cast<uint8_t *>(frontTile(t, tile.number, index));
  return likely(bytes && t->buffers[tile.number].format == tile.format) ? bytes : nullptr;
}

/// Returns whether the loops of a section may compute its tiles in any order: no packed tile has a
/// byte in common with another tile.
static bool tilesAreDisjoint(const SectionTile *tiles, int32_t count, uint8_t *const *places) {
  uint8_t *ends[kMaxSectionTiles];
  for (int32_t i = 0; i < count; ++i)
    ends[i] = places[i] + tileBytes(static_cast<DataFormat>(tiles[i].format));
  for (int32_t packed = 0; packed < count; ++packed) {
    if (tiles[packed].kind != SectionTileKind::Packed)
      continue;
    int32_t overlaps = 0; // the tile itself counts as one
    for (int32_t i = 0; i < count; ++i)
      overlaps += (places[i] < ends[packed]) & (places[packed] < ends[i]);
    if (overlaps > 1)
      return false;
  }
  return true;
}

/// Returns the bytes of the page after tile `index` of the front, which a section often reads next.
/// Null if the producer has not pushed this page.
static const uint8_t *pageAhead(const KernelThread *t, int32_t cb, int32_t index) {
  const CircularBuffer &b = t->buffers[cb];
  uint32_t tile = b.readPage + static_cast<uint32_t>(index);
  uint32_t page = tile + 1 == b.numPages ? 0 : tile + 1;
  return inRegion(b, page, b.readPage, b.received - b.acked) ? pageData(t->l1, b, page) : nullptr;
}

static void findPagesAhead(const KernelThread *t, const SectionTile *tiles, int32_t count,
                           const int32_t *indices, uint8_t *const *places, const uint8_t **ahead) {
  for (int32_t i = 0; i < count; ++i)
    if (tiles[i].kind == SectionTileKind::Front) {
      const uint8_t *page = pageAhead(t, tiles[i].number, indices[i]);
      ahead[i] = page ? page : places[i];
    }
}

/// Notes what the calls of the section would note: written slots, steps and the event.
static void noteSection(KernelThread *t, const SectionFacts &facts, const SectionTile *tiles,
                        const int32_t *indices) {
  for (int32_t i = 0; i < facts.tiles; ++i)
    if (tiles[i].kind == SectionTileKind::Packed) {
      CircularBuffer &b = t->buffers[tiles[i].number];
      b.written[pageToPack(t, b, indices[i])] = 1;
    }
  t->stepsLeft -= facts.steps;
  markEvent(t);
}

int32_t ttl_hw_enter_section(KernelThread *t, const SectionFacts *facts, const SectionTile *tiles,
                             const int32_t *indices, uint8_t **places, const uint8_t **ahead) {
  if (!likely(canRunSection(t, *facts)))
    return 0;
  for (int32_t i = 0; i < facts->tiles; ++i) {
    places[i] = sectionTile(t, tiles[i], indices[i]);
    if (!likely(places[i]))
      return 0;
  }
  if (!likely(tilesAreDisjoint(tiles, facts->tiles, places)))
    return 0;
  findPagesAhead(t, tiles, facts->tiles, indices, places, ahead);
  noteSection(t, *facts, tiles, indices);
  return 1;
}
