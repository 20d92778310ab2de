//===- TTLAliases.cpp - text of tt-lang's own dialect ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The parser turns ops that tt-lang names differently into ours. If an op of tt-lang
// names a buffer instead of a block, it becomes an op of TTLAliasOps.td.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLDialectInterfaces.h"

#include "ir/TTL/TTLElementwiseOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

//===--------------------------------------------------------------------------===//
// Ops with other names
//===--------------------------------------------------------------------------===//

template <typename OpT> static void become(OpAsmParser &parser, OperationState &result) {
  result.name = OperationName(OpT::getOperationName(), parser.getContext());
}

// Parses an op whose text differs only in its name.
template <typename OpT> static ParseResult parseAs(OpAsmParser &parser, OperationState &result) {
  become<OpT>(parser, result);
  return OpT::parse(parser, result);
}

// Parses `ttl.add %a, %b : T, T -> T`.
template <typename OpT>
static ParseResult parseExpression(OpAsmParser &parser, OperationState &result) {
  become<OpT>(parser, result);
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  Type type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonTypeList(types) || parser.parseArrow() || parser.parseType(type) ||
      parser.resolveOperands(operands, types, loc, result.operands))
    return failure();
  result.addTypes(type);
  return success();
}

// Parses `ttl.copy_dst %t {dst_idx = 1 : i32} : tile`.
static ParseResult parseCopyDst(OpAsmParser &parser, OperationState &result) {
  become<CopyDestValuesOp>(parser, result);
  OpAsmParser::UnresolvedOperand operand;
  Type type;
  if (parser.parseOperand(operand) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) || parser.resolveOperand(operand, type, result.operands))
    return failure();
  result.addTypes(type);
  return success();
}

// Parses `ttl.bind_cb {cb_index = 0, buffer_factor = 2} : !ttl.cb<..>`.
static ParseResult parseBindCB(OpAsmParser &parser, OperationState &result) {
  become<CreateCBOp>(parser, result);
  NamedAttrList attributes;
  CircularBufferType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(attributes) || parser.parseColonType(type))
    return failure();
  auto index = dyn_cast_or_null<IntegerAttr>(attributes.erase("cb_index"));
  if (!index)
    return parser.emitError(loc, "expected the attribute 'cb_index' of an integer");
  Attribute factor = attributes.erase("buffer_factor");
  auto count = dyn_cast_or_null<IntegerAttr>(factor);
  if (factor && (!count || count.getInt() != type.getBufferFactor()))
    return parser.emitError(loc, "buffer_factor is ")
           << factor << ", but the type of the buffer has " << type.getBufferFactor() << " blocks";
  Builder &builder = parser.getBuilder();
  result.attributes = attributes;
  result.addAttribute("name", builder.getStringAttr("cb" + std::to_string(index.getInt())));
  result.addAttribute("buffer_index", builder.getI32IntegerAttr(index.getInt()));
  result.addTypes(type);
  return success();
}

using Parser = ParseResult (*)(OpAsmParser &, OperationState &);

static const llvm::StringMap<Parser> &parsersOfOtherNames() {
  static const llvm::StringMap<Parser> parsers = {
      {"ttl.bind_cb", parseBindCB},
      {"ttl.copy_dst", parseCopyDst},
      {"ttl.tensor_slice", parseAs<TensorPartOp>},
#define TILE_UNARY(Id, name, call, init, header) {"ttl." #name, parseExpression<Block##Id##Op>},
#define TILE_BINARY(Id, name, call, init, header) {"ttl." #name, parseExpression<Block##Id##Op>},
#include "hw/facts/TileOps.def"
  };
  return parsers;
}

std::optional<Dialect::ParseOpHook> TTLDialect::getParseOperationHook(StringRef opName) const {
  auto it = parsersOfOtherNames().find(opName);
  if (it == parsersOfOtherNames().end())
    return std::nullopt;
  return ParseOpHook(it->second);
}

//===--------------------------------------------------------------------------===//
// Blocks, or their buffers
//===--------------------------------------------------------------------------===//

