//===- Spread.cpp - `*items` and `**mapping` ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Spread.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"

#include <fmt/format.h>

namespace ttjit::frontend {

// Returns the entries of a dict; nothing if `value` is no dict.
static std::optional<DictEntries> entriesOf(Walker &walker, const Value &value) {
  DictEntries result;
  if (const Dict *dict = value.getIf<Dict>()) {
    for (auto [key, position] : dict->positions)
      result.emplace_back(py::reinterpret_borrow<py::object>(key),
                          dict->values[position.cast<size_t>()]);
    return result;
  }
  const Static *object = value.getIf<Static>();
  if (!object || !PyDict_Check(object->object.ptr()))
    return std::nullopt;
  walker.kernel.reads.attr("iterated"_py)(object->object);
  for (auto [key, item] : py::dict(object->object))
    result.emplace_back(py::reinterpret_borrow<py::object>(key),
                        Static{py::reinterpret_borrow<py::object>(item)});
  return result;
}

std::vector<Value> spread(Walker &walker, py::handle starred) {
  Value value = walker.evaluate(starred.attr("value"_py));
  std::optional<std::vector<Value>> items = value->items(walker);
  if (!items)
    walker.diagnostics.fail(starred, fmt::format("the value after '*' must be a sequence known at "
                                                 "compile time of at most {} items, found {}",
                                                 kMaxItems, describe(value)));
  return *items;
}

DictEntries spreadEntries(Walker &walker, py::handle mapping) {
  Value value = walker.evaluate(mapping);
  std::optional<DictEntries> result = entriesOf(walker, value);
  if (!result)
    walker.diagnostics.fail(mapping,
                            "the value after '**' must be a dict, found " + describe(value));
  return *result;
}

} // namespace ttjit::frontend
