//===- Calls.cpp - evaluates calls in kernel functions ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Calls.h"

#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/calls/Handlers.h"
#include "frontend/walk/calls/Resources.h"
#include "frontend/walk/calls/Spread.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/syntax/SourceFile.h"
#include "frontend/walk/values/Arguments.h"

#include <fmt/format.h>

namespace ttjit::frontend {

static constexpr size_t kMaxInlineDepth = 64;
// The limit of levels after the error about too many levels. The walk goes on, and a function that
// calls itself twice would double the work at each level.
static constexpr size_t kMaxDepthAfterError = 2;

Calls::Calls(Walker &walker)
    : walker(walker), apiFunction(pythonModule<"ttl._api">().attr("Function"_py)) {}

//===--------------------------------------------------------------------------===//
// Callees and arguments
//===--------------------------------------------------------------------------===//

Value Calls::call(py::handle node) {
  py::object calleeNode = node.attr("func"_py);
  Value callee = walker.expressions.callee(calleeNode);
  Arguments arguments(node, walker.diagnostics);
  evaluateArguments(node, arguments);
  return callee->call(walker, arguments);
}

void Calls::evaluateArguments(py::handle node, Arguments &arguments) {
  for (py::handle argument : listOf(node, "args"_py)) {
    if (!isKind(argument, "Starred")) {
      arguments.items.push_back({"", walker.evaluate(argument), argument});
      continue;
    }
    for (const Value &value : spread(walker, argument))
      arguments.items.push_back({"", value, argument});
  }
  for (py::handle keyword : listOf(node, "keywords"_py)) {
    py::object name = keyword.attr("arg"_py), value = keyword.attr("value"_py);
    // The syntax tree keeps the object `value` alive.
    if (name.is_none())
      spreadKeywords(value, arguments);
    else
      arguments.items.push_back({text(name), walker.evaluate(value), value});
  }
  // An argument may have released blocks that arguments before it name.
  for (Arguments::Item &item : arguments.items)
    item.value = walker.held.named(item.node, item.value, /*isUsed=*/true);
}

// Adds the keyword arguments of `**mapping`.
void Calls::spreadKeywords(py::handle mapping, Arguments &arguments) {
  for (auto &[key, value] : spreadEntries(walker, mapping)) {
    if (!PyUnicode_Check(key.ptr()))
      walker.diagnostics.fail(mapping, "the keys of the dict after '**' must be strings, found " +
                                           describe(Static{key}));
    arguments.items.push_back({text(key), value, mapping});
  }
}

// Returns the handler of a Python builtin; null for every other object.
static Handler builtinHandler(const py::object &callee) {
  bool mayBeBuiltin = PyCFunction_Check(callee.ptr()) || PyType_Check(callee.ptr());
  if (!mayBeBuiltin)
    return nullptr;
  auto it = builtinHandlers().find(text(callee.attr("__name__"_py)));
  if (it == builtinHandlers().end())
    return nullptr;
  py::object builtin = pythonModule<"builtins">().attr(it->first().str().c_str());
  return builtin.is(callee) ? it->second : nullptr;
}

// Returns the handler of a function of Python's library; null for every other object.
static Handler libraryHandler(const py::object &callee) {
  if (!PyCFunction_Check(callee.ptr()))
    return nullptr;
  py::object module = py::getattr(callee, "__module__", py::none());
  if (module.is_none())
    return nullptr;
  auto it = libraryHandlers().find(text(module) + "." + text(callee.attr("__name__"_py)));
  return it == libraryHandlers().end() ? nullptr : it->second;
}

// Returns the package of a function. The kernels of ttl.ccl are programs, not part of ttl.
static std::string packageOf(py::handle function) {
  std::string module = text(py::getattr(function, "__module__", py::str("")));
  if (module.starts_with("ttl.ccl."))
    return "ttl.ccl";
  return module.substr(0, module.find('.'));
}

// Returns whether the callee is typing.cast. The module is slow to import, and whoever has the
// function has imported it.
static bool isTypingCast(const py::object &callee) {
  return PyFunction_Check(callee.ptr()) && text(callee.attr("__name__"_py)) == "cast" &&
         packageOf(callee) == "typing" && callee.is(pythonModule<"typing">().attr("cast"_py));
}

// Handles typing.cast(type, value): returns the value.
static Value castFunction(Arguments &arguments) {
  arguments.require(0, "typ");
  Value value = arguments.require(1, "val").value;
  arguments.checkNoMore();
  return value;
}

Value Calls::callStatic(py::object callee, Arguments &arguments) {
  if (py::isinstance(callee, apiFunction))
    return callApi(callee, arguments);
  if (std::optional<Value> result = callApiObject(walker, callee, arguments))
    return *result;
  if (isTypingCast(callee))
    return castFunction(arguments);
  if (walker.kind == ThreadKind::Unified && walker.resources.isMaker(callee))
    return walker.resources.make(callee, arguments);
  if (std::optional<Value> expanded = expandOperation(callee, arguments))
    return *expanded;
  refuseOperations(callee, arguments);
  refuseSemaphores(callee, arguments);
  refuseFiles(callee, arguments);
  if (Handler handler = builtinHandler(callee))
    return handler(walker, arguments);
  if (Handler handler = libraryHandler(callee); handler && !arguments.allStatic())
    return handler(walker, arguments);
  bool isPython = PyFunction_Check(callee.ptr());
  if (!isPython && !PyCFunction_Check(callee.ptr()))
    return callPython(callee, arguments);
  std::string package = packageOf(callee);
  if (package == "ttl")
    walker.diagnostics.fail(
        arguments.node,
        fmt::format(
            "{}() cannot be called inside kernel functions: call it in the operation's body",
            arguments.function()));
  if (!isPython || runsInPython(package))
    return callPython(callee, arguments);
  return inlineCall(functionOf(arguments.node, callee), arguments);
}

Value Calls::callApi(const py::object &function, Arguments &arguments) {
  auto it = apiHandlers().find(text(function.attr("key"_py)));
  if (it == apiHandlers().end())
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{}() is not supported yet", arguments.function()));
  return it->second(walker, arguments);
}

// Fails if a kernel function calls an operation: Python would launch that operation once, while
// this kernel is compiled.
void Calls::refuseOperations(const py::object &callee, const Arguments &arguments) const {
  py::object operation = pythonModule<"ttl._operation">().attr("Operation"_py);
  bool isMethod = PyMethod_Check(callee.ptr());
  py::object called =
      isMethod ? py::reinterpret_borrow<py::object>(PyMethod_GET_SELF(callee.ptr())) : callee;
  if (py::isinstance(called, operation))
    walker.diagnostics.fail(
        arguments.node,
        fmt::format("operation {}() cannot be called inside kernel function '{}', because an "
                    "operation runs on the whole grid: call it before or after this operation; "
                    "write code that kernel functions share as a plain function",
                    text(called.attr("__name__"_py)), walker.threadName));
}

// Fails if a kernel function makes a semaphore: other threads and nodes could not name it.
void Calls::refuseSemaphores(const py::object &callee, const Arguments &arguments) const {
  if (callee.is(pythonModule<"ttl._pipes">().attr("Semaphore"_py)))
    walker.diagnostics.fail(
        arguments.node,
        fmt::format("{}() cannot be called inside kernel function '{}', because all threads and "
                    "nodes must share a semaphore: make it in the operation's body",
                    arguments.function(), walker.threadName));
}

// Fails if a kernel function opens a file or reads input: Python would do so once, while this
// kernel is compiled.
void Calls::refuseFiles(const py::object &callee, const Arguments &arguments) const {
  for (py::handle builtin : {"open"_py, "input"_py})
    if (callee.is(py::object(pythonModule<"builtins">().attr(builtin))))
      walker.diagnostics.fail(
          arguments.node,
          fmt::format(
              "{0}() cannot be called inside kernel function '{1}': call it before or after "
              "the operation; print() shows values of a kernel",
              arguments.function(), walker.threadName));
}

// Returns whether functions of this Python package run in Python instead of being inlined: numpy,
// torch, ttnn and Python's own library.
bool Calls::runsInPython(const std::string &package) const {
  if (package == "numpy" || package == "torch" || package == "ttnn")
    return true;
  return package != "__main__" &&
         pythonModule<"sys">().attr("stdlib_module_names"_py).contains(package);
}

void Calls::failRunTime(const py::object &callee, const Arguments &arguments,
                        const Arguments::Item &item) const {
  py::object self = py::getattr(callee, "__self__", py::none());
  bool changesList = py::isinstance<py::list>(self);
  std::string name = py::str(py::getattr(callee, "__name__", py::str(""))).cast<std::string>();
  bool isOfBlocks = blockOperand(item.value) && apiHandlers().count(name);
  walker.diagnostics.failNeedsStatic(
      item.node, fmt::format("{}() runs in Python at compile time, so its arguments must be known "
                             "at compile time; found {}{}",
                             arguments.function(), describe(item.value),
                             changesList  ? "; make a new list instead, for example x = x + [value]"
                             : isOfBlocks ? "; use ttl.math." + name + "() for blocks"
                                          : ""));
}

Value Calls::callPython(const py::object &callee, Arguments &arguments) {
  if (!PyCallable_Check(callee.ptr()))
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{} is not a function: it is {}", arguments.function(),
                                        describe(Static{callee})));
  for (Arguments::Item &item : arguments.items) {
    if (const Function *function = item.value.getIf<Function>())
      item.value = Static{asPython(*function, item.node)};
    if (!item.value.is<Static>())
      failRunTime(callee, arguments, item);
  }
  try {
    return walker.staticEval.call(callee, arguments);
  } catch (const CompileFailure &) {
    if (std::optional<CompileFailure> inner = std::exchange(failure, std::nullopt))
      throw *inner;
    throw;
  }
}

