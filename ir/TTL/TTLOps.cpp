//===- TTLOps.cpp - verifiers and methods of ttl ops ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Local rules only: what depends on the flow through a thread is checked by
// ttl-verify-protocol, since ops must verify in the middle of the pipeline too.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

#include "hw/facts/Arch.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

#define GET_OP_CLASSES
#include "ir/TTL/TTLOps.cpp.inc"

//===--------------------------------------------------------------------------===//
// ttl.kernel, ttl.program, threads
//===--------------------------------------------------------------------------===//

template <typename OpT>
static ParseResult parseFunctionLike(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(inputs, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, OpT::getFunctionTypeAttrName(result.name), buildType,
      OpT::getArgAttrsAttrName(result.name), OpT::getResAttrsAttrName(result.name));
}

template <typename OpT>
static void printFunctionLike(OpT op, OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, op, /*isVariadic=*/false, op.getFunctionTypeAttrName(),
      op.getArgAttrsAttrName(), op.getResAttrsAttrName());
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunctionLike<KernelOp>(parser, result);
}
void KernelOp::print(OpAsmPrinter &printer) { printFunctionLike(*this, printer); }

ParseResult ProgramOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunctionLike<ProgramOp>(parser, result);
}
void ProgramOp::print(OpAsmPrinter &printer) { printFunctionLike(*this, printer); }

// `block_factors`, `memory_space` and `tiled` say about the tensors what their types say.
static LogicalResult verifyTensorStatements(KernelOp op) {
  ArrayRef<Type> tensors = op.getArgumentTypes();
  if (ArrayAttr factors = op.getBlockFactorsAttr()) {
    if (factors.size() != tensors.size())
      return op.emitOpError("has block_factors of ") << factors.size() << " tensors, takes "
                                                     << tensors.size();
    for (auto [i, entry, type] : llvm::enumerate(factors, tensors)) {
      auto extents = dyn_cast<ArrayAttr>(entry);
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!extents || !tensor || extents.size() != getStoredShape(tensor).size() ||
          !llvm::all_of(extents, [](Attribute extent) {
            auto integer = dyn_cast<IntegerAttr>(extent);
            return integer && integer.getInt() >= 1;
          }))
        return op.emitOpError("block_factors of argument ")
               << i << " are positive numbers, one per dimension of " << type << ", found "
               << entry;
    }
  }
  for (auto [i, type] : llvm::enumerate(tensors)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto encoding = tensor ? dyn_cast_or_null<TensorEncodingAttr>(tensor.getEncoding())
                           : TensorEncodingAttr();
    if (!encoding)
      continue;
    if (op.getMemorySpace() && *op.getMemorySpace() != encoding.getMemorySpace())
      return op.emitOpError("has memory_space ")
             << ttcore::stringifyMemorySpace(*op.getMemorySpace()) << ", argument " << i
             << " stands in " << ttcore::stringifyMemorySpace(encoding.getMemorySpace());
    if (op.getTiled() && *op.getTiled() != encoding.getLayout().isTiled())
      return op.emitOpError("has tiled = ") << (*op.getTiled() ? "true" : "false")
             << ", argument " << i << " is " << (*op.getTiled() ? "not " : "")
             << "stored as tiles";
  }
  return success();
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("returns nothing");
  if (getArch() && !ttjit::hw::lookupArch(getArch()->str()))
    return emitOpError("unknown architecture '") << *getArch() << "'";
  if (failed(verifyTensorStatements(*this)))
    return failure();
  auto dataMovement = getBody().getOps<DataMovementThreadOp>();
  auto compute = getBody().getOps<ComputeThreadOp>();
  if (std::distance(dataMovement.begin(), dataMovement.end()) > 2)
    return emitOpError("has more than two data movement threads");
  if (std::distance(compute.begin(), compute.end()) > 1)
    return emitOpError("has more than one compute thread");
  return success();
}

