//===- TTLLayoutText.cpp - text of layouts ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Messages/UnknownNames.h"
#include "ir/TTL/TTLDialectInterfaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

namespace {

class LayoutParser {
public:
  explicit LayoutParser(AsmParser &parser) : parser(parser) {}

  FailureOr<LayoutText> parse();

private:
  ParseResult parseKind();
  ParseResult parseField();
  ParseResult parseExtents(SmallVectorImpl<int64_t> &extents);
  ParseResult finish(SMLoc loc);

  AsmParser &parser;
  LayoutText text;
  bool tiled = false; // the kind is `tiled`, which leaves the distribution open
  SmallVector<int64_t> tilesPerShard;
};

} // namespace

// Parses `interleaved`, `tiled` or `#ttnn.tensor_memory_layout<interleaved>`.
ParseResult LayoutParser::parseKind() {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (OptionalParseResult parsed = parser.parseOptionalAttribute(attribute); parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    auto known = dyn_cast<ttcore::TensorMemoryLayoutAttr>(attribute);
    if (!known)
      return parser.emitError(loc) << "expected a memory layout, found " << attribute;
    text.memory = known.getValue();
    return success();
  }
  StringRef kind;
  if (parser.parseKeyword(&kind))
    return failure();
  tiled = kind == "tiled";
  if (tiled)
    return success();
  std::optional<ttcore::TensorMemoryLayout> known = ttcore::symbolizeTensorMemoryLayout(kind);
  if (!known)
    return parser.emitError(loc) << ttjit::describeUnknown(
               "memory layout", kind,

               ttjit::namesOf(ttcore::getMaxEnumValForTensorMemoryLayout(),
                              ttcore::stringifyTensorMemoryLayout));
  text.memory = *known;
  return success();
}

// Parses `32x32` or `[32, 32]`.
ParseResult LayoutParser::parseExtents(SmallVectorImpl<int64_t> &extents) {
  if (failed(parser.parseOptionalLSquare()))
    return parser.parseDimensionList(extents, /*allowDynamic=*/false, /*withTrailingX=*/false);
  auto extent = [&] { return parser.parseInteger(extents.emplace_back()); };
  return failure(parser.parseCommaSeparatedList(extent) || parser.parseRSquare());
}

ParseResult LayoutParser::parseField() {
  StringRef field;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&field) || parser.parseEqual())
    return failure();
  SmallVector<int64_t> *extents = llvm::StringSwitch<SmallVector<int64_t> *>(field)
                                      .Cases({"tile", "tile_shape"}, &text.tile)
                                      .Case("grid", &text.grid)
                                      .Cases({"shard", "shard_shape"}, &text.shard)
                                      .Case("tiles_per_shard", &tilesPerShard)
                                      .Default(nullptr);
  if (!extents)
    return parser.emitError(loc) << "expected 'tile', 'grid' or 'shard', found '" << field << "'";
  return parseExtents(*extents);
}

// Derives what the text says in other words: tiles of 32x32, and the elements of a shard.
ParseResult LayoutParser::finish(SMLoc loc) {
  if (tiled && !text.grid.empty())
    text.memory = ttcore::TensorMemoryLayout::Sharded;
  if ((tiled || !tilesPerShard.empty()) && text.tile.empty())
    text.tile = {32, 32};
  if (tilesPerShard.empty())
    return success();
  if (!text.shard.empty() || tilesPerShard.size() != text.tile.size())
    return parser.emitError(loc) << "expected the extents of a shard either as two extents "
                                    "tiles_per_shard or as shard, in elements";
  constexpr int64_t kMostTiles = 1 << 24; // more than any memory holds
  for (auto [tiles, extent] : llvm::zip_equal(tilesPerShard, text.tile)) {
    if (tiles < 1 || tiles > kMostTiles)
      return parser.emitError(loc)
             << "tiles_per_shard must be 1 to " << kMostTiles << ", found " << tiles;
    text.shard.push_back(tiles * extent);
  }
  return success();
}

FailureOr<LayoutText> LayoutParser::parse() {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseKind())
    return failure();
  while (succeeded(parser.parseOptionalComma()))
    if (parseField())
      return failure();
  if (parser.parseGreater() || finish(loc))
    return failure();
  return text;
}

FailureOr<LayoutText> ttl::parseLayoutText(AsmParser &parser) {
  return LayoutParser(parser).parse();
}
