//===- TTLDistOps.cpp - ops on distributed tensors ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"
#include "ir/TTL/TTLDist.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

#define GET_OP_CLASSES
#include "ir/TTL/TTLDistOps.cpp.inc"

void ttl::registerDistOps(TTLDialect *dialect) {
  RegisteredOperationName::insert<ExtractShardOp>(*dialect);
  RegisteredOperationName::insert<FromShardsOp>(*dialect);
  RegisteredOperationName::insert<RedistributeOp>(*dialect);
  RegisteredOperationName::insert<CollectiveOp>(*dialect);
}

// Parses an operand and its type, which may be left out.
static ParseResult parseTensor(OpAsmParser &parser, OperationState &result, DistTensorType &type) {
  OpAsmParser::UnresolvedOperand operand;
  SMLoc loc = parser.getCurrentLocation();
  Type found;
  if (parser.parseOperand(operand) || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseType(found))
      return failure();
  } else if (!(found = lookUpType(parser, operand))) {
    return failure();
  }
  type = dyn_cast<DistTensorType>(found);
  if (!type)
    return parser.emitError(loc) << "expected a distributed tensor, found a value of type "
                                 << found;
  return parser.resolveOperand(operand, type, result.operands);
}

static LogicalResult verifyShard(Operation *op, Type shard, DistTensorType tensor) {
  if (shard == tensor.getLocalType())
    return success();
  return op->emitOpError() << "a part of " << tensor << " is a " << tensor.getLocalType()
                           << ", found " << shard;
}

//===--------------------------------------------------------------------------===//
// ttl.extract_shard, ttl.from_shards
//===--------------------------------------------------------------------------===//

ParseResult ExtractShardOp::parse(OpAsmParser &parser, OperationState &result) {
  DistTensorType tensor;
  if (parseTensor(parser, result, tensor))
    return failure();
  Type shard = tensor.getLocalType();
  if (succeeded(parser.parseOptionalArrow()) && parser.parseType(shard))
    return failure();
  result.addTypes(shard);
  return success();
}

void ExtractShardOp::print(OpAsmPrinter &printer) {
  printer << " " << getTensor();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getTensor().getType() << " -> " << getShard().getType();
}

LogicalResult ExtractShardOp::verify() {
  return verifyShard(*this, getShard().getType(), getTensor().getType());
}

OpFoldResult ExtractShardOp::fold(FoldAdaptor) {
  auto source = getTensor().getDefiningOp<FromShardsOp>();
  return source ? source.getShard() : Value();
}

LogicalResult FromShardsOp::verify() {
  return verifyShard(*this, getShard().getType(), getTensor().getType());
}

OpFoldResult FromShardsOp::fold(FoldAdaptor) {
  auto source = getShard().getDefiningOp<ExtractShardOp>();
  bool isSame = source && source.getTensor().getType() == getTensor().getType();
  return isSame ? source.getTensor() : Value();
}

//===--------------------------------------------------------------------------===//
// ttl.redistribute
//===--------------------------------------------------------------------------===//

// Returns the type of the result of `strategy = NAME`; null after an error.
static Type typeOfStrategy(OpAsmParser &parser, DistTensorType type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef strategy;
  if (parser.parseEqual() || parser.parseKeyword(&strategy))
    return {};
  ArrayRef<int64_t> mesh = type.getPlacement().getMesh();
  SmallVector<int64_t> dims(mesh.size(), ttjit::layouts::kReplicated);
  if (strategy == "sharded")
    std::iota(dims.begin(), dims.end(), 0);
  else if (strategy != "replicated") {
    parser.emitError(loc) << "a tensor on a mesh is sharded or replicated, found '" << strategy
                          << "': write the type of the result, as in ttl.redistribute %t : A -> B";
    return {};
  }
  auto placement = PlacementAttr::get(type.getContext(), mesh, dims);
  return parser.getChecked<DistTensorType>(loc, type.getContext(), type.getShape(),
                                           type.getElementType(), placement);
}

