//===- LoneThreads.cpp - threads that no d2m.generic runs ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// tt-mlir puts the regions of a d2m.generic into functions, and a module may have only these. Such
// a thread runs alone on one core:
//
// 1. A queue from which the thread takes blocks, and which it does not fill, is an argument: a
//    memref with one shard, which the queue has when the thread begins. A queue that it fills is an
//    argument, too: the memref gets what the thread leaves in the queue. A queue that it fills and
//    empties is the thread's own.
// 2. A memref of d2m.get_arg is an argument. A semaphore is one of the program, and begins with 0.
// 3. The arguments are in the order of the numbers of the text, inputs first.
//
// Rejects: values of d2m.get_arg that are neither memrefs nor semaphores.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/LoneThreads.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <map>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static constexpr StringLiteral kThread = "d2m.thread";

namespace {

// What one number of d2m.get_cb and d2m.get_arg names: a queue, an argument, or both.
struct Operand {
  d2m::GetCBOp queue;
  d2m::GetArgOp argument;
  bool isFilled = false, isDrained = false, isWritten = false;

  bool isSemaphore() {
    return argument &&
           isa<d2m::LocalSemaphoreType, d2m::GlobalSemaphoreType>(argument.getResult().getType());
  }
  // Returns whether the number names a queue that only this thread fills and drains.
  bool isOwn() { return !argument && isFilled && isDrained; }
  bool isOutput() { return isWritten || (!argument && isFilled); }
};

class LoneThread {
public:
  LoneThread(func::FuncOp function) : function(function), builder(function.getContext()) {}

  LogicalResult run();

private:
  LogicalResult findOperands();
  void noteUses();
  MemRefType typeOf(Operand &operand);
  Value createUnused();
  void addArguments();
  void createProgram();

  func::FuncOp function;
  OpBuilder builder;
  Operation *text = nullptr;           // the first op of the thread
  std::map<int64_t, Operand> operands; // by number
  SmallVector<Value> inputs, outputs, additional;
  llvm::DenseMap<int64_t, int64_t> places; // of operands in the d2m.generic, by number
};

} // namespace

void LoneThread::noteUses() {
  function.walk([&](Operation *op) {
    auto operandOf = [&](Value value) -> Operand * {
      if (auto queue = value ? value.getDefiningOp<d2m::GetCBOp>() : nullptr)
        return &operands[queue.getOperandIndex()];
      if (auto argument = value ? value.getDefiningOp<d2m::GetArgOp>() : nullptr)
        return &operands[argument.getOperandIndex()];
      return nullptr;
    };
    if (isa<d2m::ReserveOp>(op))
      operandOf(op->getOperand(0))->isFilled = true;
    if (isa<d2m::WaitOp>(op))
      operandOf(op->getOperand(0))->isDrained = true;
    if (auto load = dyn_cast<d2m::RemoteLoadOp>(op))
      if (Operand *queue = operandOf(load.getCb()))
        queue->isFilled = true;
    if (auto store = dyn_cast<d2m::RemoteStoreOp>(op)) {
      if (Operand *queue = operandOf(store.getCb()))
        queue->isDrained = true;
      if (Operand *remote = operandOf(store.getMemref()))
        remote->isWritten = true;
    }
    if (auto write = dyn_cast<d2m::DMAWriteOp>(op))
      if (Operand *remote = operandOf(write.getDst()))
        remote->isWritten = true;
  });
}

