//===- StackVariables.cpp - variables of C++ on the stack, for debuggers ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/StackVariables.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace {
// For each variable, the debug records that give it a value.
using Records = MapVector<DILocalVariable *, SmallVector<DbgVariableRecord *>>;
} // namespace

// Returns whether the variable has a class type without members, whose size is one byte.
static bool isEmpty(const DILocalVariable &variable) {
  const DIType *type = variable.getType();
  while (auto *derived = dyn_cast_if_present<DIDerivedType>(type)) {
    if (derived->getTag() != dwarf::DW_TAG_const_type && derived->getTag() != dwarf::DW_TAG_typedef)
      return false;
    type = derived->getBaseType();
  }
  auto *composite = dyn_cast_if_present<DICompositeType>(type);
  return composite && composite->getSizeInBits() <= 8;
}

// Returns the records of variables whose values are in registers. Erases the records of variables
// of inlined functions and of empty variables.
static Records collect(Function &function) {
  Records records;
  SmallVector<DbgVariableRecord *> unwanted;
  for (Instruction &instruction : instructions(function))
    for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange())) {
      if (record.getDebugLoc().getInlinedAt() || isEmpty(*record.getVariable()))
        unwanted.push_back(&record);
      else if (record.isDbgValue())
        records[record.getVariable()].push_back(&record);
    }
  for (DbgVariableRecord *record : unwanted)
    record->eraseFromParent();
  return records;
}

// Returns the type of the values that the records give the variable; null if they have several
// types, or if a record describes only a part of the variable.
static Type *typeOf(ArrayRef<DbgVariableRecord *> records) {
  Type *type = nullptr;
  for (DbgVariableRecord *record : records) {
    Value *value = record->hasArgList() ? nullptr : record->getVariableLocationOp(0);
    if (!value || record->getExpression()->getNumElements() != 0)
      return nullptr;
    if (isa<UndefValue>(value))
      continue;
    if (!value->getType()->isSingleValueType() || (type && type != value->getType()))
      return nullptr;
    type = value->getType();
  }
  return type;
}

static void moveToStack(Function &function, DILocalVariable *variable, Type *type,
                        ArrayRef<DbgVariableRecord *> records, DIBuilder &debug) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> start(&entry, entry.getFirstInsertionPt());
  const DILocation *scope = records.front()->getDebugLoc();
  // Line 0: a breakpoint at the variable's line must not stop here.
  auto *nowhere = DILocation::get(function.getContext(), 0, 0, scope->getScope());
  start.SetCurrentDebugLocation(nowhere);
  AllocaInst *place = start.CreateAlloca(type, nullptr, variable->getName());
  start.CreateStore(Constant::getNullValue(type), place);
  debug.insertDeclare(place, variable, debug.createExpression(), scope, start.GetInsertPoint());
  for (DbgVariableRecord *record : records) {
    Value *value = record->getVariableLocationOp(0);
    if (!isa<UndefValue>(value)) {
      Instruction *next = record->getMarker()->MarkedInstr;
      IRBuilder<> at(next->getParent(), isa<PHINode>(next)
                                            ? next->getParent()->getFirstInsertionPt()
                                            : next->getIterator());
      at.SetCurrentDebugLocation(nowhere);
      at.CreateStore(value, place);
    }
    record->eraseFromParent();
  }
}

// Removes empty variables from the list of variables that debuggers show even without records.
static void forgetEmpty(Function &function) {
  DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return;
  SmallVector<Metadata *> kept;
  for (DINode *node : subprogram->getRetainedNodes())
    if (auto *variable = dyn_cast<DILocalVariable>(node); !variable || !isEmpty(*variable))
      kept.push_back(node);
  subprogram->replaceRetainedNodes(MDTuple::get(function.getContext(), kept));
}

// Gives returns line 0. They have the line of the last statement, but not the variables of the
// loops around it, so a breakpoint at that line must not stop there.
static void hideReturns(Function &function) {
  DISubprogram *subprogram = function.getSubprogram();
  for (Instruction &instruction : instructions(function))
    if (subprogram && isa<ReturnInst>(instruction))
      instruction.setDebugLoc(DILocation::get(function.getContext(), 0, 0, subprogram));
}

void ttjit::jit::keepOnStack(Function &function) {
  forgetEmpty(function);
  hideReturns(function);
  DIBuilder debug(*function.getParent(), /*AllowUnresolved=*/false,
                  function.getSubprogram() ? function.getSubprogram()->getUnit() : nullptr);
  for (auto &[variable, records] : collect(function))
    if (Type *type = typeOf(records))
      moveToStack(function, variable, type, records, debug);
}