template <typename AliasT>
static ParseResult parseAcquire(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand cb;
  Type type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperand(cb) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon() || parseBufferOrBlock(parser, type))
    return failure();
  if (auto buffer = dyn_cast<CircularBufferType>(type)) {
    become<AliasT>(parser, result);
    Type tensor;
    if (parser.parseArrow() || parser.parseType(tensor))
      return failure();
    result.addTypes(tensor);
    return parser.resolveOperand(cb, buffer, result.operands);
  }
  auto block = dyn_cast<BlockType>(type);
  if (!block)
    return parser.emitError(loc, "expected the type of a block, found ") << type;
  result.addTypes(block);
  return parser.resolveOperand(cb, block.getCircularBuffer(), result.operands);
}

template <typename AliasT>
static ParseResult parseRelease(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand operand;
  Type type;
  if (parser.parseOperand(operand) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon() || parseBufferOrBlock(parser, type))
    return failure();
  if (isa<CircularBufferType>(type))
    become<AliasT>(parser, result);
  return parser.resolveOperand(operand, type, result.operands);
}

template <typename OpT> static void printBlockOp(OpT op, OpAsmPrinter &printer) {
  printer << ' ' << op->getOperand(0);
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printer.printStrippedAttrOrType(cast<BlockType>(op.getBlock().getType()));
}

ParseResult CBWaitOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseAcquire<CBWaitTensorOp>(parser, result);
}
ParseResult CBReserveOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseAcquire<CBReserveTensorOp>(parser, result);
}
ParseResult CBPopOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseRelease<CBPopOldestOp>(parser, result);
}
ParseResult CBPushOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseRelease<CBPushOldestOp>(parser, result);
}
void CBWaitOp::print(OpAsmPrinter &printer) { printBlockOp(*this, printer); }
void CBReserveOp::print(OpAsmPrinter &printer) { printBlockOp(*this, printer); }
void CBPopOp::print(OpAsmPrinter &printer) { printBlockOp(*this, printer); }
void CBPushOp::print(OpAsmPrinter &printer) { printBlockOp(*this, printer); }

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

// Parses `%src, %dst : T, U`, or tt-lang's `%src, %dst : (T, U) ->
// !ttl.transfer_handle<read>`.
ParseResult CopyOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand src, dst, id, part;
  Type srcType, dstType, handle = TransferHandleType::get(parser.getContext());
  if (parser.parseOperand(src) || parser.parseComma() || parser.parseOperand(dst))
    return failure();
  bool hasId = succeeded(parser.parseOptionalKeyword("id"));
  if (hasId && parser.parseOperand(id))
    return failure();
  bool hasPart = succeeded(parser.parseOptionalKeyword("part"));
  if ((hasPart && parser.parseOperand(part)) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon())
    return failure();
  bool functional = succeeded(parser.parseOptionalLParen());
  if (parser.parseType(srcType) || parser.parseComma() || parser.parseType(dstType) ||
      (functional && (parser.parseRParen() || parser.parseArrow() || parser.parseType(handle))))
    return failure();
  auto isSliceLike = llvm::IsaPred<TensorSliceType, BlockType, PipeType>;
  if (isSliceLike(srcType) && isSliceLike(dstType))
    result.getOrAddProperties<Properties>().operandSegmentSizes = {1, 1, hasId, hasPart};
  else
    become<CopyBufferOp>(parser, result);
  result.addTypes(handle);
  Builder &builder = parser.getBuilder();
  return failure(parser.resolveOperand(src, srcType, result.operands) ||
                 parser.resolveOperand(dst, dstType, result.operands) ||
                 (hasId && parser.resolveOperand(id, builder.getI32Type(), result.operands)) ||
                 (hasPart && parser.resolveOperand(part, builder.getIndexType(), result.operands)));
}

void CopyOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSrc() << ", " << getDst();
  if (getId())
    printer << " id " << getId();
  if (getPart())
    printer << " part " << getPart();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
  printer << " : " << getSrc().getType() << ", " << getDst().getType();
}

ParseResult WaitOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand xf;
  Type type = TransferHandleType::get(parser.getContext());
  if (parser.parseOperand(xf) || parser.parseOptionalAttrDict(result.attributes) ||
      (succeeded(parser.parseOptionalColon()) && parser.parseType(type)))
    return failure();
  return parser.resolveOperand(xf, type, result.operands);
}

void WaitOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getXf();
  printer.printOptionalAttrDict((*this)->getAttrs());
}

//===--------------------------------------------------------------------------===//
// Rules of the ops of TTLAliasOps.td
//===--------------------------------------------------------------------------===//

template <typename OpT> static LogicalResult verifyAcquiredTensor(OpT op) {
  auto tensor = cast<RankedTensorType>(op.getResult().getType());
  auto buffer = cast<CircularBufferType>(op.getCb().getType());
  if (tensor.getShape() != buffer.getShape())
    return op.emitOpError("the result has shape ")
           << shapeText(tensor.getShape()) << ", but a block of the buffer has shape "
           << shapeText(buffer.getShape());
  if (tensor.getElementType() != buffer.getElementType())
    return op.emitOpError("the result has elements of type ")
           << tensor.getElementType() << ", but those of the buffer have type "
           << buffer.getElementType();
  return success();
}
LogicalResult CBWaitTensorOp::verify() { return verifyAcquiredTensor(*this); }
LogicalResult CBReserveTensorOp::verify() { return verifyAcquiredTensor(*this); }

LogicalResult AttachCBOp::verify() {
  auto tensor = cast<RankedTensorType>(getTensor().getType());
  CircularBufferType buffer = getCb().getType();
  if (tensor.getElementType() != buffer.getElementType())
    return emitOpError("the tensor has elements of type ")
           << tensor.getElementType() << ", but those of the buffer have type "
           << buffer.getElementType();
  if (tensor.getRank() != static_cast<int64_t>(buffer.getShape().size()))
    return emitOpError("the tensor has rank ")
           << tensor.getRank() << ", but a block of the buffer has rank "
           << buffer.getShape().size();
  return success();
}

LogicalResult TensorPartOp::verify() {
  size_t rank = getStoredShape(cast<RankedTensorType>(getTensor().getType())).size();
  if (getIndices().size() != rank)
    return emitOpError("has ") << getIndices().size() << " indices, but the tensor has rank "
                               << rank;
  return success();
}

// Checks that there is one coordinate per dimension of the tensor at this end of a
// copy.
static LogicalResult verifyCoordinates(CopyBufferOp op, StringRef name, Value end,
                                       ArrayAttr coords) {
  if (!coords)
    return success();
  Type type = end.getType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (auto accessor = dyn_cast<TensorAccessorType>(type))
    tensor = accessor.getTensor();
  if (!tensor)
    return op.emitOpError() << name << " must be coordinates in a tensor or an accessor, found "
                            << type;
  if (end.getDefiningOp<TensorPartOp>())
    return op.emitOpError()
           << name
           << " and ttl.tensor_slice both give the start of the part: leave one of them out";
  size_t rank = getStoredShape(tensor).size();
  if (coords.size() != rank)
    return op.emitOpError() << name << " has " << coords.size()
                            << " coordinates, but the tensor has rank " << rank;
  return success();
}

LogicalResult CopyBufferOp::verify() {
  auto isTensor = llvm::IsaPred<TensorAccessorType, RankedTensorType>;
  if (isTensor(getSrc().getType()) == isTensor(getDst().getType()))
    return emitOpError("must copy between a tensor or accessor and a buffer or block");
  return success(succeeded(verifyCoordinates(*this, "src_coords", getSrc(), getSrcCoordsAttr())) &&
                 succeeded(verifyCoordinates(*this, "dst_coords", getDst(), getDstCoordsAttr())));
}

LogicalResult LinearizedIndexOp::verify() {
  AffineMap map = getIndexMap();
  if (map.getNumDims() == 0 || map.getNumSymbols() != 0 || map.getNumResults() != 1)
    return emitOpError(
               "must have a map from the iterators of one or more loops to one number, found ")
           << getIndexMapAttr();
  return success();
}

LogicalResult StoreTileOp::verify() {
  auto view = cast<RankedTensorType>(getView().getType());
  if (view.getElementType() != getTile().getType())
    return emitOpError("cannot store ")
           << getTile().getType() << " into a view of " << view.getElementType();
  return success();
}
