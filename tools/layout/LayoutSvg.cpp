//===- LayoutSvg.cpp - a layout as a picture ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/layout/LayoutSvg.h"

#include "ir/Layouts/ShapeText.h"
#include "tools/layout/LayoutPicture.h"

#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::layout;
using namespace ttjit::layouts;

namespace {

constexpr double kPanel = 280, kGap = 40, kTop = 80, kHeight = 450;
constexpr const char *kMark = "#d62728", *kLine = "#555555", *kPadding = "#dddddd",
                     *kUnused = "#f6f6f6", *kLight = "#ffffff", *kInk = "#222222";
constexpr int64_t kMostCells = 256; // of a row or a column
// The colours of neighbouring cores.
constexpr const char *kCores[2][2] = {{"#c6dbef", "#9ecae1"}, {"#c7e9c0", "#a1d99b"}};

const char *colourOf(int64_t row, int64_t column) { return kCores[row % 2][column % 2]; }

// An SVG file of panels from left to right.
class Picture {
public:
  explicit Picture(int panels)
      : width(panels * (kPanel + kGap) + kGap),
        text(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
                         "width=\"{0}\" height=\"{1}\" font-family=\"monospace\">\n"
                         "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
                         width, kHeight)) {}

  void rect(double x, double y, double w, double h, const char *fill, const char *stroke = "none",
            double thick = 1) {
    text += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
                        "fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                        x, y, w, h, fill, stroke, thick);
  }
  void dot(double x, double y) {
    text += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4\" fill=\"{}\" "
                        "stroke=\"#ffffff\"/>\n",
                        x, y, kMark);
  }
  void write(double x, double y, const std::string &words, int size = 12,
             const char *anchor = "start") {
    text += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\" fill=\"{}\" "
                        "text-anchor=\"{}\">{}</text>\n",
                        x, y, size, kInk, anchor, words);
  }
  std::string finish() const { return text + "</svg>\n"; }

private:
  double width;
  std::string text;
};

// The box in which a panel draws: at most kPanel x kPanel, with the proportions of its rows and
// columns, but neither side is less than a twelfth of the other.
struct Box {
  Box(double x, double rows, double columns)
      : x(x), width(side(columns, rows)), height(side(rows, columns)), across(width / columns),
        down(height / rows) {}
  static double side(double extent, double other) {
    return kPanel * std::max(extent / std::max(extent, other), 1.0 / 12);
  }
  double x, width, height;
  double across, down; // the size of a column and of a row
};

class LayoutDrawing {
public:
  explicit LayoutDrawing(const LayoutRequest &request)
      : request(request), position(positionOf(request.placement, request.at)), picture(4) {}

  std::string draw();

private:
  double left(int panel) const { return kGap + panel * (kPanel + kGap); }
  void head(int panel, const std::string &title, const std::string &subtitle);
  void foot(int panel, const std::string &line, const std::string &more = "");
  void drawTensor();
  void drawTiles();
  void drawCells(const LayoutPicture &cells, const Box &box);
  void drawBorders(const LayoutPicture &cells, const Box &box, int64_t high, int64_t wide,
                   const char *colour);
  void drawMark(const LayoutPicture &cells, const Box &box);
  const char *colourOfPoint(const Shape &point) const;
  void drawDevice();
  void drawTile();
  void drawFaces(TileShape tile, const Box &box);

  const LayoutRequest &request;
  Position position;
  Picture picture;
};

} // namespace

void LayoutDrawing::head(int panel, const std::string &title, const std::string &subtitle) {
  picture.write(left(panel), 30, title, 16);
  picture.write(left(panel), 52, subtitle);
}

void LayoutDrawing::foot(int panel, const std::string &line, const std::string &more) {
  picture.write(left(panel), kTop + kPanel + 30, line, 13);
  picture.write(left(panel), kTop + kPanel + 50, more);
}

// Draws the last two dimensions of the tensor.
void LayoutDrawing::drawTensor() {
  const Shape &logical = request.placement.layout.logical;
  double rows = logical.size() < 2 ? 1 : double(logical[logical.size() - 2]);
  double columns = logical.empty() ? 1 : double(logical.back());
  Box box(left(0), rows, columns);
  head(0, "logical", textOf(logical));
  picture.rect(box.x, kTop, box.width, box.height, kUnused, kLine);
  double row = logical.size() < 2 ? 0 : double(request.at[logical.size() - 2]);
  double column = logical.empty() ? 0 : double(request.at.back());
  picture.dot(box.x + (column + 0.5) / columns * box.width, kTop + (row + 0.5) / rows * box.height);
  foot(0, "element " + coordinateText(request.at),
       logical.size() > 2 ? "the last two dimensions are shown" : "");
}

// Returns the colour of the core that has a point of the grid, the same in both panels.
const char *LayoutDrawing::colourOfPoint(const Shape &point) const {
  std::optional<Shape> core = request.coreOf(point);
  return core ? colourOf((*core)[0], (*core)[1]) : kUnused;
}

// Draws each cell in grey, and its share of data, at least a visible part, in its core's colour.
void LayoutDrawing::drawCells(const LayoutPicture &cells, const Box &box) {
  picture.rect(box.x, kTop, box.width, box.height, kPadding);
  auto length = [](double data, double cell) { return std::max(data * cell, std::min(3.0, cell)); };
  for (size_t row = 0; row < cells.rows.data.size(); ++row)
    for (size_t column = 0; column < cells.columns.data.size(); ++column)
      if (cells.fill(row, column) != Fill::Padding)
        picture.rect(box.x + double(column) * box.across, kTop + double(row) * box.down,
                     length(cells.columns.data[column], box.across),
                     length(cells.rows.data[row], box.down),
                     colourOfPoint(cells.pointOf(row, column)));
}

