//===- TileSections.cpp - a whole DST section at once -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A DST section reads tiles, computes, and packs tiles. The JIT computes it with loops
// that never write the DST registers (passes/llvm/FuseSections.cpp). Before these loops
// it calls ttl_hw_enter_section, which checks all that the calls of the section would
// check. If a call would fault, wait or tell a listener, the function has no effect and
// the JIT makes the calls.
//===--------------------------------------------------------------------------===//

#include "hw/abi/InlineTiles.h"
#include "hw/facts/DataFormat.h"
#include "hw/facts/TileSection.h"

using namespace ttjit::hw;
using namespace ttjit::hw::fast;

// Returns whether every call of a section would take its fast path. No section is in
// use, so the state of the sections is the same before the acquire and after the release.
static bool canRunSection(const KernelThread *t, const SectionFacts &facts) {
  return usesHostNumerics(t) && t->quiet && t->stepsLeft >= facts.steps && !t->math && !t->pack &&
         !t->sectionsInUse && !t->l1Accumulate &&
         static_cast<uint32_t>(facts.registers) <= t->dstCapacity;
}

namespace {

// Finds the tiles of a section.
struct SectionPlaces {
  KernelThread *thread;
  const SectionTile *tiles;
  const int32_t *indices;
  uint8_t **places;
  const uint8_t **ahead;
  uint8_t **written; // by tile: the flag of a packed tile's slot

  bool find(int32_t i);
  bool findFront(int32_t i);
  bool findPacked(int32_t i);
  bool findScratch(int32_t i);
};

} // namespace

// Returns the buffer of a tile; null if it has another format than compiled code expects.
static CircularBuffer *bufferOf(const KernelThread *t, const SectionTile &tile) {
  CircularBuffer *b = findBuffer(t, tile.number);
  return likely(b && b->format == tile.format) ? b : nullptr;
}

// Finds a tile as frontTile does. A section often reads the buffer's next page next, so this page
// is the one to prefetch if the producer has pushed it.
bool SectionPlaces::findFront(int32_t i) {
  const CircularBuffer *b = bufferOf(thread, tiles[i]);
  const uint8_t *tile = b ? frontTile(thread, tiles[i].number, indices[i]) : nullptr;
  if (!likely(tile))
    return false;
  uint32_t page = b->readPage + static_cast<uint32_t>(indices[i]);
  uint32_t next = page + 1 == b->numPages ? 0 : page + 1;
  bool isPushed = inRegion(*b, next, b->readPage, b->received - b->acked);
  ahead[i] = isPushed ? pageData(thread->l1, *b, next) : tile;
  places[i] = const_cast<uint8_t *>(tile);
  return true;
}

// Finds slot indices[i] of the reserved region. Fails if pack_tile would fault.
bool SectionPlaces::findPacked(int32_t i) {
  const CircularBuffer *b = bufferOf(thread, tiles[i]);
  uint32_t page = b ? pageToPack(thread, *b, indices[i]) : kNoPage;
  if (!likely(page != kNoPage))
    return false;
  places[i] = pageToWrite(thread, *b, page);
  written[i] = b->written + page;
  return true;
}

bool SectionPlaces::findScratch(int32_t i) {
  auto number = static_cast<uint32_t>(tiles[i].number);
  places[i] = reinterpret_cast<uint8_t *>(thread->dst + size_t{number} * kDstTileElements);
  return likely(number < thread->dstCapacity * thread->numSections);
}

// Finds the bytes of a tile. Fails if a call would fault or if its buffer has another format than
// compiled code expects.
bool SectionPlaces::find(int32_t i) {
  switch (tiles[i].kind) {
  case SectionTileKind::Front:
    return findFront(i);
  case SectionTileKind::Packed:
    return findPacked(i);
  case SectionTileKind::Scratch:
    return findScratch(i);
  }
  return false;
}

static uint8_t *endOf(const SectionTile &tile, uint8_t *place) {
  return place + tileBytes(static_cast<DataFormat>(tile.format));
}

// Returns whether the packed tiles follow each other in memory and no other tile lies between the
// first and the last of them. This quick check succeeds for almost all sections.
static bool packsAreApart(const SectionTile *tiles, int32_t count, uint8_t *const *places) {
  uint8_t *first = nullptr, *end = nullptr;
  for (int32_t i = 0; i < count; ++i)
    if (tiles[i].kind == SectionTileKind::Packed) {
      if (places[i] < end)
        return false;
      first = first ? first : places[i];
      end = endOf(tiles[i], places[i]);
    }
  for (int32_t i = 0; i < count; ++i)
    if (tiles[i].kind != SectionTileKind::Packed && places[i] < end &&
        first < endOf(tiles[i], places[i]))
      return false;
  return true;
}

// Returns whether the loops of a section may compute its tiles in any order: no packed tile has a
// byte in common with another tile.
static bool tilesAreDisjoint(const SectionTile *tiles, int32_t count, uint8_t *const *places) {
  for (int32_t packed = 0; packed < count; ++packed) {
    if (tiles[packed].kind != SectionTileKind::Packed)
      continue;
    uint8_t *end = endOf(tiles[packed], places[packed]);
    for (int32_t i = 0; i < count; ++i)
      if (i != packed && places[i] < end && places[packed] < endOf(tiles[i], places[i]))
        return false;
  }
  return true;
}

int32_t ttl_hw_enter_section(KernelThread *t, const SectionFacts *facts, const SectionTile *tiles,
                             const int32_t *indices, uint8_t **places, const uint8_t **ahead) {
  if (!likely(canRunSection(t, *facts)))
    return 0;
  uint8_t *written[kMaxSectionTiles];
  SectionPlaces section{t, tiles, indices, places, ahead, written};
  int32_t count = facts->tiles;
  for (int32_t i = 0; i < count; ++i)
    if (!likely(section.find(i)))
      return 0;
  if (!likely(packsAreApart(tiles, count, places)) && !tilesAreDisjoint(tiles, count, places))
    return 0;
  // Note what the calls of the section would note: written slots, steps and the event.
  for (int32_t i = 0; i < count; ++i)
    if (tiles[i].kind == SectionTileKind::Packed)
      *written[i] = 1;
  t->stepsLeft -= facts->steps;
  markEvent(t);
  return 1;
}
