//===- SequenceCalls.cpp - Python's builtins of sequences ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// If all arguments are known at compile time, Python computes the call. The result is stored as a
// tuple, because the walk may walk a line several times and an iterator would be empty the second
// time.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Handlers.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/functions/Tables.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Advice.h"
#include "frontend/walk/values/Arguments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

namespace ttjit::frontend {

// Says what to write in place of a builtin that got a block or a number instead of a sequence.
static std::string adviceOnSequence(const std::string &builtin, const Value &value) {
  if (value.is<Scalar>())
    return builtin == "min" || builtin == "max" ? "; give it two numbers, or a tuple" : "";
  if (builtin == "sum")
    return "; ttl.math.reduce_sum() adds the elements of a block";
  if (builtin == "max")
    return "; ttl.math.reduce_max() finds the largest element of a block";
  return builtin == "len" ? "; its extents are block.shape" : "";
}

// Fails if a buffer is given in place of a sequence. Python would only say that it cannot iterate.
static void refuseBuffer(Walker &walker, const Arguments &arguments, const Arguments::Item &item) {
  const Static *object = item.value.getIf<Static>();
  if (object && py::isinstance(object->object, walker.kernel.bufferClass))
    walker.diagnostics.fail(
        item.node, fmt::format("the argument of {}() must be a sequence, found a buffer: a buffer "
                               "is a queue, and a thread gets its blocks one by one; write "
                               "'for _ in range(n): block = dfb.wait()', or reserve()",
                               arguments.function()));
}

static void refuseBuffers(Walker &walker, const Arguments &arguments) {
  for (const Arguments::Item &item : arguments.items)
    refuseBuffer(walker, arguments, item);
}

static std::vector<Value> itemsOf(Walker &walker, const Arguments &arguments,
                                  const Arguments::Item &item) {
  std::optional<std::vector<Value>> items = item.value->items(walker);
  const Value &value = item.value;
  refuseBuffer(walker, arguments, item);
  if (!items && (value.is<Block>() || value.is<BlockExpr>() || value.is<Scalar>()))
    walker.diagnostics.fail(item.node,
                            fmt::format("the argument of {}() must be a sequence, found {}{}",
                                        arguments.function(), describe(value),
                                        adviceOnSequence(arguments.function(), value)));
  if (!items)
    walker.diagnostics.failNeedsStatic(
        item.node, fmt::format("the argument of {}() must be a sequence known at compile time of "
                               "at most {} items, found {}",
                               arguments.function(), kMaxItems, describe(item.value)));
  return *items;
}

std::vector<Value> sequenceArgument(Walker &walker, Arguments &arguments, unsigned position) {
  return itemsOf(walker, arguments, arguments.require(position, "iterable"));
}

// Calls a builtin in Python and collects the items of the iterator that it returns in a tuple.
static Value exhaust(Walker &walker, Arguments &arguments, const char *name) {
  refuseBuffers(walker, arguments);
  Value iterator = callBuiltin(walker, arguments, name);
  return walker.staticEval.exhaust(arguments.node, iterator.getIf<Static>()->object);
}

// Returns the items of each positional argument; each must be a sequence.
static std::vector<std::vector<Value>> columnsOf(Walker &walker, Arguments &arguments,
                                                 size_t first) {
  std::vector<std::vector<Value>> columns;
  for (size_t i = first; i < arguments.items.size(); ++i) {
    Arguments::Item &item = arguments.items[i];
    if (!item.keyword.empty())
      continue;
    item.used = true;
    columns.push_back(itemsOf(walker, arguments, item));
  }
  return columns;
}

static size_t shortest(const std::vector<std::vector<Value>> &columns) {
  size_t length = columns.empty() ? 0 : columns.front().size();
  for (const auto &column : columns)
    length = std::min(length, column.size());
  return length;
}

static std::vector<Value> rowOf(const std::vector<std::vector<Value>> &columns, size_t i) {
  std::vector<Value> row;
  for (const auto &column : columns)
    row.push_back(column[i]);
  return row;
}

//===--------------------------------------------------------------------------===//
// Lengths, ranges and slices
//===--------------------------------------------------------------------------===//

static Value lenBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "len");
  std::vector<Value> items = sequenceArgument(walker, arguments, 0);
  arguments.checkNoMore();
  return Static{py::int_(items.size())};
}