// Wraps a function of the kernel so that Python code can call it, such as the key function of
// sorted(). Its result must be known at compile time. Errors are reported at `node`.
py::object Calls::asPython(const Function &function, py::handle node) {
  auto call = [this, function, node, alive = std::weak_ptr<bool>(alive)](py::args given) {
    if (alive.expired())
      throw std::runtime_error("this function can only be called while its kernel is compiled");
    Arguments arguments(node, function.info->name, walker.diagnostics);
    for (py::handle value : given)
      arguments.items.push_back({"", Static{py::reinterpret_borrow<py::object>(value)}, node});
    size_t scopeDepth = walker.scopes.depth(), fileDepth = walker.diagnostics.depth();
    try {
      Value result = inlineCall(function, arguments);
      if (const Static *object = result.getIf<Static>())
        return object->object;
      walker.diagnostics.fail(node, fmt::format("Python calls {}() at compile time, so its result "
                                                "must be known at compile time; found {}",
                                                function.info->name, describe(result)));
    } catch (const CompileFailure &inner) {
      walker.scopes.unwindTo(scopeDepth);
      walker.diagnostics.unwindTo(fileDepth);
      failure = inner;
      throw std::runtime_error(inner.what());
    }
  };
  return py::cpp_function(call, py::name("walked_function"));
}

