//===- TTLTypes.cpp - dialect, types and attributes of ttl --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Messages/UnknownNames.h"
#include "ir/TTL/ShardShapes.h"
#include "ir/TTL/TTLAssembly.h"
#include "ir/TTL/TTLDialectInterfaces.h"
#include "ir/TTL/TTLDist.h"
#include "ir/TTL/TTLResetOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

#include "ir/TTL/TTLDialect.cpp.inc"
#include "ir/TTL/TTLEnums.cpp.inc"
#include "ir/TTL/TTLInterfaces.cpp.inc"
#include "ir/TTL/TTLLayoutInterface.cpp.inc"

namespace mlir::tt::ttl {

// Parses `dram`, another name of it, or `#ttcore.memory_space<dram>`.
static ParseResult parseMemorySpaceName(AsmParser &parser, ttcore::MemorySpace &space) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (OptionalParseResult parsed = parser.parseOptionalAttribute(attribute); parsed.has_value()) {
    auto known = dyn_cast_or_null<ttcore::MemorySpaceAttr>(attribute);
    if (known)
      space = known.getValue();
    return known ? success()
           : failed(*parsed)
               ? failure()
               : ParseResult(parser.emitError(loc)
                             << "expected a memory space, such as dram, found " << attribute);
  }
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<ttcore::MemorySpace> known = lookUpMemorySpace(name);
  if (!known)
    return parser.emitError(loc) << "unknown memory space '" << name
                                 << "': expected dram, l1, system or mmio";
  space = *known;
  return success();
}

static void printMemorySpaceName(AsmPrinter &printer, ttcore::MemorySpace space) {
  printer << ttcore::stringifyMemorySpace(space);
}

// Parses the layout of an encoding; `<interleaved>` means `#ttl.layout<interleaved>`.
static ParseResult parseLayout(AsmParser &parser, LayoutAttrInterface &layout) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute any;
  auto parseOurs = [&](Attribute &result, Type type) -> ParseResult {
    result = LayoutAttr::parse(parser, type);
    return success(result != nullptr);
  };
  if (parser.parseCustomAttributeWithFallback(any, Type(), parseOurs))
    return failure();
  if (auto memory = dyn_cast<ttcore::TensorMemoryLayoutAttr>(any))
    any = LayoutAttr::get(parser.getContext(), memory.getValue(), {}, {}, {});
  layout = dyn_cast<LayoutAttrInterface>(any);
  if (!layout)
    return parser.emitError(loc, "expected a layout, such as #ttl.layout<interleaved, tile = "
                                 "32x32>, found ")
           << any;
  return success();
}

static void printLayout(AsmPrinter &printer, LayoutAttrInterface layout) {
  if (auto ours = dyn_cast<LayoutAttr>(Attribute(layout)))
    printer.printStrippedAttrOrType(ours);
  else
    printer << layout;
}

} // namespace mlir::tt::ttl

#define GET_ATTRDEF_CLASSES
#include "ir/TTL/TTLAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TTL/TTLTypes.cpp.inc"

void TTLDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/TTL/TTLAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/TTL/TTLTypes.cpp.inc"
      >();
  addAttributes<PlacementAttr>();
  addTypes<DistTensorType>();
  registerTTLDialectOperations(this);
  registerTileRows(this);
  registerResetOps(this);
  registerDistOps(this);
  addInterfaces<TTLAsmInterface, TTLFoldInterface>();
}

// Parses tt-lang's type of handles, which includes the direction; ours does not need
// it.
static Type parseTransferHandle(DialectAsmParser &parser) {
  StringRef kind;
  if (succeeded(parser.parseOptionalLess())) {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&kind) || parser.parseGreater())
      return {};
    if (kind != "read" && kind != "write") {
      parser.emitError(loc, "expected the direction 'read' or 'write', found '") << kind << "'";
      return {};
    }
  }
  return TransferHandleType::get(parser.getContext());
}

