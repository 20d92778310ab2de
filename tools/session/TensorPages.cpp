//===- TensorPages.cpp - finds the page of a tensor at an address -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/TensorPages.h"

#include "hw/device/TensorElements.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

using namespace ttjit;
using namespace ttjit::session;

void TensorPages::list() {
  for (int on = 0; on < device.numDevices(); ++on)
    for (size_t tensor = 0; tensor < tensors.size(); ++tensor)
      for (uint32_t number = 0; number < tensors[tensor].numPages; ++number) {
        hw::MemoryPlace place = placeOf(tensor, number, on);
        pages[{place.memory, place.x, place.y}].try_emplace(place.address,
                                                            Page{tensor, number, on});
      }
}

hw::MemoryPlace TensorPages::placeOf(size_t tensor, uint32_t page, int deviceNumber) const {
  hw::MemoryPlace place = device.place(tensors[tensor], page, deviceNumber);
  if (place.memory == hw::MemoryPlace::L1)
    place.x += deviceNumber * columns;
  place.bytes = tensors[tensor].pageBytes;
  return place;
}

const TensorPages::Page *TensorPages::at(const hw::MemoryPlace &place) {
  if (pages.empty())
    list();
  auto memory = pages.find({place.memory, place.x, place.y});
  if (memory == pages.end())
    return nullptr;
  auto next = memory->second.upper_bound(place.address);
  if (next == memory->second.begin())
    return nullptr;
  const auto &[address, page] = *std::prev(next);
  return place.address - address < tensors[page.tensor].pageBytes ? &page : nullptr;
}

std::string TensorPages::nameAt(const hw::MemoryPlace &place) {
  const Page *page = at(place);
  if (!page)
    return {};
  std::string name =
      fmt::format("page {} of tensor '{}'", page->number, device.name(tensors[page->tensor]));
  return device.numDevices() > 1 ? fmt::format("{} of device {}", name, page->device) : name;
}

// Returns how many elements tile number `tile` has along a dimension of `elements` elements.
static int64_t extentOf(int64_t tile, int64_t elements) {
  return std::min<int64_t>(hw::kTileDim, elements - tile * hw::kTileDim);
}

std::optional<hw::check::TileExtent> TensorPages::extentAt(const hw::MemoryPlace &place) {
  const Page *page = at(place);
  if (!page)
    return std::nullopt;
  const hw::TensorElements *elements = device.elements(tensors[page->tensor]);
  if (!elements || !elements->layout.tiled)
    return hw::check::TileExtent{};
  const hw::PageLayout &layout = elements->layout;
  int64_t row = page->number / layout.pageColumns() % layout.tileRows();
  int64_t column = page->number % layout.pageColumns();
  return hw::check::TileExtent{extentOf(row, layout.rows), extentOf(column, layout.columns)};
}
