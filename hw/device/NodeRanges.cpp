//===- NodeRanges.cpp - text for sets of nodes --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/NodeRanges.h"

#include "hw/device/Program.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace ttjit::hw {

namespace {

constexpr size_t kMaxRectangles = 8;

using Cell = std::pair<int, int>; // (y, x), so that places are ordered row-major

bool holdsRow(const std::set<Cell> &places, int y, int x0, int x1) {
  for (int x = x0; x <= x1; ++x)
    if (!places.count({y, x}))
      return false;
  return true;
}

// Removes the largest rectangle that begins at the first place from the set: as wide as possible,
// then as high as possible. Returns its text.
std::string takeRectangle(std::set<Cell> &places) {
  auto [y0, x0] = *places.begin();
  int x1 = x0, y1 = y0;
  while (places.count({y0, x1 + 1}))
    ++x1;
  while (holdsRow(places, y1 + 1, x0, x1))
    ++y1;
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x)
      places.erase({y, x});
  if (x0 == x1 && y0 == y1)
    return fmt::format("({},{})", x0, y0);
  return fmt::format("({},{})-({},{})", x0, y0, x1, y1);
}

} // namespace

// Returns the text of the nodes of one device.
static std::string describeCells(std::set<Cell> &places) {
  std::string text;
  for (size_t i = 0; i < kMaxRectangles && !places.empty(); ++i)
    text += (i ? ", " : "") + takeRectangle(places);
  if (!places.empty())
    text += ", ...";
  return text;
}

std::string describeNodes(const Program &program, const std::vector<NodeCoord> &nodes) {
  std::map<int, std::set<Cell>> ofDevice;
  for (NodeCoord node : nodes)
    ofDevice[node.x / program.columnsOfDevice()].insert(
        {node.y, node.x % program.columnsOfDevice()});
  std::string text;
  for (auto &[device, places] : ofDevice) {
    text += text.empty() ? "" : ", ";
    if (program.numDevices > 1)
      text += fmt::format("device {}: ", device);
    text += describeCells(places);
  }
  return fmt::format("{} [{}]", text, nodes.size());
}

NodeCoord nodeOfDevice(const Program &program, int x, int y) {
  if (program.numDevices == 1)
    return {x, y};
  int columns = program.columnsOfDevice();
  return {x % columns, y, x / columns};
}

std::string describeNode(const Program &program, int x, int y) {
  NodeCoord node = nodeOfDevice(program, x, y);
  std::string text = fmt::format("node ({}, {})", node.x, node.y);
  return node.device < 0 ? text : fmt::format("device {} {}", node.device, text);
}

} // namespace ttjit::hw
