//===- ShownScope.cpp - what a debugger shows at a statement ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A value that exists when the kernel runs has a number, which is in the location of the op that
// makes it: a FusedLoc whose metadata is an integer. A name is not enough: each iteration of an
// unrolled loop makes a value of the same name.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/ShownScope.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Ast.h"
#include "ir/Locations/ShownValues.h"

using namespace mlir;

namespace ttjit::frontend {

static constexpr size_t kMostItems = 64;

// The lock of the interpreter lets one thread walk at a time.
static ShownScope *running = nullptr;
static int64_t lastNumber = 0;

ShownScope *ShownScope::current() { return running && running->isDebugged ? running : nullptr; }

ShownScope::ShownScope(Walker &walker)
    : walker(walker),
      isDebugged(walker.kernel.call.attr("settings").attr("debugged").cast<bool>()) {
  running = this;
}

ShownScope::~ShownScope() { running = nullptr; }

ShownFunction::ShownFunction(py::handle node) {
  if (ShownScope *scope = ShownScope::current())
    before = std::exchange(scope->function, node);
}

ShownFunction::~ShownFunction() {
  if (ShownScope *scope = ShownScope::current())
    scope->function = before;
}

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

// Returns the location with a number added, below its name if it has one.
static Location withNumber(Location loc, int64_t number) {
  MLIRContext *context = loc.getContext();
  auto metadata = IntegerAttr::get(IntegerType::get(context, 64), number);
  if (auto named = dyn_cast<NameLoc>(loc))
    return NameLoc::get(named.getName(), FusedLoc::get({named.getChildLoc()}, metadata, context));
  return FusedLoc::get({loc}, metadata, context);
}

// Returns the number of a value; 0 for a value that a debugger cannot find again.
static int64_t numberOf(mlir::Value value) {
  if (std::optional<int64_t> number = getValueNumber(value.getLoc()))
    return *number;
  Operation *op = value.getDefiningOp();
  if (op && op->getNumResults() != 1)
    return 0;
  Location loc = withNumber(value.getLoc(), ++lastNumber);
  op ? op->setLoc(loc) : cast<BlockArgument>(value).setLoc(loc);
  return lastNumber;
}

py::object ShownScope::encodeItems(const char *kind, const std::vector<Value> &items) {
  py::list encoded;
  for (const Value &item : items)
    encoded.append(encode(item));
  py::dict result;
  result[kind] = encoded;
  return result;
}

// Returns a description of the value; None if it is nothing that a debugger shows.
py::object ShownScope::encode(const Value &value) {
  py::dict result;
  if (const Static *known = value.getIf<Static>())
    return pythonModule<"ttl._shown">().attr("encode")(known->object, walker.kernel.call);
  if (value.is<Missing>() || value.is<Function>() || value.is<Method>())
    return py::none();
  if (const Tuple *tuple = value.getIf<Tuple>(); tuple && tuple->elements.size() <= kMostItems)
    return encodeItems(tuple->isList ? "list" : "tuple", tuple->elements);
  if (mlir::Value ir = value->irValue())
    if (int64_t number = numberOf(ir))
      result["number"] = number;
  result["text"] = frontend::describe(value);
  return result;
}

//===--------------------------------------------------------------------------===//
// Scopes
//===--------------------------------------------------------------------------===//

bool ShownScope::isAsBefore() {
  const Scope &scope = walker.scopes.current();
  bool isSame = last.text && last.scope == &scope && last.function.is(function);
  if (isSame)
    scope.variables.forEachDifference(last.variables, [&](auto &&...) { isSame = false; });
  return isSame;
}

StringAttr ShownScope::text() {
  ShownScope *shown = current();
  if (!shown || shown->walker.scopes.depth() == 0)
    return {};
  if (!shown->isAsBefore()) {
    const Scope &scope = shown->walker.scopes.current();
    shown->last = {shown->describe(), &scope, shown->function, scope.variables};
  }
  return shown->last.text;
}

StringAttr ShownScope::describe() {
  py::dict locals, outside, scopes;
  walker.scopes.current().variables.forEach([&](const std::string &name, const Value &value) {
    py::object encoded = encode(value);
    bool isHidden = name.find(' ') != std::string::npos; // no name in Python has a space
    if (!isHidden && !encoded.is_none())
      locals[py::str(name)] = encoded;
  });
  auto helper = pythonModule<"ttl._shown">();
  auto [used, isNew] = names.try_emplace(function.ptr());
  if (isNew && function)
    used->second = helper.attr("names")(function);
  for (py::handle name : used->second) {
    std::optional<Value> value;
    if (!locals.contains(name))
      value = walker.scopes.peek(frontend::text(name));
    py::object encoded = value ? encode(*value) : py::none();
    if (!encoded.is_none())
      outside[name] = helper.attr("unless_of_node")(encoded, name, walker.kernel.call);
  }
  scopes["local"] = locals;
  scopes["outside"] = outside;
  return StringAttr::get(walker.builder.getContext(),
                         pythonModule<"json">().attr("dumps")(scopes).cast<std::string>());
}

} // namespace ttjit::frontend