Value Calls::callBufferMethod(unsigned buffer, const std::string &name, Arguments &arguments) {
  if (const Arguments::Item *kernel = arguments.takeKeyword("kernel"))
    walker.diagnostics.fail(
        kernel->node, fmt::format("{}() takes no kernel=: the thread follows from the uses of "
                                  "the block; give kernel= to push() or pop() of a block that "
                                  "nothing else uses",
                                  name));
  arguments.checkNoMore();
  if (name == "wait" || name == "reserve")
    return walker.blocks.acquire(arguments.node, buffer, name == "reserve");
  if (name == "publish") {
    walker.blocks.publish(arguments.node, buffer);
    return noneOf(name);
  }
  walker.blocks.releaseOldest(arguments.node, buffer, name == "push");
  return noneOf(name);
}

//===--------------------------------------------------------------------------===//
// Inlining
//===--------------------------------------------------------------------------===//

const SourceFile *Calls::keepFile(py::handle sourceFile) {
  std::unique_ptr<SourceFile> &file = files[sourceFile.ptr()];
  if (!file) {
    kept.push_back(py::reinterpret_borrow<py::object>(sourceFile));
    file =
        std::make_unique<SourceFile>(text(sourceFile.attr("name"_py)),
                                     sourceFile.attr("lines"_py).cast<std::vector<std::string>>());
  }
  return file.get();
}

Value Calls::inlineCall(const Function &function, Arguments &arguments) {
  const FunctionInfo &info = *function.info;
  if (isTooDeep && walker.scopes.depth() > kMaxDepthAfterError)
    walker.diagnostics.failQuietly(arguments.node);
  isTooDeep |= walker.scopes.depth() > kMaxInlineDepth;
  if (walker.scopes.depth() > kMaxInlineDepth)
    walker.diagnostics.fail(
        arguments.node,
        fmt::format("calls of {}() are nested more than {} levels deep, and each call compiles a "
                    "copy of the function: shorten the chain of calls, or write a loop",
                    info.name, kMaxInlineDepth));
  bool isLambda = isKind(info.node, "Lambda");
  py::object body = info.node.attr("body"_py);
  std::set<std::string> locals;
  if (!isLambda)
    locals = walker.scopes.assignedNames.ofBody(body);
  auto scope = std::make_shared<Scope>(info.scope, info.function, std::move(locals));
  bindParameters(info, arguments, *scope);
  // The location of the call has the scope of the caller.
  walker.diagnostics.enterFile(info.file, arguments.node);
  walker.scopes.enter(scope);
  Value result = isLambda ? walker.evaluate(body) : walker.walkFunction(info.node, py::list(body));
  walker.scopes.leave();
  walker.diagnostics.leaveFile();
  if (scope->ends.raises())
    walker.scopes.function().ends.kinds = PathEnds::Raises;
  return result;
}

} // namespace ttjit::frontend