static bool isBlockArithmetic(Operation *op) {
  return isa<BlockStoreOp, BlockFillOp, ComputeOp, ComputeRegionOp, BlockComputeOp,
             BlockFromL1OpInterface>(op) ||
         (isa<ttcore::TileOpInterface>(op) && isa<TTLDialect>(op->getDialect()));
}

static bool isDataMovement(Operation *op) {
  return isa<CopyOp, WaitOp, DMABarrierOp, IndexAccessorOp, CopyBufferOp, SendOp,
             SendMulticastOp, ReceiveOp>(op);
}

// What else only data movement threads may do; pipe predicates are for all.
static bool isPipeOrSemaphoreUse(Operation *op) {
  return isa<IfPipeSrcOp, IfPipeDstOp, GetRemoteSemaphoreOp, GetRemoteMulticastSemaphoreOp,
             SemaphoreWaitEqOp, SemaphoreWaitMinOp, SemaphoreSetOp, SemaphoreIncOp,
             SemaphoreValueOp>(op);
}

LogicalResult ComputeThreadOp::verify() {
  WalkResult result = walk([&](Operation *op) -> WalkResult {
    if (isPipeOrSemaphoreUse(op))
      return op->emitOpError("is for data movement threads; this is a compute thread");
    if (!isDataMovement(op))
      return WalkResult::advance();
    return op->emitOpError("moves data inside a compute thread");
  });
  return failure(result.wasInterrupted());
}

LogicalResult DataMovementThreadOp::verify() {
  WalkResult result = walk([&](Operation *op) -> WalkResult {
    if (!isBlockArithmetic(op))
      return WalkResult::advance();
    return op->emitOpError("computes on blocks inside a data movement thread");
  });
  return failure(result.wasInterrupted());
}

LogicalResult ThreadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!function)
    return emitOpError("names no function: ") << getCalleeAttr();
  // From stage ttkernel on the function takes its resources as kernel arguments.
  if (function.getNumArguments() == 0)
    return success();
  if (!llvm::equal(function.getArgumentTypes(), getResources().getTypes()))
    return emitOpError("binds (") << getResources().getTypes() << ") to " << getCalleeAttr()
                                  << ", which takes (" << function.getArgumentTypes() << ")";
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getKernelAttr());
  if (!kernel || !isa<KernelOp, ProgramOp>(kernel.getOperation()))
    return emitOpError("names no kernel or program: ") << getKernelAttr();
  if (!llvm::equal(kernel.getArgumentTypes(), getTensors().getTypes()))
    return emitOpError("passes (") << getTensors().getTypes() << ") to " << getKernelAttr()
                                   << ", which takes (" << kernel.getArgumentTypes() << ")";
  return success();
}

//===--------------------------------------------------------------------------===//
// Resources and node queries
//===--------------------------------------------------------------------------===//

LogicalResult TensorAccessorOp::verify() {
  if (getResult().getType().getTensor() != getTensor().getType())
    return emitOpError("result addresses ") << getResult().getType().getTensor()
                                            << ", operand is " << getTensor().getType();
  return success();
}

template <typename OpT>
static LogicalResult verifyNodeQuery(OpT op) {
  if (op.getDims() < 1)
    return op.emitOpError("dims is at least 1, found ") << op.getDims();
  if (static_cast<int64_t>(op.getNumResults()) != static_cast<int64_t>(op.getDims()))
    return op.emitOpError("has ") << op.getNumResults() << " results for dims = "
                                  << op.getDims();
  return success();
}
LogicalResult CoreOp::verify() { return verifyNodeQuery(*this); }
LogicalResult GridSizeOp::verify() { return verifyNodeQuery(*this); }

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

std::string ttl::shapeText(ArrayRef<int64_t> shape) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os);
  os << (shape.size() == 1 ? ",)" : ")");
  return text;
}

