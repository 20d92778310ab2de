//===- KernelThreads.cpp - the kernel of a d2m.generic ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A unified region becomes a ttl.unified_thread. Regions that are threads of their own become
// threads of the kernel, and the queue of an operand one circular buffer of it. In tt-mlir an
// operand in L1 may be its queue's memory: no region moves its data. Then two more threads copy
// this core's shard into the queue of each such input, and out of the queue of each such output.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/KernelThreads.h"

#include "ir/TTL/TTL.h"
#include "passes/d2m/StepLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class KernelThreads {
public:
  KernelThreads(d2m::GenericOp generic, StringRef name, const KernelStorages &storages,
                const llvm::DenseMap<Value, Storage> &operands)
      : generic(generic), name(name), storages(storages), operands(operands),
        resources(generic.getContext()) {}

  LogicalResult run();

private:
  void createKernel();
  Block *createThread(StringRef kind, StringRef threadName);
  LogicalResult lowerRegion(unsigned number);
  BodyLowering bodyIn(OpBuilder &inThread);
  void addCoordinates(BodyLowering &lowering, OpBuilder &inThread);
  FailureOr<Value> queueFor(d2m::GetCBOp op);
  LogicalResult createSemaphores();
  void createSemaphore(ValueRange names, IntegerAttr initial);
  LogicalResult checkCores();
  LogicalResult checkThreads();

  void findAliases();
  LogicalResult checkAlias(Value queue, unsigned number);
  LogicalResult moveAliases(ArrayRef<unsigned> numbers, bool isLoad);
  LogicalResult moveAliases(BodyLowering &lowering, ArrayRef<unsigned> numbers, bool isLoad);
  bool isUnified() { return generic.getThread(0).getThreadType() == d2m::ThreadType::Unified; }
  KernelOperand operandAt(unsigned number);
  bool fitsDevice() {
    constexpr int64_t kDeviceExtent = 8; // rows and columns of cores of every chip
    return generic.getGridShape().size() == 2 &&
           llvm::all_of(generic.getGridShape(), [](int64_t e) { return e <= kDeviceExtent; });
  }

  d2m::GenericOp generic;
  StringRef name;
  const KernelStorages &storages;
  const llvm::DenseMap<Value, Storage> &operands;
  OpBuilder resources;
  ttl::KernelOp kernel;
  bool hasThread = false;
  llvm::MapVector<int64_t, Value> queues;  // by number of the operand
  llvm::DenseMap<Value, Value> semaphores; // by semaphore of d2m
  unsigned numSemaphores = 0;
  SmallVector<unsigned> loads, stores; // operands that are their queue's memory
};

} // namespace

//===--------------------------------------------------------------------------===//
// The kernel
//===--------------------------------------------------------------------------===//

void KernelThreads::createKernel() {
  MLIRContext *context = generic.getContext();
  SmallVector<int64_t> grid(llvm::reverse(generic.getGridShape())); // (rows, columns) to (x, y)
  if (!fitsDevice())
    grid = {ShapedType::getNumElements(generic.getGridShape())};
  SmallVector<Type> types;
  for (auto &[base, type] : storages)
    types.push_back(type);
  OpBuilder builder(generic->getParentOfType<func::FuncOp>());
  OperationState state(generic.getLoc(), ttl::KernelOp::getOperationName());
  auto &properties = state.getOrAddProperties<ttl::KernelOp::Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.function_type = TypeAttr::get(FunctionType::get(context, types, {}));
  properties.grid = ttcore::GridAttr::get(context, grid);
  Block &body = state.addRegion()->emplaceBlock();
  for (auto [number, type] : llvm::enumerate(types)) {
    StringAttr argument = builder.getStringAttr("tensor" + std::to_string(number));
    body.addArgument(type, NameLoc::get(argument, generic.getLoc()));
  }
  kernel = cast<ttl::KernelOp>(builder.create(state));
  resources.setInsertionPointToStart(&kernel.getBody().front());
}

