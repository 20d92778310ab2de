//===- TTNN.cpp - text of ttnn as tt-mlir writes it ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/TTNN/TTNN.h"

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
  allowUnknownOperations();
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
  if (!text.shard || !isa_and_nonnull<ttcore::MemorySpaceAttr>(text.shard.getMemorySpace()))
    return parser.emitError(loc, "expected a memref in a #ttnn.buffer_type, found ") << shard;
  if (succeeded(parser.parseOptionalComma()) &&
      (parseMemoryLayout(parser, text) || parsePlaces(parser)))
    return failure();
  return parser.parseGreater();
}

static Attribute keepText(DialectAsmParser &parser) {
  MLIRContext *context = parser.getContext();
  return OpaqueAttr::get(StringAttr::get(context, TTNNDialect::getDialectNamespace()),
                         parser.getFullSymbolSpec(), NoneType::get(context));
}

static Attribute parseLayout(DialectAsmParser &parser) {
  LayoutText text;
  SMLoc loc = parser.getCurrentLocation();
  if (parseLayoutText(parser, text))
    return {};
  if (text.shard.getRank() != 2) // a layout that kernels do not have
    return keepText(parser);
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

// Parses `<32x64>`, the extents of a tensor.
static Attribute parseShape(DialectAsmParser &parser) {
  SmallVector<int64_t> extents;
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater()) &&
      (parser.parseDimensionList(extents, /*allowDynamic=*/false, /*withTrailingX=*/false) ||
       parser.parseGreater()))
    return {};
  return DenseI64ArrayAttr::get(parser.getContext(), extents);
}

// Attributes that say how a device computes, or that belong to ops that are not supported.
static constexpr StringRef kTexts[] = {
    "compute_kernel",
    "conv2d_config",
    "conv2d_slice_config",
    "conv3d_config",
    "core_coord",
    "core_runtime_args",
    "data_movement_kernel",
    "device_compute_kernel_config",
    "kernel_arg_address_of_tensor",
    "kernel_arg_cb_buffer_index",
    "kernel_arg_global_semaphore",
    "kernel_arg_scalar",
    "kernel_arg_semaphore_at",
    "kernel_arg_tensor_accessor_args",
    "kernel_cb",
    "kernel_cb_format",
    "kernel_cb_global_buffer_address_of_tensor",
    "kernel_named_arg",
    "kernel_semaphore",
    "layernorm_sharded_multicore_program_config",
    "matmul_multi_core_reuse_multi_cast_1d_program_config",
    "matmul_multi_core_reuse_multi_cast_dram_sharded_program_config",
    "matmul_multi_core_reuse_multi_cast_program_config",
    "matmul_multi_core_reuse_program_config",
    "memory_config",
    "mesh_composer_config",
    "mesh_mapper_config",
    "mesh_offset",
    "mesh_program",
    "mesh_program_descriptor",
    "mesh_range",
    "mesh_shape",
    "nd_shard_spec",
    "placement",
    "program",
    "read_kernel",
    "sdpa_program_config",
    "shard_distribution_strategy",
    "shard_orientation",
    "shard_spec",
    "source_compute_kernel",
    "source_read_kernel",
    "source_write_kernel",
    "trace_id",
    "ttnn_nd_layout",
    "unary_with_param",
    "write_kernel",
};

namespace {
struct AttributeParser {
  StringRef name;
  Attribute (*parse)(DialectAsmParser &);
};
} // namespace

static constexpr AttributeParser kParsers[] = {
    {"buffer_type", parseBufferType},
    {"core_range",
     [](DialectAsmParser &parser) { return ttcore::CoreRangeAttr::parse(parser, {}); }},
    {"core_range_set",
     [](DialectAsmParser &parser) { return ttcore::CoreRangeSetAttr::parse(parser, {}); }},
    {"layout", parsePageLayout},
    {"shape", parseShape},
    {"tensor_memory_layout",
     [](DialectAsmParser &parser) { return ttcore::TensorMemoryLayoutAttr::parse(parser, {}); }},
    {"ttnn_layout", parseLayout},
};

Attribute TTNNDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  StringRef mnemonic;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&mnemonic))
    return {};
  for (const AttributeParser &each : kParsers)
    if (each.name == mnemonic)
      return each.parse(parser);
  if (llvm::is_contained(kTexts, mnemonic))
    return keepText(parser);
  SmallVector<StringRef> names;
  for (const AttributeParser &each : kParsers)
    names.push_back(each.name);
  parser.emitError(loc) << ttjit::describeUnknown("attribute of ttnn", mnemonic, names);
  return {};
}

Type TTNNDialect::parseType(DialectAsmParser &parser) const {
  StringRef mnemonic;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&mnemonic))
    return {};
  if (mnemonic == "device" || mnemonic == "global_semaphore")
    return OpaqueType::get(StringAttr::get(parser.getContext(), getDialectNamespace()), mnemonic);
  parser.emitError(loc) << ttjit::describeUnknown("type of ttnn", mnemonic,
                                                  {"device", "global_semaphore"});
  return {};
}
