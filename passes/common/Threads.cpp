//===- Threads.cpp - programs, their threads and what these are bound to ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

Value ThreadBinding::boundTo(Value value) {
  return thread.getResources()[cast<BlockArgument>(value).getArgNumber()];
}

ttl::CreateCBOp ThreadBinding::bufferOf(Value value) {
  return cast<ttl::CreateCBOp>(boundTo(value).getDefiningOp());
}

ttl::CreateCBOp ThreadBinding::bufferOfBlock(Value block) { return bufferOf(bufferValueOf(block)); }

Value ThreadBinding::addBuffer(ttl::CircularBufferType type, StringRef name, Location loc) {
  OpBuilder builder(program.getContext());
  for (Operation &op : program.getBody().front())
    if (isa<ttl::CreateCBOp>(op))
      builder.setInsertionPointAfter(&op);
  Value buffer = ttl::CreateCBOp::create(builder, loc, type, name, IntegerAttr(), IntegerAttr(),
                                         IntegerAttr(), /*compiler_made=*/true);
  thread.getResourcesMutable().append(buffer);
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, type, {}, named(name, loc));
  return function.getArgument(number);
}

SmallVector<ThreadBinding> ttjit::getThreads(ModuleOp module) {
  SmallVector<ThreadBinding> threads;
  SymbolTable symbols(module);
  for (auto program : module.getOps<ttl::ProgramOp>())
    for (auto thread : program.getBody().getOps<ttl::ThreadOp>())
      if (auto function = symbols.lookup<func::FuncOp>(thread.getCallee()))
        threads.push_back({program, thread, function});
  return threads;
}

std::optional<ThreadBinding> ttjit::bindingOf(func::FuncOp function) {
  auto module = dyn_cast<ModuleOp>(function->getParentOp());
  if (!module)
    return std::nullopt;
  for (auto program : module.getOps<ttl::ProgramOp>())
    for (auto thread : program.getBody().getOps<ttl::ThreadOp>())
      if (thread.getCallee() == function.getSymName())
        return ThreadBinding{program, thread, function};
  return std::nullopt;
}

Location ttjit::fuse(Location first, Location second) {
  return FusedLoc::get(first.getContext(), {first, second});
}

Location ttjit::named(StringRef name, Location loc) {
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

SmallVector<ttl::CreateCBOp> ttjit::getBuffers(ttl::ProgramOp program) {
  return llvm::to_vector(program.getBody().getOps<ttl::CreateCBOp>());
}

int64_t ttjit::numBufferIndices(ttl::ProgramOp program) {
  int64_t count = 0;
  for (ttl::CreateCBOp buffer : getBuffers(program))
    count = std::max<int64_t>(count, *buffer.getBufferIndex() + 1);
  return count;
}
