//===- Calls.cpp - calls, by the identity of what is called --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Calls.h"

#include "frontend/walk/Ast.h"
#include "frontend/walk/Walker.h"

#include <fmt/format.h>

namespace ttjit::frontend {

static constexpr size_t kMaxInlineDepth = 64;

Calls::Calls(Walker &walker)
    : walker(walker), apiFunction(py::module_::import("ttl._api").attr("Function")) {}

//===--------------------------------------------------------------------------===//
// What is called
//===--------------------------------------------------------------------------===//

Value Calls::call(py::handle node) {
  py::object calleeNode = node.attr("func");
  Value callee = walker.expressions.evaluate(calleeNode);
  std::string name = text(py::module_::import("ast").attr("unparse")(calleeNode));
  Arguments arguments(node, name, walker.diagnostics);
  evaluateArguments(node, arguments);
  return callValue(callee, arguments);
}

void Calls::evaluateArguments(py::handle node, Arguments &arguments) {
  for (py::handle argument : listOf(node, "args")) {
    if (!isKind(argument, "Starred")) {
      arguments.items.push_back({"", walker.expressions.evaluate(argument), argument});
      continue;
    }
    auto spread = walker.expressions.items(walker.expressions.evaluate(argument.attr("value")));
    if (!spread)
      walker.diagnostics.fail(argument, "'*' spreads a sequence known at compile time");
    for (const Value &value : *spread)
      arguments.items.push_back({"", value, argument});
  }
  for (py::handle keyword : listOf(node, "keywords")) {
    py::object name = keyword.attr("arg"), value = keyword.attr("value");
    if (name.is_none())
      walker.diagnostics.fail(keyword, "'**' is not supported in calls of kernel functions");
    arguments.items.push_back({text(name), walker.expressions.evaluate(value),
                               PyObject_GetAttrString(keyword.ptr(), "value")});
    py::handle(arguments.items.back().node).dec_ref(); // the tree keeps it alive
  }
}

Value Calls::callValue(const Value &callee, Arguments &arguments) {
  if (const Function *function = callee.getIf<Function>())
    return inlineCall(*function, arguments);
  if (const Method *method = callee.getIf<Method>())
    return callMethod(*method, arguments);
  if (const Static *object = callee.getIf<Static>())
    return callStatic(object->object, arguments);
  walker.diagnostics.fail(arguments.node, fmt::format("{} cannot be called", describe(callee)));
}

Value Calls::callStatic(py::object callee, Arguments &arguments) {
  if (py::isinstance(callee, apiFunction)) {
    std::string key = text(callee.attr("key"));
    auto it = apiHandlers().find(key);
    if (it == apiHandlers().end())
      walker.diagnostics.fail(arguments.node,
                              fmt::format("{}() is not supported yet", arguments.function));
    return it->second(walker, arguments);
  }
  py::object builtins = py::module_::import("builtins");
  std::string name = py::hasattr(callee, "__name__") ? text(callee.attr("__name__")) : "";
  bool isBuiltin =
      py::hasattr(builtins, name.c_str()) && py::object(builtins.attr(name.c_str())).is(callee);
  if (isBuiltin)
    if (auto it = builtinHandlers().find(name); it != builtinHandlers().end())
      return it->second(walker, arguments);
  if (PyFunction_Check(callee.ptr()) && !runsInPython(callee))
    return inlineCall(functionOf(arguments.node, callee), arguments);
  return callPython(callee, arguments);
}

// Functions of Python's own library and of numpy are not inlined.
bool Calls::runsInPython(py::handle callee) const {
  std::string module = text(callee.attr("__module__"));
  std::string package = module.substr(0, module.find('.'));
  if (package == "numpy" || package == "torch" || package == "ttnn")
    return true;
  return package != "__main__" &&
         py::module_::import("sys").attr("stdlib_module_names").contains(package);
}

Value Calls::callPython(py::object callee, Arguments &arguments) {
  if (!PyCallable_Check(callee.ptr()))
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{} is not a function", arguments.function));
  for (const Arguments::Item &item : arguments.items)
    if (!item.value.is<Static>())
      walker.diagnostics.fail(item.node,
                              fmt::format("{}() is Python's and runs at compile time: its "
                                          "arguments must be known then, found {}",
                                          arguments.function, describe(item.value)));
  py::list positional;
  py::dict keywords;
  for (const Arguments::Item &item : arguments.items) {
    const py::object &object = item.value.getIf<Static>()->object;
    if (item.keyword.empty())
      positional.append(object);
    else
      keywords[item.keyword.c_str()] = object;
  }
  return walker.expressions.python(arguments.node, [&] {
    return walker.kernel.reads.attr("call_python")(callee, py::tuple(positional), keywords);
  });
}

//===--------------------------------------------------------------------------===//
// Methods
//===--------------------------------------------------------------------------===//

Value Calls::callMethod(const Method &method, Arguments &arguments) {
  const Value &self = *method.self;
  const Static *known = self.getIf<Static>();
  if (self.is<PipeEnd>() || self.is<SemaphoreRef>() ||
      (known && walker.pipes.isPipeObject(known->object)))
    return walker.pipes.callMethod(self, method.name, arguments);
  if (const Static *object = self.getIf<Static>())
    return callBufferMethod(*walker.kernel.findBuffer(object->object), method.name, arguments);
  if (const Transfer *transfer = self.getIf<Transfer>(); transfer && method.name == "wait") {
    arguments.checkNoMore();
    walker.transfers.wait(arguments.node, *transfer);
    return none();
  }
  const Block *block = self.getIf<Block>();
  if (block && (method.name == "push" || method.name == "pop")) {
    arguments.checkNoMore();
    if (block->info->reserved != (method.name == "push"))
      walker.diagnostics.fail(arguments.node,
                              block->info->reserved
                                  ? "pop() on a block from reserve(): publish it with push()"
                                  : "push() on a block from wait(): free it with pop()",
                              {{"the block was acquired", block->info->acquired}});
    walker.blocks.release(arguments.node, *block);
    return none();
  }
  if (block && method.name == "store") {
    const Value &value = arguments.require(0, "expr").value;
    const Arguments::Item *acc = arguments.takeKeyword("acc");
    if (acc && !acc->value.is<Static>())
      walker.diagnostics.fail(acc->node, "acc= is True or False, known at compile time");
    arguments.checkNoMore();
    bool accumulate = acc && py::bool_(acc->value.getIf<Static>()->object);
    walker.blocks.store(arguments.node, *block, value, accumulate);
    return none();
  }
  if (blockOperand(self))
    if (auto it = apiHandlers().find(method.name); it != apiHandlers().end()) {
      arguments.items.insert(arguments.items.begin(), {"", self, arguments.node});
      return it->second(walker, arguments);
    }
  walker.diagnostics.fail(arguments.node,
                          fmt::format("{} has no method {}()", describe(self), method.name));
}

Value Calls::callBufferMethod(unsigned buffer, const std::string &name, Arguments &arguments) {
  arguments.checkNoMore();
  if (name == "wait" || name == "reserve")
    return walker.blocks.acquire(arguments.node, buffer, name == "reserve");
  walker.blocks.releaseOldest(arguments.node, buffer, name == "push");
  return none();
}

//===--------------------------------------------------------------------------===//
// Inlining
//===--------------------------------------------------------------------------===//

const SourceFile *Calls::keepFile(py::handle sourceFile) {
  std::unique_ptr<SourceFile> &file = files[sourceFile.ptr()];
  if (!file) {
    kept.push_back(py::reinterpret_borrow<py::object>(sourceFile));
    file = std::make_unique<SourceFile>(text(sourceFile.attr("name")),
                                        sourceFile.attr("lines").cast<std::vector<std::string>>());
  }
  return file.get();
}

Function Calls::functionOf(py::handle node, py::object function) {
  auto it = functions.find(function.ptr());
  if (it != functions.end())
    return it->second;
  py::tuple found = py::module_::import("ttl._source").attr("function_node")(function);
  std::string name = text(function.attr("__name__"));
  if (found[1].is_none())
    walker.diagnostics.fail(node,
                            fmt::format("the source of {}(), which this call inlines, is not "
                                        "available: Python read it from {}:{}",
                                        name, text(function.attr("__code__").attr("co_filename")),
                                        text(function.attr("__code__").attr("co_firstlineno"))));
  auto info = std::make_shared<FunctionInfo>();
  info->name = name;
  info->node = found[1];
  info->function = function;
  info->file = keepFile(found[0]);
  py::object defaults = function.attr("__defaults__");
  if (!defaults.is_none())
    for (py::handle value : defaults)
      info->defaults.push_back(Static{py::reinterpret_borrow<py::object>(value)});
  return functions[function.ptr()] = Function{info};
}

void Calls::bindParameters(const FunctionInfo &info, Arguments &arguments, Scope &scope) {
  py::object parameters = info.node.attr("args");
  bool isPlain = parameters.attr("vararg").is_none() && parameters.attr("kwarg").is_none() &&
                 listOf(parameters, "kwonlyargs").empty();
  if (!isPlain)
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{}() has parameters of kinds that kernel functions do not "
                                        "support (*args, **kwargs, keyword-only)",
                                        info.name));
  std::vector<std::string> names;
  for (const char *field : {"posonlyargs", "args"})
    for (py::handle parameter : listOf(parameters, field))
      names.push_back(text(parameter.attr("arg")));
  for (size_t i = 0; i < names.size(); ++i) {
    size_t fromEnd = names.size() - i;
    const Arguments::Item *item = arguments.take(i, names[i]);
    if (item)
      scope.assign(names[i], item->value);
    else if (fromEnd <= info.defaults.size())
      scope.assign(names[i], info.defaults[info.defaults.size() - fromEnd]);
    else
      arguments.require(i, names[i]);
  }
  arguments.checkNoMore();
}

Value Calls::inlineCall(const Function &function, Arguments &arguments) {
  const FunctionInfo &info = *function.info;
  if (walker.scopes.depth() > kMaxInlineDepth)
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{}() is called more than {} levels deep: "
                                        "functions are inlined, so they cannot call "
                                        "themselves",
                                        info.name, kMaxInlineDepth));
  bool isLambda = isKind(info.node, "Lambda");
  py::object body = info.node.attr("body");
  std::set<std::string> locals;
  if (!isLambda)
    locals = assignedNames(body);
  auto scope = std::make_shared<Scope>(info.scope, info.function, std::move(locals));
  bindParameters(info, arguments, *scope);
  walker.scopes.enter(scope);
  walker.diagnostics.enterFile(info.file, arguments.node);
  Value result = isLambda ? walker.expressions.evaluate(body)
                          : walker.statements.function(info.node, py::list(body));
  walker.diagnostics.leaveFile();
  walker.scopes.leave();
  return result;
}

} // namespace ttjit::frontend