// Makes a thread at the end of the kernel. Resources stand before the first thread.
Block *KernelThreads::createThread(StringRef kind, StringRef threadName) {
  OpBuilder atEnd = OpBuilder::atBlockEnd(&kernel.getBody().front());
  OperationState state(generic.getLoc(), kind);
  state.addAttribute("name", atEnd.getStringAttr(threadName));
  state.addRegion()->emplaceBlock();
  Operation *thread = atEnd.create(state);
  if (!hasThread)
    resources.setInsertionPoint(thread);
  hasThread = true;
  return &thread->getRegion(0).front();
}

// Adds this core's coordinates. A grid that is not a rectangle of the device's cores is one line of
// nodes: its coordinates come from the node's number.
void KernelThreads::addCoordinates(BodyLowering &lowering, OpBuilder &inThread) {
  Location loc = generic.getLoc();
  Type index = inThread.getIndexType();
  if (fitsDevice()) {
    auto core =
        ttl::CoreOp::create(inThread, loc, TypeRange{index, index}, inThread.getI64IntegerAttr(2));
    lowering.coordinates = {core.getResult(1), core.getResult(0)};
    return;
  }
  Value rest = ttl::CoreLinearOp::create(inThread, loc, index);
  SmallVector<Value> reversed;
  for (int64_t extent : llvm::reverse(generic.getGridShape())) {
    Value size = arith::ConstantIndexOp::create(inThread, loc, extent);
    reversed.push_back(arith::RemUIOp::create(inThread, loc, rest, size));
    rest = arith::DivUIOp::create(inThread, loc, rest, size);
  }
  lowering.coordinates.assign(reversed.rbegin(), reversed.rend());
}

KernelOperand KernelThreads::operandAt(unsigned number) {
  Value operand = generic->getOperand(number);
  unsigned inputs = generic.getInputs().size();
  bool isOutput = number >= inputs;
  return {Value(), operands.lookup(operand), operand.getType(), isOutput ? number - inputs : number,
          isOutput};
}

BodyLowering KernelThreads::bodyIn(OpBuilder &inThread) {
  BodyLowering lowering(generic, inThread, resources);
  llvm::DenseMap<Value, Value> accessors;
  for (auto [argument, base] : llvm::zip(kernel.getBody().getArguments(), storages))
    accessors[base.first] = ttl::TensorAccessorOp::create(
        inThread, generic.getLoc(), ttl::TensorAccessorType::get(generic.getContext(), base.second),
        argument);
  for (unsigned i = 0; i < generic.getInputs().size() + generic.getOutputs().size(); ++i) {
    KernelOperand operand = operandAt(i);
    operand.accessor = accessors[operand.storage.base];
    lowering.operands[generic->getOperand(i)] = operand;
  }
  addCoordinates(lowering, inThread);
  lowering.isRectangle = fitsDevice();
  lowering.semaphores = semaphores;
  lowering.queueFor = [this](d2m::GetCBOp op) { return queueFor(op); };
  return lowering;
}

FailureOr<Value> KernelThreads::queueFor(d2m::GetCBOp op) {
  int64_t number = op.getOperandIndex();
  if (number >= int64_t(generic->getNumOperands()))
    return op.emitOpError("is the queue of operand ")
           << number << ", but the d2m.generic has " << generic->getNumOperands() << " operands";
  ShapedType block = op.getResult().getType().getUnderlying();
  constexpr int64_t kSlots = 2;
  auto emitError = [&] { return op.emitError(); };
  if (!block.hasStaticShape() || failed(ttl::CircularBufferType::verify(
                                     emitError, block.getShape(), block.getElementType(), kSlots)))
    return op.emitOpError("has blocks that a circular buffer cannot have: ") << block;
  auto type = ttl::CircularBufferType::get(generic.getContext(), block.getShape(),
                                           block.getElementType(), kSlots);
  Value &queue = queues[number];
  if (!queue)
    queue = ttl::CreateCBOp::create(resources, op.getLoc(), type, "queue" + std::to_string(number),
                                    IntegerAttr(), IntegerAttr(), IntegerAttr());
  if (queue.getType() != type)
    return op.emitOpError("has other blocks than the same queue in another region: ") << block;
  return queue;
}

