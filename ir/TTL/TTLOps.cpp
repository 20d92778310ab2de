//===- TTLOps.cpp - the ops of ttl; kernels, threads, programs ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Here and in the files beside it verifiers have local rules only: what depends on
// the flow through a thread is checked by ttl-verify-protocol, since ops must verify
// in the middle of the pipeline too.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

#include "hw/facts/Arch.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

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

template <typename OpT> static void printFunctionLike(OpT op, OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, op, /*isVariadic=*/false,
                                           op.getFunctionTypeAttrName(), op.getArgAttrsAttrName(),
                                           op.getResAttrsAttrName());
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
      return op.emitOpError("has block_factors of ")
             << factors.size() << " tensors, takes " << tensors.size();
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
    auto encoding =
        tensor ? dyn_cast_or_null<TensorEncodingAttr>(tensor.getEncoding()) : TensorEncodingAttr();
    if (!encoding)
      continue;
    if (op.getMemorySpace() && *op.getMemorySpace() != encoding.getMemorySpace())
      return op.emitOpError("has memory_space ")
             << ttcore::stringifyMemorySpace(*op.getMemorySpace()) << ", argument " << i
             << " stands in " << ttcore::stringifyMemorySpace(encoding.getMemorySpace());
    if (op.getTiled() && *op.getTiled() != encoding.getLayout().isTiled())
      return op.emitOpError("has tiled = ")
             << (*op.getTiled() ? "true" : "false") << ", argument " << i << " is "
             << (*op.getTiled() ? "not " : "") << "stored as tiles";
  }
  return success();
}

static std::string knownArchs() {
  std::string names;
  for (const ttjit::hw::ArchDesc &arch : ttjit::hw::kArchs)
    names += (names.empty() ? "" : " or ") + std::string(arch.name);
  return names;
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("returns nothing, found results (")
           << getResultTypes() << "): results go to tensors that it takes";
  if (getArch() && !ttjit::hw::lookupArch(getArch()->str()))
    return emitOpError("unknown architecture '")
           << *getArch() << "': expected " << knownArchs()
           << ", or one of them with a grid: " << ttjit::hw::kArchs[0].name << "@4x4";
  if (failed(verifyTensorStatements(*this)))
    return failure();
  auto movers = llvm::range_size(getBody().getOps<DataMovementThreadOp>());
  auto computers = llvm::range_size(getBody().getOps<ComputeThreadOp>());
  if (movers > 2)
    return emitOpError("has ") << movers << " data movement threads: a core runs at most two";
  if (computers > 1)
    return emitOpError("has ") << computers << " compute threads: a core runs at most one";
  return success();
}

static bool isBlockArithmetic(Operation *op) {
  return isa<BlockStoreOp, BlockFillOp, ComputeOp, ComputeRegionOp, BlockComputeOp,
             BlockFromL1OpInterface>(op) ||
         (isa<ttcore::TileOpInterface>(op) && isa<TTLDialect>(op->getDialect()));
}

static bool isDataMovement(Operation *op) {
  return isa<CopyOp, WaitOp, DMABarrierOp, IndexAccessorOp, CopyBufferOp, SendOp, SendMulticastOp,
             ReceiveOp, ElementReadOp, ElementWriteOp, PrintTensorOp>(op);
}

// True for ops on pipes and semaphores that only data movement threads may have. Every
// thread may ask for a pipe's ends.
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
    return op->emitOpError("moves data inside a compute thread: do that in a data movement "
                           "thread, which hands blocks on through buffers");
  });
  return failure(result.wasInterrupted());
}

LogicalResult DataMovementThreadOp::verify() {
  WalkResult result = walk([&](Operation *op) -> WalkResult {
    if (!isBlockArithmetic(op))
      return WalkResult::advance();
    return op->emitOpError("computes on blocks inside a data movement thread: do that in the "
                           "compute thread, which hands blocks on through buffers");
  });
  return failure(result.wasInterrupted());
}

// What a program makes for its threads and no op hands on: passes look through a thread
// function's argument at the op that makes it.
static bool isResource(Type type) {
  return isa<CircularBufferType, CountersType, LandingType, NodeTableType>(type);
}

static LogicalResult verifyMaker(ThreadOp thread, Value resource) {
  Operation *maker = resource.getDefiningOp();
  bool known = llvm::TypeSwitch<Type, bool>(resource.getType())
                   .Case([&](CircularBufferType) { return isa_and_nonnull<CreateCBOp>(maker); })
                   .Case([&](CountersType) { return isa_and_nonnull<CreateCountersOp>(maker); })
                   .Case([&](LandingType) { return isa_and_nonnull<CreateLandingOp>(maker); })
                   .Case([&](NodeTableType) { return isa_and_nonnull<CreateNodeTableOp>(maker); })
                   .Case([&](SemaphoreType) { return isa_and_nonnull<CreateSemaphoreOp>(maker); })
                   .Case([&](RankedTensorType) { return isa<BlockArgument>(resource); })
                   .Default(true);
  if (known)
    return success();
  return thread.emitOpError("binds a ")
         << resource.getType() << " that no op of its program creates";
}

static LogicalResult verifyUsesOfResources(FunctionOpInterface function) {
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    for (Value operand : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      bool isOwn = argument && argument.getOwner()->getParentOp() == function.getOperation();
      if (isResource(operand.getType()) && !isOwn)
        return op->emitOpError("uses a ")
               << operand.getType() << " that is no argument of its thread function";
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult ThreadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!function)
    return emitOpError("names no function: ") << getCalleeAttr();
  // From stage ttkernel on the function takes its resources as kernel arguments.
  if (function.getNumArguments() != 0 &&
      !llvm::equal(function.getArgumentTypes(), getResources().getTypes()))
    return emitOpError("binds (") << getResources().getTypes() << ") to " << getCalleeAttr()
                                  << ", which takes (" << function.getArgumentTypes() << ")";
  if (isa<KernelOp, ProgramOp>(function) || function.isExternal())
    return emitOpError("names ") << getCalleeAttr() << ", which is no function with a body";
  for (Value resource : getResources())
    if (failed(verifyMaker(*this, resource)))
      return failure();
  return verifyUsesOfResources(function);
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
