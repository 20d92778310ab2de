//===- BuiltinCalls.cpp - Python's builtins in kernels ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A builtin without a handler in this file runs in Python; its arguments must be known at compile
// time.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/BlockMath.h"
#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/calls/Handlers.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/expressions/Expressions.h"
#include "frontend/walk/functions/Printing.h"
#include "frontend/walk/functions/Tables.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"
#include "hw/facts/TileOps.h"

#include <fmt/format.h>

namespace ttjit::frontend {

Value callBuiltin(Walker &walker, Arguments &arguments, const char *name) {
  return walker.calls.callPython(pythonModule<"builtins">().attr(name), arguments);
}

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

// Fails if int() or float() gets a block.
static void refuseBlock(Walker &walker, const Arguments &arguments, const Arguments::Item &item) {
  if (blockOperand(item.value))
    walker.diagnostics.fail(
        item.node, fmt::format("the argument of {}() must be a number, found {}; ttl.typecast(x, "
                               "dtype) converts the elements of a block",
                               arguments.function(), describe(item.value)));
}

static Value intBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "int");
  const Arguments::Item &item = arguments.require(0, "x");
  arguments.checkNoMore();
  refuseBlock(walker, arguments, item);
  const Scalar *scalar = item.value.getIf<Scalar>();
  if (!scalar)
    walker.diagnostics.fail(item.node, "the argument of int() must be a number, found " +
                                           describe(item.value));
  return Scalar{walker.scalars.truncate(arguments.node, scalar->value)};
}

static Value floatBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "float");
  const Arguments::Item &item = arguments.require(0, "x");
  arguments.checkNoMore();
  refuseBlock(walker, arguments, item);
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
    return walker.blockMath.elementwise(arguments.node, hw::TileOp::Abs, {item.value});
  return walker.scalars.absolute(arguments.node, item.value);
}

template <bool isMin> static Value minMaxBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allKnown())
    return callBuiltin(walker, arguments, isMin ? "min" : "max");
  std::vector<Value> values;
  if (arguments.items.size() == 1) {
    values = sequenceArgument(walker, arguments, 0);
  } else {
    for (Arguments::Item &item : arguments.items) {
      item.used = item.keyword.empty();
      values.push_back(item.value);
    }
  }
  arguments.checkNoMore();
  if (values.empty())
    walker.diagnostics.fail(arguments.node,
                            fmt::format("{}() needs at least one argument", arguments.function()));
  Value result = values.front();
  for (size_t i = 1; i < values.size(); ++i) {
    if (blockOperand(result) || blockOperand(values[i]))
      result = walker.blockMath.elementwise(
          arguments.node, isMin ? hw::TileOp::Min : hw::TileOp::Max, {result, values[i]});
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
  for (const Value &value : sequenceArgument(walker, arguments, 0)) {
    bool isFirst = Scalars::staticInt(result) == 0 && blockOperand(value);
    result = isFirst ? value : walker.expressions.binary(arguments.node, "Add", result, value);
  }
  arguments.checkNoMore();
  return result;
}

static Value divmodBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "divmod");
  Value a = arguments.require(0, "a").value, b = arguments.require(1, "b").value;
  arguments.checkNoMore();
  Value quotient = walker.expressions.binary(arguments.node, "FloorDiv", a, b);
  return makeTuple({quotient, walker.expressions.binary(arguments.node, "Mod", a, b)});
}

static Value powBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "pow");
  Value base = arguments.require(0, "base").value, exponent = arguments.require(1, "exp").value;
  arguments.checkNoMore();
  return walker.expressions.binary(arguments.node, "Pow", base, exponent);
}

//===--------------------------------------------------------------------------===//
// Types and attributes
//===--------------------------------------------------------------------------===//