// Returns the positional arguments of range() or slice() as start, stop and step.
static std::vector<Value> bounds(Walker &walker, Arguments &arguments) {
  std::vector<Value> bounds;
  for (Arguments::Item &item : arguments.items) {
    item.used = item.keyword.empty();
    bounds.push_back(item.value);
  }
  arguments.checkNoMore();
  if (bounds.empty() || bounds.size() > 3)
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{}() must get one to three arguments, found {}",
                                        arguments.function(), bounds.size()));
  return bounds;
}

[[noreturn]] static void failNoInteger(Walker &walker, const Arguments::Item &item) {
  walker.diagnostics.fail(item.node, "the arguments of range() must be integers, found " +
                                         describeNoInteger(item.value));
}

static Value rangeBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic()) {
    for (const Arguments::Item &item : arguments.items)
      if (!PyIndex_Check(item.value.getIf<Static>()->object.ptr()))
        failNoInteger(walker, item);
    return callBuiltin(walker, arguments, "range");
  }
  std::vector<Value> values = bounds(walker, arguments);
  for (size_t i = 0; i < values.size(); ++i) {
    mlir::Type type = walker.scalars.typeOf(values[i]);
    if (!type || type.isF32())
      failNoInteger(walker, arguments.items[i]);
  }
  if (values.size() == 1)
    values.insert(values.begin(), Static{py::int_(0)});
  if (values.size() == 2)
    values.push_back(Static{py::int_(1)});
  if (Scalars::staticInt(values[2]) == 0)
    walker.diagnostics.fail(arguments.node, "the step of a range must not be 0");
  return Range{std::make_shared<std::vector<Value>>(std::move(values))};
}

static Value sliceBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "slice");
  std::vector<Value> values = bounds(walker, arguments);
  if (values.size() == 1)
    values.insert(values.begin(), none());
  values.resize(3, none());
  return SliceObject{std::make_shared<std::vector<Value>>(std::move(values))};
}

//===--------------------------------------------------------------------------===//
// Iterators
//===--------------------------------------------------------------------------===//

static Value enumerateBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return exhaust(walker, arguments, "enumerate");
  std::vector<Value> items = sequenceArgument(walker, arguments, 0), pairs;
  const Arguments::Item *start = arguments.take(1, "start");
  arguments.checkNoMore();
  Value number = start ? start->value : Value(Static{py::int_(0)});
  for (Value &item : items) {
    pairs.push_back(makeTuple({number, item}));
    number = walker.scalars.binary(arguments.node, "Add", number, Static{py::int_(1)});
  }
  return makeTuple(std::move(pairs));
}

static Value zipBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return exhaust(walker, arguments, "zip");
  std::vector<std::vector<Value>> columns = columnsOf(walker, arguments, 0);
  const Arguments::Item *strict = arguments.takeKeyword("strict");
  arguments.checkNoMore();
  size_t length = shortest(columns);
  bool isStrict = strict && std::get<bool>(strict->value->truth(walker, strict->node));
  for (const auto &column : columns)
    if (isStrict && column.size() != length)
      walker.diagnostics.fail(arguments.node,
                              fmt::format("the sequences given to zip(strict=True) must have the "
                                          "same length, found {} and {} items",
                                          length, column.size()));
  std::vector<Value> rows;
  for (size_t i = 0; i < length; ++i)
    rows.push_back(makeTuple(rowOf(columns, i)));
  return makeTuple(std::move(rows));
}

static Value reversedBuiltin(Walker &walker, Arguments &arguments) {
  const Static *object = arguments.require(0, "sequence").value.getIf<Static>();
  if (object && PyRange_Check(object->object.ptr()))
    return walker.staticEval.run(arguments.node, [&] {
      return py::object(object->object[py::slice(std::nullopt, std::nullopt, -1)]);
    });
  if (object)
    return exhaust(walker, arguments, "reversed");
  std::vector<Value> items = sequenceArgument(walker, arguments, 0);
  arguments.checkNoMore();
  return makeTuple({items.rbegin(), items.rend()});
}

Value callWith(Walker &walker, const Arguments &outer, const Value &function,
               std::vector<Value> values) {
  Arguments inner(outer.node, walker.diagnostics);
  for (Value &value : values)
    inner.items.push_back({"", std::move(value), outer.node});
  return function->call(walker, inner);
}

