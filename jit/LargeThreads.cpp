//===- LargeThreads.cpp - threads with very many calls -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/LargeThreads.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

/// Calls of a thread that make it large. A tile operation is about two calls.
static constexpr size_t kLargeCalls = 1000;

/// Most bytes of the stack that values of a large thread may take: without optimisation
/// each gets a place of its own. A quarter of a kernel thread's stack.
static constexpr size_t kMaxFrameBytes = 64 * 1024;

/// Returns whether the value needs a place on the stack: it is used in another block or
/// by an instruction after the next one.
static bool outlivesTheNext(const Instruction &instruction) {
  const Instruction *next = instruction.getNextNode();
  return any_of(instruction.users(), [&](const User *user) { return user != next; });
}

static bool isLarge(const Function &function) {
  size_t calls = 0, bytes = 0;
  for (const Instruction &instruction : instructions(function)) {
    calls += isa<CallBase>(instruction);
    bytes += outlivesTheNext(instruction) ? sizeof(uint64_t) : 0;
  }
  return calls > kLargeCalls && bytes <= kMaxFrameBytes;
}

/// Largest number of instructions of a block. Some passes of the code generator take a time
/// that grows as the square of a block's size.
static constexpr size_t kBlockInstructions = 100;

/// Cuts the blocks of the function into short ones. Cuts the end of a block first: each cut moves
/// all instructions behind it.
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

std::unique_ptr<Module> ttjit::jit::splitLargeThreads(Module &module) {
  SmallPtrSet<const GlobalValue *, 4> large;
  for (Function &function : module)
    if (!function.isDeclaration() && isLarge(function))
      large.insert(&function);
  if (large.empty())
    return nullptr;
  ValueToValueMapTy values;
  std::unique_ptr<Module> result = CloneModule(module, values, [&](const GlobalValue *value) {
    return large.contains(value) || value->hasLocalLinkage();
  });
  for (Function &function : *result)
    cutBlocks(function);
  for (const GlobalValue *thread : large)
    cast<Function>(module.getNamedValue(thread->getName()))->deleteBody();
  return result;
}
