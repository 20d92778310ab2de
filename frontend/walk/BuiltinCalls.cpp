//===- BuiltinCalls.cpp - Python's builtins in kernels -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Builtins that are not here run in Python, on arguments known at compile time.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Calls.h"

#include "frontend/walk/Ast.h"
#include "frontend/walk/Printing.h"
#include "frontend/walk/Walker.h"
#include "hw/facts/TileOps.h"

#include <fmt/format.h>

namespace ttjit::frontend {

// Calls the builtin itself; all arguments are Static.
static Value callBuiltin(Walker &walker, Arguments &arguments, const char *name) {
  return walker.staticEval.call(py::module_::import("builtins").attr(name), arguments);
}

static std::vector<Value> sequence(Walker &walker, Arguments &arguments, unsigned position) {
  const Arguments::Item &item = arguments.require(position, "iterable");
  std::optional<std::vector<Value>> items = walker.expressions.items(item.value);
  if (!items)
    walker.diagnostics.failNeedsStatic(
        item.node, fmt::format("{}() takes a sequence known at compile time, of at most {} "
                               "items, found {}",
                               arguments.function, Expressions::kMaxItems, describe(item.value)));
  return *items;
}

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

static Value intBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "int");
  const Arguments::Item &item = arguments.require(0, "x");
  arguments.checkNoMore();
  const Scalar *scalar = item.value.getIf<Scalar>();
  if (!scalar)
    walker.diagnostics.fail(item.node, "int() takes a number, found " + describe(item.value));
  return Scalar{walker.scalars.truncate(arguments.node, scalar->value)};
}

static Value floatBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "float");
  const Arguments::Item &item = arguments.require(0, "x");
  arguments.checkNoMore();
  return Scalar{walker.scalars.asF32(item.node, item.value)};
}

static Value boolBuiltin(Walker &walker, Arguments &arguments) {
  const Arguments::Item &item = arguments.require(0, "x");
  arguments.checkNoMore();
  auto truth = walker.scalars.truth(item.node, item.value);
  if (const bool *known = std::get_if<bool>(&truth))
    return Static{py::bool_(*known)};
  return Scalar{std::get<mlir::Value>(truth)};
}

static Value absBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "abs");
  const Arguments::Item &item = arguments.require(0, "x");
  arguments.checkNoMore();
  if (blockOperand(item.value))
    return walker.blocks.elementwise(arguments.node, hw::TileOp::Abs, {item.value});
  return walker.scalars.absolute(arguments.node, item.value);
}

template <bool isMin> static Value minMaxBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, isMin ? "min" : "max");
  std::vector<Value> values;
  if (arguments.items.size() == 1) {
    values = sequence(walker, arguments, 0);
  } else {
    for (Arguments::Item &item : arguments.items) {
      item.used = item.keyword.empty();
      values.push_back(item.value);
    }
  }
  arguments.checkNoMore();
  if (values.empty())
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{}() needs at least one argument", arguments.function));
  Value result = values.front();
  for (size_t i = 1; i < values.size(); ++i) {
    if (blockOperand(result) || blockOperand(values[i]))
      result = walker.blocks.elementwise(arguments.node, isMin ? hw::TileOp::Min : hw::TileOp::Max,
                                         {result, values[i]});
    else
      result = walker.scalars.minMax(arguments.node, isMin, result, values[i]);
  }
  return result;
}

static Value sumBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "sum");
  const Arguments::Item *start = arguments.take(1, "start");
  Value result = start ? start->value : Value(Static{py::int_(0)});
  for (const Value &value : sequence(walker, arguments, 0)) {
    bool isFirst = Scalars::staticInt(result) == 0 && blockOperand(value);
    result = isFirst ? value : walker.expressions.binary(arguments.node, "Add", result, value);
  }
  arguments.checkNoMore();
  return result;
}

//===--------------------------------------------------------------------------===//
// Sequences
//===--------------------------------------------------------------------------===//

static Value lenBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "len");
  std::vector<Value> items = sequence(walker, arguments, 0);
  arguments.checkNoMore();
  return Static{py::int_(items.size())};
}

// Positional arguments of range() and slice().
static std::vector<Value> bounds(Walker &walker, Arguments &arguments) {
  std::vector<Value> bounds;
  for (Arguments::Item &item : arguments.items) {
    item.used = item.keyword.empty();
    bounds.push_back(item.value);
  }
  arguments.checkNoMore();
  if (bounds.empty() || bounds.size() > 3)
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{}() takes one to three arguments, found {}",
                                        arguments.function, bounds.size()));
  return bounds;
}

