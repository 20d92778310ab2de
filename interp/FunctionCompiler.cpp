//===- FunctionCompiler.cpp - decoding of a thread function ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/FunctionCompiler.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::interp;

llvm::Error interp::errorAt(Operation *op, const Twine &message) {
  SourceRange range = getSourceRange(op->getLoc());
  std::string where = range.line == 0 ? std::string("unknown position")
                                      : range.file + ":" + std::to_string(range.line) + ":" +
                                            std::to_string(range.column);
  return llvm::createStringError(llvm::inconvertibleErrorCode(), where + ": " + message);
}

//===--------------------------------------------------------------------------===//
// Slots
//===--------------------------------------------------------------------------===//

SlotNumber FunctionCompiler::newSlot() {
  code->image.emplace_back();
  return code->image.size() - 1;
}

SlotNumber FunctionCompiler::slotOf(Value value) {
  auto [it, inserted] = slots.try_emplace(value, 0);
  if (inserted)
    it->second = newSlot();
  return it->second;
}

SlotNumber FunctionCompiler::constantSlot(Slot value) {
  SlotNumber slot = newSlot();
  code->image[slot] = value;
  return slot;
}

SlotNumber FunctionCompiler::constantString(StringRef text) {
  code->strings.push_back(text.str());
  return constantSlot(Slot::of(code->strings.back().c_str()));
}

//===--------------------------------------------------------------------------===//
// Instructions
//===--------------------------------------------------------------------------===//

Instruction &FunctionCompiler::emit(Operation *op, Handler handler,
                                    ArrayRef<SlotNumber> operands) {
  assert(operands.size() <= Instruction::kMaxOperands && "instruction too wide");
  Instruction &inst = current->emplace_back();
  inst.run = handler;
  inst.location = locations.intern(op->getLoc());
  llvm::copy(operands, inst.operands.begin());
  if (op->getNumResults() != 0)
    inst.result = slotOf(op->getResult(0));
  return inst;
}

Instruction &FunctionCompiler::emit(Operation *op, Handler handler) {
  SmallVector<SlotNumber, Instruction::kMaxOperands> operands;
  for (Value operand : op->getOperands())
    operands.push_back(slotOf(operand));
  return emit(op, handler, operands);
}

Moves FunctionCompiler::moves(ValueRange from, ValueRange to) {
  Moves direct, first, second;
  llvm::SmallSet<SlotNumber, 8> overwritten;
  for (Value target : to)
    overwritten.insert(slotOf(target));
  for (auto [source, target] : llvm::zip_equal(from, to)) {
    SlotNumber sourceSlot = slotOf(source), targetSlot = slotOf(target);
    if (sourceSlot == targetSlot)
      continue;
    if (!overwritten.contains(sourceSlot)) {
      direct.push_back({sourceSlot, targetSlot});
      continue;
    }
    // Read before anything is written: through a slot of its own.
    SlotNumber between = newSlot();
    first.push_back({sourceSlot, between});
    second.push_back({between, targetSlot});
  }
  first.insert(first.end(), direct.begin(), direct.end());
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

//===--------------------------------------------------------------------------===//
// Blocks and functions
//===--------------------------------------------------------------------------===//

llvm::Error FunctionCompiler::compileOp(Operation *op) {
  if (Rule rule = rules.find(op))
    return rule(op, *this);
  return errorAt(op, "the interpreter has no rule for '" + op->getName().getStringRef() + "'");
}

llvm::Expected<Instructions> FunctionCompiler::compileBlock(Block &block) {
  Instructions result;
  llvm::SaveAndRestore<Instructions *> inside(current, &result);
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    if (llvm::Error error = compileOp(&op))
      return error;
  }
  return result;
}

llvm::Expected<std::shared_ptr<const Code>> FunctionCompiler::compile(func::FuncOp function) {
  if (function.getNumArguments() != 0 || function.getNumResults() != 0)
    return errorAt(function, "thread function '" + function.getName() +
                                 "' must have neither arguments nor results");
  if (!function.getBody().hasOneBlock())
    return errorAt(function, "thread function '" + function.getName() +
                                 "' must have structured control flow: one block, found " +
                                 Twine(function.getBody().getBlocks().size()));
  llvm::Expected<Instructions> body = compileBlock(function.getBody().front());
  if (!body)
    return body.takeError();
  code->body = std::move(*body);
  return code;
}