// Returns what to say of an attribute that this dialect does not have.
static std::string adviceOnAttribute(StringRef mnemonic) {
  if (mnemonic == "core_mask")
    return "core_mask is not supported: name the cores with "
           "#ttcore.core_range_set<[<(0, 0), (3, 1)>]>";
  SmallVector<StringRef> names = ttjit::mnemonicsOf<
#define GET_ATTRDEF_LIST
#include "ir/TTL/TTLAttrs.cpp.inc"
      >();
  names.push_back("grid");
  names.push_back(PlacementAttr::getMnemonic());
  return ttjit::describeUnknown("attribute of ttl", mnemonic, names);
}

Attribute TTLDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return ttjit::parseKnown<Attribute>(
      parser,
      [&](StringRef *name, Attribute &attribute) {
        OptionalParseResult parsed = generatedAttributeParser(parser, name, type, attribute);
        if (!parsed.has_value())
          parsed = parseDistAttribute(parser, *name, attribute);
        if (parsed.has_value() || *name != "grid")
          return parsed;
        attribute = ttcore::GridAttr::parse(parser, type);
        return OptionalParseResult(success(attribute != nullptr));
      },
      adviceOnAttribute);
}

void TTLDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  if (!printDistAttribute(attr, printer))
    (void)generatedAttributePrinter(attr, printer);
}

// Returns what to say of a type that this dialect does not have.
static std::string adviceOnType(StringRef mnemonic) {
  if (mnemonic == "tile")
    return "ttl has no tile: write !ttcore.tile<32x32, f32>";
  SmallVector<StringRef> names = ttjit::mnemonicsOf<
#define GET_TYPEDEF_LIST
#include "ir/TTL/TTLTypes.cpp.inc"
      >();
  names.push_back(DistTensorType::getMnemonic());
  return ttjit::describeUnknown("type of ttl", mnemonic, names);
}

Type TTLDialect::parseType(DialectAsmParser &parser) const {
  return ttjit::parseKnown<Type>(
      parser,
      [&](StringRef *name, Type &type) {
        OptionalParseResult parsed = generatedTypeParser(parser, name, type);
        if (!parsed.has_value())
          parsed = parseDistType(parser, *name, type);
        if (parsed.has_value() || *name != "transfer_handle")
          return parsed;
        type = parseTransferHandle(parser);
        return OptionalParseResult(success(type != nullptr));
      },
      adviceOnType);
}

void TTLDialect::printType(Type type, DialectAsmPrinter &printer) const {
  if (!printDistType(type, printer))
    (void)generatedTypePrinter(type, printer);
}

std::optional<ttcore::MemorySpace> ttl::lookUpMemorySpace(StringRef name) {
  if (std::optional<ttcore::MemorySpace> space = ttcore::symbolizeMemorySpace(name))
    return space;
  return llvm::StringSwitch<std::optional<ttcore::MemorySpace>>(name)
      .Cases({"DRAM", "DeviceDRAM"}, ttcore::MemorySpace::DeviceDRAM)
      .Cases({"L1", "DeviceL1"}, ttcore::MemorySpace::DeviceL1)
      .Case("System", ttcore::MemorySpace::System)
      .Case("SystemMMIO", ttcore::MemorySpace::SystemMMIO)
      .Default(std::nullopt);
}

//===--------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------===//

std::string ttl::shapeText(ArrayRef<int64_t> shape) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os);
  os << (shape.size() == 1 ? ",)" : ")");
  return text;
}

bool ttl::isBlockTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && isa<ttcore::TileType>(tensor.getElementType());
}

ArrayRef<int64_t> ttl::getBlockShape(Type type) {
  if (auto block = dyn_cast<BlockType>(type))
    return block.getTensorType().getShape();
  return cast<RankedTensorType>(type).getShape();
}

RankedTensorType ttl::getBlockTensorType(MLIRContext *context, ArrayRef<int64_t> shape,
                                         ttcore::DataType type) {
  return RankedTensorType::get(shape, ttcore::TileType::get(context, 32, 32, type));
}

ttcore::DataType ttl::getComputedType(Type type) {
  if (auto block = dyn_cast<BlockType>(type))
    type = block.getTensorType();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  auto tile = dyn_cast<ttcore::TileType>(type);
  if (!tile || tile.isFloat())
    return ttcore::DataType::Float32;
  return tile.getDataType() == ttcore::DataType::Int32 ? ttcore::DataType::Int32
                                                       : ttcore::DataType::UInt32;
}

