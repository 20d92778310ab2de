//===- DebugVariables.cpp - the user's variables for debuggers ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/DebugVariables.h"

#include "ir/Locations/Locations.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Dwarf.h"

#include <map>

using namespace mlir;
using namespace ttjit;

void jit::giveOneLine(ModuleOp module) {
  module.walk([](Operation *op) {
    Location loc = op->getLoc();
    auto named = dyn_cast<NameLoc>(loc);
    if (!isa<FusedLoc>(named ? named.getChildLoc() : loc))
      return;
    SourceRange range = getSourceRange(loc);
    Location first = FileLineColLoc::get(op->getContext(), range.file, range.line, range.column);
    op->setLoc(named ? NameLoc::get(named.getName(), first) : first);
  });
}

// Returns the type that a debugger shows for numbers of `type`; null for other values.
static LLVM::DIBasicTypeAttr debugType(Type type) {
  auto make = [&](StringRef name, unsigned encoding) {
    return LLVM::DIBasicTypeAttr::get(type.getContext(), llvm::dwarf::DW_TAG_base_type, name,
                                      type.getIntOrFloatBitWidth(), encoding);
  };
  if (type.isInteger(1))
    return LLVM::DIBasicTypeAttr::get(type.getContext(), llvm::dwarf::DW_TAG_base_type, "bool", 8,
                                      llvm::dwarf::DW_ATE_boolean);
  if (type.isInteger(32) || type.isInteger(64))
    return make("int", llvm::dwarf::DW_ATE_signed);
  return type.isF32() ? make("float", llvm::dwarf::DW_ATE_float) : nullptr;
}

static LLVM::DISubprogramAttr scopeOf(LLVM::LLVMFuncOp function) {
  auto fused = dyn_cast<FusedLoc>(function.getLoc());
  return fused ? dyn_cast_or_null<LLVM::DISubprogramAttr>(fused.getMetadata()) : nullptr;
}

// Calls `visit(value, name)` for the values of a function that have names.
template <typename Visit> static void forEachNamed(LLVM::LLVMFuncOp function, const Visit &visit) {
  auto visitNamed = [&](Value value) {
    if (std::optional<std::string> name = getSourceName(value.getLoc()))
      visit(value, *name);
  };
  for (Block &block : function.getBody()) {
    for (BlockArgument argument : block.getArguments())
      visitNamed(argument);
    for (Operation &op : llvm::make_early_inc_range(block))
      for (Value result : op.getResults())
        visitNamed(result);
  }
}

namespace {
// Gives each variable a place on the stack that keeps its last value. A register would hold another
// value after the variable's last use, and gdb could not show the variable any more.
class VariablePlaces {
public:
  VariablePlaces(LLVM::LLVMFuncOp function, LLVM::DISubprogramAttr scope)
      : function(function), scope(scope) {}

  void store(Value value, StringRef name, bool isWide);

private:
  Value placeOf(Value value, StringRef name, LLVM::DIBasicTypeAttr type);

  LLVM::LLVMFuncOp function;
  LLVM::DISubprogramAttr scope;
  std::map<std::pair<std::string, const void *>, Value> places; // by name and type
};
} // namespace

Value VariablePlaces::placeOf(Value value, StringRef name, LLVM::DIBasicTypeAttr type) {
  Type stored = value.getType();
  Value &place = places[{name.str(), stored.getAsOpaquePointer()}];
  if (place)
    return place;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  // Line 0: a breakpoint at the variable's line must not stop here.
  Location loc = FileLineColLoc::get(builder.getContext(), scope.getFile().getName(), 0, 0);
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), 1);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  place = LLVM::AllocaOp::create(builder, loc, pointer, stored, one);
  Value zero = LLVM::ZeroOp::create(builder, loc, stored);
  LLVM::StoreOp::create(builder, loc, zero, place);
  auto variable = LLVM::DILocalVariableAttr::get(
      builder.getContext(), scope, builder.getStringAttr(name), scope.getFile(), scope.getLine(),
      /*arg=*/0, /*alignInBits=*/0, type, LLVM::DIFlags::Zero);
  LLVM::DbgDeclareOp::create(builder, loc, place, variable);
  return place;
}

void VariablePlaces::store(Value value, StringRef name, bool isWide) {
  if (!debugType(value.getType()))
    return;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  // Store arguments of the first block at the end of it: their places are made at its begin.
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner()->isEntryBlock())
      builder.setInsertionPoint(argument.getOwner()->getTerminator());
  Location loc = value.getLoc();
  if (isWide && value.getType().isInteger(32))
    value = LLVM::SExtOp::create(builder, loc, builder.getI64Type(), value);
  LLVM::StoreOp::create(builder, loc, value, placeOf(value, name, debugType(value.getType())));
}

// Adds the variables of a function. If values of 32 and of 64 bits have the same name, they share
// one variable of 64 bits.
static void addVariables(LLVM::LLVMFuncOp function, LLVM::DISubprogramAttr scope) {
  llvm::StringSet<> wide;
  SmallVector<std::pair<Value, std::string>> named;
  forEachNamed(function, [&](Value value, StringRef name) {
    named.emplace_back(value, name.str());
    if (value.getType().isInteger(64))
      wide.insert(name);
  });
  VariablePlaces places(function, scope);
  for (auto &[value, name] : named)
    places.store(value, name, wide.contains(name));
}

void jit::addDebugVariables(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (LLVM::DISubprogramAttr scope = scopeOf(function))
      addVariables(function, scope);
}
