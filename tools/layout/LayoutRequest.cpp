//===- LayoutRequest.cpp - reads the arguments of ttl-jit layout --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/layout/LayoutRequest.h"

#include "diagnostics/TextGuard.h"
#include "ir/Layouts/ShapeText.h"
#include "ir/Messages/UnknownNames.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::layout;
using layouts::Shape;
using layouts::textOf;

std::optional<Shape> LayoutRequest::coreOf(ArrayRef<int64_t> point) const {
  const Shape &grid = placement.grid;
  if (!layouts::isVirtual(grid, device()))
    return Shape(point);
  auto rectangle = layouts::rectangleFor(*layouts::volumeOf(grid), device());
  return rectangle ? std::optional(layouts::coreOfPoint(grid, *rectangle, point)) : std::nullopt;
}

namespace {

class LayoutReader {
public:
  LayoutReader(const LayoutWords &words, MLIRContext &context, LayoutMistake &mistake)
      : words(words), context(context), mistake(mistake) {}

  LogicalResult read();
  LayoutRequest request;

private:
  LogicalResult usage(std::string message);
  LogicalResult wrong(std::string message);
  // Reads numbers such as "2x4" or "2,4". `what` names the word in errors.
  LogicalResult readNumbers(StringRef text, char separator, int64_t least, StringRef what,
                            Shape &numbers);

  LogicalResult readText();
  LogicalResult readShape(ArrayRef<int64_t> shape, Type element);
  LogicalResult readAttribute(StringRef text);
  LogicalResult readType(StringRef text);
  LogicalResult readTensor(RankedTensorType type);
  LogicalResult setElement(Type element);
  LogicalResult defaultElement();
  LogicalResult checkTiles();
  LogicalResult chooseGrid();
  LogicalResult readGrid();
  LogicalResult readElement();
  LogicalResult readView();

  const LayoutWords &words;
  MLIRContext &context;
  LayoutMistake &mistake;
  Shape typeShape; // shape of the tensor type whose encoding is the layout; empty without one
};

} // namespace

static constexpr const char *kExpected =
    "the layout must be a #ttcore.metal_layout<...>, a tensor<...> or a shape";

LogicalResult LayoutReader::usage(std::string message) {
  mistake = {std::move(message), 1, 1, /*isUsage=*/true};
  return failure();
}

LogicalResult LayoutReader::wrong(std::string message) {
  mistake = {std::move(message)};
  return failure();
}

LogicalResult LayoutReader::readNumbers(StringRef text, char separator, int64_t least,
                                        StringRef what, Shape &numbers) {
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, separator);
  for (StringRef part : parts) {
    int64_t number;
    if (part.trim().getAsInteger(10, number) || number < least)
      return usage(fmt::format("{} must be numbers of at least {}, as in {}; found '{}'",
                               what.str(), least, separator == 'x' ? "2x4" : "1,5", text.str()));
    numbers.push_back(number);
  }
  return success();
}

//===--------------------------------------------------------------------------===//
// The text of the layout
//===--------------------------------------------------------------------------===//

// Sets the format and the tile from the element type of a tensor.
LogicalResult LayoutReader::setElement(Type element) {
  std::optional<ttcore::DataType> type;
  if (auto tile = dyn_cast<ttcore::TileType>(element)) {
    type = tile.getDataType();
    request.placement.tile = layouts::TileShape{tile.getHeight(), tile.getWidth()};
  } else {
    type = ttcore::getDataTypeOf(element);
  }
  if (!type) {
    std::string text;
    llvm::raw_string_ostream(text) << element;
    return wrong("the device stores no elements of type " + text +
                 ": use f32, bf16, f16, i32, ui32, ui16, ui8 or a !ttcore.tile");
  }
  request.element = element;
  request.format = ttcore::getDataFormat(*type);
  return success();
}

// Returns the scalar type of a format; null if only tiles have the format.
static Type scalarOf(MLIRContext &context, ttcore::DataType type) {
  for (Type each : {Type(Float32Type::get(&context)), Type(BFloat16Type::get(&context)),
                    Type(Float16Type::get(&context)), Type(IntegerType::get(&context, 32)),
                    Type(IntegerType::get(&context, 32, IntegerType::Unsigned)),
                    Type(IntegerType::get(&context, 16, IntegerType::Unsigned)),
                    Type(IntegerType::get(&context, 8, IntegerType::Unsigned))})
    if (ttcore::getDataTypeOf(each) == type)
      return each;
  return {};
}