SmallVector<int64_t> ttl::flattenGridDims(ArrayRef<int64_t> shape, int64_t dims, int64_t pad) {
  SmallVector<int64_t> result(shape);
  while (static_cast<int64_t>(result.size()) > dims) {
    int64_t last = result.pop_back_val();
    result.back() *= last;
  }
  result.resize(dims, pad);
  return result;
}

SmallVector<int64_t> ttl::getStoredShape(RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  auto encoding = dyn_cast_or_null<TensorEncodingAttr>(type.getEncoding());
  if (!encoding || !encoding.getLayout().isTiled()) {
    if (encoding && shape.empty())
      shape.push_back(1);
    return shape;
  }
  while (shape.size() < 2)
    shape.insert(shape.begin(), 1);
  ArrayRef<int64_t> tile = encoding.getLayout().getTile();
  for (unsigned i = 0; i < 2; ++i) {
    int64_t &extent = shape[shape.size() - 2 + i];
    extent = llvm::divideCeil(extent, tile[i]);
  }
  return shape;
}

SmallVector<int64_t> ttl::foldLeadingDims(ArrayRef<int64_t> shape, size_t rank) {
  SmallVector<int64_t> folded(rank, 1);
  for (auto [i, extent] : llvm::enumerate(llvm::reverse(shape)))
    folded[i < rank ? rank - 1 - i : 0] *= extent;
  return folded;
}

SmallVector<int64_t> ttl::getStoredShape(TensorSliceType part) {
  SmallVector<int64_t> shape = getStoredShape(part.getTensor());
  auto encoding = dyn_cast_or_null<TensorEncodingAttr>(part.getTensor().getEncoding());
  size_t rank = part.getSizes().size();
  if (rank == shape.size() || !encoding || encoding.getLayout().getShard().size() != rank)
    return shape;
  return foldLeadingDims(shape, rank);
}

// Returns the number of elements of a page of a row-major tensor.
static int64_t rowPiece(RankedTensorType type) {
  auto encoding = dyn_cast_or_null<TensorEncodingAttr>(type.getEncoding());
  if (encoding && !encoding.getLayout().getShard().empty())
    return encoding.getLayout().getShard().back();
  return type.getRank() == 0 ? 1 : type.getShape().back();
}

int64_t ttl::getElementBytes(RankedTensorType type) {
  std::optional<ttcore::DataType> dataType = ttcore::getDataTypeOf(type.getElementType());
  return dataType ? ttjit::hw::datumBits(ttcore::getDataFormat(*dataType)) / 8 : 0;
}

bool ttl::hasWholePages(TensorSliceType part) {
  constexpr int64_t kAlignment = 64; // the largest of any chip's memory
  RankedTensorType tensor = part.getTensor();
  auto encoding = dyn_cast_or_null<TensorEncodingAttr>(tensor.getEncoding());
  if (encoding && encoding.getLayout().isTiled())
    return true;
  int64_t columns = getStoredShape(tensor).back();
  return part.getSizes().back() == columns && rowPiece(tensor) == columns &&
         getPageBytes(tensor) % kAlignment == 0;
}

int64_t ttl::getPageBytes(RankedTensorType type) {
  if (auto tile = dyn_cast<ttcore::TileType>(type.getElementType()))
    return tile.getSizeBytes();
  std::optional<ttcore::DataType> dataType = ttcore::getDataTypeOf(type.getElementType());
  if (!dataType)
    return 0;
  ttjit::hw::DataFormat format = ttcore::getDataFormat(*dataType);
  auto encoding = dyn_cast_or_null<TensorEncodingAttr>(type.getEncoding());
  if (encoding && encoding.getLayout().isTiled()) {
    ArrayRef<int64_t> tile = encoding.getLayout().getTile();
    return ttjit::hw::tileBytes(format, tile[0], tile[1]);
  }
  return rowPiece(type) * ttjit::hw::datumBits(format) / 8;
}

//===--------------------------------------------------------------------------===//
// #ttl.slice
//===--------------------------------------------------------------------------===//

// Parses `name = value` or only `value`.
static ParseResult parseSliceField(AsmParser &parser, StringRef name, int64_t &value) {
  if (succeeded(parser.parseOptionalKeyword(name)) && parser.parseEqual())
    return failure();
  return parser.parseInteger(value);
}