LogicalResult BlockStoreOp::verify() {
  ArrayRef<int64_t> dst = getBlockShape(getDst().getType());
  ArrayRef<int64_t> src = getBlockShape(getSrc().getType());
  if (dst != src)
    return emitOpError("stores ") << shapeText(src) << " into " << shapeText(dst);
  if (!getDst().getType().getCircularBuffer().isTiled())
    return emitOpError("stores tiles into a block of scalars");
  return success();
}

//===--------------------------------------------------------------------------===//
// ttl.compute
//===--------------------------------------------------------------------------===//

bool ComputeOp::isReduction(unsigned iterator) {
  return cast<ttcore::IteratorTypeAttr>(getIteratorTypes()[iterator]).getValue() ==
         ttcore::IteratorType::Reduction;
}

// Operands have the whole extent, or the window's.
static LogicalResult verifyExtents(ComputeOp op, ArrayRef<Value> operands) {
  SmallVector<int64_t> whole = op.getWholeDomain(), domain = op.getIterationDomain();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    ArrayRef<int64_t> shape = getBlockShape(operand.getType());
    for (auto [expr, extent] : llvm::zip(op.getIndexingMap(i).getResults(), shape)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (dim && extent != whole[dim.getPosition()] && extent != domain[dim.getPosition()])
        return op.emitOpError("iterator ") << dim.getPosition() << " has extents "
               << whole[dim.getPosition()] << " and " << extent;
    }
  }
  return success();
}

static LogicalResult verifyWindow(ComputeOp op, ArrayRef<Value> operands) {
  size_t iterators = op.getIteratorTypes().size();
  if (!op.getWindow())
    return op.getOffsets().empty() ? verifyExtents(op, operands)
                                   : op.emitOpError("has offsets without a window");
  if (op.getOffsets().size() != iterators || op.getWindow()->size() != iterators)
    return op.emitOpError("window has ") << op.getOffsets().size() << " offsets and "
           << op.getWindow()->size() << " extents for " << iterators << " iterators";
  SmallVector<int64_t> whole = op.getWholeDomain();
  for (auto [i, size] : llvm::enumerate(*op.getWindow())) {
    if (size < 1 || size > whole[i])
      return op.emitOpError("window takes ") << size << " of " << whole[i]
             << " iterations of iterator " << i;
    if (size != whole[i] && op.isReduction(i))
      return op.emitOpError("window takes ") << size << " of " << whole[i]
             << " iterations of iterator " << i << ", a reduction, which runs whole";
  }
  return verifyExtents(op, operands);
}

static LogicalResult verifyComputeMaps(ComputeOp op, ArrayRef<Value> operands) {
  if (op.getIndexingMaps().size() != operands.size())
    return op.emitOpError("has ") << op.getIndexingMaps().size() << " indexing maps for "
                                  << operands.size() << " operands";
  unsigned iterators = op.getIteratorTypes().size();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    AffineMap map = op.getIndexingMap(i);
    size_t rank = getBlockShape(operand.getType()).size();
    if (map.getNumDims() != iterators || map.getNumResults() != rank)
      return op.emitOpError("indexing map ") << i << " takes " << map.getNumDims()
             << " iterators to " << map.getNumResults() << " indices; expected " << iterators
             << " to " << rank;
  }
  return verifyWindow(op, operands);
}