// Sets the element type from --dtype and --row-major.
LogicalResult LayoutReader::defaultElement() {
  StringRef name = words.dtype.empty() ? "f32" : StringRef(words.dtype);
  std::optional<ttcore::DataType> type = ttcore::symbolizeDataType(name);
  if (!type)
    return usage("--dtype: " + describeUnknown("tile format", name,
                                               namesOf(ttcore::getMaxEnumValForDataType(),
                                                       ttcore::stringifyDataType)));
  if (!words.rowMajor)
    return setElement(ttcore::TileType::get(&context, 32, 32, *type));
  if (Type scalar = scalarOf(context, *type))
    return setElement(scalar);
  return usage(fmt::format("--row-major: only tiles have the format {}", name.str()));
}

static DenseIntElementsAttr attributeOf(MLIRContext &context, const layouts::Intervals &intervals) {
  SmallVector<int64_t> bounds;
  for (layouts::Interval each : intervals)
    bounds.append({each.begin, each.end});
  auto type = RankedTensorType::get({int64_t(intervals.size()), 2}, IntegerType::get(&context, 64));
  return DenseIntElementsAttr::get(type, bounds);
}

// Reads a tensor's shape and gives it tt-mlir's default layout.
LogicalResult LayoutReader::readShape(ArrayRef<int64_t> shape, Type element) {
  if (failed(element ? setElement(element) : defaultElement()))
    return failure();
  auto intervals = layouts::defaultIntervals(shape.size());
  Shape ones(shape.size(), 1);
  if (std::optional<std::string> text = layouts::whyNoLayout(shape, ones, intervals))
    return wrong(*text);
  Shape alignments = layouts::gridAlignments(shape, intervals, request.device());
  if (std::optional<std::string> text = layouts::whyNoLayout(shape, alignments, intervals))
    return wrong(*text);
  request.attribute = ttcore::MetalLayoutAttr::get(
      &context, shape, alignments, attributeOf(context, intervals), ttcore::MemorySpace::DeviceL1,
      ttcore::TensorMemoryLayout::Sharded);
  return success();
}

LogicalResult LayoutReader::readTensor(RankedTensorType type) {
  if (!type.hasStaticShape())
    return wrong("the tensor has a dimension of unknown extent: layouts need numbers");
  if (!type.getEncoding())
    return readShape(type.getShape(), type.getElementType());
  request.attribute = dyn_cast<ttcore::MetalLayoutAttr>(type.getEncoding());
  if (!request.attribute)
    return wrong("the encoding of the tensor must be a #ttcore.metal_layout");
  typeShape = Shape(type.getShape());
  return setElement(type.getElementType());
}

// Replaces messages of MLIR's parser that name its own types. `found` is the text from the position
// of the error on.
static std::string clearMessage(std::string message, StringRef found) {
  StringRef word = found.take_until([](char c) { return c == ',' || c == '>'; }).trim();
  if (StringRef(message).contains("non-function type"))
    return fmt::format("expected the extents of a tensor and the type of its elements, such as "
                       "64x64xf32, 64x64xbf16 or 2x2x!ttcore.tile<32x32, bf16>; found '{}'",
                       word.str());
  if (StringRef(message).contains("unregistered dialect"))
    return "unknown type: expected a number, such as f32, bf16 or si32, or a "
           "!ttcore.tile<32x32, bf16>";
  return message;
}

// Returns the text from a position on; columns count from 1.
static StringRef textFrom(StringRef text, int line, int column) {
  for (; line > 1; --line)
    text = text.split('\n').second;
  return text.drop_front(std::min<size_t>(std::max(column, 1) - 1, text.size()));
}

LogicalResult LayoutReader::readType(StringRef text) {
  Type type = parseType(text, &context);
  if (!type)
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? readTensor(tensor) : wrong("expected the type of a tensor of known rank");
}

// Refuses attributes of other dialects before MLIR parses them, because its message would not help.
LogicalResult LayoutReader::readAttribute(StringRef text) {
  if (!text.trim().starts_with("#ttcore"))
    return usage(fmt::format("{}; found '{}'", kExpected, text.str()));
  Attribute attribute = parseAttribute(text, &context);
  if (!attribute)
    return failure();
  request.attribute = dyn_cast<ttcore::MetalLayoutAttr>(attribute);
  return request.attribute ? defaultElement() : wrong("expected a #ttcore.metal_layout");
}

