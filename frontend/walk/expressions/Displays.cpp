//===- Displays.cpp - displays (tuples, lists, dicts, sets) and comprehensions ===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Resources.h"
#include "frontend/walk/calls/Spread.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/expressions/Expressions.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Advice.h"

#include <fmt/format.h>

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Making containers
//===--------------------------------------------------------------------------===//

Value Expressions::set(py::handle node, const std::vector<Value> &items) const {
  py::set objects;
  for (const Value &item : items) {
    const Static *object = item.getIf<Static>();
    if (!object)
      walker.diagnostics.failNeedsStatic(
          node, "the items of a set must be known at compile time, found " + describe(item) +
                    "; use a tuple instead");
    objects.add(object->object);
  }
  return Static{objects};
}

//===--------------------------------------------------------------------------===//
// Evaluating displays
//===--------------------------------------------------------------------------===//

// Evaluates the elements of a tuple, list or set display.
std::vector<Value> Expressions::elements(py::handle node) {
  std::vector<Value> items;
  for (py::handle element : listOf(node, "elts"_py)) {
    if (isKind(element, "Starred")) {
      std::vector<Value> spreadItems = spread(walker, element);
      items.insert(items.end(), spreadItems.begin(), spreadItems.end());
    } else {
      items.push_back(evaluate(element));
    }
  }
  return items;
}

Value Expressions::sequence(py::handle node) {
  std::vector<Value> items = elements(node);
  return isKind(node, "Set") ? set(node, items) : makeTuple(std::move(items), isKind(node, "List"));
}

py::object Expressions::key(py::handle node) {
  Value value = evaluate(node);
  const Static *object = value.getIf<Static>();
  if (!object)
    walker.diagnostics.failNeedsStatic(
        node, "a key of a dict must be known at compile time, found " + describe(value));
  return object->object;
}

Value Expressions::dictNode(py::handle node) {
  py::list keys = listOf(node, "keys"_py), values = listOf(node, "values"_py);
  DictEntries entries;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (py::object(keys[i]).is_none()) {
      DictEntries others = spreadEntries(walker, values[i]);
      entries.insert(entries.end(), others.begin(), others.end());
      continue;
    }
    py::object object = key(keys[i]);
    entries.emplace_back(object, evaluate(values[i]));
  }
  return makeDict(entries);
}

//===--------------------------------------------------------------------------===//
// Comprehensions
//===--------------------------------------------------------------------------===//

Value Expressions::comprehension(py::handle node) {
  std::vector<Value> results;
  comprehend(node, listOf(node, "generators"_py), 0,
             [&] { results.push_back(evaluate(node.attr("elt"_py))); });
  return isKind(node, "SetComp") ? set(node, results)
                                 : makeTuple(std::move(results), /*isList=*/true);
}

Value Expressions::dictComprehension(py::handle node) {
  DictEntries results;
  comprehend(node, listOf(node, "generators"_py), 0, [&] {
    py::object object = key(node.attr("key"_py));
    results.emplace_back(object, evaluate(node.attr("value"_py)));
  });
  return makeDict(results);
}

bool Expressions::isWanted(py::handle generator) {
  for (py::handle condition : listOf(generator, "ifs"_py)) {
    Value value = evaluate(condition);
    auto truth = walker.scalars.truth(condition, value);
    if (!std::holds_alternative<bool>(truth))
      walker.diagnostics.fail(condition, "the condition of a comprehension must be known at "
                                         "compile time, found " +
                                             describe(value));
    if (!std::get<bool>(truth))
      return false;
  }
  return true;
}

void Expressions::comprehend(py::handle node, py::list generators, size_t level,
                             llvm::function_ref<void()> addResult) {
  if (level == generators.size())
    return addResult();
  py::handle generator = generators[level];
  py::object iterable = generator.attr("iter"_py);
  Value sequence = evaluate(iterable);
  std::optional<std::vector<Value>> values = sequence->items(walker);
  if (!values)
    walker.diagnostics.failNeedsStatic(
        iterable, fmt::format("a comprehension can only run over a sequence known at compile time "
                              "of at most {} items, found {}{}",
                              kMaxItems, describe(sequence), adviceOnIteration(sequence)));
  auto scope = std::make_shared<Scope>(walker.scopes.shared(), py::none(), std::set<std::string>());
  scope->comprehension = walker.builder.getInsertionBlock();
  for (const Value &value : *values) {
    walker.scopes.enter(scope);
    walker.assign(generator.attr("target"_py), value);
    if (isWanted(generator))
      comprehend(node, generators, level + 1, addResult);
    walker.scopes.leave();
  }
}

// Evaluates `name := value`. Inside a comprehension, it binds a variable of the function around it.
// A branch inside the comprehension does not join that function's variables, so a run-time
// condition there is refused.
Value Expressions::namedExpr(py::handle node) {
  Value value = evaluate(node.attr("value"_py));
  Scope &scope = walker.scopes.function(), &current = walker.scopes.current();
  if (&scope != &current && walker.builder.getInsertionBlock() != current.comprehension)
    walker.diagnostics.fail(node, "':=' under a run-time condition inside a comprehension is not "
                                  "supported: write a loop");
  walker.resources.name(nameOf(node.attr("target"_py)), value);
  scope.assign(nameOf(node.attr("target"_py)), value);
  return value;
}

} // namespace ttjit::frontend
