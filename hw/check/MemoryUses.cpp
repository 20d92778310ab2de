//===- MemoryUses.cpp - who used which bytes last -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/MemoryUses.h"

namespace ttjit::hw::check {

size_t MemoryUses::cellAt(std::vector<Cell> &cells, uint32_t begin, uint32_t end) {
  auto first = std::ranges::upper_bound(cells, begin, {}, &Cell::end);
  auto i = static_cast<size_t>(first - cells.begin());
  if (i < cells.size() && cells[i].begin == begin && cells[i].end == end)
    return i;
  auto at = [&](size_t index) { return cells.begin() + static_cast<ptrdiff_t>(index); };
  if (i < cells.size() && cells[i].begin < begin) {
    cells.insert(at(i + 1), Cell{begin, cells[i].end, std::make_unique<Uses>(*cells[i].last)});
    cells[i++].end = begin;
  }
  size_t result = i;
  for (uint32_t next = begin; next < end; next = cells[i++].end) {
    if (i == cells.size() || cells[i].begin > next) // nobody has used these bytes
      cells.insert(at(i), Cell{next, i == cells.size() ? end : std::min(end, cells[i].begin),
                               std::make_unique<Uses>()});
    else if (cells[i].end > end) {
      cells.insert(at(i + 1), Cell{end, cells[i].end, std::make_unique<Uses>(*cells[i].last)});
      cells[i].end = end;
    }
  }
  return result;
}

} // namespace ttjit::hw::check