LogicalResult ComputeOp::verify() {
  SmallVector<Value> operands = llvm::to_vector(getInputs());
  llvm::append_range(operands, getOutputs());
  if (getOutputs().empty())
    return emitOpError("has no output");
  if (failed(verifyComputeMaps(*this, operands)))
    return failure();
  if (!getAccumulate().empty() && getAccumulate().size() != getOutputs().size())
    return emitOpError("has ") << getAccumulate().size() << " accumulate flags for "
                               << getOutputs().size() << " outputs";
  Block &block = getBody().front();
  if (block.getNumArguments() != operands.size())
    return emitOpError("body has ") << block.getNumArguments() << " arguments for "
                                    << operands.size() << " operands";
  for (auto [argument, operand] : llvm::zip(block.getArguments(), operands)) {
    Type element = cast<BlockType>(operand.getType()).getTensorType().getElementType();
    if (argument.getType() != element)
      return emitOpError("body argument is ") << argument.getType() << ", the operand holds "
                                              << element;
  }
  auto yield = cast<YieldOp>(block.getTerminator());
  if (yield.getNumOperands() != getOutputs().size())
    return emitOpError("yields ") << yield.getNumOperands() << " values for "
                                  << getOutputs().size() << " outputs";
  return success();
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

LogicalResult IndexAccessorOp::verify() {
  RankedTensorType tensor = getAccessor().getType().getTensor();
  size_t rank = getStoredShape(tensor).size();
  if (getIndices().size() != rank || getResult().getType().getSizes().size() != rank)
    return emitOpError("has ") << getIndices().size() << " indices and "
                               << getResult().getType().getSizes().size()
                               << " extents for a tensor of rank " << rank;
  if (getResult().getType().getTensor() != tensor)
    return emitOpError("result is part of ") << getResult().getType().getTensor()
                                             << ", the accessor addresses " << tensor;
  return success();
}

static ArrayRef<int64_t> transferShape(Type type) {
  if (auto slice = dyn_cast<TensorSliceType>(type))
    return slice.getSizes();
  return getBlockShape(type);
}

static Type transferElement(Type type) {
  if (auto slice = dyn_cast<TensorSliceType>(type))
    return slice.getTensor().getElementType();
  return cast<BlockType>(type).getTensorType().getElementType();
}

// Coordinates belong to tensors and accessors: text with these reads in as
// ttl.copy_buffer.
static LogicalResult verifyNoCoordinates(CopyOp op) {
  auto verify = [&](StringRef name, StringRef end, Value value) -> LogicalResult {
    if (!op->hasAttr(name))
      return success();
    return op.emitOpError() << name << " are coordinates in a tensor or an accessor, the " << end
                            << " is " << value.getType();
  };
  return success(succeeded(verify("src_coords", "source", op.getSrc())) &&
                 succeeded(verify("dst_coords", "destination", op.getDst())));
}

template <typename OpT>
static LogicalResult verifyTransferId(OpT op) {
  std::optional<uint32_t> id = op.getTransferId();
  if (id && *id > 15)
    return op.emitOpError("transfer ids are 0 to 15, found ") << static_cast<int32_t>(*id);
  return success();
}

LogicalResult ReceiveOp::verify() { return verifyTransferId(*this); }

LogicalResult CopyOp::verify() {
  if (failed(verifyNoCoordinates(*this)) || failed(verifyTransferId(*this)))
    return failure();
  Type src = getSrc().getType(), dst = getDst().getType();
  if (isa<BlockType>(src) == isa<BlockType>(dst))
    return emitOpError("copies between a tensor slice or a pipe and a block");
  if (isSend() || isReceive())
    return success();
  auto withoutLeadingOnes = [](ArrayRef<int64_t> shape) {
    return shape.drop_while([](int64_t extent) { return extent == 1; });
  };
  if (withoutLeadingOnes(transferShape(src)) != withoutLeadingOnes(transferShape(dst)))
    return emitOpError("shapes differ: ") << shapeText(transferShape(src)) << " to "
                                          << shapeText(transferShape(dst));
  auto format = [](Type element) -> std::optional<ttcore::DataType> {
    if (auto tile = dyn_cast<ttcore::TileType>(element))
      return tile.getDataType();
    return ttcore::getDataTypeOf(element);
  };
  if (format(transferElement(src)) != format(transferElement(dst)))
    return emitOpError("formats differ: ") << transferElement(src) << " to "
                                           << transferElement(dst);
  return success();
}
