//===- PrintValues.cpp - blocks, tensors and buffers as text ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Arrays of more than 1000 elements are shortened in numpy's way: the text has three rows, columns
// and so on at each end of every dimension.
//===--------------------------------------------------------------------------===//

#include "hw/device/PrintValues.h"

#include "hw/abi/Inline.h"
#include "hw/device/FormatNumber.h"
#include "hw/tile/HostLayout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace ttjit::hw {

namespace {

std::string shapeText(std::span<const int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

//===--------------------------------------------------------------------------===//
// Elements
//===--------------------------------------------------------------------------===//

template <typename T> T datumAt(const uint8_t *page, int64_t index) {
  T datum;
  std::memcpy(&datum, page + index * static_cast<int64_t>(sizeof(T)), sizeof datum);
  return datum;
}

float halfToFloat(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 1023;
  float magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                    : exponent     ? std::ldexp(1024.0f + fraction, exponent - 25)
                                   : std::ldexp(static_cast<float>(fraction), -24);
  return half >> 15 ? -magnitude : magnitude;
}

std::string floatText(float value) { return numberText('f', std::bit_cast<uint32_t>(value)); }

// Returns the text of element `index` of a stored page. Block floats are decoded in groups.
std::string elementText(const uint8_t *page, DataFormat format, int64_t index) {
  switch (format) {
  case DataFormat::Float32:
    return numberText('f', datumAt<uint32_t>(page, index));
  case DataFormat::Float16_b:
    return numberText('f', uint32_t(datumAt<uint16_t>(page, index)) << 16);
  case DataFormat::Float16:
    return floatText(halfToFloat(datumAt<uint16_t>(page, index)));
  case DataFormat::Int32:
    return std::to_string(datumAt<int32_t>(page, index));
  case DataFormat::UInt32:
    return std::to_string(datumAt<uint32_t>(page, index));
  case DataFormat::UInt16:
    return std::to_string(datumAt<uint16_t>(page, index));
  case DataFormat::UInt8:
    return std::to_string(datumAt<uint8_t>(page, index));
  default:
    return "?";
  }
}

//===--------------------------------------------------------------------------===//
// Arrays
//===--------------------------------------------------------------------------===//

// Builds the text of an array. `textAt` is called with the row-major number of an element.
template <typename TextAt> class ArrayText {
public:
  ArrayText(std::span<const int64_t> extents, TextAt textAt) : extents(extents), textAt(textAt) {
    int64_t elements = 1;
    for (int64_t extent : extents)
      elements *= extent;
    isShort = elements > kWhole;
  }

  std::string text() {
    visit(0, 0, [&](int64_t number) { width = std::max(width, textAt(number).size()); });
    return dimension(0, 0);
  }

private:
  static constexpr int64_t kWhole = 1000, kEdge = 3;

  bool isLeftOut(size_t dim, int64_t index) const {
    return isShort && index >= kEdge && index < extents[dim] - kEdge;
  }

  template <typename Visitor> void visit(size_t dim, int64_t number, const Visitor &visitor) {
    if (dim == extents.size())
      return visitor(number);
    for (int64_t i = 0; i < extents[dim]; ++i)
      if (!isLeftOut(dim, i))
        visit(dim + 1, number * extents[dim] + i, visitor);
  }

  std::string dimension(size_t dim, int64_t number) {
    if (dim == extents.size())
      return fmt::format("{:>{}}", textAt(number), width);
    bool isRow = dim + 1 == extents.size();
    std::string between =
        isRow ? " " : std::string(extents.size() - dim - 1, '\n') + std::string(dim + 1, ' ');
    std::string text = "[";
    for (int64_t i = 0; i < extents[dim]; ++i) {
      if (isLeftOut(dim, i) && i != kEdge)
        continue;
      text += i ? between : "";
      text += isLeftOut(dim, i) ? "..." : dimension(dim + 1, number * extents[dim] + i);
    }
    return text + "]";
  }

  std::span<const int64_t> extents;
  TextAt textAt;
  bool isShort = false;
  size_t width = 0;
};

// Returns the number of the page that has a row-major element, and the element's place in the page.
std::pair<int64_t, int64_t> placeOf(const PageLayout &layout, int64_t number) {
  int64_t column = number % layout.columns, row = number / layout.columns;
  if (!layout.tiled)
    return {row, column};
  int64_t matrix = row / layout.rows;
  row %= layout.rows;
  int64_t page =
      (matrix * layout.tileRows() + row / kTileDim) * layout.tileColumns() + column / kTileDim;
  return {page,
          elementIndex(static_cast<int>(row % kTileDim), static_cast<int>(column % kTileDim))};
}

} // namespace

std::vector<int64_t> elementExtents(const BufferConfig &buffer) {
  std::vector<int64_t> extents = buffer.blockShape;
  if (!buffer.tiled)
    return extents;
  if (extents.size() == 1)
    extents.insert(extents.begin(), 1);
  for (size_t i = extents.size() - 2; i < extents.size(); ++i)
    extents[i] *= kTileDim;
  return extents;
}

std::string describeBlock(const BufferConfig &config, const CircularBuffer &state,
                          const uint8_t *l1, uint32_t firstPage) {
  std::string text = fmt::format("<Block shape={}>\n", shapeText(config.blockShape));
  if (isBlockFloat(config.format))
    return text + fmt::format("(elements of format {} are not shown)\n", formatName(config.format));
  std::vector<int64_t> extents = elementExtents(config);
  PageLayout layout(extents, config.tiled);
  auto textAt = [&](int64_t number) -> std::string {
    auto [page, index] = placeOf(layout, number);
    uint32_t slot = fast::pageAfter(state, firstPage, static_cast<uint32_t>(page));
    if (!state.written[slot])
      return "?";
    return elementText(fast::pageData(l1, state, slot), config.format, index);
  };
  return text + ArrayText(extents, textAt).text() + "\n";
}

std::string describeState(const BufferConfig &config, const CircularBuffer &state) {
  uint32_t written = 0;
  while (written < state.reserved &&
         state.written[fast::pageAfter(state, state.writePage, written)])
    ++written;
  return fmt::format("<DataflowBuffer {} shape={} block_count={} size={} page_size={} rd_ptr={} "
                     "wr_ptr={} wr_tile_ptr={}>\n",
                     config.name, shapeText(config.blockShape),
                     config.numPages / std::max(config.pagesPerBlock, 1u),
                     config.numPages * config.pageBytes, config.pageBytes,
                     state.readPage * state.pageBytes, state.writePage * state.pageBytes, written);
}

std::string describePage(const uint8_t *page, DataFormat format, int64_t columns) {
  if (isBlockFloat(format))
    return fmt::format("(elements of format {} are not shown)\n", formatName(format));
  std::vector<int64_t> extents{kTileDim, kTileDim};
  if (columns)
    extents = {columns};
  PageLayout layout(extents, columns == 0);
  auto textAt = [&](int64_t number) {
    return elementText(page, format, placeOf(layout, number).second);
  };
  return ArrayText(std::span<const int64_t>(extents), textAt).text() + "\n";
}

std::string describeSlice(const uint8_t *tile, DataFormat format, const TileSlice &slice) {
  if (isBlockFloat(format))
    return fmt::format("(elements of format {} are not shown)", formatName(format));
  int rowStep = std::max(slice.rowStep, 1), columnStep = std::max(slice.columnStep, 1);
  std::vector<std::string> lines;
  for (int row = std::max(slice.firstRow, 0); row < std::min(slice.endRow, kTileDim);
       row += rowStep) {
    std::vector<std::string> line;
    for (int column = std::max(slice.firstColumn, 0); column < std::min(slice.endColumn, kTileDim);
         column += columnStep)
      line.push_back(elementText(tile, format, elementIndex(row, column)));
    lines.push_back(fmt::format("{}", fmt::join(line, " ")));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

} // namespace ttjit::hw
