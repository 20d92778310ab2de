//===- KernelView.cpp - a kernel at any stage before `ttkernel` ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/schedule/KernelView.h"

#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

bool ttjit::onlyMayFault(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || op->getNumRegions())
    return isMemoryEffectFree(op);
  SmallVector<MemoryEffects::EffectInstance> all;
  effects.getEffects(all);
  return llvm::all_of(all, [](const MemoryEffects::EffectInstance &effect) {
    return isa<ttl::FaultResource>(effect.getResource()); // each library has an object of its own
  });
}

//===--------------------------------------------------------------------------===//
// Threads
//===--------------------------------------------------------------------------===//

std::optional<KernelView> KernelView::around(Operation *op) {
  KernelView view;
  for (; op && !view.kernel; op = op->getParentOp()) {
    if (isa<ttl::KernelOp, ttl::ProgramOp>(op))
      view.kernel = op;
    else if (auto function = dyn_cast<func::FuncOp>(op); function && bindingOf(function))
      view.kernel = bindingOf(function)->program;
  }
  if (!view.kernel)
    return std::nullopt;
  auto open = [&](auto kernel) {
    view.arch = archOf(kernel);
    view.config = kernel.getComputeConfigAttr();
    view.addThreads(kernel);
  };
  if (auto kernel = dyn_cast<ttl::KernelOp>(view.kernel))
    open(kernel);
  else
    open(cast<ttl::ProgramOp>(view.kernel));
  view.noteAccesses();
  return view;
}

void KernelView::addThreads(ttl::KernelOp kernel) {
  for (Operation &op : kernel.getBody().front())
    if (isa<ttl::ComputeThreadOp, ttl::DataMovementThreadOp>(op))
      threads.push_back({&op, &op.getRegion(0), isa<ttl::ComputeThreadOp>(op)});
}

void KernelView::addThreads(ttl::ProgramOp program) {
  for (auto thread : program.getBody().getOps<ttl::ThreadOp>()) {
    auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(program->getParentOp(),
                                                                       thread.getCalleeAttr());
    if (!function || function.isExternal())
      continue;
    threads.push_back(
        {function, &function.getBody(), thread.getProcessor() == ttl::Processor::Compute});
    for (auto [argument, resource] : llvm::zip(function.getArguments(), thread.getResources()))
      bound[argument] = resource;
  }
}

//===--------------------------------------------------------------------------===//
// Resources
//===--------------------------------------------------------------------------===//

SmallVector<ttl::CreateCBOp> KernelView::getBuffers() const {
  return llvm::to_vector(kernel->getRegion(0).getOps<ttl::CreateCBOp>());
}

Value KernelView::resolve(Value value) const {
  auto it = bound.find(value);
  return it == bound.end() ? value : it->second;
}

ttl::CreateCBOp KernelView::bufferOf(Operation *acquire) const {
  return resolve(acquire->getOperand(0)).getDefiningOp<ttl::CreateCBOp>();
}

ttl::CreateCBOp KernelView::bufferOf(Value block) const {
  Operation *acquire = acquireOf(block);
  if (!isa_and_nonnull<ttl::CBWaitOp, ttl::CBReserveOp, ttl::HeldBlockOp>(acquire))
    return {};
  return bufferOf(acquire);
}

Value KernelView::tensorOf(ttl::CopyOp copy) const {
  Value slice = copy.isRead() ? copy.getSrc() : copy.getDst();
  auto index = slice.getDefiningOp<ttl::IndexAccessorOp>();
  if (!index)
    return {};
  auto accessor = index.getAccessor().getDefiningOp<ttl::TensorAccessorOp>();
  return accessor ? resolve(accessor.getTensor()) : Value();
}

// Assumes that arguments do not alias when one of them is written. A tensor that backs a buffer
// counts as written by another thread.
void KernelView::noteAccesses() {
  DenseMap<Value, llvm::SmallPtrSet<Operation *, 2>> users;
  for (const Thread &thread : threads)
    thread.body->walk([&](ttl::CopyOp copy) {
      Value tensor = tensorOf(copy);
      if (!tensor)
        return;
      users[tensor].insert(thread.op);
      if (!copy.isRead())
        written.insert(tensor);
    });
  for (ttl::CreateCBOp buffer : getBuffers())
    if (buffer.isTensorBacked()) {
      written.insert(buffer.getTensor());
      shared.insert(buffer.getTensor());
    }
  for (auto &[tensor, threads] : users)
    if (threads.size() > 1 && written.contains(tensor))
      shared.insert(tensor);
}

static void setType(Value buffer, ttl::CircularBufferType type) {
  buffer.setType(type);
  for (Operation *user : buffer.getUsers())
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp, ttl::HeldBlockOp>(user))
      user->getResult(0).setType(ttl::BlockType::get(type));
}

void KernelView::setBlockCount(ttl::CreateCBOp buffer, int64_t blocks) const {
  ttl::CircularBufferType old = buffer.getType();
  auto type = ttl::CircularBufferType::get(buffer.getContext(), old.getShape(),
                                           old.getElementType(), blocks);
  setType(buffer.getResult(), type);
  for (auto &[argument, resource] : bound) {
    if (resource != buffer.getResult())
      continue;
    setType(argument, type);
    auto function = cast<func::FuncOp>(cast<BlockArgument>(argument).getOwner()->getParentOp());
    function.setFunctionType(FunctionType::get(
        buffer.getContext(), function.getBody().getArgumentTypes(), function.getResultTypes()));
  }
}
