//===- Grid.cpp - the nodes of a run and their threads ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Grid.h"

#include <algorithm>

namespace ttjit::hw {

void Grid::makeNodes() {
  allNodes.resize(static_cast<size_t>(program.numNodes));
  for (size_t i = 0; i < allNodes.size(); ++i) {
    Node &node = allNodes[i];
    node.number = static_cast<uint32_t>(i);
    node.x = static_cast<int>(i) % program.gridX;
    node.y = static_cast<int>(i) / program.gridX;
    node.device = program.deviceOfColumn(node.x);
    node.firstColumn = node.device * program.columnsOfDevice();
  }
}

void Grid::makeThreads() {
  allThreads = std::vector<ThreadContext>(allNodes.size() * kThreadsPerNode);
}

Node *Grid::nodeAt(int x, int y) {
  if (x < 0 || y < 0 || x >= program.gridX)
    return nullptr;
  size_t number = static_cast<size_t>(y) * static_cast<size_t>(program.gridX) + x;
  return number < allNodes.size() ? &allNodes[number] : nullptr;
}

Node *Grid::nodeAtVirtual(int x, int y) {
  const ArchDesc &arch = memories.arch();
  return nodeAt(x - arch.virtualOriginX, y - arch.virtualOriginY);
}

uint8_t *Grid::l1At(int x, int y) {
  if (Node *node = nodeAt(x, y))
    return node->memory.l1;
  if (program.numDevices > 1)
    return nullptr; // no node has this column; the chip's own columns would be another device's
  const ArchDesc &arch = memories.arch();
  int columns = std::max(arch.gridX, program.gridX), rows = std::max(arch.gridY, program.gridY);
  if (x < 0 || y < 0 || x >= columns || y >= rows)
    return nullptr;
  return memories.l1(x, y);
}

uint8_t *Grid::l1AtVirtual(int x, int y) {
  const ArchDesc &arch = memories.arch();
  return l1At(x - arch.virtualOriginX, y - arch.virtualOriginY);
}

} // namespace ttjit::hw
