//===- LayoutText.cpp - a layout's numbers as text ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/layout/LayoutText.h"

#include "ir/Layouts/ShapeText.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::layout;
using namespace ttjit::layouts;

static std::string line(StringRef name, const std::string &value, const std::string &note = "") {
  std::string text = fmt::format("{:<12}{:<14}{}", name.str(), value, note);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

template <typename T> static std::string textOfIR(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static std::string countOf(int64_t number, const char *one, const char *many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

static std::string formatText(const LayoutRequest &request) {
  if (auto tile = dyn_cast<ttcore::TileType>(request.element))
    return ttcore::stringifyDataType(tile.getDataType()).str();
  return textOfIR(request.element);
}

//===--------------------------------------------------------------------------===//
// The chain
//===--------------------------------------------------------------------------===//

// Returns text such as "dimensions 0, 1: 43 padded to 64, times 9 is 576, padded to 768".
static std::string intervalText(const Layout &layout, Interval interval) {
  std::string text = interval.end - interval.begin == 1
                         ? fmt::format("dimension {}: ", interval.begin)
                         : fmt::format("dimensions {} to {}: ", interval.begin, interval.end - 1);
  int64_t extent = 1;
  for (int64_t dim = interval.end; dim-- > interval.begin;) {
    int64_t product = extent * layout.logical[dim];
    bool isFirst = dim + 1 == interval.end;
    text += isFirst ? fmt::format("{}", product)
                    : fmt::format(", times {} is {}", layout.logical[dim], product);
    extent = collapse(layout.logical, layout.alignments, {dim, interval.end})->extent;
    if (extent != product)
      text += fmt::format("{} padded to {}", isFirst ? "" : ",", extent);
  }
  return text;
}

static std::string collapsedText(const Layout &layout) {
  Shape collapsed = collapsedShape(layout);
  int64_t elements = *volumeOf(layout.logical), all = *volumeOf(collapsed);
  std::string text = line("collapsed", textOf(collapsed),
                          fmt::format("{} of {} elements are padding ({} %)", all - elements, all,
                                      100 * (all - elements) / all));
  for (Interval each : layout.intervals)
    if (each.begin == each.end)
      text += line("", "", "a vector is the first of 32 rows");
    else
      text += line("", "", intervalText(layout, each));
  if (layout.logical.empty())
    text += line("", "", "a scalar is the first element of 32x32");
  return text;
}

static std::string unitsText(const LayoutRequest &request) {
  int64_t bytes = unitBytes(request.format, request.placement.tile);
  if (!request.placement.tile)
    return fmt::format("elements of {}", countOf(bytes, "byte", "bytes"));
  auto [height, width] = *request.placement.tile;
  return fmt::format("tiles of {} {}, {} bytes each", textOf({height, width}), formatText(request),
                     bytes);
}

static std::string gridText(const LayoutRequest &request) {
  const Shape &grid = request.placement.grid;
  Shape device = request.device();
  std::string by = request.choseGrid ? "chosen for" : "on";
  std::string text = fmt::format("{} the {} cores of {}", by, textOf(device), request.arch.name);
  if (!isVirtual(grid, device))
    return text;
  auto rectangle = rectangleFor(*volumeOf(grid), device);
  return rectangle ? fmt::format("{}; virtual: row by row on {} cores", text,
                                 textOf({rectangle->rows, rectangle->columns}))
                   : text + "; no rectangle of its cores has so many";
}

static int64_t shardBytes(const LayoutRequest &request) {
  return *volumeOf(request.placement.shard()) * unitBytes(request.format, request.placement.tile);
}

static std::string deviceText(const LayoutRequest &request) {
  Shape device = request.placement.grid, shard = request.placement.shard();
  llvm::append_range(device, shard);
  int64_t cores = *volumeOf(request.placement.grid), bytes = shardBytes(request);
  std::string note =
      fmt::format("{} of {} {}, {} bytes each", countOf(cores, "shard", "shards"), textOf(shard),
                  request.placement.tile ? "tiles" : "elements", bytes);
  bool isInL1 = request.attribute.getMemorySpace() == ttcore::MemorySpace::DeviceL1;
  if (request.hasShards() && !isInL1)
    note += ", in DRAM";
  if (request.hasShards() && isInL1 && bytes > request.arch.l1Available())
    note += fmt::format(": more than the {} bytes of L1", request.arch.l1Available());
  return line("device", textOf(device), note);
}

// Returns the layout of the memref into which the tensor is converted.
static MemRefLayoutAttrInterface memrefLayout(const LayoutRequest &request) {
  MLIRContext *context = request.attribute.getContext();
  Shape strides =
      byteStrides(request.placement.shard(), unitBytes(request.format, request.placement.tile));
  if (request.isSharded())
    return ttcore::ShardLayoutAttr::get(context, strides, 1);
  return ttcore::InterleavedLayoutAttr::get(context, strides);
}

static std::string typesText(const LayoutRequest &request) {
  MLIRContext *context = request.attribute.getContext();
  Shape device = request.placement.grid;
  llvm::append_range(device, request.placement.shard());
  auto tensor = RankedTensorType::get(device, request.element, request.attribute);
  auto space = ttcore::MemorySpaceAttr::get(context, request.attribute.getMemorySpace());
  auto memref = MemRefType::get(device, request.element, memrefLayout(request), space);
  HostMemory host = hostMemory(request.placement.layout);
  auto hostLayout = ttcore::HostLayoutAttr::get(context, request.placement.layout.logical,
                                                host.strides, host.volume, StringAttr());
  std::string text = "\ntensor      " + textOfIR(tensor) + "\nmemref      " + textOfIR(memref) +
                     "\nhost        " + textOfIR(Attribute(hostLayout)) + "\n";
  const Shape &grid = request.placement.grid;
  if (isVirtual(grid, request.device()))
    if (auto rectangle = rectangleFor(*volumeOf(grid), request.device()))
      text += "grid        " +
              textOfIR(Attribute(ttcore::VirtualGridAttr::get(context, grid, *rectangle))) + "\n";
  return text;
}

std::string layout::chainText(const LayoutRequest &request) {
  const Layout &layout = request.placement.layout;
  return line("logical", textOf(layout.logical),
              fmt::format("{} of {}", countOf(*volumeOf(layout.logical), "element", "elements"),
                          formatText(request))) +
         line("alignments", textOf(layout.alignments)) + collapsedText(layout) +
         line("physical", textOf(request.placement.physical()), unitsText(request)) +
         line("grid", textOf(request.placement.grid), gridText(request)) + deviceText(request) +
         typesText(request);
}

//===--------------------------------------------------------------------------===//
// The element
//===--------------------------------------------------------------------------===//

static std::string coreText(const LayoutRequest &request, const Position &position) {
  std::optional<Shape> core = request.coreOf(position.core);
  if (!core)
    return line("  core", coordinateText(position.core), "the device has no such core");
  return line("  core", coordinateText(position.core),
              fmt::format("row {}, column {} of the device", (*core)[0], (*core)[1]));
}

// Returns where the bytes of an element of a sharded tensor are.
static std::string shardText(const LayoutRequest &request, const Position &position) {
  std::string unit = request.placement.tile ? "tile" : "element";
  return coreText(request, position) +
         line("  in shard", coordinateText(position.inShard),
              fmt::format("{} of {}", unit, textOf(request.placement.shard())));
}

// Returns the page of an interleaved tensor that has the element, and the page's bank.
static std::string pageText(const LayoutRequest &request, const Position &position) {
  Shape physical = request.placement.physical();
  int64_t page = linearize(physicalIndex(request.placement, position),
                           computeSuffixProduct(ArrayRef<int64_t>(physical)));
  if (request.attribute.getMemorySpace() != ttcore::MemorySpace::DeviceDRAM)
    return line("  page", std::to_string(page));
  int64_t banks = request.arch.dramBanks;
  return line("  page", std::to_string(page),
              fmt::format("bank {} of {}, page {} in it", page % banks, banks, page / banks));
}

static std::string faceText(TileShape tile, const Position &position) {
  int64_t faceRows = std::min<int64_t>(tile.height, 16);
  int64_t face = elementInTile(tile, position.row, position.column) / (faceRows * 16);
  return line(
      "  face", std::to_string(face),
      fmt::format("row {}, column {} of the face", position.row % 16, position.column % 16));
}

static std::string byteText(const LayoutRequest &request, const Position &position) {
  const PlacedLayout &placement = request.placement;
  bool isPage = !request.hasShards() && placement.tile;
  int64_t byte = isPage ? byteInTile(request.format, *placement.tile, position.row, position.column)
                        : byteInShard(placement, position, request.format);
  int64_t bytes = isPage ? unitBytes(request.format, placement.tile) : shardBytes(request);
  std::string note = fmt::format("of the {} of the {}", bytes, isPage ? "page" : "shard");
  if (hw::isBlockFloat(request.format))
    note += "; the exponents are at the start of the tile";
  return line("  byte", std::to_string(byte), note);
}

// Returns where an element is in the memory of the device.
static std::string deviceMemoryText(const LayoutRequest &request, const Position &position) {
  const std::optional<TileShape> &tile = request.placement.tile;
  bool hasPages = !request.hasShards() && tile;
  return (hasPages ? pageText(request, position) : shardText(request, position)) +
         (tile ? faceText(*tile, position) : "") + byteText(request, position);
}

static std::string hostMemoryText(const LayoutRequest &request) {
  HostMemory memory = hostMemory(request.placement.layout);
  return line("  host", std::to_string(linearize(request.at, memory.strides)),
              fmt::format("of the {} elements of the buffer of the host", memory.volume));
}

// Returns where the element is in another grid for the same storage.
static std::string viewText(const LayoutRequest &request, const Position &position) {
  Shape from = request.placement.grid, to = request.view, point = position.core;
  llvm::append_range(from, request.placement.shard());
  llvm::append_range(to, shardShape(request.placement.physical(), request.view));
  llvm::append_range(point, position.inShard);
  Shape seen = reblock(point, from, to);
  size_t rank = request.view.size();
  ArrayRef<int64_t> index(seen);
  return line("view", textOf(to), "the same storage on a grid of " + textOf(request.view)) +
         line("  core", coordinateText(index.take_front(rank)), "of the view") +
         line("  in shard", coordinateText(index.drop_front(rank)),
              "of " + textOf(ArrayRef<int64_t>(to).drop_front(rank)));
}

std::string layout::elementText(const LayoutRequest &request) {
  const PlacedLayout &placement = request.placement;
  Position position = positionOf(placement, request.at);
  std::string text =
      line("element", coordinateText(request.at)) +
      line("  collapsed", coordinateText(collapsedIndex(placement.layout, request.at))) +
      line(placement.tile ? "  tile" : "  physical",
           coordinateText(physicalIndex(placement, position)),
           placement.tile
               ? fmt::format("row {}, column {} of the tile", position.row, position.column)
               : "");
  text += request.isOnHost() ? hostMemoryText(request) : deviceMemoryText(request, position);
  if (!request.view.empty())
    text += viewText(request, position);
  return text;
}
