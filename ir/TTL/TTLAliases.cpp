//===- TTLAliases.cpp - text of tt-lang's own dialect -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The parser turns ops that tt-lang names differently into ours. If an op of tt-lang
// names a buffer instead of a block, it becomes an op of TTLAliasOps.td.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

#include "hw/facts/Words.h"
#include "ir/TTL/TTLDialectInterfaces.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

//===--------------------------------------------------------------------------===//
// Ops with other names
//===--------------------------------------------------------------------------===//

// Parses an op whose text differs only in its name.
template <typename OpT> static ParseResult parseAs(OpAsmParser &parser, OperationState &result) {
  become<OpT>(parser, result);
  return OpT::parse(parser, result);
}

// Parses `ttl.add %a, %b : T, T -> T` as `ttl.block_add`.
static ParseResult parseExpression(OpAsmParser &parser, OperationState &result) {
  StringRef row = result.name.stripDialect();
  result.name = OperationName(("ttl.block_" + row).str(), parser.getContext());
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
      {"ttl.core_dim", parseAs<CoreOp>},
      {"ttl.tensor_slice", parseAs<TensorPartOp>},
#define TILE_UNARY(Id, name, call, init, header) {"ttl." #name, parseExpression},
#define TILE_BINARY(Id, name, call, init, header) {"ttl." #name, parseExpression},
#include "hw/facts/TileOps.def"
  };
  return parsers;
}

// What to write instead of ops that IR for other tools has and that this dialect does not have.
static const llvm::StringMap<StringLiteral> &adviceForRefusedOps() {
  static constexpr StringLiteral kDistributed =
      "tensors distributed over several devices are not supported: make the parts of a tensor on "
      "one device its shards, #ttl.layout<sharded, grid = 2x2, shard = 64x64, tile = 32x32>";
  static const llvm::StringMap<StringLiteral> advice = {
      {"ttl.semaphore_wait", "waits for one of two conditions: write ttl.semaphore_wait_eq or "
                             "ttl.semaphore_wait_min, and "
                             "ttl.semaphore_set after it to reset the semaphore"},
      {"ttl.atomic_barrier", "is inserted by the compiler where semaphores need it: leave it out"},
      {"ttl.extract_shard", kDistributed},
      {"ttl.redistribute", kDistributed},
  };
  return advice;
}

static ParseResult refuse(OpAsmParser &parser, OperationState &result) {
  return parser.emitError(parser.getNameLoc())
         << adviceForRefusedOps().at(result.name.getStringRef());
}

std::optional<Dialect::ParseOpHook> TTLDialect::getParseOperationHook(StringRef opName) const {
  if (adviceForRefusedOps().contains(opName))
    return ParseOpHook(refuse);
  auto it = parsersOfOtherNames().find(opName);
  if (it == parsersOfOtherNames().end())
    return std::nullopt;
  return ParseOpHook(it->second);
}

//===--------------------------------------------------------------------------===//
// Blocks, or their buffers
//===--------------------------------------------------------------------------===//

// Adds the block of a buffer whose type is looked up: `ttl.cb_wait %cb : !ttl.block<...>`.
static ParseResult addBlockOfBuffer(OpAsmParser &parser, const OpAsmParser::UnresolvedOperand &cb,
                                    OperationState &result) {
  Type type = lookUpType(parser, cb);
  if (!type)
    return failure();
  auto buffer = dyn_cast<CircularBufferType>(type);
  if (!buffer)
    return parser.emitError(cb.location)
           << "expected a circular buffer, found a value of type " << type;
  result.addTypes(BlockType::get(buffer));
  return parser.resolveOperand(cb, buffer, result.operands);
}

template <typename AliasT>
static ParseResult parseAcquire(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand cb;
  Type type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperand(cb) || parseAttributes(parser, result))
    return failure();
  if (failed(parser.parseOptionalColon()))
    return addBlockOfBuffer(parser, cb, result);
  if (parseBufferOrBlock(parser, type))
    return failure();
  if (isElidedBlock(type))
    return addBlockOfBuffer(parser, cb, result);
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
  if (parser.parseOperand(operand) || parseAttributes(parser, result))
    return failure();
  if (failed(parser.parseOptionalColon())) {
    if (!(type = lookUpType(parser, operand)))
      return failure();
  } else if (parseBufferOrBlock(parser, type)) {
    return failure();
  }
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