//===--------------------------------------------------------------------------===//
// Semaphores
//===--------------------------------------------------------------------------===//

// Makes a semaphore that all regions know, by these names.
void KernelThreads::createSemaphore(ValueRange names, IntegerAttr initial) {
  MLIRContext *context = generic.getContext();
  int32_t start = initial ? int32_t(initial.getValue().getZExtValue()) : 0;
  Value made = ttl::CreateSemaphoreOp::create(
      resources, generic.getLoc(), ttl::SemaphoreType::get(context, /*isRemote=*/false),
      resources.getStringAttr("semaphore" + Twine(numSemaphores++)),
      resources.getI32IntegerAttr(start), IntegerAttr(), IntegerAttr(), IntegerAttr());
  for (Value name : names)
    semaphores[name] = made;
}

LogicalResult KernelThreads::createSemaphores() {
  for (Value argument : generic.getAdditionalArgs()) {
    if (auto local = argument.getDefiningOp<d2m::CreateLocalSemaphoreOp>()) {
      createSemaphore(argument, local.getInitialValueAttr());
    } else if (auto global = argument.getDefiningOp<d2m::CreateGlobalSemaphoreOp>()) {
      for (Operation *user : argument.getUsers())
        if (isa<d2m::GenericOp>(user) && user != generic)
          return generic.emitOpError("uses a global semaphore that another d2m.generic uses, too, "
                                     "which is not supported: a semaphore lives as long as one "
                                     "kernel");
      createSemaphore(argument, global.getValueAttr());
    } else if (isa<d2m::LocalSemaphoreType, d2m::GlobalSemaphoreType>(argument.getType())) {
      return generic.emitOpError("has a semaphore that the function does not create: ")
             << argument.getType();
    }
  }
  // The regions have the same arguments.
  Block &first = generic.getRegion(0).front();
  for (BlockArgument argument : first.getArguments()) {
    SmallVector<Value> names;
    for (Region &region : generic.getRegions())
      if (argument.getArgNumber() < region.getNumArguments())
        names.push_back(region.getArgument(argument.getArgNumber()));
    if (!isa<d2m::LocalSemaphoreType>(argument.getType()) ||
        names.size() != generic->getNumRegions())
      return generic.emitOpError("has regions with arguments that are not the same semaphores: ")
             << argument.getType();
    createSemaphore(names, IntegerAttr());
  }
  return success();
}

//===--------------------------------------------------------------------------===//
// Operands that are their queue's memory
//===--------------------------------------------------------------------------===//

// Finds the queues of operands that some region reads and none fills, or the reverse.
void KernelThreads::findAliases() {
  llvm::DenseSet<int64_t> filled, drained;
  generic->walk([&](Operation *op) {
    auto note = [&](Value queue, llvm::DenseSet<int64_t> &numbers) {
      if (auto cb = queue ? queue.getDefiningOp<d2m::GetCBOp>() : nullptr)
        numbers.insert(cb.getOperandIndex());
    };
    if (auto load = dyn_cast<d2m::RemoteLoadOp>(op))
      note(load.getCb(), filled);
    if (auto reserve = dyn_cast<d2m::ReserveOp>(op))
      note(reserve.getCb(), filled);
    if (auto store = dyn_cast<d2m::RemoteStoreOp>(op))
      note(store.getCb(), drained);
    if (auto wait = dyn_cast<d2m::WaitOp>(op))
      note(wait.getCb(), drained);
  });
  for (unsigned i = 0; i < generic.getInputs().size() + generic.getOutputs().size(); ++i) {
    if (drained.contains(i) && !filled.contains(i))
      loads.push_back(i);
    bool isOutput = i >= generic.getInputs().size(); // blocks left in an input's queue are lost
    if (isOutput && filled.contains(i) && !drained.contains(i))
      stores.push_back(i);
  }
}