// Draws the border of the cell that has the element, and the element in it.
void LayoutDrawing::drawMark(const LayoutPicture &cells, const Box &box) {
  double x = box.x + double(cells.columns.marked) * box.across,
         y = kTop + double(cells.rows.marked) * box.down;
  picture.rect(x, y, box.across, box.down, "none", kMark, 3);
  picture.dot(x + cells.columns.inCell * box.across, y + cells.rows.inCell * box.down);
}

// Draws lines between parts of `high` x `wide` cells, unless the parts are too small.
void LayoutDrawing::drawBorders(const LayoutPicture &cells, const Box &box, int64_t high,
                                int64_t wide, const char *colour) {
  constexpr double kSmallest = 6;
  if (std::min(double(high) * box.down, double(wide) * box.across) < kSmallest)
    return;
  for (size_t row = 0; row < cells.rows.data.size(); row += high)
    for (size_t column = 0; column < cells.columns.data.size(); column += wide)
      picture.rect(box.x + double(column) * box.across, kTop + double(row) * box.down,
                   double(wide) * box.across, double(high) * box.down, "none", colour,
                   colour == kLine ? 1 : 0.4);
}

void LayoutDrawing::drawTiles() {
  const PlacedLayout &placement = request.placement;
  const char *units = placement.tile ? "tiles" : "elements";
  head(1, "physical",
       textOf(placement.physical()) + " " + units + ", cores " + textOf(placement.grid));
  std::string at = coordinateText(physicalIndex(placement, position));
  if (std::optional<LayoutPicture> cells = makePicture(request, kMostCells, kMostCells)) {
    Box box(left(1), double(cells->rows.data.size()), double(cells->columns.data.size()));
    drawCells(*cells, box);
    drawBorders(*cells, box, 1, 1, kLight);
    drawBorders(*cells, box, cells->rows.perCore, cells->columns.perCore, kLine);
    drawMark(*cells, box);
    foot(1, (placement.tile ? "tile " : "element ") + at,
         cells->cellsAreShards ? "a cell is a shard; grey: padding" : "grey: padding");
  } else {
    foot(1, (placement.tile ? "tile " : "element ") + at, "too large to draw");
  }
}

void LayoutDrawing::drawDevice() {
  CorePicture cores = makeCorePicture(request);
  head(2, "device", textOf(cores.device) + " cores of " + std::string(request.arch.name));
  if (!request.hasShards() || !cores.marked) {
    foot(2, request.isOnHost()    ? "the tensor is on the host"
            : request.hasShards() ? "the device has too few cores"
                                  : "interleaved: pages in all banks");
    return;
  }
  Box box(left(2), double(cores.device[0]), double(cores.device[1]));
  for (int64_t row = 0; row < cores.device[0]; ++row)
    for (int64_t column = 0; column < cores.device[1]; ++column) {
      bool isUsed = cores.used[row * cores.device[1] + column];
      bool isMarked = *cores.marked == Shape{row, column};
      picture.rect(box.x + double(column) * box.across + 1, kTop + double(row) * box.down + 1,
                   box.across - 2, box.down - 2, isUsed ? colourOf(row, column) : kUnused,
                   isMarked ? kMark : kLine, isMarked ? 3 : 0.7);
    }
  foot(2, "core " + coordinateText(*cores.marked),
       isVirtual(request.placement.grid, cores.device)
           ? "point " + coordinateText(position.core) + " of the virtual grid"
           : "");
}

// Draws the faces of a tile with their numbers in the order of memory.
void LayoutDrawing::drawFaces(TileShape tile, const Box &box) {
  int64_t high = std::min<int64_t>(tile.height, 16), number = 0;
  for (int64_t row = 0; row < tile.height; row += high)
    for (int64_t column = 0; column < tile.width; column += 16, ++number) {
      double x = box.x + double(column) * box.across, y = kTop + double(row) * box.down;
      picture.rect(x, y, 16 * box.across, double(high) * box.down, colourOf(row / 16, column / 16),
                   kLine);
      picture.write(x + 8 * box.across, y + double(high) * box.down / 2 + 6,
                    fmt::format("face {}", number), 14, "middle");
    }
}

void LayoutDrawing::drawTile() {
  bool isPage = !request.hasShards() && request.placement.tile;
  int64_t byte =
      isPage ? byteInTile(request.format, *request.placement.tile, position.row, position.column)
             : byteInShard(request.placement, position, request.format);
  std::string foots = fmt::format("byte {} of the {}", byte, isPage ? "tile" : "shard");
  if (!request.placement.tile) {
    head(3, "memory", "rows of elements");
    foot(3, foots);
    return;
  }
  TileShape tile = *request.placement.tile;
  Box box(left(3), double(tile.height), double(tile.width));
  head(3, "tile", textOf({tile.height, tile.width}) + ", faces in the order of memory");
  drawFaces(tile, box);
  picture.dot(box.x + (double(position.column) + 0.5) * box.across,
              kTop + (double(position.row) + 0.5) * box.down);
  foot(3, fmt::format("row {}, column {} of the tile", position.row, position.column), foots);
}

std::string LayoutDrawing::draw() {
  drawTensor();
  drawTiles();
  drawDevice();
  drawTile();
  return picture.finish();
}

std::string layout::layoutSvg(const LayoutRequest &request) {
  return LayoutDrawing(request).draw();
}
