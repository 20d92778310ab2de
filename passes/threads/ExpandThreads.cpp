//===- ExpandThreads.cpp - ttl-expand-threads ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: each processor of a node runs its own program, but a ttl.kernel contains all
// threads as regions that share the kernel's resources.
//
// 1. The kernel becomes a ttl.program of the same name, which keeps grid, chip and
//    resources.
// 2. Each thread region becomes a func.func @<kernel>__<thread>. Its arguments are the
//    resources it uses: buffers and semaphores in order of creation, then tensors in
//    order of the kernel's arguments. A ttl.thread in the program binds them and
//    names the thread's processor.
// 3. Other values computed outside the threads are computed again in each function that
//    uses them.
//
// Rejects: a thread that uses a value with side effects made outside of it.
//===--------------------------------------------------------------------------===//

#include "passes/threads/Passes.h"

#include "ir/Nodes/GridLayout.h"
#include "ir/Nodes/Meshes.h"
#include "passes/common/Threads.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLEXPANDTHREADS
#include "passes/threads/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

bool isResource(Value value) {
  return isa<BlockArgument>(value) ||
         isa<ttl::CreateCBOp, ttl::CreateSemaphoreOp, ttl::CreateLandingOp, ttl::CreateCountersOp,
             ttl::CreateNodeTableOp>(value.getDefiningOp());
}

// Sorts created resources first, in order, and then tensors by argument number.
bool comesFirst(Value a, Value b) {
  auto argumentA = dyn_cast<BlockArgument>(a), argumentB = dyn_cast<BlockArgument>(b);
  if (argumentA && argumentB)
    return argumentA.getArgNumber() < argumentB.getArgNumber();
  if (argumentA || argumentB)
    return !argumentA;
  return a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
}

Location resourceLoc(Value value) {
  if (auto buffer = value.getDefiningOp<ttl::CreateCBOp>())
    return named(buffer.getName(), buffer.getLoc());
  return value.getLoc();
}

class ThreadExpander {
public:
  ThreadExpander(ttl::ProgramOp program, SymbolTable &symbols)
      : program(program), symbols(symbols) {}

  LogicalResult expand(Operation *thread, StringRef name, ttl::Processor processor);

private:
  LogicalResult cloneOutsideValues(Region &body, StringRef name);
  func::FuncOp createFunction(Operation *thread, StringRef name, ttl::Processor processor,
                              ArrayRef<Value> resources);

  ttl::ProgramOp program;
  SymbolTable &symbols;
};

LogicalResult ThreadExpander::cloneOutsideValues(Region &body, StringRef name) {
  // Cloning an op may need its operands too, so repeat until only resources are left.
  for (bool changed = true; changed;) {
    changed = false;
    SetVector<Value> outside;
    getUsedValuesDefinedAbove(body, outside);
    for (Value value : outside) {
      if (isResource(value))
        continue;
      Operation *op = value.getDefiningOp();
      if (!isMemoryEffectFree(op))
        return op->emitError("this value is used by thread '")
               << name
               << "', but is outside of it, and cannot be computed twice: move it into "
                  "the thread";
      OpBuilder builder = OpBuilder::atBlockBegin(&body.front());
      Operation *clone = builder.clone(*op);
      for (auto [from, to] : llvm::zip(op->getResults(), clone->getResults()))
        replaceAllUsesInRegionWith(from, to, body);
      changed = true;
    }
  }
  return success();
}

func::FuncOp ThreadExpander::createFunction(Operation *thread, StringRef name,
                                            ttl::Processor processor, ArrayRef<Value> resources) {
  MLIRContext *context = program.getContext();
  auto types = llvm::map_to_vector(resources, [](Value value) { return value.getType(); });
  std::string symbol = (program.getSymName() + "__" + name).str();
  auto function =
      func::FuncOp::create(thread->getLoc(), symbol, FunctionType::get(context, types, {}));
  auto kind = processor == ttl::Processor::Compute ? ttkernel::ThreadType::Compute
                                                   : ttkernel::ThreadType::Noc;
  function->setAttr(ttkernel::kThreadAttrName, ttkernel::ThreadTypeAttr::get(context, kind));
  function.getBody().takeBody(thread->getRegion(0));
  for (Value resource : resources) {
    BlockArgument argument =
        function.getBody().addArgument(resource.getType(), resourceLoc(resource));
    replaceAllUsesInRegionWith(resource, argument, function.getBody());
  }
  OpBuilder builder = OpBuilder::atBlockEnd(&function.getBody().front());
  func::ReturnOp::create(builder, thread->getLoc());
  return function;
}

LogicalResult ThreadExpander::expand(Operation *thread, StringRef name, ttl::Processor processor) {
  Region &body = thread->getRegion(0);
  if (body.empty())
    body.emplaceBlock();
  if (failed(cloneOutsideValues(body, name)))
    return failure();
  SetVector<Value> used;
  getUsedValuesDefinedAbove(body, used);
  SmallVector<Value> resources = used.takeVector();
  llvm::sort(resources, comesFirst);

  func::FuncOp function = createFunction(thread, name, processor, resources);
  symbols.insert(function, std::next(program->getIterator()));
  OpBuilder builder(thread);
  ttl::ThreadOp::create(builder, thread->getLoc(), function.getSymName(), processor, resources);
  thread->erase();
  return success();
}

ttl::ProgramOp makeProgram(ttl::KernelOp kernel) {
  OpBuilder builder(kernel);
  auto program = ttl::ProgramOp::create(builder, kernel.getLoc(), kernel.getSymNameAttr(),
                                        kernel.getFunctionTypeAttr(), kernel.getGridAttr(),
                                        kernel.getArchAttr(), kernel.getComputeConfigAttr(),
                                        kernel.getArgAttrsAttr(), kernel.getResAttrsAttr());
  for (StringRef name : {kDevicesAttr, kMeshAttr})
    if (Attribute value = kernel->getAttr(name))
      program->setAttr(name, value);
  program.getBody().takeBody(kernel.getBody());
  kernel.erase();
  return program;
}

LogicalResult expandKernel(ttl::KernelOp kernel, SymbolTable &symbols) {
  ttl::ProgramOp program = makeProgram(kernel);
  // Functions are inserted right after the program, so the last thread is inserted
  // first.
  SmallVector<std::pair<Operation *, ttl::Processor>> threads;
  for (Operation &op : program.getBody().front())
    if (isa<ttl::ComputeThreadOp, ttl::DataMovementThreadOp>(op))
      threads.push_back({&op, ttl::processorOf(&op)});
  ThreadExpander expander(program, symbols);
  for (auto [thread, processor] : llvm::reverse(threads)) {
    auto name = thread->getAttrOfType<StringAttr>("name");
    if (failed(expander.expand(thread, name, processor)))
      return failure();
  }
  // Erase the ops outside of threads that are no resources: the functions have copies
  // of them.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(program.getBody().front())))
    if (isOpTriviallyDead(&op) && !isa<ttl::CreateCBOp, ttl::CreateSemaphoreOp>(op))
      op.erase();
  return success();
}

struct ExpandThreads : ttjit::impl::TTLExpandThreadsBase<ExpandThreads> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<ttl::KernelOp>()))
      if (failed(expandKernel(kernel, symbols)))
        return signalPassFailure();
    numThreads += getThreads(getOperation()).size();
  }
};

} // namespace
