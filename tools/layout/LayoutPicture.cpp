//===- LayoutPicture.cpp - the content of pictures of a layout ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/layout/LayoutPicture.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace ttjit;
using namespace ttjit::layout;
using namespace ttjit::layouts;

static constexpr int64_t kMostRows = 64, kMostColumns = 40; // of a picture as text
static constexpr int64_t kMostElements = 1 << 18; // of a dimension, to look for its padding

Fill LayoutPicture::fill(size_t row, size_t column) const {
  double data = rows.data[row] * columns.data[column];
  return data >= 1 ? Fill::Data : data > 0 ? Fill::Some : Fill::Padding;
}

Shape LayoutPicture::pointOf(size_t row, size_t column) const {
  Shape point = sliceCores;
  point.append({int64_t(row) / rows.perCore, int64_t(column) / columns.perCore});
  return point;
}

// Returns whether an index of a collapsed dimension is padding for all values of other indices.
static bool isPadding(const Layout &layout, size_t rank, size_t dim, int64_t index) {
  PlacedLayout elements = {layout, std::nullopt, Shape(rank, 1)};
  Position position = {Shape(rank, 0), Shape(rank, 0)};
  position.inShard[dim] = index;
  return !elementAt(elements, position);
}

// Returns the share of data in each cell of a dimension. Cells have `size` elements.
static std::vector<double> dataOf(const Layout &layout, size_t rank, size_t dim, int64_t cells,
                                  int64_t size) {
  std::vector<double> shares;
  for (int64_t cell = 0; cell < cells; ++cell) {
    int64_t data = 0;
    for (int64_t i = cell * size; i < (cell + 1) * size; ++i)
      data += !isPadding(layout, rank, dim, i);
    shares.push_back(double(data) / double(size));
  }
  return shares;
}

// Makes the rows or columns of cells of a dimension.
static PictureAxis makeAxis(const LayoutRequest &request, size_t dim, bool cellsAreShards) {
  const PlacedLayout &placement = request.placement;
  Shape collapsed = collapsedShape(placement.layout), physical = placement.physical();
  int64_t cells = cellsAreShards ? placement.grid[dim] : physical[dim];
  int64_t size = collapsed[dim] / cells, at = collapsedIndex(placement.layout, request.at)[dim];
  PictureAxis axis;
  axis.perCore = cellsAreShards ? 1 : placement.shard()[dim];
  axis.data = dataOf(placement.layout, physical.size(), dim, cells, size);
  axis.marked = at / size;
  axis.inCell = (double(at % size) + 0.5) / double(size);
  return axis;
}

std::optional<LayoutPicture> layout::makePicture(const LayoutRequest &request, int64_t mostRows,
                                                 int64_t mostColumns) {
  const PlacedLayout &placement = request.placement;
  Shape physical = placement.physical();
  size_t rank = physical.size();
  if (rank < 2)
    return std::nullopt;
  auto fits = [&](llvm::ArrayRef<int64_t> shape) {
    return shape[rank - 2] <= mostRows && shape[rank - 1] <= mostColumns;
  };
  Shape collapsed = collapsedShape(placement.layout);
  LayoutPicture picture;
  picture.cellsAreShards = !fits(physical);
  if (picture.cellsAreShards && !fits(placement.grid))
    return std::nullopt;
  if (std::max(collapsed[rank - 2], collapsed[rank - 1]) > kMostElements)
    return std::nullopt;
  Position position = positionOf(placement, request.at);
  Shape at = physicalIndex(placement, position);
  picture.slice.assign(at.begin(), at.end() - 2);
  picture.sliceCores.assign(position.core.begin(), position.core.end() - 2);
  picture.rows = makeAxis(request, rank - 2, picture.cellsAreShards);
  picture.columns = makeAxis(request, rank - 1, picture.cellsAreShards);
  return picture;
}