Attribute SliceAttr::parse(AsmParser &parser, Type) {
  int64_t start = 0, stop = 0, step = 1;
  if (parser.parseLess() || parseSliceField(parser, "start", start) || parser.parseComma() ||
      parseSliceField(parser, "stop", stop) || parser.parseComma() ||
      parseSliceField(parser, "step", step) || parser.parseGreater())
    return {};
  return parser.getChecked<SliceAttr>(parser.getContext(), start, stop, step);
}

void SliceAttr::print(AsmPrinter &printer) const {
  printer << "<start = " << getStart() << ", stop = " << getStop() << ", step = " << getStep()
          << ">";
}

LogicalResult SliceAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t start,
                                int64_t stop, int64_t step) {
  if (step == 0)
    return emitError() << "the step of a slice must not be 0";
  if (step > 0 ? stop < start : stop > start)
    return emitError() << "a slice must not run against its step, found one from " << start
                       << " to " << stop << " with step " << step;
  return success();
}

//===--------------------------------------------------------------------------===//
// #ttl.layout
//===--------------------------------------------------------------------------===//

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  FailureOr<LayoutText> text = parseLayoutText(parser);
  if (failed(text))
    return {};
  return parser.getChecked<LayoutAttr>(parser.getContext(), text->memory, text->tile, text->grid,
                                       text->shard);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  auto field = [&](StringRef name, ArrayRef<int64_t> dims) {
    if (dims.empty())
      return;
    printer << ", " << name << " = ";
    printer.printDimensionList(dims);
  };
  printer << "<" << ttcore::stringifyTensorMemoryLayout(getMemoryLayout());
  field("tile", getTile());
  field("grid", getGrid());
  field("shard", getShard());
  printer << ">";
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ttcore::TensorMemoryLayout memoryLayout, ArrayRef<int64_t> tile,
                                 ArrayRef<int64_t> grid, ArrayRef<int64_t> shard) {
  if (!tile.empty() && tile.size() != 2)
    return emitError() << "a tile must have two dimensions, found " << tile.size();
  // The tile type's own verifier checks that the hardware has tiles of this shape.
  if (!tile.empty() &&
      failed(ttcore::TileType::verify(emitError, tile[0], tile[1], ttcore::DataType::Float32)))
    return failure();
  bool sharded = memoryLayout != ttcore::TensorMemoryLayout::Interleaved;
  if (!sharded && (!grid.empty() || !shard.empty()))
    return emitError() << "only sharded layouts can have 'grid' and 'shard'";
  return success();
}

//===--------------------------------------------------------------------------===//
// #ttl.tensor_encoding
//===--------------------------------------------------------------------------===//

LogicalResult TensorEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                         ttcore::MemorySpace memorySpace,
                                         LayoutAttrInterface layout) {
  if (memorySpace == ttcore::MemorySpace::RegisterDst)
    return emitError() << "the memory of a tensor cannot be DST registers";
  return success();
}

//===--------------------------------------------------------------------------===//
// !ttl.cb
//===--------------------------------------------------------------------------===//

Type CircularBufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  int64_t bufferFactor = 0;
  auto extent = [&]() { return parser.parseInteger(shape.emplace_back()); };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, extent) ||
      parser.parseComma() || parser.parseType(elementType) || parser.parseComma() ||
      parser.parseInteger(bufferFactor) || parser.parseGreater())
    return {};
  return parser.getChecked<CircularBufferType>(parser.getContext(), shape, elementType,
                                               bufferFactor);
}

void CircularBufferType::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getShape(), printer);
  printer << "], " << getElementType() << ", " << getBufferFactor() << ">";
}

LogicalResult CircularBufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                         ArrayRef<int64_t> shape, Type elementType,
                                         int64_t bufferFactor) {
  if (shape.empty())
    return emitError() << "the block of a circular buffer must have at least one dimension";
  for (int64_t extent : shape)
    if (extent < 1)
      return emitError() << "the extents of a block must be at least 1, found " << extent;
  if (!isa<ttcore::TileType>(elementType) && !ttcore::getDataTypeOf(elementType))
    return emitError() << "the elements of a circular buffer must be tiles or scalars that the "
                          "device can store, found "
                       << elementType;
  if (bufferFactor < 1 || bufferFactor > 32)
    return emitError() << "a circular buffer must have 1 to 32 blocks, found " << bufferFactor;
  return success();
}

