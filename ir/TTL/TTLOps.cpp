//===- TTLOps.cpp - the ops of ttl; kernels, threads, programs ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of ttl ops check local rules only, because ops must verify after every
// pass. ttl-verify-protocol checks the rules that depend on the flow through a thread.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"
#include "ir/TTL/TTLFields.h"

#include "hw/facts/Arch.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

//===--------------------------------------------------------------------------===//
// ttl.kernel, ttl.program, threads
//===--------------------------------------------------------------------------===//

// Checks that `block_factors`, `memory_space` and `tiled` agree with the types of the
// tensors.
static LogicalResult verifyTensorStatements(KernelOp op) {
  ArrayRef<Type> tensors = op.getArgumentTypes();
  if (ArrayAttr factors = op.getBlockFactorsAttr()) {
    if (factors.size() != tensors.size())
      return op.emitOpError("has block_factors for ")
             << factors.size() << " tensors, but the number of its tensors is " << tensors.size();
    for (auto [i, entry, type] : llvm::enumerate(factors, tensors)) {
      auto extents = dyn_cast<ArrayAttr>(entry);
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!extents || !tensor || extents.size() != getStoredShape(tensor).size() ||
          !llvm::all_of(extents, [](Attribute extent) {
            auto integer = dyn_cast<IntegerAttr>(extent);
            return integer && integer.getInt() >= 1;
          }))
        return op.emitOpError("block_factors of argument ")
               << i << " must be positive numbers, one per dimension of " << type << ", found "
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
             << ttcore::stringifyMemorySpace(*op.getMemorySpace()) << ", but argument " << i
             << " is in " << ttcore::stringifyMemorySpace(encoding.getMemorySpace());
    if (op.getTiled() && *op.getTiled() != encoding.getLayout().isTiled())
      return op.emitOpError("has tiled = ")
             << (*op.getTiled() ? "true" : "false") << ", but argument " << i << " is "
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

template <typename OpT> static LogicalResult verifyArch(OpT op) {
  if (!op.getArch() || ttjit::hw::lookupArch(op.getArch()->str()))
    return success();
  return op.emitOpError("unknown architecture '")
         << *op.getArch() << "': expected " << knownArchs()
         << ", or one of them with a grid: " << ttjit::hw::kArchs[0].name << "@4x4";
}

static constexpr StringLiteral kCompileTimeArgs = "compile_time_args"; // of a kernel

// Returns the name of an attribute that nothing reads: it has no dialect's prefix, and the op does
// not declare it. Attributes without a value are marks, such as those of transform.annotate.
static std::optional<StringRef> findUnknownAttribute(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName().getValue();
    if (name == kCompileTimeArgs && isa<KernelOp>(op))
      continue;
    if (!name.contains('.') && name != SymbolTable::getVisibilityAttrName() &&
        !isa<UnitAttr>(attribute.getValue()))
      return name;
  }
  return std::nullopt;
}

static LogicalResult verifyAttributes(Operation *op, StringRef advice) {
  if (std::optional<StringRef> name = findUnknownAttribute(op))
    return op->emitOpError("has no attribute '")
           << *name << "', so no pass would read it: " << advice;
  return success();
}

// Lists the attributes that the op declares.
static std::string listAttributes(Operation *op) {
  SmallVector<StringRef> names;
  for (StringAttr name : op->getRegisteredInfo()->getAttributeNames())
    if (name != "operandSegmentSizes" && name != "resultSegmentSizes")
      names.push_back(name.getValue());
  if (names.empty())
    return "it has no attributes";
  std::string last = names.pop_back_val().str();
  return "it may have " + (names.empty() ? last : llvm::join(names, ", ") + " and " + last);
}

LogicalResult mlir::tt::ttl::verifyAttributeNames(Operation *op) {
  // Kernels, programs and their threads give advice of their own. Others have an attribute of
  // ir/TTL/DiscardableAttrs.h, one that ttl-assign-dst sets, or one that their verifier explains.
  if (isa<KernelOp, ProgramOp, CheckIndexOp, CopyOp, RestoreTileFromL1Op>(op) || isThread(op))
    return success();
  return verifyAttributes(op, listAttributes(op));
}

static constexpr StringLiteral kProgramAttributes = "it may have grid, arch and compute_config";
static constexpr StringLiteral kKernelAttributes =
    "it may have grid, arch, compute_config, block_factors, compile_time_args, memory_space, tiled "
    "and microcores";

static StringRef attributesOfThread(Operation *thread) {
  if (isa<UnifiedThreadOp>(thread))
    return "a unified thread has only its name";
  return "besides its name, a thread may have microcore_hint, the processor that runs it";
}

LogicalResult ProgramOp::verify() {
  return success(succeeded(verifyAttributes(*this, kProgramAttributes)) &&
                 succeeded(verifyArch(*this)));
}

// Checks `compile_time_args = [0, 2]`, the numbers of arguments whose layouts are constants of the
// code. All layouts are constants, so the attribute only has to be right.
static LogicalResult verifyCompileTimeArgs(KernelOp kernel) {
  Attribute attribute = kernel->getAttr(kCompileTimeArgs);
  if (!attribute)
    return success();
  int64_t count = kernel.getNumArguments();
  auto list = dyn_cast<ArrayAttr>(attribute);
  if (!list)
    return kernel.emitOpError("has compile_time_args = ")
           << attribute << ": expected a list of numbers of arguments, such as [0, 2]";
  for (Attribute entry : list) {
    std::optional<int64_t> number = numberOf(entry);
    if (!number || *number < 0 || *number >= count)
      return kernel.emitOpError("has ")
             << entry << " in compile_time_args, which is no number of an argument: the kernel has "
             << count << (count == 1 ? " argument" : " arguments") << ", counted from 0";
  }
  return success();
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("must not have results, found (")
           << getResultTypes()
           << "): a kernel writes its results into tensors that are its arguments";
  if (failed(verifyAttributes(*this, kKernelAttributes)) || failed(verifyCompileTimeArgs(*this)) ||
      failed(verifyArch(*this)) || failed(verifyTensorStatements(*this)))
    return failure();
  for (Operation &op : getBody().front())
    if (isThread(&op) && failed(verifyAttributes(&op, attributesOfThread(&op))))
      return failure();
  auto movers = llvm::range_size(getBody().getOps<DataMovementThreadOp>());
  auto computers = llvm::range_size(getBody().getOps<ComputeThreadOp>());
  auto unified = llvm::range_size(getBody().getOps<UnifiedThreadOp>());
  if (unified > 0 && unified + movers + computers > 1)
    return emitOpError("must have no threads besides its unified thread, found ")
           << unified + movers + computers - 1 << ": a unified thread does the work of all threads";
  if (movers > 2)
    return emitOpError("has ") << movers
                               << " data movement threads, but a core can run at most two";
  if (computers > 1)
    return emitOpError("has ") << computers << " compute threads, but a core can run at most one";
  return success();
}

bool mlir::tt::ttl::isBlockArithmetic(Operation *op) {
  return isa<BlockStoreOp, BlockFillOp, ComputeOp, ComputeRegionOp, BlockComputeOp,
             BlockFromL1OpInterface>(op) ||
         (isa<ttcore::TileOpInterface>(op) && isa<TTLDialect>(op->getDialect()));
}

bool mlir::tt::ttl::isDataMovement(Operation *op) {
  return isa<CopyOp, WaitOp, WaitAnyOp, DMABarrierOp, IndexAccessorOp, CopyBufferOp, SendOp,
             SendMulticastOp, ReceiveOp, ElementReadOp, ElementWriteOp, PrintTensorOp>(op);
}

bool mlir::tt::ttl::isPipeOrSemaphoreUse(Operation *op) {
  return isa<IfPipeSrcOp, IfPipeDstOp, GetRemoteSemaphoreOp, GetRemoteMulticastSemaphoreOp,
             RemoteSemaphoreAtOp, SemaphoreNumberOp, SemaphoreWaitEqOp, SemaphoreWaitMinOp,
             SemaphoreWaitAnyOp, SemaphoreSetOp, SemaphoreIncOp, SemaphoreValueOp>(op);
}

LogicalResult KernelOp::verifyRegions() { return verifyPlaces(*this); }

LogicalResult ttl::verifyComputeBody(Operation *thread) {
  WalkResult result = thread->walk([&](Operation *op) -> WalkResult {
    if (isPipeOrSemaphoreUse(op))
      return op->emitOpError(
          "is only allowed in data movement threads, but this is a compute thread");
    if (!isDataMovement(op))
      return WalkResult::advance();
    return op->emitOpError("cannot move data in a compute thread: do that in a data movement "
                           "thread, which passes blocks through circular buffers");
  });
  return failure(result.wasInterrupted());
}

LogicalResult ttl::verifyDataMovementBody(Operation *thread) {
  WalkResult result = thread->walk([&](Operation *op) -> WalkResult {
    if (!isBlockArithmetic(op))
      return WalkResult::advance();
    return op->emitOpError("cannot compute on blocks in a data movement thread: do that in the "
                           "compute thread, which passes blocks through circular buffers");
  });
  return failure(result.wasInterrupted());
}

LogicalResult ComputeThreadOp::verify() {
  return failure(failed(verifyHint(*this, MicrocoreKind::Compute)) ||
                 failed(verifyComputeBody(*this)));
}

LogicalResult DataMovementThreadOp::verify() {
  return failure(failed(verifyHint(*this, MicrocoreKind::DataMovement)) ||
                 failed(verifyDataMovementBody(*this)));
}

// Returns whether a program creates values of the type for its threads that no op forwards: passes
// find the op that creates one through a thread function's argument.
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
  return thread.emitOpError("cannot bind a ")
         << resource.getType() << " that no op of its program creates";
}

