//===- Port.cpp - how a core reaches the L1 of other cores --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Port.h"

#include "hw/device/Grid.h"
#include "hw/device/L1Word.h"
#include "hw/device/PageAliases.h"
#include "hw/device/Partition.h"

#include <cstring>

namespace ttjit::hw {

namespace {

bool isWord(const uint8_t *address, uint32_t bytes) {
  return bytes == sizeof(uint32_t) && reinterpret_cast<uintptr_t>(address) % sizeof(uint32_t) == 0;
}

// Copies bytes between two L1s. A word may be a semaphore, which other host threads may use at the
// same time.
void copy(uint8_t *to, const uint8_t *from, uint32_t bytes) {
  if (isWord(to, bytes) && isWord(from, bytes))
    storeWord(to, loadWord(from));
  else
    std::memmove(to, from, bytes);
}

} // namespace

uint8_t *Port::hostAddress(const Place &place) const {
  return grid.l1AtVirtual(place.x, place.y) + place.address;
}

void Port::arrived(const Place &to, uint32_t bytes) {
  Node *node = grid.nodeAtVirtual(to.x, to.y);
  if (!node)
    return; // no thread of the program runs on that core
  if (node->partition == &own)
    deliver({node, to.address, bytes}, waiters);
  else
    node->partition->post({node, to.address, bytes});
}

Node *Port::ownNode(const Place &place) const {
  Node *node = grid.nodeAtVirtual(place.x, place.y);
  return node && node->partition == &own ? node : nullptr;
}

void Port::write(const Place &to, const uint8_t *source, uint32_t bytes) {
  if (Node *node = grid.queues.has(to.address) ? grid.nodeAtVirtual(to.x, to.y) : nullptr)
    return grid.queues.push(node->number, to.address, source, bytes);
  if (Node *node = ownNode(to))
    settleAround(*node, to.address, bytes);
  copy(hostAddress(to), source, bytes);
  arrived(to, bytes);
}

uint32_t Port::multicast(const CoreRectangle &to, int skipX, int skipY, uint32_t address,
                         const uint8_t *source, uint32_t bytes) {
  uint32_t cores = 0;
  for (int y = to.y0; y <= to.y1; ++y)
    for (int x = to.x0; x <= to.x1; ++x) {
      if (x == skipX && y == skipY)
        continue;
      write({x, y, address}, source, bytes);
      ++cores;
    }
  return cores;
}

void Port::increment(const Place &to, uint32_t value) {
  if (Node *node = ownNode(to))
    settle(*node, to.address, sizeof(uint32_t));
  addToWord(hostAddress(to), value);
  arrived(to, sizeof(uint32_t));
}

void Port::read(const Place &from, uint8_t *destination, uint32_t bytes) {
  if (Node *node = grid.queues.has(from.address) ? grid.nodeAtVirtual(from.x, from.y) : nullptr)
    if (grid.queues.pop(node->number, from.address, destination, bytes))
      return;
  if (Node *node = ownNode(from))
    settle(*node, from.address, bytes);
  copy(destination, hostAddress(from), bytes);
}

} // namespace ttjit::hw
