//===- Parameters.cpp - binds the arguments of a call to parameters -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A call binds parameters as Python does: by position, by keyword, and by default value. `*args`
// gets a tuple of the remaining positional arguments, `**kwargs` a dict of the remaining keyword
// arguments.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"

#include <fmt/format.h>

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

static std::vector<std::string> namesOf(py::handle parameters) {
  std::vector<std::string> names;
  for (py::handle parameter : parameters)
    names.push_back(text(parameter.attr("arg"_py)));
  return names;
}

Function Calls::define(py::handle node, std::string name) {
  auto info = std::make_shared<FunctionInfo>();
  info->name = std::move(name);
  info->node = py::reinterpret_borrow<py::object>(node);
  info->function = py::none();
  info->file = walker.diagnostics.file();
  info->scope = walker.scopes.shared();
  py::object parameters = node.attr("args"_py);
  for (py::handle value : parameters.attr("defaults"_py))
    info->defaults.push_back(walker.evaluate(value));
  std::vector<std::string> keywords = namesOf(parameters.attr("kwonlyargs"_py));
  py::list values = parameters.attr("kw_defaults"_py);
  for (size_t i = 0; i < keywords.size(); ++i)
    if (!py::object(values[i]).is_none())
      info->keywordDefaults.emplace_back(keywords[i], walker.evaluate(values[i]));
  return Function{info};
}

// Adds the default values that a Python function object holds.
static void addDefaults(FunctionInfo &info) {
  py::object defaults = info.function.attr("__defaults__"_py);
  if (!defaults.is_none())
    for (py::handle value : defaults)
      info.defaults.push_back(Static{py::reinterpret_borrow<py::object>(value)});
  py::object keywords = info.function.attr("__kwdefaults__"_py);
  if (!keywords.is_none())
    for (auto [name, value] : py::dict(keywords))
      info.keywordDefaults.emplace_back(text(name),
                                        Static{py::reinterpret_borrow<py::object>(value)});
}

Function Calls::functionOf(py::handle node, py::object function) {
  auto it = functions.find(function.ptr());
  if (it != functions.end())
    return it->second;
  py::tuple found = pythonModule<"ttl._source">().attr("function_node"_py)(function);
  std::string name = text(function.attr("__name__"_py));
  if (found[1].is_none())
    walker.diagnostics.fail(
        node, fmt::format("this call inlines {}(), but its source is not available: Python "
                          "read it from {}:{}; define the function in a file that Python imports",
                          name, text(function.attr("__code__"_py).attr("co_filename"_py)),
                          text(function.attr("__code__"_py).attr("co_firstlineno"_py))));
  auto info = std::make_shared<FunctionInfo>();
  info->name = name;
  info->node = found[1];
  info->function = function;
  info->file = keepFile(found[0]);
  addDefaults(*info);
  return functions.emplace(function.ptr(), Function{info}).first->second;
}

//===--------------------------------------------------------------------------===//
// Binding
//===--------------------------------------------------------------------------===//

namespace {

// Binds the arguments of one call to the parameters of a function.
class Binding {
public:
  Binding(const FunctionInfo &info, Arguments &arguments, const Diagnostics &diagnostics,
          Scope &scope)
      : info(info), arguments(arguments), diagnostics(diagnostics), scope(scope),
        parameters(info.node.attr("args"_py)),
        positionalOnly(namesOf(parameters.attr("posonlyargs"_py))), positional(positionalOnly),
        keywordOnly(namesOf(parameters.attr("kwonlyargs"_py))) {
    for (std::string &name : namesOf(parameters.attr("args"_py)))
      positional.push_back(std::move(name));
  }

  void bind() {
    bindPositions();
    for (size_t i = positionalOnly.size(); i < positional.size(); ++i)
      bindKeyword(positional[i]);
    for (const std::string &name : keywordOnly)
      bindKeyword(name);
    bindRest();
    arguments.checkNoMore();
    bindDefaults();
  }

private:
  // Binds positional arguments. The remaining ones become the tuple `*args`.
  void bindPositions() {
    std::vector<Value> rest;
    bool takesRest = !parameters.attr("vararg"_py).is_none();
    size_t next = 0;
    for (Arguments::Item &item : arguments.items) {
      bool fits = item.keyword.empty() && (next < positional.size() || takesRest);
      if (!fits)
        continue;
      item.used = true;
      if (next < positional.size())
        assign(positional[next++], item.value);
      else
        rest.push_back(item.value);
    }
    if (takesRest)
      assign(text(parameters.attr("vararg"_py).attr("arg"_py)), makeTuple(std::move(rest)));
  }

  void bindKeyword(const std::string &name) {
    const Arguments::Item *item = arguments.takeKeyword(name);
    if (!item)
      return;
    if (scope.find(name))
      diagnostics.fail(item->node,
                       fmt::format("the call of {}() has several values for argument '{}'",
                                   arguments.function(), name));
    assign(name, item->value);
  }

  // Binds the remaining keyword arguments as the dict `**kwargs`.
  void bindRest() {
    if (parameters.attr("kwarg"_py).is_none())
      return;
    DictEntries rest;
    for (Arguments::Item &item : arguments.items) {
      if (item.used || item.keyword.empty())
        continue;
      item.used = true;
      rest.emplace_back(py::str(item.keyword), item.value);
    }
    assign(text(parameters.attr("kwarg"_py).attr("arg"_py)), makeDict(rest));
  }

  void bindDefaults() {
    size_t required = positional.size() - info.defaults.size();
    for (size_t i = 0; i < positional.size(); ++i)
      if (!scope.find(positional[i]))
        i < required ? failMissing(positional[i])
                     : assign(positional[i], info.defaults[i - required]);
    for (const auto &[name, value] : info.keywordDefaults)
      if (!scope.find(name))
        assign(name, value);
    for (const std::string &name : keywordOnly)
      if (!scope.find(name))
        failMissing(name);
  }

  void failMissing(const std::string &name) const {
    diagnostics.fail(arguments.node, fmt::format("the call of {}() lacks the argument '{}'",
                                                 arguments.function(), name));
  }

  void assign(const std::string &name, const Value &value) { scope.assign(name, value); }

  const FunctionInfo &info;
  Arguments &arguments;
  const Diagnostics &diagnostics;
  Scope &scope;
  py::object parameters; // the ast.arguments of the function
  std::vector<std::string> positionalOnly, positional, keywordOnly;
};

} // namespace

void Calls::bindParameters(const FunctionInfo &info, Arguments &arguments, Scope &scope) {
  Binding(info, arguments, walker.diagnostics, scope).bind();
}

} // namespace ttjit::frontend