// Returns a Python object of the same Python type as `value`; null if there is none.
static py::object sampleOf(const Value &value) {
  if (const Scalar *scalar = value.getIf<Scalar>()) {
    mlir::Type type = scalar->value.getType();
    return type.isF32()        ? py::object(py::float_(0.0))
           : type.isInteger(1) ? py::object(py::bool_(false))
                               : py::object(py::int_(0));
  }
  if (const Tuple *tuple = value.getIf<Tuple>())
    return tuple->isList ? py::object(py::list()) : py::object(py::tuple());
  if (value.is<Dict>())
    return py::dict();
  if (value.is<Range>())
    return pythonModule<"builtins">().attr("range"_py)(0);
  if (value.is<SliceObject>())
    return py::slice(0, 0, 1);
  if (value.is<Function>())
    return py::cpp_function([] {});
  if (value.is<Text>())
    return py::str();
  return {};
}

static Value isinstanceBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "isinstance");
  const Value &value = arguments.require(0, "object").value;
  const Static *type = arguments.require(1, "type").value.getIf<Static>();
  arguments.checkNoMore();
  py::object sample = sampleOf(value);
  return Static{py::bool_(sample && type && py::isinstance(sample, type->object))};
}

// Returns the attribute's name that getattr() or hasattr() gets as its second argument.
static std::string attributeName(Walker &walker, Arguments &arguments) {
  const Arguments::Item &item = arguments.require(1, "name");
  const Static *name = item.value.getIf<Static>();
  if (!name || !PyUnicode_Check(name->object.ptr()))
    walker.diagnostics.fail(
        item.node, "the name of an attribute must be a string known at compile time, found " +
                       describe(item.value));
  return text(name->object);
}

// Returns `object.name`; nothing if the object has no such attribute.
static std::optional<Value> attributeOf(Walker &walker, py::handle node, const Value &object,
                                        const std::string &name) {
  try {
    Value found = object->attribute(walker, node, object, name);
    const Method *method = found.getIf<Method>();
    if (!method || hasMethod(object, name))
      return found;
  } catch (const CompileFailure &) {
  }
  return std::nullopt;
}

static Value getattrBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "getattr");
  const Value &object = arguments.require(0, "object").value;
  std::string name = attributeName(walker, arguments);
  const Arguments::Item *otherwise = arguments.take(2, "default");
  arguments.checkNoMore();
  if (std::optional<Value> found = attributeOf(walker, arguments.node, object, name))
    return *found;
  if (otherwise)
    return otherwise->value;
  walker.diagnostics.fail(arguments.node,
                          fmt::format("{} has no attribute '{}'", describe(object), name));
}

static Value hasattrBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "hasattr");
  const Value &object = arguments.require(0, "object").value;
  std::string name = attributeName(walker, arguments);
  arguments.checkNoMore();
  if (py::object sample = sampleOf(object))
    return Static{py::bool_(py::hasattr(sample, name.c_str()))};
  return Static{py::bool_(attributeOf(walker, arguments.node, object, name).has_value())};
}

static Value callableBuiltin(Walker &walker, Arguments &arguments) {
  if (arguments.allStatic())
    return callBuiltin(walker, arguments, "callable");
  const Value &value = arguments.require(0, "object").value;
  arguments.checkNoMore();
  return Static{py::bool_(value.is<Function>() || value.is<Method>())};
}

static HandlerTable numberHandlers() {
  return {
      {"int", intBuiltin},           {"float", floatBuiltin},
      {"bool", boolBuiltin},         {"abs", absBuiltin},
      {"min", minMaxBuiltin<true>},  {"max", minMaxBuiltin<false>},
      {"sum", sumBuiltin},           {"divmod", divmodBuiltin},
      {"pow", powBuiltin},           {"isinstance", isinstanceBuiltin},
      {"getattr", getattrBuiltin},   {"hasattr", hasattrBuiltin},
      {"callable", callableBuiltin}, {"print", printBuiltin},
      {"str", strBuiltin},
  };
}

const HandlerTable &builtinHandlers() {
  static const HandlerTable table = [] {
    HandlerTable result = numberHandlers();
    addSequenceHandlers(result);
    return result;
  }();
  return table;
}

} // namespace ttjit::frontend