// Returns whether a loop may run the op several times, or a branch may leave it out.
static bool isRepeated(Operation *op, Operation *generic) {
  for (Operation *around = op->getParentOp(); around != generic; around = around->getParentOp()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(around);
    std::optional<APInt> trips = loop ? loop.getStaticTripCount() : std::nullopt;
    if (!trips || *trips != 1)
      return true;
  }
  return false;
}

// Checks an operand that is its queue's memory: it needs one use, and a shard on each core.
LogicalResult KernelThreads::checkAlias(Value queue, unsigned number) {
  Type type = generic->getOperand(number).getType();
  if (d2m::getGrid(type) != generic.getGridShape())
    return generic.emitOpError("has a queue that no region fills and empties, for operand ")
           << number << ", which does not have a shard for each core";
  auto buffer = cast<ttl::CircularBufferType>(queue.getType());
  if (buffer.getShape() != d2m::getShard(type) ||
      buffer.getElementType() != cast<ShapedType>(type).getElementType())
    return generic.emitOpError("has a queue whose blocks are not the shards of operand ") << number;
  unsigned uses = 0;
  bool inLoop = false;
  generic->walk([&](Operation *op) {
    Value cb;
    if (auto wait = dyn_cast<d2m::WaitOp>(op))
      cb = wait.getCb();
    else if (auto reserve = dyn_cast<d2m::ReserveOp>(op))
      cb = reserve.getCb();
    else if (auto load = dyn_cast<d2m::RemoteLoadOp>(op))
      cb = load.getCb();
    else if (auto store = dyn_cast<d2m::RemoteStoreOp>(op))
      cb = store.getCb();
    auto get = cb ? cb.getDefiningOp<d2m::GetCBOp>() : nullptr;
    if (!get || get.getOperandIndex() != number)
      return;
    ++uses;
    inLoop |= isRepeated(op, generic);
  });
  if (uses == 1 && !inLoop)
    return success();
  return generic.emitOpError(
             "uses a queue several times that no region fills and empties, for operand ")
         << number;
}

// Copies the shards in `lowering`'s thread.
LogicalResult KernelThreads::moveAliases(BodyLowering &lowering, ArrayRef<unsigned> numbers,
                                         bool isLoad) {
  for (unsigned number : numbers) {
    d2m::GetCBOp use;
    generic->walk([&](d2m::GetCBOp op) {
      if (op.getOperandIndex() == number)
        use = op;
    });
    FailureOr<Value> queue = queueFor(use);
    if (failed(queue) || failed(checkAlias(*queue, number)) ||
        failed(
            lowering.moveOwnShard(lowering.operands[generic->getOperand(number)], *queue, isLoad)))
      return failure();
  }
  return success();
}

LogicalResult KernelThreads::moveAliases(ArrayRef<unsigned> numbers, bool isLoad) {
  if (numbers.empty() || isUnified())
    return success();
  OpBuilder inThread = OpBuilder::atBlockBegin(
      createThread(ttl::DataMovementThreadOp::getOperationName(), isLoad ? "reader" : "writer"));
  BodyLowering lowering = bodyIn(inThread);
  return moveAliases(lowering, numbers, isLoad);
}

//===--------------------------------------------------------------------------===//
// Threads
//===--------------------------------------------------------------------------===//

