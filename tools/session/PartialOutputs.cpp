//===- PartialOutputs.cpp - tensors that a launch writes in part --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/PartialOutputs.h"

#include "hw/device/TensorElements.h"
#include "hw/tile/TileShape.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <optional>

using namespace ttjit;
using namespace ttjit::session;

namespace {

// The elements of a tensor that nothing has written.
struct Missing {
  int64_t count = 0;
  std::optional<std::vector<int64_t>> first; // the index of one of them
  bool isUniform = true;                     // whether they have one value
  std::vector<std::byte> value;
  bool isBehind = true; // whether they are all behind the last whole tile of a row or column
};

// Looks for the unwritten elements of one tensor.
class Search {
public:
  Search(const hw::check::Unwritten &unwritten, hw::Device &device, const TensorPages &pages,
         const hw::TensorAllocation &tensor, const hw::TensorElements &elements, size_t number,
         int on)
      : unwritten(unwritten), device(device), pages(pages), tensor(tensor), elements(elements),
        layout(elements.layout), number(number), on(on) {}

  Missing run() {
    for (uint32_t page = 0; page < tensor.numPages; ++page)
      lookAt(page);
    return std::move(missing);
  }

private:
  // The elements of a page: `rows` x `columns` elements of matrix `matrix`, from (row, column) on.
  struct Region {
    int64_t matrix, row, column, rows, columns;
  };

  Region regionOf(uint32_t page) const;
  void lookAt(uint32_t page);
  void add(const Region &region, int64_t row, int64_t column, const std::byte *element);
  // Returns the byte of the page at which an element begins.
  uint32_t offsetOf(int64_t row, int64_t column) const;

  const hw::check::Unwritten &unwritten;
  hw::Device &device;
  const TensorPages &pages;
  const hw::TensorAllocation &tensor;
  const hw::TensorElements &elements;
  const hw::PageLayout &layout;
  const size_t number; // number of the tensor
  const int on;        // number of the device
  Missing missing;
};

} // namespace

Search::Region Search::regionOf(uint32_t page) const {
  int64_t pageRow = page / layout.pageColumns(), pageColumn = page % layout.pageColumns();
  int64_t height = layout.tiled ? hw::kTileDim : 1;
  int64_t width = layout.tiled ? hw::kTileDim : layout.piece;
  int64_t rowsOfPages = layout.tiled ? layout.tileRows() : layout.rows;
  int64_t row = pageRow % rowsOfPages * height, column = pageColumn * width;
  return {pageRow / rowsOfPages, row, column, std::min(height, layout.rows - row),
          std::min(width, layout.columns - column)};
}

uint32_t Search::offsetOf(int64_t row, int64_t column) const {
  if (hw::isBlockFloat(elements.format)) // the elements of a tile are written together
    return 0;
  int64_t index =
      layout.tiled ? hw::elementIndex(static_cast<int>(row), static_cast<int>(column)) : column;
  return static_cast<uint32_t>(index * hw::datumBits(elements.format) / 8);
}

void Search::lookAt(uint32_t page) {
  hw::MemoryPlace place = pages.placeOf(number, page, on);
  if (!unwritten.find(place))
    return;
  bool isWhole = unwritten.isWhole(place);
  const std::byte *bytes = device.page(tensor, page, on);
  Region region = regionOf(page);
  hw::MemoryPlace element = place;
  element.bytes = 1;
  for (int64_t row = 0; row < region.rows; ++row)
    for (int64_t column = 0; column < region.columns; ++column) {
      uint32_t offset = offsetOf(row, column);
      element.address = place.address + offset;
      if (isWhole || unwritten.find(element))
        add(region, row, column, bytes + offset);
    }
}

void Search::add(const Region &region, int64_t row, int64_t column, const std::byte *element) {
  size_t bytes = std::max<size_t>(1, static_cast<size_t>(hw::datumBits(elements.format)) / 8);
  if (missing.count++ == 0)
    missing.value.assign(element, element + bytes);
  missing.isUniform &= std::memcmp(missing.value.data(), element, bytes) == 0;
  int64_t inRow = region.row + row, inColumn = region.column + column;
  bool isInWholeTile = inRow < layout.rows / hw::kTileDim * hw::kTileDim &&
                       inColumn < layout.columns / hw::kTileDim * hw::kTileDim;
  missing.isBehind &= layout.tiled && !isInWholeTile;
  // Compare indices: the order of pages is that of their first elements, not of all elements.
  int64_t number = (region.matrix * layout.rows + inRow) * layout.columns + inColumn;
  std::vector<int64_t> index(elements.shape.size());
  for (size_t i = index.size(); i-- > 0; number /= elements.shape[i])
    index[i] = number % elements.shape[i];
  if (!missing.first || index < *missing.first)
    missing.first = std::move(index);
}

static std::string advice(const Missing &missing, const hw::TensorElements &elements) {
  const hw::PageLayout &layout = elements.layout;
  if (!missing.isBehind)
    return "write all of it, or pass ttl.partial(tensor) if the rest shall keep its values";
  int64_t extent = layout.rows % hw::kTileDim ? layout.rows : layout.columns;
  return fmt::format("the last, incomplete tiles are left out: {0} // 32 is rounded down, and "
                     "-(-{0} // 32) is rounded up",
                     extent);
}

// Returns the number that a check uses for a device's part of a tensor.
static int numberOfPart(const hw::Device &device, size_t tensor, int on) {
  return static_cast<int>(tensor) * device.numDevices() + on;
}

void session::addPages(hw::check::OutputCheck &check, const hw::Device &device,
                       const std::vector<hw::TensorAllocation> &tensors, const TensorPages &pages) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const hw::TensorElements *elements = device.elements(tensors[i]);
    if (!elements || elements->isPartial)
      continue;
    for (int on = 0; on < device.numDevices(); ++on)
      for (uint32_t page = 0; page < tensors[i].numPages; ++page)
        check.addPage(pages.placeOf(i, page, on), numberOfPart(device, i, on));
  }
}

static hw::Fault describe(const Missing &missing, const hw::TensorElements &elements,
                          const std::string &name, const hw::SourceLocation &location) {
  hw::Fault fault;
  fault.kind = hw::FaultKind::Runtime;
  fault.location = location;
  fault.message = fmt::format(
      "{} is written in part: nothing writes {} of its {} elements, the first is [{}]", name,
      missing.count, elements.layout.numElements(), fmt::join(*missing.first, ", "));
  fault.notes.push_back({advice(missing, elements), {}});
  return fault;
}

std::vector<hw::Fault> session::partialOutputs(const hw::check::OutputCheck &check,
                                               hw::Device &device,
                                               const std::vector<hw::TensorAllocation> &tensors,
                                               const TensorPages &pages) {
  std::vector<hw::Fault> found;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const hw::TensorElements *elements = device.elements(tensors[i]);
    for (int on = 0; elements && on < device.numDevices(); ++on) {
      uint32_t loc = check.partialWriteOf(numberOfPart(device, i, on));
      if (!loc)
        continue;
      Missing missing =
          Search(check.unwritten(), device, pages, tensors[i], *elements, i, on).run();
      if (missing.count == 0 || !missing.isUniform)
        continue;
      std::string name = fmt::format("tensor '{}'", device.name(tensors[i]));
      if (device.numDevices() > 1)
        name += fmt::format(" of device {}", on);
      found.push_back(describe(missing, *elements, name, check.location(loc)));
    }
  }
  return found;
}
