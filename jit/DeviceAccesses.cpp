//===- DeviceAccesses.cpp - accesses through device addresses -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A pointer into a local or a constant of the kernel is a host address. Any other pointer may be a
// device address: ttl_hw_l1_pointer tells by its value, since host addresses need over 32 bits.
//===--------------------------------------------------------------------------===//

#include "jit/DeviceAccesses.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {
// Operand `operand` of `instruction` is a pointer to `bytes` bytes (an i64).
struct Access {
  Instruction *instruction;
  unsigned operand;
  Value *bytes;
  bool writes;
};
} // namespace

static bool isHostMemory(const Value *pointer) {
  SmallVector<const Value *> objects;
  getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
  return all_of(objects,
                [](const Value *object) { return isa<AllocaInst, GlobalVariable>(object); });
}

static Value *sizeOf(Instruction &at, Type *type) {
  uint64_t bytes = at.getDataLayout().getTypeStoreSize(type);
  return ConstantInt::get(Type::getInt64Ty(at.getContext()), bytes);
}

static void addAccesses(Instruction &at, SmallVectorImpl<Access> &accesses) {
  if (auto *load = dyn_cast<LoadInst>(&at)) {
    accesses.push_back({&at, load->getPointerOperandIndex(), sizeOf(at, load->getType()), false});
  } else if (auto *store = dyn_cast<StoreInst>(&at)) {
    Type *type = store->getValueOperand()->getType();
    accesses.push_back({&at, store->getPointerOperandIndex(), sizeOf(at, type), true});
  } else if (auto *atomic = dyn_cast<AtomicRMWInst>(&at)) {
    accesses.push_back(
        {&at, atomic->getPointerOperandIndex(), sizeOf(at, atomic->getType()), true});
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&at)) {
    Type *type = exchange->getCompareOperand()->getType();
    accesses.push_back({&at, exchange->getPointerOperandIndex(), sizeOf(at, type), true});
  } else if (auto *memory = dyn_cast<MemIntrinsic>(&at)) {
    accesses.push_back({&at, 0, memory->getLength(), true});
    if (isa<MemTransferInst>(memory))
      accesses.push_back({&at, 1, memory->getLength(), false});
  }
}

static void rewrite(const Access &access) {
  Instruction &at = *access.instruction;
  IRBuilder<> builder(&at);
  Function &function = *at.getFunction();
  Type *pointer = builder.getPtrTy();
  FunctionCallee callee = function.getParent()->getOrInsertFunction(
      "ttl_hw_l1_pointer", pointer, pointer, builder.getInt64Ty(), builder.getInt64Ty(),
      builder.getInt32Ty());
  Value *address = builder.CreatePtrToInt(at.getOperand(access.operand), builder.getInt64Ty());
  Value *bytes = builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty());
  at.setOperand(access.operand, builder.CreateCall(callee, {function.getArg(0), address, bytes,
                                                            builder.getInt32(access.writes)}));
}

void ttjit::jit::useL1ForIntegers(Function &function) {
  SmallVector<Access> accesses;
  for (Instruction &at : instructions(function))
    addAccesses(at, accesses);
  for (const Access &access : accesses)
    if (!isHostMemory(access.instruction->getOperand(access.operand)))
      rewrite(access);
}