namespace {

// Parses a copy in one of these forms, where an end may be `%acc[%i, %j]`:
//   %src, %dst : T, U
//   %src, %dst : (T, U) -> !ttl.transfer_handle<read>   (tt-lang)
//   %src, %dst : !ttl.xf, or no types                   (older text)
class CopyParser {
public:
  CopyParser(OpAsmParser &parser, OperationState &result)
      : parser(parser), result(result), handle(TransferHandleType::get(parser.getContext())) {}

  ParseResult parse();

private:
  struct End {
    OpAsmParser::UnresolvedOperand operand;
    SmallVector<OpAsmParser::UnresolvedOperand> indices;
    Type type;
  };

  ParseResult parseEnd(End &end);
  ParseResult parseModifiers();
  ParseResult parseTypes();
  ParseResult lookUpTypes();
  ParseResult finish();
  ParseResult becomeCopyBuffer();
  ParseResult resolve(const End &end) {
    return parser.resolveOperand(end.operand, end.type, result.operands);
  }

  OpAsmParser &parser;
  OperationState &result;
  Type handle;
  End src, dst;
  std::optional<OpAsmParser::UnresolvedOperand> id, part;
};

} // namespace

ParseResult CopyParser::parseEnd(End &end) {
  return failure(parser.parseOperand(end.operand) ||
                 parser.parseOperandList(end.indices, OpAsmParser::Delimiter::OptionalSquare));
}

// Parses `id %id part %part {attributes}`.
ParseResult CopyParser::parseModifiers() {
  if (succeeded(parser.parseOptionalKeyword("id")) && parser.parseOperand(id.emplace()))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("part")) && parser.parseOperand(part.emplace()))
    return failure();
  return parser.parseOptionalAttrDict(result.attributes);
}

ParseResult CopyParser::lookUpTypes() {
  src.type = lookUpType(parser, src.operand);
  dst.type = src.type ? lookUpType(parser, dst.operand) : Type();
  return success(src.type && dst.type);
}

ParseResult CopyParser::parseTypes() {
  if (failed(parser.parseOptionalColon()))
    return lookUpTypes();
  bool functional = succeeded(parser.parseOptionalLParen());
  if (parser.parseType(src.type))
    return failure();
  if (!functional && isa<TransferHandleType>(src.type) && failed(parser.parseOptionalComma()))
    return lookUpTypes();
  return failure(
      parser.parseComma() || parser.parseType(dst.type) ||
      (functional && (parser.parseRParen() || parser.parseArrow() || parser.parseType(handle))));
}

// Turns the text into a ttl.copy_buffer: one end is a tensor or an accessor with indices.
ParseResult CopyParser::becomeCopyBuffer() {
  if (!src.indices.empty() && !dst.indices.empty())
    return parser.emitError(dst.indices.front().location)
           << "only one end of a copy can be a part of a tensor: copy through a circular buffer";
  const End &end = src.indices.empty() ? dst : src;
  if (!end.indices.empty() && !isa<TensorAccessorType, RankedTensorType>(end.type))
    return parser.emitError(end.indices.front().location)
           << "expected a tensor or an accessor before the indices, found a value of type "
           << end.type;
  if (id || part)
    return parser.emitError(end.operand.location)
           << "a copy with 'id' or 'part' needs a ttl.index_accessor of the tensor as its end";
  become<CopyBufferOp>(parser, result);
  result.addTypes(handle);
  Type index = parser.getBuilder().getIndexType();
  return failure(resolve(src) || resolve(dst) ||
                 parser.resolveOperands(end.indices, index, result.operands));
}

