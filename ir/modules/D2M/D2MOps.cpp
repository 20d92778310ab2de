//===- D2MOps.cpp - text and rules of layouts, views and transfers ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/D2M/D2M.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::d2m;

#define GET_OP_CLASSES
#include "ir/modules/D2M/D2MOps.cpp.inc"

//===--------------------------------------------------------------------------===//
// Layouts and views
//===--------------------------------------------------------------------------===//

LogicalResult ToLayoutOp::verify() {
  if (getResults().size() > 1)
    return emitOpError("must have at most one result, found ") << getResults().size();
  if (!getResults().empty() && getResults().front().getType() != getOutput().getType())
    return emitOpError("must have a result of the output's type, ")
           << getOutput().getType() << ", found " << getResults().front().getType();
  return success();
}

LogicalResult ViewLayoutOp::verify() {
  auto input = cast<ShapedType>(getInput().getType());
  auto result = cast<ShapedType>(getResult().getType());
  if (!getReinterpretLayout() && input.getElementType() != result.getElementType())
    return emitOpError("must keep the element type unless it has reinterpretLayout, found ")
           << input.getElementType() << " and " << result.getElementType();
  return success();
}

//===--------------------------------------------------------------------------===//
// d2m.remote_load
//===--------------------------------------------------------------------------===//

namespace {
// The parts of `%buffer %tensor[%i, %j] into %cb mcore[..] mshape[..] mcast[..]`.
struct LoadText {
  using Operand = OpAsmParser::UnresolvedOperand;
  SmallVector<Operand> buffer, tensor, indices, cb, start, shape, dims;
};
} // namespace

// Parses `keyword [%i, %j]`, or nothing.
static ParseResult parseIndices(OpAsmParser &parser, StringRef keyword,
                                SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseOperandList(indices, OpAsmParser::Delimiter::Square);
}

static ParseResult parseLoad(OpAsmParser &parser, LoadText &text) {
  OpAsmParser::UnresolvedOperand second;
  if (parser.parseOperand(text.tensor.emplace_back()))
    return failure();
  OptionalParseResult two = parser.parseOptionalOperand(second);
  if (two.has_value()) {
    if (failed(*two))
      return failure();
    std::swap(text.buffer, text.tensor);
    text.tensor.push_back(second);
  }
  if (parser.parseOperandList(text.indices, OpAsmParser::Delimiter::Square))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("into")) && parser.parseOperand(text.cb.emplace_back()))
    return failure();
  return failure(parseIndices(parser, "mcore", text.start) ||
                 parseIndices(parser, "mshape", text.shape) ||
                 parseIndices(parser, "mcast", text.dims));
}

// Parses `: B, T into !d2m.cb<..> -> R` and resolves the operands.
static ParseResult parseTypes(OpAsmParser &parser, LoadText &text, OperationState &result) {
  CBType cb;
  Type buffer, tensor, loaded, index = parser.getBuilder().getIndexType();
  if (parser.parseColon() ||
      (!text.buffer.empty() && (parser.parseType(buffer) || parser.parseComma())) ||
      parser.parseType(tensor))
    return failure();
  if (!text.cb.empty() && (parser.parseKeyword("into") || parser.parseCustomTypeWithFallback(cb)))
    return failure();
  if (succeeded(parser.parseOptionalArrow())) {
    if (parser.parseType(loaded))
      return failure();
    result.addTypes(loaded);
  }
  return failure(parser.resolveOperands(text.buffer, buffer, result.operands) ||
                 parser.resolveOperands(text.tensor, tensor, result.operands) ||
                 parser.resolveOperands(text.indices, index, result.operands) ||
                 parser.resolveOperands(text.cb, cb, result.operands) ||
                 parser.resolveOperands(text.start, index, result.operands) ||
                 parser.resolveOperands(text.shape, index, result.operands) ||
                 parser.resolveOperands(text.dims, index, result.operands));
}

ParseResult RemoteLoadOp::parse(OpAsmParser &parser, OperationState &result) {
  LoadText text;
  if (parseLoad(parser, text) || parser.parseOptionalAttrDict(result.attributes) ||
      parseTypes(parser, text, result))
    return failure();
  SmallVector<int32_t> sizes;
  for (const auto *part :
       {&text.buffer, &text.tensor, &text.indices, &text.cb, &text.start, &text.shape, &text.dims})
    sizes.push_back(part->size());
  result.addAttribute(getOperandSegmentSizeAttr(), parser.getBuilder().getDenseI32ArrayAttr(sizes));
  return success();
}

static void printIndices(OpAsmPrinter &printer, StringRef keyword, OperandRange indices) {
  if (!indices.empty())
    printer << " " << keyword << "[" << indices << "]";
}

void RemoteLoadOp::print(OpAsmPrinter &printer) {
  if (getLocalBuffer())
    printer << " " << getLocalBuffer();
  printer << " " << getMemref() << "[" << getIndices() << "]";
  if (getCb())
    printer << " into " << getCb();
  printIndices(printer, "mcore", getMcastStartIndex());
  printIndices(printer, "mshape", getMcastShape());
  printIndices(printer, "mcast", getMcastDims());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getOperandSegmentSizeAttr()});
  printer << " : ";
  if (getLocalBuffer())
    printer << getLocalBuffer().getType() << ", ";
  printer << getMemref().getType();
  if (getCb())
    printer << " into " << getCb().getType();
  if (getResult())
    printer << " -> " << getResult().getType();
}

//===--------------------------------------------------------------------------===//
// Rules of remote loads and stores
//===--------------------------------------------------------------------------===//

// Checks the indices of the grid and the shape of the block.
static LogicalResult verifyShard(Operation *op, Value remote, OperandRange indices, Value block) {
  ArrayRef<int64_t> grid = d2m::getGrid(remote.getType());
  if (grid.empty())
    return success();
  if (indices.size() != grid.size())
    return op->emitOpError("must have one index for each of the ")
           << grid.size() << " dimensions of the operand's grid, found " << indices.size();
  if (!block)
    return success();
  auto blockType = cast<ShapedType>(block.getType());
  auto remoteType = cast<ShapedType>(remote.getType());
  if (blockType.getShape() == d2m::getShard(remoteType) &&
      blockType.getElementType() == remoteType.getElementType())
    return success();
  return op->emitOpError("must have a local block with the shape and the elements of a shard of ")
         << remoteType << ", found " << blockType;
}

LogicalResult RemoteLoadOp::verify() {
  if (bool(getLocalBuffer()) == bool(getCb()))
    return emitOpError("must load into either a local block or a queue");
  if (!getMcastDims().empty() && !getMcastStartIndex().empty())
    return emitOpError("must have either mcast or mcore and mshape");
  return verifyShard(*this, getMemref(), getIndices(), getLocalBuffer());
}

LogicalResult RemoteStoreOp::verify() {
  if (bool(getLocalBuffer()) == bool(getCb()))
    return emitOpError("must store either a local block or a block of a queue");
  return verifyShard(*this, getMemref(), getIndices(), getLocalBuffer());
}

//===--------------------------------------------------------------------------===//
// d2m.dma_wait
//===--------------------------------------------------------------------------===//

ParseResult DMAWaitOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand transfer;
  Type type = MemTxType::get(parser.getContext(), DMAType::Read); // older text has no type
  if (parser.parseOperand(transfer) || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  if (succeeded(parser.parseOptionalColon()) && parser.parseType(type))
    return failure();
  return parser.resolveOperand(transfer, type, result.operands);
}

void DMAWaitOp::print(OpAsmPrinter &printer) {
  printer << " " << getMemTx();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getMemTx().getType();
}