static Value rangeBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "range");
  std::vector<Value> values = bounds(walker, arguments);
  for (size_t i = 0; i < values.size(); ++i) {
    mlir::Type type = walker.scalars.typeOf(values[i]);
    if (!type || type.isF32())
      walker.diagnostics.fail(arguments.items[i].node,
                              "range() takes integers, found " + describe(values[i]));
  }
  if (values.size() == 1)
    values.insert(values.begin(), Static{py::int_(0)});
  if (values.size() == 2)
    values.push_back(Static{py::int_(1)});
  if (Scalars::staticInt(values[2]) == 0)
    walker.diagnostics.fail(arguments.node, "the step of a range is not 0");
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

static Value enumerateBuiltin(Walker &walker, Arguments &arguments) {
  std::vector<Value> items = sequence(walker, arguments, 0), pairs;
  const Arguments::Item *start = arguments.take(1, "start");
  arguments.checkNoMore();
  Value number = start ? start->value : Value(Static{py::int_(0)});
  for (Value &item : items) {
    pairs.push_back(Expressions::tuple({number, item}));
    number = walker.scalars.binary(arguments.node, "Add", number, Static{py::int_(1)});
  }
  return Expressions::tuple(std::move(pairs));
}

static Value zipBuiltin(Walker &walker, Arguments &arguments) {
  std::vector<std::vector<Value>> columns;
  for (size_t i = 0; i < arguments.items.size(); ++i)
    columns.push_back(sequence(walker, arguments, i));
  size_t length = columns.empty() ? 0 : columns.front().size();
  for (const auto &column : columns)
    length = std::min(length, column.size());
  arguments.checkNoMore();
  std::vector<Value> rows;
  for (size_t i = 0; i < length; ++i) {
    std::vector<Value> row;
    for (const auto &column : columns)
      row.push_back(column[i]);
    rows.push_back(Expressions::tuple(std::move(row)));
  }
  return Expressions::tuple(std::move(rows));
}

static Value reversedBuiltin(Walker &walker, Arguments &arguments) {
  const Static *object = arguments.require(0, "sequence").value.getIf<Static>();
  if (object && PyRange_Check(object->object.ptr()))
    return walker.staticEval.run(arguments.node, [&] {
      return py::object(object->object[py::slice(std::nullopt, std::nullopt, -1)]);
    });
  std::vector<Value> items = sequence(walker, arguments, 0);
  arguments.checkNoMore();
  return Expressions::tuple({items.rbegin(), items.rend()});
}

template <bool isList> static Value tupleBuiltin(Walker &walker, Arguments &arguments) {
  std::vector<Value> items;
  if (!arguments.items.empty())
    items = sequence(walker, arguments, 0);
  arguments.checkNoMore();
  return Expressions::tuple(std::move(items), isList);
}

//===--------------------------------------------------------------------------===//
// Others
//===--------------------------------------------------------------------------===//

static Value isinstanceBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "isinstance");
  const Value &value = arguments.require(0, "object").value;
  const Static *type = arguments.require(1, "type").value.getIf<Static>();
  arguments.checkNoMore();
  const Scalar *scalar = value.getIf<Scalar>();
  if (!scalar || !type)
    return Static{py::bool_(false)};
  py::object sample = scalar->value.getType().isF32()        ? py::object(py::float_(0.0))
                      : scalar->value.getType().isInteger(1) ? py::object(py::bool_(false))
                                                             : py::object(py::int_(0));
  return Static{py::bool_(py::isinstance(sample, type->object))};
}

const HandlerTable &builtinHandlers() {
  static const HandlerTable table = {
      {"int", intBuiltin},
      {"float", floatBuiltin},
      {"bool", boolBuiltin},
      {"abs", absBuiltin},
      {"min", minMaxBuiltin<true>},
      {"max", minMaxBuiltin<false>},
      {"sum", sumBuiltin},
      {"len", lenBuiltin},
      {"range", rangeBuiltin},
      {"slice", sliceBuiltin},
      {"enumerate", enumerateBuiltin},
      {"zip", zipBuiltin},
      {"reversed", reversedBuiltin},
      {"tuple", tupleBuiltin<false>},
      {"list", tupleBuiltin<true>},
      {"isinstance", isinstanceBuiltin},
      {"print", printBuiltin},
      {"str", strBuiltin},
  };
  return table;
}

} // namespace ttjit::frontend