static LogicalResult verifyUsesOfResources(FunctionOpInterface function) {
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    for (Value operand : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      bool isOwn = argument && argument.getOwner()->getParentOp() == function.getOperation();
      if (isResource(operand.getType()) && !isOwn)
        return op->emitOpError("cannot use a ")
               << operand.getType() << " that is no argument of its thread function";
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult ThreadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!function)
    return emitOpError("the symbol is not the name of a function: ") << getCalleeAttr();
  // From stage ttkernel on, the function has no arguments: it reads kernel arguments.
  if (function.getNumArguments() != 0 &&
      !llvm::equal(function.getArgumentTypes(), getResources().getTypes()))
    return emitOpError("cannot bind values of types (")
           << getResources().getTypes() << ") to " << getCalleeAttr()
           << ", which has arguments of types (" << function.getArgumentTypes() << ")";
  if (isa<KernelOp, ProgramOp>(function) || function.isExternal())
    return emitOpError("cannot run ") << getCalleeAttr() << ", which is not a function with a body";
  for (Value resource : getResources())
    if (failed(verifyMaker(*this, resource)))
      return failure();
  return verifyUsesOfResources(function);
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getKernelAttr());
  if (!kernel || !isa<KernelOp, ProgramOp>(kernel.getOperation()))
    return emitOpError("the symbol is not the name of a kernel or program: ") << getKernelAttr();
  if (!llvm::equal(kernel.getArgumentTypes(), getTensors().getTypes()))
    return emitOpError("cannot pass tensors of types (")
           << getTensors().getTypes() << ") to " << getKernelAttr()
           << ", which has arguments of types (" << kernel.getArgumentTypes() << ")";
  return success();
}
