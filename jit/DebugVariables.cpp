//===- DebugVariables.cpp - the user's variables for debuggers ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/DebugVariables.h"

#include "ir/Support/Locations.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Dwarf.h"

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

/// Returns the type that a debugger shows for numbers of `type`; null for other values.
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

/// Calls `visit(value, name)` for the values of a function that have names.
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

static void addVariable(Value value, StringRef name, LLVM::DISubprogramAttr scope) {
  LLVM::DIBasicTypeAttr type = debugType(value.getType());
  if (!type)
    return;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto variable = LLVM::DILocalVariableAttr::get(
      builder.getContext(), scope, builder.getStringAttr(name), scope.getFile(), scope.getLine(),
      /*arg=*/0, /*alignInBits=*/0, type, LLVM::DIFlags::Zero);
  LLVM::DbgValueOp::create(builder, value.getLoc(), value, variable);
}

/// Adds the variables of a function. A loop counter may also exist as a narrow number, which need
/// not outlive its use.
static void addVariables(LLVM::LLVMFuncOp function, LLVM::DISubprogramAttr scope) {
  llvm::StringSet<> wide;
  forEachNamed(function, [&](Value value, StringRef name) {
    if (value.getType().isInteger(64))
      wide.insert(name);
  });
  forEachNamed(function, [&](Value value, StringRef name) {
    if (!value.getType().isInteger(32) || !wide.contains(name))
      addVariable(value, name, scope);
  });
}

void jit::addDebugVariables(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (LLVM::DISubprogramAttr scope = scopeOf(function))
      addVariables(function, scope);
}
