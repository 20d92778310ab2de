//===- TTLHostOps.cpp - rules of prints and elements --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/DtypeNames.h"
#include "ir/TTL/TTL.h"

#include "hw/facts/FaultText.h"
#include "hw/facts/FormatText.h"
#include "hw/facts/Words.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

//===--------------------------------------------------------------------------===//
// Format strings
//===--------------------------------------------------------------------------===//

char ttl::getNumberKind(Type type) { return type.isF32() ? 'f' : type.isInteger(1) ? 'b' : 'i'; }

static LogicalResult verifyFormat(Operation *op, StringRef text, OperandRange arguments) {
  std::string mistake;
  auto pieces = ttjit::hw::parseFormatText(text, mistake);
  if (!pieces)
    return op->emitOpError() << mistake;
  size_t fields = 0;
  for (const ttjit::hw::FormatPiece &piece : *pieces) {
    if (!piece.isField || fields++ >= arguments.size())
      continue;
    mistake = ttjit::hw::checkField(piece, getNumberKind(arguments[fields - 1].getType()));
    if (!mistake.empty())
      return op->emitOpError() << mistake;
  }
  if (fields != arguments.size())
    return op->emitOpError() << "the text has " << ttjit::hw::plural(fields, "field") << " for "
                             << ttjit::hw::plural(arguments.size(), "number");
  return success();
}

LogicalResult PrintOp::verify() { return verifyFormat(*this, getFormat(), getArguments()); }

LogicalResult AssertOp::verify() { return verifyFormat(*this, getMessage(), getArguments()); }

std::string AssertOp::getFaultMark() {
  if ((*this)->hasAttr(kProtocolAttr))
    return {ttjit::hw::kProtocolFault};
  return (*this)->hasAttr(kMeshAccessAttr) ? std::string{ttjit::hw::kMeshAccessFault} : "";
}

std::string ttl::escapeFormat(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '{' || c == '}')
      result += c;
    result += c;
  }
  return result;
}

LogicalResult PrintTensorOp::verify() {
  if (static_cast<int32_t>(getNumPages()) < 1)
    return emitOpError("must print at least one page, found ")
           << static_cast<int32_t>(getNumPages());
  return success();
}

StringRef ttl::getDtypeName(ttjit::hw::DataFormat format) {
  using enum ttjit::hw::DataFormat;
  switch (format) {
  case Float32:
    return "float32";
  case Float16:
    return "float16";
  case Float16_b:
    return "bfloat16";
  case Bfp8_b:
    return "bfloat8_b";
  case Bfp4_b:
    return "bfloat4_b";
  case Int32:
    return "int32";
  case UInt32:
    return "uint32";
  case UInt16:
    return "uint16";
  case UInt8:
    return "uint8";
  default:
    return ttjit::hw::formatName(format);
  }
}

PrintedTensor ttl::getPrintedTensor(RankedTensorType type) {
  Type element = type.getElementType();
  auto tile = dyn_cast<ttcore::TileType>(element);
  std::optional<ttcore::DataType> data =
      tile ? std::optional(tile.getDataType()) : ttcore::getDataTypeOf(element);
  PrintedTensor result;
  result.format = data ? ttcore::getDataFormat(*data) : ttjit::hw::DataFormat::Invalid;
  auto encoding = dyn_cast_or_null<TensorEncodingAttr>(type.getEncoding());
  bool isTiled = !encoding || encoding.getLayout().isTiled();
  result.columns = isTiled || type.getRank() == 0 ? 0 : type.getShape().back();
  result.heading = "<Tensor shape=" + shapeText(type.getShape()) +
                   " dtype=" + getDtypeName(result.format).str() + ">";
  return result;
}

//===--------------------------------------------------------------------------===//
// Elements
//===--------------------------------------------------------------------------===//

SmallVector<int64_t> ttl::getElementExtents(BlockType block) {
  CircularBufferType buffer = block.getCircularBuffer();
  SmallVector<int64_t> extents(buffer.getShape());
  if (!buffer.isTiled())
    return extents;
  if (extents.size() == 1)
    extents.insert(extents.begin(), 1);
  auto tile = cast<ttcore::TileType>(buffer.getElementType());
  extents[extents.size() - 2] *= tile.getHeight();
  extents.back() *= tile.getWidth();
  return extents;
}

static LogicalResult verifyFormat(Operation *op, BlockType block) {
  ttjit::hw::DataFormat format = block.getCircularBuffer().getFormat();
  using ttjit::hw::DataFormat;
  bool isWord = format == DataFormat::Int32 || format == DataFormat::UInt32,
       isRead = isa<ElementReadOp>(op), isWrite = isa<ElementWriteOp>(op);
  if (format == DataFormat::Float32 || format == DataFormat::Float16_b ||
      (isRead && ttjit::hw::isIntegerFormat(format)) || (isWrite && isWord))
    return success();
  StringRef integers = isRead    ? ", and of blocks of integers"
                       : isWrite ? ", and of blocks of 32-bit integers"
                                 : "";
  return op->emitOpError("can access only elements of float32 and bfloat16 blocks")
         << integers << ", found a block of " << block.getTensorType().getElementType();
}

template <typename OpT> static LogicalResult verifyElement(OpT op) {
  BlockType block = op.getBlock().getType();
  size_t rank = getElementExtents(block).size();
  if (op.getCoords().size() != rank)
    return op.emitOpError("takes ")
           << ttjit::hw::plural(rank, "coordinate") << " for a block of shape "
           << shapeText(block.getCircularBuffer().getShape()) << ", found "
           << op.getCoords().size();
  return verifyFormat(op, block);
}

LogicalResult ElementReadOp::verify() { return verifyElement(*this); }
LogicalResult ElementWriteOp::verify() { return verifyElement(*this); }

//===--------------------------------------------------------------------------===//
// Functions of the host
//===--------------------------------------------------------------------------===//

LogicalResult CallHostOp::verify() {
  for (Value argument : getArguments())
    if (auto block = dyn_cast<BlockType>(argument.getType()))
      if (failed(verifyFormat(*this, block)))
        return failure();
  return success();
}

static bool isReservedBlock(Value block) {
  while (auto view = block.getDefiningOp<BlockAtOp>())
    block = view.getBlock();
  auto held = block.getDefiningOp<HeldBlockOp>();
  return held ? held.getReserved() : block.getDefiningOp<CBReserveOp>() != nullptr;
}

std::string CallHostOp::getSignature() {
  std::string signature;
  for (Value argument : getArguments())
    signature += !isa<BlockType>(argument.getType()) ? getNumberKind(argument.getType())
                 : isReservedBlock(argument)         ? 'w'
                                                     : 'r';
  return signature;
}