LogicalResult LayoutReader::readText() {
  StringRef text = StringRef(words.layout).trim();
  if (std::optional<TextProblem> problem = findTextProblem(words.layout)) {
    mistake = {problem->message, std::max(problem->line, 1), std::max(problem->column, 1)};
    return failure();
  }
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !mistake.message.empty())
      return;
    mistake = {diagnostic.str()};
    if (auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation())) {
      mistake.line = place.getLine();
      mistake.column = place.getColumn();
      StringRef found = textFrom(words.layout, mistake.line, mistake.column);
      mistake.message = clearMessage(std::move(mistake.message), found);
    }
  });
  if (text.starts_with("#"))
    return readAttribute(words.layout);
  if (text.starts_with("tensor"))
    return readType(words.layout);
  Shape shape;
  if (failed(readNumbers(text == "()" ? "" : text, 'x', 1,
                         fmt::format("{}; a shape's extents", kExpected), shape)))
    return failure();
  return readShape(shape, {});
}

//===--------------------------------------------------------------------------===//
// Grids and the element
//===--------------------------------------------------------------------------===//

LogicalResult LayoutReader::checkTiles() {
  request.placement.layout = request.attribute.getLayout();
  Shape collapsed = layouts::collapsedShape(request.placement.layout);
  if (request.placement.tile)
    if (std::optional<std::string> text = layouts::whyNotTiled(collapsed, *request.placement.tile))
      return wrong(*text);
  return success();
}

LogicalResult LayoutReader::chooseGrid() {
  Shape physical = request.placement.physical();
  if (physical.size() < 2)
    return usage(fmt::format("tt-mlir chooses no grid for the physical shape {}: give one, as in "
                             "--grid=2",
                             textOf(physical)));
  request.placement.grid = layouts::selectGrid(physical, request.device(), request.isSharded());
  request.choseGrid = true;
  return success();
}

LogicalResult LayoutReader::readGrid() {
  Shape physical = request.placement.physical(), &grid = request.placement.grid;
  if (!typeShape.empty() && words.grid.empty()) {
    grid.assign(typeShape.begin(), typeShape.begin() + typeShape.size() / 2);
    std::optional<std::string> text = layouts::whyNoShards(physical, grid);
    if (text)
      return wrong(*text);
    Shape device = grid;
    llvm::append_range(device, request.placement.shard());
    return device == typeShape
               ? success()
               : wrong(fmt::format("the tensor has the shape {}, but its layout on "
                                   "a grid of {} gives {}",
                                   textOf(typeShape), textOf(grid), textOf(device)));
  }
  if (words.grid.empty())
    return chooseGrid();
  if (failed(readNumbers(words.grid, 'x', 1, "--grid: the extents of a grid", grid)))
    return failure();
  std::optional<std::string> text = layouts::whyNoShards(physical, grid);
  return text ? usage("--grid: " + *text) : success();
}

LogicalResult LayoutReader::readElement() {
  const Shape &logical = request.placement.layout.logical;
  if (words.at.empty()) {
    for (int64_t extent : logical)
      request.at.push_back(extent - 1);
    return success();
  }
  if (failed(readNumbers(words.at, ',', 0, "--at: the indices of an element", request.at)))
    return failure();
  bool isInside = request.at.size() == logical.size() &&
                  llvm::all_of(llvm::zip(request.at, logical),
                               [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); });
  return isInside ? success()
                  : usage(fmt::format("--at: a tensor of {} has no element {}", textOf(logical),
                                      layouts::coordinateText(request.at)));
}

LogicalResult LayoutReader::readView() {
  if (failed(readNumbers(words.view, 'x', 1, "--view: the extents of a grid", request.view)))
    return failure();
  if (words.view.empty())
    return success();
  std::optional<std::string> text =
      layouts::whyNoShards(request.placement.physical(), request.view);
  return text ? usage("--view: " + *text) : success();
}

LogicalResult LayoutReader::read() {
  if (words.arch)
    request.arch = *words.arch;
  return success(succeeded(readText()) && succeeded(checkTiles()) && succeeded(readGrid()) &&
                 succeeded(readElement()) && succeeded(readView()));
}

std::optional<LayoutRequest> layout::readLayout(const LayoutWords &words, MLIRContext &context,
                                                LayoutMistake &mistake) {
  LayoutReader reader(words, context, mistake);
  if (failed(reader.read()))
    return std::nullopt;
  return std::move(reader.request);
}
