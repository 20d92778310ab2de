//===- SequenceValues.cpp - tuples, ranges and slices with run-time parts -----===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"

#include <fmt/format.h>

namespace ttjit::frontend {

// Returns `kind` as a T, one of the kinds in this file. A Python object with parts is first
// converted to such a kind; `holder` keeps the converted value.
template <typename T> static const T *as(const ValueKind &kind, std::optional<Value> &holder) {
  if (auto *known = dynamic_cast<const Static *>(&kind))
    holder = known->asRunTime();
  return holder ? holder->getIf<T>() : dynamic_cast<const T *>(&kind);
}

//===--------------------------------------------------------------------------===//
// Tuples and lists
//===--------------------------------------------------------------------------===//

std::variant<bool, mlir::Value> Tuple::truth(Walker &, py::handle) const {
  return !elements.empty();
}

Value Tuple::withParts(std::vector<Value> parts) const {
  return makeTuple(std::move(parts), isList);
}

bool Tuple::isLike(const ValueKind &other) const {
  std::optional<Value> holder;
  auto *tuple = as<Tuple>(other, holder);
  return tuple && tuple->isList == isList && tuple->elements.size() == elements.size();
}

Value Tuple::subscript(Walker &walker, py::handle node, const Value &index) const {
  const Static *at = index.getIf<Static>();
  if (!at)
    walker.diagnostics.failNeedsStatic(
        node, "the index into a tuple or list must be known at compile time, found " +
                  frontend::describe(index) +
                  "; iterate over the items instead, or over ttl.static_range()");
  // Python computes which positions the index or slice selects.
  py::list numbers;
  for (size_t i = 0; i < elements.size(); ++i)
    numbers.append(i);
  Value picked =
      walker.staticEval.run(node, [&] { return py::object(py::object(numbers)[at->object]); });
  if (std::optional<int64_t> position = Scalars::staticInt(picked))
    return elements[*position];
  std::vector<Value> result;
  for (py::handle position : picked.getIf<Static>()->object)
    result.push_back(elements[position.cast<size_t>()]);
  return makeTuple(std::move(result), isList);
}

//===--------------------------------------------------------------------------===//
// Dicts
//===--------------------------------------------------------------------------===//

std::optional<std::vector<Value>> Dict::items(Walker &) const {
  std::vector<Value> keys;
  for (auto [key, position] : positions)
    keys.push_back(Static{py::reinterpret_borrow<py::object>(key)});
  return keys;
}

std::variant<bool, mlir::Value> Dict::truth(Walker &, py::handle) const { return !values.empty(); }

Value Dict::withParts(std::vector<Value> parts) const {
  DictEntries entries;
  for (auto [key, position] : positions)
    entries.emplace_back(py::reinterpret_borrow<py::object>(key), parts[position.cast<size_t>()]);
  return makeDict(entries);
}

bool Dict::isLike(const ValueKind &other) const {
  std::optional<Value> holder;
  auto *dict = as<Dict>(other, holder);
  return dict && py::list(dict->positions).equal(py::list(positions));
}

Value Dict::subscript(Walker &walker, py::handle node, const Value &index) const {
  const Static *key = index.getIf<Static>();
  if (!key)
    walker.diagnostics.failNeedsStatic(node,
                                       "the key of a dict must be known at compile time, found " +
                                           frontend::describe(index));
  Value position =
      walker.staticEval.run(node, [&] { return py::object(py::object(positions)[key->object]); });
  return values[*Scalars::staticInt(position)];
}

static Value getOfDict(Walker &walker, const Dict &dict, Arguments &arguments) {
  const Arguments::Item &key = arguments.require(0, "key");
  const Arguments::Item *otherwise = arguments.take(1, "default");
  arguments.checkNoMore();
  const Static *object = key.value.getIf<Static>();
  if (object && !dict.positions.contains(object->object))
    return otherwise ? otherwise->value : none();
  return dict.subscript(walker, arguments.node, key.value);
}

Value Dict::callMethod(Walker &walker, const Value &self, const std::string &name,
                       Arguments &arguments) const {
  if (name == "get")
    return getOfDict(walker, *this, arguments);
  if (name != "keys" && name != "values" && name != "items")
    return ValueKind::callMethod(walker, self, name, arguments);
  arguments.checkNoMore();
  std::vector<Value> keys = *items(walker), result;
  for (size_t i = 0; i < keys.size(); ++i)
    result.push_back(name == "keys"     ? keys[i]
                     : name == "values" ? values[i]
                                        : makeTuple({keys[i], values[i]}));
  return makeTuple(std::move(result));
}

//===--------------------------------------------------------------------------===//
// Ranges and slices
//===--------------------------------------------------------------------------===//

static PyObject *objectOf(const Value &value) { return value.getIf<Static>()->object.ptr(); }

// The step is not a carried part, because it decides in which direction a loop over the range
// counts.
std::vector<Value> Range::parts() const { return {(*bounds)[0], (*bounds)[1]}; }

Value Range::withParts(std::vector<Value> parts) const {
  parts.push_back((*bounds)[2]);
  return Range{std::make_shared<std::vector<Value>>(std::move(parts))};
}

bool Range::isLike(const ValueKind &other) const {
  std::optional<Value> holder;
  auto *range = as<Range>(other, holder);
  std::optional<int64_t> step = Scalars::staticInt((*bounds)[2]);
  return range && step && step == Scalars::staticInt((*range->bounds)[2]);
}

Value SliceObject::attribute(Walker &walker, py::handle node, const Value &self,
                             const std::string &name) const {
  static constexpr std::string_view names[] = {"start", "stop", "step"};
  auto *it = llvm::find(names, name);
  return it == std::end(names) ? ValueKind::attribute(walker, node, self, name)
                               : (*bounds)[it - names];
}

Value SliceObject::withParts(std::vector<Value> parts) const {
  if (!areStatic(parts))
    return SliceObject{std::make_shared<std::vector<Value>>(std::move(parts))};
  return Static{py::reinterpret_steal<py::object>(
      PySlice_New(objectOf(parts[0]), objectOf(parts[1]), objectOf(parts[2])))};
}

bool SliceObject::isLike(const ValueKind &other) const {
  std::optional<Value> holder;
  return as<SliceObject>(other, holder) != nullptr;
}

} // namespace ttjit::frontend