ParseResult RedistributeOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand operand;
  DistTensorType source;
  SMLoc loc = parser.getCurrentLocation();
  Type to;
  if (parseTensor(parser, result, source))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("strategy")))
    to = typeOfStrategy(parser, source);
  else if (failed(parser.parseOptionalArrow()))
    return parser.emitError(loc) << "needs the type of its result: ttl.redistribute %t : A -> B";
  else if (parser.parseType(to))
    return failure();
  if (!to)
    return failure();
  result.addTypes(to);
  return success();
}

void RedistributeOp::print(OpAsmPrinter &printer) {
  printer << " " << getTensor();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getTensor().getType() << " -> " << getResult().getType();
}

LogicalResult RedistributeOp::verify() {
  DistTensorType from = getTensor().getType(), to = getResult().getType();
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType())
    return emitOpError() << "changes the placement only, and not the shape or the elements: "
                         << from << " -> " << to;
  PlacementAttr before = from.getPlacement(), after = to.getPlacement();
  if (before.getMesh() != after.getMesh())
    return emitOpError() << "cannot go from " << before << " to " << after << ": the meshes differ";
  for (auto [one, other] : llvm::zip(before.getDims(), after.getDims()))
    if (other == ttjit::layouts::kPartial && one != other)
      return emitOpError() << "cannot go from " << before << " to " << after
                           << ": sums cannot become partial again";
  return success();
}

OpFoldResult RedistributeOp::fold(FoldAdaptor) {
  return getTensor().getType() == getResult().getType() ? getTensor() : Value();
}

// The way from the first placement to the last one is not longer than that by the one between,
// which nothing else needs. Sums keep their way, because another one may add in another order.
LogicalResult RedistributeOp::canonicalize(RedistributeOp op, PatternRewriter &rewriter) {
  auto first = op.getTensor().getDefiningOp<RedistributeOp>();
  if (!first || !first->hasOneUse() || first.getTensor().getType().getPlacement().isPartial())
    return failure();
  rewriter.replaceOpWithNewOp<RedistributeOp>(op, op.getResult().getType(), first.getTensor());
  return success();
}

//===--------------------------------------------------------------------------===//
// ttl.collective
//===--------------------------------------------------------------------------===//

static SmallVector<int64_t> scaled(ArrayRef<int64_t> shape, int64_t dim, int64_t times,
                                   int64_t parts) {
  SmallVector<int64_t> result(shape);
  if (dim >= 0)
    result[dim] = result[dim] * times / parts;
  return result;
}

LogicalResult CollectiveOp::verify() {
  constexpr StringLiteral kFunctions[] = {"all_gather", "all_reduce", "all_to_all",
                                          "mesh_partition", "reduce_scatter"};
  if (!llvm::is_contained(kFunctions, getFunction()))
    return emitOpError() << "expected the function " << llvm::join(ArrayRef(kFunctions), ", ")
                         << ", found " << getFunctionAttr();
  ArrayRef<int64_t> shape = getOperand().getType().getShape();
  int64_t rank = shape.size(), axis = getAxis(), before = getBefore(), after = getAfter();
  if (axis < 0 || axis >= static_cast<int64_t>(getMesh().size()))
    return emitOpError() << "axis " << axis << " is no axis of the mesh [" << getMesh() << "]";
  if (before < ttjit::layouts::kPartial || before >= rank || after < ttjit::layouts::kReplicated ||
      after >= rank)
    return emitOpError() << "a tensor with " << rank << " dimensions cannot be cut along "
                         << (before < ttjit::layouts::kPartial || before >= rank ? before : after);
  int64_t chips = getMesh()[axis];
  if (chips < 1 || (after >= 0 && shape[after] % chips))
    return emitOpError() << "cannot cut " << getOperand().getType() << " into " << chips
                         << " parts along dimension " << after;
  SmallVector<int64_t> expected = scaled(scaled(shape, before, chips, 1), after, 1, chips);
  if (getResult().getType().getShape() == ArrayRef(expected) &&
      getResult().getType().getElementType() == getOperand().getType().getElementType())
    return success();
  return emitOpError() << "the result has the shape " << shapeText(expected)
                       << " and the elements of the operand, found " << getResult().getType();
}
