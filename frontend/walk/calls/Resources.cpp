//===- Resources.cpp - buffers, pipes and semaphores made during the walk -----===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Resources.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"

#include <fmt/format.h>

namespace ttjit::frontend {

Resources::Resources(Walker &walker) : walker(walker), module(pythonModule<"ttl._unified">()) {}

bool Resources::isMaker(py::handle callee) const {
  return module.attr("is_maker"_py)(callee).cast<bool>();
}

py::object Resources::call(const py::object &callee, Arguments &arguments) {
  py::list positional;
  py::dict keywords;
  for (Arguments::Item &item : arguments.items) {
    const Static *known = item.value.getIf<Static>();
    if (!known)
      walker.diagnostics.failNeedsStatic(
          item.node, fmt::format("{}() runs before the kernel, so its arguments must be known at "
                                 "compile time; found {}",
                                 arguments.function(), describe(item.value)));
    if (item.keyword.empty())
      positional.append(known->object);
    else
      keywords[item.keyword.c_str()] = known->object;
  }
  return module.attr("make"_py)(walker.kernel.call, callee, positional, keywords,
                                walker.diagnostics.position(arguments.node));
}

Value Resources::make(const py::object &callee, Arguments &arguments) {
  if (walker.builder.getInsertionBlock() != walker.body)
    walker.diagnostics.failNeedsStatic(
        arguments.node,
        fmt::format("{}() cannot be called inside a run-time condition or loop, because it runs "
                    "before the kernel: move the call before the condition or loop",
                    arguments.function()));
  py::object located = pythonModule<"ttl._errors">().attr("Located"_py);
  try {
    py::object resource = call(callee, arguments);
    if (py::isinstance(resource, walker.kernel.bufferClass))
      walker.kernel.addBuffer(resource);
    return Static{resource};
  } catch (py::error_already_set &error) {
    if (py::isinstance(error.value(), located))
      walker.diagnostics.fail(arguments.node, text(error.value().attr("message"_py)));
    walker.staticEval.report(arguments.node, error);
  }
}

void Resources::importNames(py::handle statement) {
  Value names = walker.staticEval.run(statement, [&] {
    return py::object(module.attr("imported"_py)(walker.kernel.call, statement));
  });
  for (py::handle found : py::list(names.getIf<Static>()->object)) {
    py::tuple entry = py::reinterpret_borrow<py::tuple>(found);
    walker.scopes.assign(text(entry[0]), Static{entry[1]});
  }
}

void Resources::rename(py::handle resource, std::string name) {
  auto [entry, isNew] = depths.try_emplace(resource.ptr(), walker.scopes.depth());
  if (!isNew && walker.scopes.depth() >= entry->second)
    return;
  entry->second = walker.scopes.depth();
  while (!taken.insert(name).second)
    name += "_";
  resource.attr("name"_py) = name;
  if (std::optional<unsigned> buffer = walker.kernel.findBuffer(resource))
    walker.kernel.renameBuffer(*buffer, name);
}

void Resources::name(const std::string &variable, const Value &value) {
  const Static *known = value.getIf<Static>();
  if (!known || walker.kind != ThreadKind::Unified)
    return;
  for (py::handle found : module.attr("resources_in"_py)(variable, known->object)) {
    py::tuple entry = py::reinterpret_borrow<py::tuple>(found);
    rename(entry[1], text(entry[0]));
  }
}

} // namespace ttjit::frontend