bool CircularBufferType::isTiled() const { return isa<ttcore::TileType>(getElementType()); }

int64_t CircularBufferType::getElementsPerBlock() const {
  return ShapedType::getNumElements(getShape());
}

int64_t CircularBufferType::getPagesPerBlock() const {
  return isTiled() ? getElementsPerBlock() : getElementsPerBlock() / getShape().back();
}

int64_t CircularBufferType::getPageBytes() const {
  if (auto tile = dyn_cast<ttcore::TileType>(getElementType()))
    return tile.getSizeBytes();
  return getShape().back() * ttjit::hw::datumBits(getFormat()) / 8;
}

ttjit::hw::DataFormat CircularBufferType::getFormat() const {
  if (auto tile = dyn_cast<ttcore::TileType>(getElementType()))
    return ttcore::getDataFormat(tile.getDataType());
  return ttcore::getDataFormat(*ttcore::getDataTypeOf(getElementType()));
}

//===--------------------------------------------------------------------------===//
// !ttl.block
//===--------------------------------------------------------------------------===//

BlockType BlockType::get(CircularBufferType cb) {
  auto tensor = RankedTensorType::get(cb.getShape(), cb.getElementType());
  return get(cb.getContext(), tensor, cb);
}

LogicalResult BlockType::verify(function_ref<InFlightDiagnostic()> emitError,
                                RankedTensorType tensorType, CircularBufferType cb) {
  if (tensorType.getShape() != cb.getShape() || tensorType.getElementType() != cb.getElementType())
    return emitError() << "a block must have the shape and element of its buffer, found "
                       << tensorType << " in " << cb;
  return success();
}

// Returns the type of `!ttl.block<...>`, which only the op that acquires the block can complete.
static Type getElidedBlock(MLIRContext *context) {
  return OpaqueType::get(StringAttr::get(context, "ttl"), "block<...>");
}

bool ttl::isElidedBlock(Type type) { return type == getElidedBlock(type.getContext()); }

Type BlockType::parse(AsmParser &parser) {
  RankedTensorType tensor;
  CircularBufferType buffer;
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalEllipsis()))
    return failed(parser.parseGreater()) ? Type() : getElidedBlock(parser.getContext());
  if (parser.parseType(tensor) || parser.parseComma() ||
      parser.parseCustomTypeWithFallback(buffer) || parser.parseGreater())
    return {};
  return parser.getChecked<BlockType>(parser.getContext(), tensor, buffer);
}

void BlockType::print(AsmPrinter &printer) const {
  printer << "<" << getTensorType() << ", ";
  printer.printStrippedAttrOrType(getCircularBuffer());
  printer << ">";
}

// Parses `<[2, 1], f32, 2>`, `<tensor<..>, <..>>` or either type in full.
ParseResult ttl::parseBufferOrBlock(AsmParser &parser, Type &type) {
  if (failed(parser.parseOptionalLess()))
    return parser.parseType(type);
  MLIRContext *context = parser.getContext();
  SmallVector<int64_t> shape;
  auto extent = [&]() { return parser.parseInteger(shape.emplace_back()); };
  if (succeeded(parser.parseOptionalLSquare())) {
    Type element;
    int64_t factor = 0;
    if (parser.parseCommaSeparatedList(extent) || parser.parseRSquare() || parser.parseComma() ||
        parser.parseType(element) || parser.parseComma() || parser.parseInteger(factor) ||
        parser.parseGreater())
      return failure();
    type = parser.getChecked<CircularBufferType>(context, shape, element, factor);
    return success(static_cast<bool>(type));
  }
  RankedTensorType tensor;
  CircularBufferType buffer;
  if (parser.parseType(tensor) || parser.parseComma() ||
      parser.parseCustomTypeWithFallback(buffer) || parser.parseGreater())
    return failure();
  type = parser.getChecked<BlockType>(context, tensor, buffer);
  return success(static_cast<bool>(type));
}
