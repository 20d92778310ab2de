//===- QuickThreads.cpp - threads that are not worth optimising ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/QuickThreads.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

// A thread with more calls is not optimised. A tile operation is about two calls.
static constexpr int64_t kLargeCalls = 1000;

// Most bytes of stack for the values of a thread that is not optimised: each value then
// has a place of its own. It is a quarter of a kernel thread's stack.
static constexpr size_t kMaxFrameBytes = 64 * 1024;

// Returns whether the value needs a place on the stack: it is used in another block or
// by an instruction after the next one.
static bool outlivesTheNext(const Instruction &instruction) {
  const Instruction *next = instruction.getNextNode();
  return any_of(instruction.users(), [&](const User *user) { return user != next; });
}

static bool hasLoop(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
  FindFunctionBackedges(function, backEdges);
  return !backEdges.empty();
}

// Returns whether the stack has room for the values of the function, each with its own place.
static bool fitsStack(const Function &function) {
  size_t bytes = 0;
  for (const Instruction &instruction : instructions(function))
    bytes += outlivesTheNext(instruction) ? sizeof(uint64_t) : 0;
  return bytes <= kMaxFrameBytes;
}

static bool hasManyCalls(const Function &function) {
  return count_if(instructions(function), [](const Instruction &instruction) {
           return isa<CallBase>(instruction);
         }) > kLargeCalls;
}

// Largest number of instructions of a block. Some passes of the code generator take a time
// that grows as the square of a block's size.
static constexpr size_t kBlockInstructions = 100;

// Cuts the blocks of the function into short ones. Cuts the end of a block first: each cut moves
// all instructions behind it.
static void cutBlocks(Function &function) {
  for (BasicBlock &block : make_early_inc_range(function)) {
    SmallVector<Instruction *> cuts;
    size_t position = 0;
    for (Instruction &instruction : block)
      if (++position % kBlockInstructions == 0 && !isa<PHINode>(instruction))
        cuts.push_back(&instruction);
    for (Instruction *cut : reverse(cuts))
      block.splitBasicBlock(cut->getIterator());
  }
}

// Lets code of another module use the functions of this module that `function` uses.
static void exportCallees(Function &function) {
  for (Instruction &instruction : instructions(function))
    for (Value *operand : instruction.operands())
      if (auto *callee = dyn_cast<Function>(operand); callee && callee->hasLocalLinkage())
        callee->setLinkage(GlobalValue::ExternalLinkage);
}

// Moves the threads (public functions) for which `isQuick` returns true to a new module.
static std::unique_ptr<Module> split(Module &module, function_ref<bool(const Function &)> isQuick) {
  SmallPtrSet<const GlobalValue *, 4> quick;
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage() && isQuick(function) &&
        fitsStack(function))
      quick.insert(&function);
  if (quick.empty())
    return nullptr;
  auto bodyOf = [&](const GlobalValue *thread) -> Function & {
    return *module.getFunction(thread->getName());
  };
  for (const GlobalValue *thread : quick)
    exportCallees(bodyOf(thread));
  ValueToValueMapTy values;
  std::unique_ptr<Module> result = CloneModule(module, values, [&](const GlobalValue *value) {
    return quick.contains(value) || (value->hasLocalLinkage() && isa<GlobalVariable>(value));
  });
  for (const GlobalValue *thread : quick)
    bodyOf(thread).deleteBody();
  return result;
}

// Erases declarations that nothing uses: CloneModule() has declared every function.
static void eraseUnusedDeclarations(Module &module) {
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

std::unique_ptr<Module> ttjit::jit::splitQuickThreads(Module &module) {
  std::unique_ptr<Module> quick = split(module, [](const Function &function) {
    return hasManyCalls(function) || !hasLoop(function);
  });
  if (!quick)
    return nullptr;
  eraseUnusedDeclarations(*quick);
  for (Function &function : *quick)
    cutBlocks(function);
  return quick;
}

std::unique_ptr<Module> ttjit::jit::splitThreadsWithoutLoops(Module &module) {
  return split(module, [](const Function &function) { return !hasLoop(function); });
}