ParseResult CopyParser::finish() {
  auto isSliceLike = llvm::IsaPred<TensorSliceType, BlockType, PipeType>;
  bool indexed = !src.indices.empty() || !dst.indices.empty();
  if (indexed || !isSliceLike(src.type) || !isSliceLike(dst.type))
    return becomeCopyBuffer();
  result.getOrAddProperties<CopyOp::Properties>().operandSegmentSizes = {1, 1, id.has_value(),
                                                                         part.has_value()};
  result.addTypes(handle);
  Builder &builder = parser.getBuilder();
  return failure(resolve(src) || resolve(dst) ||
                 (id && parser.resolveOperand(*id, builder.getI32Type(), result.operands)) ||
                 (part && parser.resolveOperand(*part, builder.getIndexType(), result.operands)));
}

ParseResult CopyParser::parse() {
  return failure(parseEnd(src) || parser.parseComma() || parseEnd(dst) || parseModifiers() ||
                 parseTypes() || finish());
}

ParseResult CopyOp::parse(OpAsmParser &parser, OperationState &result) {
  return CopyParser(parser, result).parse();
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
    return emitOpError("has indices for ") << ttjit::hw::plural(getIndices().size(), "dimension")
                                           << ", but the tensor has rank " << rank;
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
    return op.emitOpError() << name << " has " << ttjit::hw::plural(coords.size(), "coordinate")
                            << ", but the tensor has rank " << rank;
  return success();
}

// Checks that there is one index per dimension of the tensor, or the number of a shard or page.
static LogicalResult verifyIndices(CopyBufferOp op) {
  Value end = op.isRead() ? op.getSrc() : op.getDst();
  if (op.getIndices().empty())
    return success();
  if (op.getSrcCoordsAttr() || op.getDstCoordsAttr() || end.getDefiningOp<TensorPartOp>())
    return op.emitOpError("has indices, and its start is given in another way too: leave out one "
                          "of them");
  auto tensor = dyn_cast<RankedTensorType>(end.getType());
  if (auto accessor = dyn_cast<TensorAccessorType>(end.getType()))
    tensor = accessor.getTensor();
  size_t rank = getStoredShape(tensor).size();
  if (op.getIndices().size() != rank && op.getIndices().size() != 1)
    return op.emitOpError("has indices for ")
           << ttjit::hw::plural(op.getIndices().size(), "dimension") << ", but the tensor has rank "
           << rank << ": write one per dimension, or the number of a "
           << "shard or page";
  return success();
}

LogicalResult CopyBufferOp::verify() {
  auto isTensor = llvm::IsaPred<TensorAccessorType, RankedTensorType>;
  if (isTensor(getSrc().getType()) == isTensor(getDst().getType()))
    return emitOpError("must copy between a tensor or accessor and a buffer or block");
  if (failed(verifyIndices(*this)))
    return failure();
  return success(succeeded(verifyCoordinates(*this, "src_coords", getSrc(), getSrcCoordsAttr())) &&
                 succeeded(verifyCoordinates(*this, "dst_coords", getDst(), getDstCoordsAttr())));
}

LogicalResult SemaphoreNumberOp::verify() {
  bool increments = getAction() == "inc", remote = getSemaphore().getType().getIsRemote();
  if (!increments && getAction() != "set" && getAction() != "wait_eq" && getAction() != "wait_min")
    return emitOpError("the action must be set, inc, wait_eq or wait_min, found ")
           << getActionAttr();
  if (increments && !remote)
    return emitOpError(
        "can only add to the semaphore of another node: use ttl.get_remote_semaphore");
  if (remote && getAction().starts_with("wait"))
    return emitOpError("cannot wait for a remote semaphore, only for the one of this node");
  return success();
}

LogicalResult RemoteSemaphoreAtOp::verify() {
  if (getSemaphore().getType().getIsRemote())
    return emitOpError("needs a local semaphore, but the operand is a remote one already");
  if (!getType().getIsRemote())
    return emitOpError("must have a remote semaphore as result, ")
           << SemaphoreType::get(getContext(), true);
  return verifyNodeCoords(*this, "core", getCore());
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