LogicalResult LoneThread::findOperands() {
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (auto queue = dyn_cast<d2m::GetCBOp>(op))
      operands[queue.getOperandIndex()].queue = queue;
    if (auto argument = dyn_cast<d2m::GetArgOp>(op)) {
      Operand &operand = operands[argument.getOperandIndex()];
      operand.argument = argument;
      if (!operand.isSemaphore() && d2m::getGrid(argument.getResult().getType()).empty())
        return op->emitOpError("needs a d2m.generic that runs this thread: alone, it can have a "
                               "memref with a #ttcore.shard or a semaphore, found ")
               << argument.getResult().getType();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  noteUses();
  return success();
}

// Returns the type of the argument: the shard of the only core.
MemRefType LoneThread::typeOf(Operand &operand) {
  if (operand.argument)
    return cast<MemRefType>(operand.argument.getResult().getType());
  ShapedType block = operand.queue.getResult().getType().getUnderlying();
  SmallVector<int64_t> shape(block.getRank(), 1);
  llvm::append_range(shape, block.getShape());
  SmallVector<int64_t> strides(block.getRank());
  auto layout = ttcore::ShardLayoutAttr::get(function.getContext(), strides, /*buffers=*/1);
  auto space = ttcore::MemorySpaceAttr::get(function.getContext(), ttcore::MemorySpace::DeviceL1);
  return MemRefType::get(shape, block.getElementType(), layout, space);
}

// Makes the output of a thread that writes nothing: a d2m.generic has one.
Value LoneThread::createUnused() {
  size_t rank = inputs.empty() ? 2 : d2m::getGrid(inputs.front().getType()).size();
  auto tile = ttcore::TileType::get(builder.getContext(), 32, 32, ttcore::DataType::Float32);
  auto layout = ttcore::ShardLayoutAttr::get(builder.getContext(), SmallVector<int64_t>(rank),
                                             /*buffers=*/1);
  auto type = MemRefType::get(SmallVector<int64_t>(2 * rank, 1), tile, layout);
  return memref::AllocOp::create(builder, function.getLoc(), type);
}

void LoneThread::addArguments() {
  Block &body = function.getBody().front();
  Location loc = function.getLoc();
  text = &body.front();
  builder.setInsertionPointToStart(&body);
  auto add = [&](bool areOutputs) {
    for (auto &[number, operand] : operands)
      if (!operand.isSemaphore() && !operand.isOwn() && operand.isOutput() == areOutputs) {
        places[number] = inputs.size() + outputs.size();
        (areOutputs ? outputs : inputs).push_back(body.addArgument(typeOf(operand), loc));
      }
  };
  add(/*areOutputs=*/false);
  add(/*areOutputs=*/true);
  if (outputs.empty())
    outputs.push_back(createUnused());
  for (auto &[number, operand] : operands) {
    if (!operand.isSemaphore() && !operand.isOwn())
      continue;
    places[number] = inputs.size() + outputs.size() + additional.size();
    if (operand.isOwn())
      additional.push_back(memref::AllocOp::create(
          builder, loc, cast<MemRefType>(operand.queue.getResult().getType().getUnderlying())));
    else
      additional.push_back(d2m::CreateLocalSemaphoreOp::create(
          builder, loc, operand.argument.getResult().getType(), builder.getUI32IntegerAttr(0)));
  }
  function.setFunctionType(builder.getFunctionType(body.getArgumentTypes(), {}));
}

void LoneThread::createProgram() {
  Block &body = function.getBody().front();
  OperationState state(function.getLoc(), d2m::GenericOp::getOperationName());
  for (auto &part : {inputs, outputs, additional})
    state.addOperands(part);
  auto &properties = state.getOrAddProperties<d2m::GenericOp::Properties>();
  SmallVector<int64_t> grid(d2m::getGrid(outputs.front().getType()).size(), 1);
  properties.grid = ttcore::GridAttr::get(builder.getContext(), grid);
  properties.block_factors = properties.indexing_maps = properties.iterator_types =
      builder.getArrayAttr({});
  auto thread = cast<d2m::ThreadAttr>(function->getAttr(kThread));
  properties.threads = builder.getArrayAttr(d2m::ThreadAttr::get(
      builder.getContext(), thread.getThreadType(), SymbolRefAttr(), thread.getDmCoreIndex()));
  properties.operandSegmentSizes = {int(inputs.size()), int(outputs.size()),
                                    int(additional.size())};
  Block &region = state.addRegion()->emplaceBlock();
  builder.setInsertionPoint(body.getTerminator());
  Operation *program = builder.create(state);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::make_range(text->getIterator(), program->getIterator())))
    op.moveBefore(&region, region.end());
  program->walk([&](Operation *op) {
    if (auto queue = dyn_cast<d2m::GetCBOp>(op))
      queue.setOperandIndex(places.lookup(queue.getOperandIndex()));
    if (auto argument = dyn_cast<d2m::GetArgOp>(op))
      argument.setOperandIndex(places.lookup(argument.getOperandIndex()));
  });
}

LogicalResult LoneThread::run() {
  if (function.getBody().front().without_terminator().empty())
    return success(); // there is nothing to run
  if (failed(findOperands()))
    return failure();
  addArguments();
  createProgram();
  return success();
}

// Returns the threads, if the module has no other function with a body.
static SmallVector<func::FuncOp> loneThreads(ModuleOp module) {
  SmallVector<func::FuncOp> threads;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    bool isThread = isa_and_nonnull<d2m::ThreadAttr>(function->getAttr(kThread)) &&
                    function.getNumArguments() == 0 && function.getNumResults() == 0 &&
                    llvm::hasSingleElement(function.getBody());
    if (!isThread)
      return {};
    threads.push_back(function);
  }
  return threads;
}

LogicalResult ttjit::wrapLoneThreads(ModuleOp module) {
  for (func::FuncOp function : loneThreads(module))
    if (failed(LoneThread(function).run()))
      return failure();
  return success();
}
