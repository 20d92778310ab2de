//===- TTCore.cpp - formats, tile operations, tiles ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTCore/TTCore.h"

#include "hw/facts/TileOps.h"
#include "ir/Messages/UnknownNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt::ttcore;

//===--------------------------------------------------------------------------===//
// Formats
//===--------------------------------------------------------------------------===//

ttjit::hw::DataFormat tt::ttcore::getDataFormat(DataType type) {
  using ttjit::hw::DataFormat;
  switch (type) {
  case DataType::Float32:
    return DataFormat::Float32;
  case DataType::Float16:
    return DataFormat::Float16;
  case DataType::BFloat16:
    return DataFormat::Float16_b;
  case DataType::BFP_Float8:
    return DataFormat::Bfp8;
  case DataType::BFP_BFloat8:
    return DataFormat::Bfp8_b;
  case DataType::BFP_Float4:
    return DataFormat::Bfp4;
  case DataType::BFP_BFloat4:
    return DataFormat::Bfp4_b;
  case DataType::BFP_Float2:
    return DataFormat::Bfp2;
  case DataType::BFP_BFloat2:
    return DataFormat::Bfp2_b;
  case DataType::UInt32:
    return DataFormat::UInt32;
  case DataType::UInt16:
    return DataFormat::UInt16;
  case DataType::UInt8:
    return DataFormat::UInt8;
  case DataType::Int32:
    return DataFormat::Int32;
  }
  llvm_unreachable("unknown data type");
}

std::optional<DataType> tt::ttcore::getDataTypeOf(Type type) {
  if (type.isF32())
    return DataType::Float32;
  if (type.isBF16())
    return DataType::BFloat16;
  if (type.isF16())
    return DataType::Float16;
  if (type.isUnsignedInteger(32))
    return DataType::UInt32;
  if (type.isUnsignedInteger(16))
    return DataType::UInt16;
  if (type.isUnsignedInteger(8))
    return DataType::UInt8;
  if (type.isInteger(32))
    return DataType::Int32;
  return std::nullopt;
}

//===--------------------------------------------------------------------------===//
// Rows of the operation table
//===--------------------------------------------------------------------------===//

// Checks the number of numeric operands: ODS declares them variadic, the row fixes
// their number.
LogicalResult tt::ttcore::verifyTileOp(Operation *op) {
  const ttjit::hw::TileOpFacts &facts = ttjit::hw::factsOf(cast<TileOpInterface>(op).getTileOp());
  unsigned numbers = llvm::count_if(op->getOperandTypes(), [](Type type) { return type.isF32(); });
  bool isInit = op->getNumOperands() == 0;
  if (isInit || facts.kind != ttjit::hw::TileOpKind::UnaryParam ||
      numbers == static_cast<unsigned>(facts.params))
    return success();
  return op->emitOpError("must have ")
         << facts.params << (facts.params == 1 ? " numeric operand" : " numeric operands")
         << ", found " << numbers;
}

//===--------------------------------------------------------------------------===//
// !ttcore.tile
//===--------------------------------------------------------------------------===//

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return {};
  if (succeeded(parser.parseOptionalGreater())) {
    parser.emitError(loc, "expected the format of the tile's elements: !ttcore.tile<32x32, f32>");
    return {};
  }
  if (parser.parseComma() || parser.parseKeyword(&keyword) || parser.parseGreater())
    return {};
  if (shape.size() != 2) {
    parser.emitError(loc, "a tile must have two dimensions, found ") << shape.size();
    return {};
  }
  std::optional<DataType> dataType = symbolizeDataType(keyword);
  if (!dataType) {
    parser.emitError(loc) << ttjit::describeUnknown(
        "tile format", keyword, ttjit::namesOf(getMaxEnumValForDataType(), stringifyDataType));
    return {};
  }
  return parser.getChecked<TileType>(parser.getContext(), shape[0], shape[1], *dataType);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<" << getHeight() << "x" << getWidth() << ", " << stringifyDataType(getDataType())
          << ">";
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t height,
                               int64_t width, DataType) {
  bool heightOk =
      height == 1 || height == 2 || height == 4 || height == 8 || height == 16 || height == 32;
  if (!heightOk || (width != 16 && width != 32))
    return emitError() << "the hardware has no " << height << "x" << width
                       << " tiles (heights 1, 2, 4, 8, 16, 32; widths 16, 32)";
  return success();
}

int64_t TileType::getSizeBytes() const {
  return ttjit::hw::tileBytes(ttcore::getDataFormat(getDataType()), getHeight(), getWidth());
}

bool TileType::isFloat() const {
  return ttjit::hw::isFloatFormat(ttcore::getDataFormat(getDataType()));
}
