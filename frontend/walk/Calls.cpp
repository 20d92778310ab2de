//===- Calls.cpp - calls, by the identity of what is called --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Calls.h"

#include "frontend/walk/Ast.h"
#include "frontend/walk/HostCalls.h"
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
    for (const Value &value : walker.expressions.spread(argument))
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

/// The handler of one of Python's builtins; null for every other object.
static Handler builtinHandler(const py::object &callee) {
  bool mayBeBuiltin = PyCFunction_Check(callee.ptr()) || PyType_Check(callee.ptr());
  if (!mayBeBuiltin)
    return nullptr;
  auto it = builtinHandlers().find(text(callee.attr("__name__")));
  if (it == builtinHandlers().end())
    return nullptr;
  py::object builtin = py::module_::import("builtins").attr(it->first().str().c_str());
  return builtin.is(callee) ? it->second : nullptr;
}

static std::string packageOf(py::handle function) {
  std::string module = text(py::getattr(function, "__module__", py::str("")));
  return module.substr(0, module.find('.'));
}

Value Calls::callStatic(py::object callee, Arguments &arguments) {
  if (py::isinstance(callee, apiFunction))
    return callApi(callee, arguments);
  if (isHostFunction(callee))
    return callHostFunction(walker, callee, arguments);
  if (walker.kind == ThreadKind::Unified && walker.resources.isMaker(callee))
    return walker.resources.make(callee, arguments);
  if (std::optional<Value> expanded = expandOperation(callee, arguments))
    return *expanded;
  refuseOperations(callee, arguments);
  if (Handler handler = builtinHandler(callee))
    return handler(walker, arguments);
  bool isPython = PyFunction_Check(callee.ptr());
  if (!isPython && !PyCFunction_Check(callee.ptr()))
    return callPython(callee, arguments);
  std::string package = packageOf(callee);
  if (package == "ttl")
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{}() does not work inside kernel functions: call it in "
                                        "the operation's body",
                                        arguments.function));
  if (!isPython || runsInPython(package))
    return callPython(callee, arguments);
  return inlineCall(functionOf(arguments.node, callee), arguments);
}

Value Calls::callApi(const py::object &function, Arguments &arguments) {
  auto it = apiHandlers().find(text(function.attr("key")));
  if (it == apiHandlers().end())
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{}() is not supported yet", arguments.function));
  return it->second(walker, arguments);
}

// The call of an operation would launch it once, while this kernel is compiled.
void Calls::refuseOperations(const py::object &callee, const Arguments &arguments) const {
  py::object operation = py::module_::import("ttl._operation").attr("Operation");
  bool isMethod = PyMethod_Check(callee.ptr());
  py::object called =
      isMethod ? py::reinterpret_borrow<py::object>(PyMethod_GET_SELF(callee.ptr())) : callee;
  if (py::isinstance(called, operation))
    walker.diagnostics.fail(
        arguments.node,
        fmt::format("operation {}() is called inside kernel function '{}': an operation runs on "
                    "the whole grid, so call it after this operation; code that kernel functions "
                    "share is a plain function",
                    text(called.attr("__name__")), walker.threadName));
}

// Functions of Python's own library and of numpy are not inlined.
bool Calls::runsInPython(const std::string &package) const {
  if (package == "numpy" || package == "torch" || package == "ttnn")
    return true;
  return package != "__main__" &&
         py::module_::import("sys").attr("stdlib_module_names").contains(package);
}

Value Calls::callPython(const py::object &callee, Arguments &arguments) {
  if (!PyCallable_Check(callee.ptr()))
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{} is not a function: it is {}", arguments.function,
                                        describe(Static{callee})));
  for (const Arguments::Item &item : arguments.items)
    if (!item.value.is<Static>())
      walker.diagnostics.failNeedsStatic(
          item.node, fmt::format("{}() runs in Python at compile time: its arguments must be "
                                 "known then, found {}",
                                 arguments.function, describe(item.value)));
  return walker.staticEval.call(callee, arguments);
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
  if (const TransferGroup *group = self.getIf<TransferGroup>())
    return walker.transferGroups.callMethod(*group, method.name, arguments);
  if (const Transfer *transfer = self.getIf<Transfer>(); transfer && method.name == "wait") {
    arguments.checkNoMore();
    walker.transfers.wait(arguments.node, *transfer);
    return none();
  }
  if (const Block *block = self.getIf<Block>())
    if (std::optional<Value> result = callBlockMethod(*block, method.name, arguments))
      return *result;
  if (blockOperand(self))
    if (auto it = apiHandlers().find(method.name); it != apiHandlers().end()) {
      arguments.items.insert(arguments.items.begin(), {"", self, arguments.node});
      return it->second(walker, arguments);
    }
  walker.diagnostics.fail(arguments.node,
                          fmt::format("{} has no method {}()", describe(self), method.name));
}

std::optional<Value> Calls::callBlockMethod(const Block &block, const std::string &name,
                                            Arguments &arguments) {
  if (name == "push" || name == "pop") {
    arguments.checkNoMore();
    if (block.info->reserved != (name == "push"))
      walker.diagnostics.fail(arguments.node,
                              block.info->reserved
                                  ? "pop() on a block from reserve(): publish it with push()"
                                  : "push() on a block from wait(): free it with pop()",
                              {{"the block was acquired", block.info->acquired}});
    walker.blocks.release(arguments.node, block);
    return none();
  }
  if (name != "store")
    return std::nullopt;
  const Value &value = arguments.require(0, "expr").value;
  const Arguments::Item *acc = arguments.takeKeyword("acc");
  if (acc && !acc->value.is<Static>())
    walker.diagnostics.fail(acc->node, "acc= must be True or False, known at compile time; found " +
                                           describe(acc->value));
  arguments.checkNoMore();
  bool accumulate = acc && py::bool_(acc->value.getIf<Static>()->object);
  walker.blocks.store(arguments.node, block, value, accumulate);
  return none();
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
                            fmt::format("{}() has *args, **kwargs or keyword-only parameters, "
                                        "which functions called by kernel functions cannot have",
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
                            fmt::format("{}() is called more than {} levels deep: each call "
                                        "compiles a copy of the function; shorten the chain of "
                                        "calls, or write a loop",
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