CorePicture layout::makeCorePicture(const LayoutRequest &request) {
  CorePicture picture;
  picture.device = request.device();
  picture.used.resize(*volumeOf(picture.device));
  const Shape &grid = request.placement.grid;
  picture.marked = request.coreOf(positionOf(request.placement, request.at).core);
  if (!picture.marked)
    return picture;
  auto strides = mlir::computeSuffixProduct(llvm::ArrayRef<int64_t>(grid));
  for (int64_t point = 0, count = *volumeOf(grid); point < count; ++point) {
    Shape core = *request.coreOf(mlir::delinearize(point, strides));
    picture.used[core[0] * picture.device[1] + core[1]] = true;
  }
  return picture;
}

//===--------------------------------------------------------------------------===//
// Text
//===--------------------------------------------------------------------------===//

static char letterOf(Fill fill) {
  return fill == Fill::Data ? 'o' : fill == Fill::Some ? '-' : '.';
}

// Returns the line "+-----+-----+" above the rows of a core.
static std::string border(const PictureAxis &columns) {
  std::string text = "     +";
  for (size_t column = 0; column < columns.data.size(); column += columns.perCore)
    text += std::string(2 * columns.perCore + 1, '-') + "+";
  return text + "\n";
}

// Returns the line with the numbers of the cores above their columns.
static std::string coreNumbers(const PictureAxis &columns) {
  std::string text = "      ";
  for (size_t core = 0; core * columns.perCore < columns.data.size(); ++core) {
    std::string number = std::to_string(core);
    text += " " + number + std::string(2 * columns.perCore + 1 - number.size(), ' ');
  }
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

static std::string rowText(const LayoutPicture &picture, size_t row) {
  bool isFirst = row % picture.rows.perCore == 0;
  std::string number = isFirst ? std::to_string(row / picture.rows.perCore) : "";
  std::string text = std::string(4 - std::min<size_t>(number.size(), 4), ' ') + number + " |";
  for (size_t column = 0; column < picture.columns.data.size(); ++column) {
    text += ' ';
    text += picture.isMarked(row, column) ? '#' : letterOf(picture.fill(row, column));
    if ((column + 1) % picture.columns.perCore == 0)
      text += " |";
  }
  return text + "\n";
}

static std::string sliceText(const LayoutPicture &picture) {
  if (picture.slice.empty())
    return "";
  std::string text;
  for (int64_t index : picture.slice)
    text += std::to_string(index) + ", ";
  return " at (" + text + "*, *)";
}

static std::string tilesText(const LayoutRequest &request, const LayoutPicture &picture) {
  std::string unit = picture.cellsAreShards   ? "shards"
                     : request.placement.tile ? "tiles"
                                              : "elements";
  std::string text = "The " + unit + sliceText(picture) +
                     ", with the borders of cores: # the element, o data, - data and padding, . "
                     "padding\n\n" +
                     coreNumbers(picture.columns);
  for (size_t row = 0; row < picture.rows.data.size(); ++row) {
    if (row % picture.rows.perCore == 0)
      text += border(picture.columns);
    text += rowText(picture, row);
  }
  return text + border(picture.columns);
}

static std::string coresText(const CorePicture &picture) {
  std::string text = "The cores of the device: # has the element, o has data\n\n";
  for (int64_t row = 0; row < picture.device[0]; ++row) {
    text += "     ";
    for (int64_t column = 0; column < picture.device[1]; ++column) {
      bool isMarked = *picture.marked == Shape{row, column};
      bool isUsed = picture.used[row * picture.device[1] + column];
      text += isMarked ? " #" : isUsed ? " o" : " .";
    }
    text += "\n";
  }
  return text;
}

std::string layout::pictureText(const LayoutRequest &request) {
  std::string text;
  if (std::optional<LayoutPicture> picture = makePicture(request, kMostRows, kMostColumns))
    text += "\n" + tilesText(request, *picture);
  CorePicture cores = makeCorePicture(request);
  bool fitsPage = cores.device[0] <= kMostRows && cores.device[1] <= kMostColumns;
  if (request.hasShards() && cores.marked && fitsPage)
    text += "\n" + coresText(cores);
  return text;
}