static Value mapBuiltin(Walker &walker, Arguments &arguments) {
  Value function = arguments.require(0, "function").value;
  std::vector<std::vector<Value>> columns = columnsOf(walker, arguments, 1);
  arguments.checkNoMore();
  std::vector<Value> results;
  for (size_t i = 0; i < shortest(columns); ++i)
    results.push_back(callWith(walker, arguments, function, rowOf(columns, i)));
  return makeTuple(std::move(results));
}

static Value filterBuiltin(Walker &walker, Arguments &arguments) {
  Value function = arguments.require(0, "function").value;
  std::vector<Value> items = sequenceArgument(walker, arguments, 1), results;
  arguments.checkNoMore();
  for (const Value &item : items) {
    Value wanted = isNone(function) ? item : callWith(walker, arguments, function, {item});
    auto truth = wanted->truth(walker, arguments.node);
    if (!std::holds_alternative<bool>(truth))
      walker.diagnostics.fail(arguments.node, "the condition of filter() must be known at compile "
                                              "time, found " +
                                                  describe(wanted));
    if (std::get<bool>(truth))
      results.push_back(item);
  }
  return makeTuple(std::move(results));
}

// Handles any() and all(). Unlike with `and` and `or`, every item is evaluated already.
template <bool isAny> static Value quantifier(Walker &walker, Arguments &arguments) {
  std::vector<Value> items = sequenceArgument(walker, arguments, 0);
  arguments.checkNoMore();
  mlir::Value result;
  mlir::Location loc = walker.location(arguments.node);
  for (const Value &item : items) {
    auto truth = item->truth(walker, arguments.node);
    if (const bool *known = std::get_if<bool>(&truth)) {
      if (*known == isAny)
        return Static{py::bool_(isAny)};
      continue;
    }
    mlir::Value next = std::get<mlir::Value>(truth);
    if (!result)
      result = next;
    else if (isAny)
      result = mlir::arith::OrIOp::create(walker.builder, loc, result, next);
    else
      result = mlir::arith::AndIOp::create(walker.builder, loc, result, next);
  }
  return result ? Value(Scalar{result}) : Value(Static{py::bool_(!isAny)});
}

//===--------------------------------------------------------------------------===//
// Containers
//===--------------------------------------------------------------------------===//

template <bool isList> static Value tupleBuiltin(Walker &walker, Arguments &arguments) {
  refuseBuffers(walker, arguments);
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, isList ? "list" : "tuple");
  std::vector<Value> items = sequenceArgument(walker, arguments, 0);
  arguments.checkNoMore();
  return makeTuple(std::move(items), isList);
}

static Value dictBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "dict");
  DictEntries entries;
  if (const Arguments::Item *first = arguments.take(0, ""))
    for (const Value &pair : itemsOf(walker, arguments, *first)) {
      std::optional<std::vector<Value>> parts = pair->items(walker);
      const Static *key = parts && parts->size() == 2 ? (*parts)[0].getIf<Static>() : nullptr;
      if (!key)
        walker.diagnostics.fail(
            first->node,
            "dict() must get pairs of a key and a value, with keys known at compile time; found " +
                describe(pair));
      entries.emplace_back(key->object, (*parts)[1]);
    }
  for (Arguments::Item &item : arguments.items)
    if (!item.keyword.empty()) {
      item.used = true;
      entries.emplace_back(py::str(item.keyword), item.value);
    }
  arguments.checkNoMore();
  return makeDict(entries);
}

void addSequenceHandlers(HandlerTable &table) {
  const std::pair<const char *, Handler> handlers[] = {
      {"len", lenBuiltin},
      {"range", rangeBuiltin},
      {"slice", sliceBuiltin},
      {"enumerate", enumerateBuiltin},
      {"zip", zipBuiltin},
      {"reversed", reversedBuiltin},
      {"map", mapBuiltin},
      {"filter", filterBuiltin},
      {"any", quantifier<true>},
      {"all", quantifier<false>},
      {"tuple", tupleBuiltin<false>},
      {"list", tupleBuiltin<true>},
      {"dict", dictBuiltin},
  };
  for (const auto &[name, handler] : handlers)
    table[name] = handler;
}

} // namespace ttjit::frontend