// Checks dm_core, which names a processor that moves data: 1 uses NoC 0, and 0 uses NoC 1.
LogicalResult KernelThreads::checkCores() {
  std::optional<unsigned> owners[2];
  for (unsigned i = 0; i < generic.getThreads().size(); ++i) {
    d2m::ThreadAttr thread = generic.getThread(i);
    int32_t core = thread.getDmCoreIndex();
    if (core == -1)
      continue;
    if (thread.getThreadType() != d2m::ThreadType::Datamovement)
      return generic.emitOpError("has dm_core = ")
             << core << " at thread " << i << ", which is no datamovement thread";
    if (core < 0 || core > 1)
      return generic.emitOpError("has dm_core = ")
             << core << " at thread " << i << ": the cores that move data are 0 and 1";
    if (owners[core])
      return generic.emitOpError("has dm_core = ")
             << core << " at threads " << *owners[core] << " and " << i
             << ": a core runs one thread, so one of them must have dm_core = " << 1 - core;
    owners[core] = i;
  }
  return success();
}

LogicalResult KernelThreads::checkThreads() {
  if (failed(checkCores()))
    return failure();

  unsigned movement = isUnified() ? 0 : unsigned(!loads.empty()) + unsigned(!stores.empty());
  unsigned compute = 0;
  for (unsigned i = 0; i < generic.getThreads().size(); ++i) {
    d2m::ThreadType type = generic.getThread(i).getThreadType();
    movement += type == d2m::ThreadType::Datamovement;
    compute += type == d2m::ThreadType::Compute;
    if (type == d2m::ThreadType::Unified && generic.getThreads().size() > 1)
      return generic.emitOpError("has a unified thread beside other threads");
  }
  if (compute > 1 || movement > 2)
    return generic.emitOpError("needs ") << compute << " compute threads and " << movement
                                         << " data movement threads, but a core has 1 and 2; an "
                                            "operand whose data no region moves "
                                            "needs one for its inputs, and one for its outputs";
  return success();
}

LogicalResult KernelThreads::lowerRegion(unsigned number) {
  StringRef kind = ttl::UnifiedThreadOp::getOperationName(), threadName = name;
  std::string numbered = "datamovement" + std::to_string(number);
  if (d2m::ThreadType type = generic.getThread(number).getThreadType();
      type == d2m::ThreadType::Compute) {
    kind = ttl::ComputeThreadOp::getOperationName();
    threadName = "compute";
  } else if (type == d2m::ThreadType::Datamovement) {
    kind = ttl::DataMovementThreadOp::getOperationName();
    threadName = numbered;
  }
  Block *body = createThread(kind, threadName);
  if (int32_t core = generic.getThread(number).getDmCoreIndex(); core != -1) {
    auto processor = core == 1 ? ttl::Processor::RISCV_1 : ttl::Processor::RISCV_0;
    body->getParentOp()->setAttr(ttl::kMicrocoreHintAttr,
                                 StringAttr::get(generic.getContext(), ttl::hintOf(processor)));
  }
  OpBuilder inThread = OpBuilder::atBlockBegin(body);
  BodyLowering lowering = bodyIn(inThread);
  if (!isUnified())
    return lowerSteps(generic, number, lowering, inThread);
  return failure(failed(moveAliases(lowering, loads, /*isLoad=*/true)) ||
                 failed(lowerSteps(generic, number, lowering, inThread)) ||
                 failed(moveAliases(lowering, stores, /*isLoad=*/false)));
}

LogicalResult KernelThreads::run() {
  findAliases();
  if (failed(checkThreads()))
    return failure();
  createKernel();
  if (failed(createSemaphores()))
    return failure();
  for (unsigned i = 0; i < generic->getNumRegions(); ++i)
    if (failed(lowerRegion(i)))
      return failure();
  return failure(failed(moveAliases(loads, /*isLoad=*/true)) ||
                 failed(moveAliases(stores, /*isLoad=*/false)));
}

LogicalResult ttjit::createKernel(d2m::GenericOp generic, StringRef name,
                                  const KernelStorages &storages,
                                  const llvm::DenseMap<Value, Storage> &operands) {
  return KernelThreads(generic, name, storages, operands).run();
}
