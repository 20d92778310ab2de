//===- TTNN.cpp - layouts as tt-mlir writes them ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTNN/TTNN.h"

#include "ir/Messages/UnknownNames.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttnn;

MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::tt::ttnn::TTNNDialect)

TTNNDialect::TTNNDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<TTNNDialect>()) {
  context->loadDialect<ttcore::TTCoreDialect, ttl::TTLDialect>();
}

// Parses `<dram>`.
static Attribute parseBufferType(DialectAsmParser &parser) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&name) || parser.parseGreater())
    return {};
  auto space = llvm::StringSwitch<std::optional<ttcore::MemorySpace>>(name)
                   .Case("dram", ttcore::MemorySpace::DeviceDRAM)
                   .Case("l1", ttcore::MemorySpace::DeviceL1)
                   .Case("system_memory", ttcore::MemorySpace::System)
                   .Default(std::nullopt);
  if (space)
    return ttcore::MemorySpaceAttr::get(parser.getContext(), *space);
  parser.emitError(loc) << ttjit::describeUnknown("buffer type", name,
                                                  {"dram", "l1", "system_memory"});
  return {};
}

namespace {

// The text between the brackets of a layout.
struct LayoutText {
  SmallVector<int64_t> grid;
  MemRefType shard;
  ttcore::TensorMemoryLayout memory = ttcore::TensorMemoryLayout::Interleaved;
};

} // namespace

// Parses `, <height_sharded>`.
static ParseResult parseMemoryLayout(DialectAsmParser &parser, LayoutText &text) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&name) || parser.parseGreater())
    return failure();
  std::optional<ttcore::TensorMemoryLayout> memory = ttcore::symbolizeTensorMemoryLayout(name);
  if (!memory)
    return parser.emitError(loc) << ttjit::describeUnknown(
               "memory layout", name,
               ttjit::namesOf(ttcore::getMaxEnumValForTensorMemoryLayout(),
                              ttcore::stringifyTensorMemoryLayout));
  text.memory = *memory;
  return success();
}

// Parses `, core_ranges = <[#ttnn.core_range<(0, 0), (1, 5)>]>`, which says only on which cores the
// shards are.
static ParseResult parsePlaces(DialectAsmParser &parser) {
  auto parseOne = [&] {
    Attribute range;
    return parser.parseAttribute(range);
  };
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    Attribute value;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (failed(parser.parseOptionalLess())) {
      if (parser.parseAttribute(value))
        return failure();
    } else if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) ||
               parser.parseGreater()) {
      return failure();
    }
  }
  return success();
}

// Parses `<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<..>, #dram>,
// <interleaved>>`: how indices become rows and columns, the cores, the part of one
// core, the memory layout.
static ParseResult parseLayoutText(DialectAsmParser &parser, LayoutText &text) {
  AffineMap map;
  Type shard;
  if (parser.parseLess() || parser.parseAffineMap(map) || parser.parseComma() ||
      parser.parseLess() ||
      parser.parseDimensionList(text.grid, /*allowDynamic=*/false, /*withTrailingX=*/false) ||
      parser.parseGreater() || parser.parseComma())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(shard))
    return failure();
  text.shard = dyn_cast<MemRefType>(shard);
  if (!text.shard || text.shard.getRank() != 2 ||
      !isa_and_nonnull<ttcore::MemorySpaceAttr>(text.shard.getMemorySpace()))
    return parser.emitError(loc, "expected a memref of two dimensions in a #ttnn.buffer_type, "
                                 "found ")
           << shard;
  if (succeeded(parser.parseOptionalComma()) &&
      (parseMemoryLayout(parser, text) || parsePlaces(parser)))
    return failure();
  return parser.parseGreater();
}

static Attribute parseLayout(DialectAsmParser &parser) {
  LayoutText text;
  SMLoc loc = parser.getCurrentLocation();
  if (parseLayoutText(parser, text))
    return {};
  SmallVector<int64_t> tile, grid, shard;
  if (auto element = dyn_cast<ttcore::TileType>(text.shard.getElementType()))
    tile = {element.getHeight(), element.getWidth()};
  if (text.memory != ttcore::TensorMemoryLayout::Interleaved) {
    grid = text.grid;
    shard.assign(text.shard.getShape().begin(), text.shard.getShape().end());
    for (auto [extent, factor] : llvm::zip(shard, tile))
      extent *= factor;
  }
  auto emitError = [&]() { return parser.emitError(loc); };
  if (failed(ttl::LayoutAttr::verify(emitError, text.memory, tile, grid, shard)))
    return {};
  MLIRContext *context = parser.getContext();
  auto layout = ttl::LayoutAttr::get(context, text.memory, tile, grid, shard);
  auto space = cast<ttcore::MemorySpaceAttr>(text.shard.getMemorySpace()).getValue();
  return ttl::TensorEncodingAttr::get(context, space, layout);
}

// Parses `<tile>` or `<row_major>`: a tensor that is interleaved over the banks.
static Attribute parsePageLayout(DialectAsmParser &parser) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&name) || parser.parseGreater())
    return {};
  if (name != "tile" && name != "row_major") {
    parser.emitError(loc) << ttjit::describeUnknown("layout", name, {"tile", "row_major"});
    return {};
  }
  SmallVector<int64_t> tile;
  if (name == "tile")
    tile = {32, 32};
  return ttl::LayoutAttr::get(parser.getContext(), ttcore::TensorMemoryLayout::Interleaved, tile,
                              /*grid=*/{}, /*shard=*/{});
}

Attribute TTNNDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  StringRef mnemonic;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&mnemonic))
    return {};
  if (mnemonic == "buffer_type")
    return parseBufferType(parser);
  if (mnemonic == "ttnn_layout")
    return parseLayout(parser);
  if (mnemonic == "layout")
    return parsePageLayout(parser);
  if (mnemonic == "tensor_memory_layout")
    return ttcore::TensorMemoryLayoutAttr::parse(parser, {});
  if (mnemonic == "core_range")
    return ttcore::CoreRangeAttr::parse(parser, {});
  if (mnemonic == "core_range_set")
    return ttcore::CoreRangeSetAttr::parse(parser, {});
  parser.emitError(loc) << ttjit::describeUnknown("attribute of ttnn", mnemonic,
                                                  {"buffer_type", "core_range", "core_range_set",
                                                   "layout", "tensor_memory_layout",
                                                   "ttnn_layout"});
  return {};
}
