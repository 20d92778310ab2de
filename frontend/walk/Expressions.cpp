//===- Expressions.cpp - evaluating expressions --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Expressions.h"

#include "frontend/walk/Ast.h"
#include "frontend/walk/Printing.h"
#include "frontend/walk/Walker.h"

#include "llvm/ADT/StringMap.h"

#include <fmt/format.h>

namespace ttjit::frontend {

Value Expressions::evaluate(py::handle node) {
  walker.staticEval.countStep(node);
  walker.checkStack(node);
  try {
    return evaluateKind(node);
  } catch (py::error_already_set &error) {
    walker.staticEval.report(node, error);
  }
}

Value Expressions::evaluateKind(py::handle node) {
  using Method = Value (Expressions::*)(py::handle);
  static const llvm::StringMap<Method> handlers = {
      {"Constant", &Expressions::constant},
      {"Name", &Expressions::name},
      {"BinOp", &Expressions::binOp},
      {"UnaryOp", &Expressions::unaryOp},
      {"BoolOp", &Expressions::boolOp},
      {"Compare", &Expressions::compare},
      {"IfExp", &Expressions::ifExp},
      {"Call", &Expressions::call},
      {"Attribute", &Expressions::attributeNode},
      {"Subscript", &Expressions::subscript},
      {"Tuple", &Expressions::sequence},
      {"List", &Expressions::sequence},
      {"Slice", &Expressions::slice},
      {"Lambda", &Expressions::lambda},
      {"ListComp", &Expressions::comprehension},
      {"GeneratorExp", &Expressions::comprehension},
      {"JoinedStr", &Expressions::joinedStr},
  };
  auto it = handlers.find(kindOf(node));
  if (it == handlers.end())
    unsupported(node);
  return (this->*it->second)(node);
}

void Expressions::unsupported(py::handle node) const {
  struct Construct {
    const char *name, *advice;
  };
  static constexpr Construct dict = {"a dict display", "make the dict in the operation's body"};
  static constexpr Construct set = {"a set display", "make the set in the operation's body"};
  static constexpr Construct generator = {"'yield'", "a kernel function is no generator"};
  static const llvm::StringMap<Construct> constructs = {
      {"NamedExpr", {"':='", "assign in a statement of its own"}},
      {"Dict", dict},
      {"DictComp", dict},
      {"Set", set},
      {"SetComp", set},
      {"Yield", generator},
      {"YieldFrom", generator},
      {"Await", {"'await'", "calls of kernel functions do not need it"}},
      {"Starred", {"'*' here", "it spreads a sequence in calls, tuples and lists"}},
      {"TemplateStr", {"a template string", "write an f-string"}},
  };
  auto it = constructs.find(kindOf(node));
  Construct found = it != constructs.end() ? it->second
                                           : Construct{"this kind of expression",
                                                       "compute it in the operation's body"};
  walker.diagnostics.fail(
      node, fmt::format("{} is not supported in kernel functions: {}", found.name, found.advice));
}

Value Expressions::constant(py::handle node) { return Static{node.attr("value")}; }

Value Expressions::name(py::handle node) { return walker.scopes.lookup(node); }

//===--------------------------------------------------------------------------===//
// Operators
//===--------------------------------------------------------------------------===//

Value Expressions::binary(py::handle node, std::string_view op, const Value &lhs,
                          const Value &rhs) {
  if (blockOperand(lhs) || blockOperand(rhs))
    return walker.blocks.binary(node, op, lhs, rhs);
  auto left = items(lhs), right = items(rhs);
  if (op == "Add" && left && right && !(lhs.is<Static>() && rhs.is<Static>())) {
    left->insert(left->end(), right->begin(), right->end());
    return tuple(std::move(*left));
  }
  return walker.scalars.binary(node, op, lhs, rhs);
}

Value Expressions::binOp(py::handle node) {
  Value lhs = evaluate(node.attr("left"));
  Value rhs = evaluate(node.attr("right"));
  return binary(node, kindOf(node.attr("op")), lhs, rhs);
}

Value Expressions::unaryOp(py::handle node) {
  std::string_view op = kindOf(node.attr("op"));
  Value operand = evaluate(node.attr("operand"));
  if (op != "Not")
    return blockOperand(operand) ? walker.blocks.unary(node, op, operand)
                                 : walker.scalars.unary(node, op, operand);
  auto truth = walker.scalars.truth(node, operand);
  if (const bool *known = std::get_if<bool>(&truth))
    return Static{py::bool_(!*known)};
  return walker.scalars.compare(node, "Eq", Scalar{std::get<mlir::Value>(truth)},
                                Static{py::bool_(false)});
}

Value Expressions::boolOp(py::handle node) {
  return boolOp(node, listOf(node, "values"), 0, isKind(node.attr("op"), "And"));
}

// `a and b and c` is `a and (b and c)`: an operand is evaluated only if those before it
// do not decide.
Value Expressions::boolOp(py::handle node, py::list values, size_t first, bool isAnd) {
  Value value = evaluate(values[first]);
  if (first + 1 == values.size())
    return value;
  auto rest = [&] { return boolOp(node, values, first + 1, isAnd); };
  auto truth = walker.scalars.truth(values[first], value);
  if (const bool *known = std::get_if<bool>(&truth))
    return *known == isAnd ? rest() : value;
  auto same = [&] { return value; };
  mlir::Value condition = std::get<mlir::Value>(truth);
  return isAnd ? walker.controlFlow.choose(node, condition, rest, same)
               : walker.controlFlow.choose(node, condition, same, rest);
}

/// One of two values that are evaluated already.
static Value either(Walker &walker, py::handle node, const Value &condition, const Value &yes,
                    const Value &no) {
  auto truth = walker.scalars.truth(node, condition);
  if (const bool *known = std::get_if<bool>(&truth))
    return *known ? yes : no;
  return walker.controlFlow.choose(
      node, std::get<mlir::Value>(truth), [&] { return yes; }, [&] { return no; });
}

Value Expressions::compare(py::handle node) {
  Value lhs = evaluate(node.attr("left"));
  py::list ops = listOf(node, "ops"), comparators = listOf(node, "comparators");
  std::optional<Value> result;
  for (size_t i = 0; i < ops.size(); ++i) {
    Value rhs = evaluate(comparators[i]);
    Value holds = comparison(node, kindOf(ops[i]), lhs, rhs);
    result = result ? either(walker, node, *result, holds, *result) : holds;
    lhs = rhs;
  }
  return *result;
}

[[noreturn]] static void failBlockOrder(Walker &walker, py::handle node, std::string_view op) {
  auto [symbol, function] = op == "Lt"    ? std::pair("<", "lt")
                            : op == "LtE" ? std::pair("<=", "le")
                            : op == "Gt"  ? std::pair(">", "gt")
                                          : std::pair(">=", "ge");
  walker.diagnostics.fail(
      node, fmt::format("'{}' does not compare blocks; use ttl.math.{}(a, b)", symbol, function));
}

Value Expressions::comparison(py::handle node, std::string_view op, const Value &lhs,
                              const Value &rhs) {
  bool negated = op == "IsNot" || op == "NotEq" || op == "NotIn";
  if (op == "In" || op == "NotIn")
    return membership(node, lhs, rhs, negated);
  // Blocks are compared by identity, with == too.
  bool isEquality = op == "Eq" || op == "NotEq";
  if (op == "Is" || op == "IsNot" || (isEquality && (blockOperand(lhs) || blockOperand(rhs))))
    return identity(lhs, rhs, negated);
  if (isEquality && (isNone(lhs) || isNone(rhs)))
    return identity(lhs, rhs, negated);
  if (blockOperand(lhs) || blockOperand(rhs))
    failBlockOrder(walker, node, op);
  return walker.scalars.compare(node, op, lhs, rhs);
}

Value Expressions::identity(const Value &lhs, const Value &rhs, bool negated) const {
  bool same = false;
  const Static *left = lhs.getIf<Static>(), *right = rhs.getIf<Static>();
  if (left && right)
    same = left->object.is(right->object);
  else if (blockOperand(lhs))
    same = blockOperand(lhs) == blockOperand(rhs);
  return Static{py::bool_(same != negated)};
}

Value Expressions::membership(py::handle node, const Value &item, const Value &container,
                              bool negated) {
  const Static *whole = container.getIf<Static>(), *part = item.getIf<Static>();
  if (whole && part) {
    Value found = walker.staticEval.apply(node, "contains", whole->object, part->object);
    return negated ? walker.staticEval.apply(node, "not_", found.getIf<Static>()->object) : found;
  }
  std::optional<std::vector<Value>> candidates = items(container);
  if (!candidates)
    walker.diagnostics.fail(node, "'in' searches a tuple, list or range known at compile time, "
                                  "found " +
                                      describe(container));
  Value result = Static{py::bool_(false)};
  for (const Value &candidate : *candidates) {
    Value equal = comparison(node, "Eq", item, candidate);
    result = either(walker, node, equal, equal, result);
  }
  if (!negated)
    return result;
  return walker.scalars.compare(node, "Eq", result, Static{py::bool_(false)});
}

Value Expressions::ifExp(py::handle node) {
  py::object test = node.attr("test");
  auto truth = walker.scalars.truth(test, evaluate(test));
  auto thenValue = [&] { return evaluate(node.attr("body")); };
  auto elseValue = [&] { return evaluate(node.attr("orelse")); };
  if (const bool *known = std::get_if<bool>(&truth))
    return *known ? thenValue() : elseValue();
  return walker.controlFlow.choose(node, std::get<mlir::Value>(truth), thenValue, elseValue);
}

//===--------------------------------------------------------------------------===//
// Calls, attributes, subscripts
//===--------------------------------------------------------------------------===//

Value Expressions::call(py::handle node) { return walker.calls.call(node); }

Value Expressions::attributeNode(py::handle node) {
  Value object = evaluate(node.attr("value"));
  return attribute(node, object, text(node.attr("attr")));
}

Value Expressions::attribute(py::handle node, const Value &object, const std::string &name) {
  if (const Static *known = object.getIf<Static>()) {
    bool isBufferMethod = name == "wait" || name == "reserve" || name == "push" || name == "pop";
    if (isBufferMethod && walker.kernel.findBuffer(known->object))
      return Method{std::make_shared<Value>(object), name};
    bool isKnown =
        walker.pipes.isPipeObject(known->object) &&
        PyCallable_Check(py::getattr(py::type::of(known->object), name.c_str(), py::none()).ptr());
    if (isKnown)
      return Method{std::make_shared<Value>(object), name};
    return walker.staticEval.run(
        node, [&] { return walker.kernel.reads.attr("attribute")(known->object, name); });
  }
  if (object.is<PipeEnd>())
    return walker.pipes.attribute(node, object, name);
  mlir::Value operand = blockOperand(object);
  if (operand && name == "shape")
    return Static{
        py::tuple(py::cast(std::vector<int64_t>(mlir::tt::ttl::getBlockShape(operand.getType()))))};
  if (const Block *block = object.getIf<Block>(); block && name == "dtype")
    return Static{walker.kernel.buffers[block->info->buffer].object.attr("dtype")};
  return Method{std::make_shared<Value>(object), name};
}

Value Expressions::subscript(py::handle node) {
  Value object = evaluate(node.attr("value"));
  py::object indexNode = node.attr("slice");
  Value index = evaluate(indexNode);
  if (const Static *known = object.getIf<Static>())
    if (const KernelTensor *tensor = walker.kernel.findTensor(known->object))
      return walker.transfers.part(node, tensor - walker.kernel.tensors.data(), index, indexNode);
  return subscriptOf(node, object, index);
}

Value Expressions::subscriptOf(py::handle node, const Value &object, const Value &index) {
  const Static *known = object.getIf<Static>(), *at = index.getIf<Static>();
  if (known && at)
    return walker.staticEval.run(node, [&] {
      walker.kernel.reads.attr("item")(known->object, at->object);
      return py::object(known->object[at->object]);
    });
  std::optional<std::vector<Value>> parts = items(object);
  if (!parts)
    walker.diagnostics.fail(node, fmt::format("{} cannot be indexed", describe(object)));
  if (!at)
    walker.diagnostics.failNeedsStatic(node,
                                       "a tuple or list is indexed by what is known at compile "
                                       "time, found " +
                                           describe(index) + "; iterate over it instead");
  // Python computes the positions that the index or slice selects.
  py::list numbers;
  for (size_t i = 0; i < parts->size(); ++i)
    numbers.append(i);
  Value picked =
      walker.staticEval.run(node, [&] { return py::object(py::object(numbers)[at->object]); });
  if (std::optional<int64_t> position = Scalars::staticInt(picked))
    return (*parts)[*position];
  std::vector<Value> result;
  for (py::handle position : picked.getIf<Static>()->object)
    result.push_back((*parts)[position.cast<size_t>()]);
  return tuple(std::move(result));
}

//===--------------------------------------------------------------------------===//
// Sequences
//===--------------------------------------------------------------------------===//

Value Expressions::tuple(std::vector<Value> items, bool isList) {
  if (!std::all_of(items.begin(), items.end(), [](const Value &v) { return v.is<Static>(); }))
    return Tuple{std::move(items)};
  py::list objects;
  for (const Value &item : items)
    objects.append(item.getIf<Static>()->object);
  if (isList)
    return Static{objects};
  return Static{py::tuple(objects)};
}

std::optional<std::vector<Value>> Expressions::items(const Value &value) const {
  if (const Tuple *tuple = value.getIf<Tuple>())
    return tuple->items;
  const Static *object = value.getIf<Static>();
  if (!object)
    return std::nullopt;
  PyObject *python = object->object.ptr();
  bool isSequence = PyTuple_Check(python) || PyList_Check(python) || PyRange_Check(python) ||
                    PyDict_Check(python) || PyDictViewSet_Check(python) ||
                    PyDictValues_Check(python);
  if (!isSequence)
    return std::nullopt;
  Py_ssize_t length = PyObject_Size(python);
  if (length < 0)
    PyErr_Clear();
  if (length < 0 || length > kMaxItems)
    return std::nullopt;
  walker.kernel.reads.attr("iterated")(object->object);
  std::vector<Value> result;
  for (py::handle item : object->object) {
    // A subclass may have more items than it says.
    if (result.size() == kMaxItems)
      return std::nullopt;
    result.push_back(Static{py::reinterpret_borrow<py::object>(item)});
  }
  return result;
}

std::vector<Value> Expressions::spread(py::handle starred) {
  Value value = evaluate(starred.attr("value"));
  std::optional<std::vector<Value>> spread = items(value);
  if (!spread)
    walker.diagnostics.fail(starred,
                            fmt::format("'*' takes a sequence known at compile time, of at "
                                        "most {} items, found {}",
                                        kMaxItems, describe(value)));
  return *spread;
}

Value Expressions::sequence(py::handle node) {
  std::vector<Value> items;
  for (py::handle element : listOf(node, "elts")) {
    if (isKind(element, "Starred")) {
      std::vector<Value> spreadItems = spread(element);
      items.insert(items.end(), spreadItems.begin(), spreadItems.end());
    } else {
      items.push_back(evaluate(element));
    }
  }
  return tuple(std::move(items), isKind(node, "List"));
}

Value Expressions::slice(py::handle node) {
  auto bound = [&](const char *name) {
    py::object part = node.attr(name);
    return part.is_none() ? none() : evaluate(part);
  };
  std::vector<Value> bounds = {bound("lower"), bound("upper"), bound("step")};
  if (!std::all_of(bounds.begin(), bounds.end(), [](const Value &v) { return v.is<Static>(); }))
    return SliceObject{std::make_shared<std::vector<Value>>(std::move(bounds))};
  auto object = [&](int i) { return bounds[i].getIf<Static>()->object.ptr(); };
  return Static{py::reinterpret_steal<py::object>(PySlice_New(object(0), object(1), object(2)))};
}

Value Expressions::comprehension(py::handle node) {
  std::vector<Value> results;
  comprehend(node, listOf(node, "generators"), 0, results);
  return tuple(std::move(results), /*isList=*/true);
}

void Expressions::comprehend(py::handle node, py::list generators, size_t level,
                             std::vector<Value> &results) {
  if (level == generators.size()) {
    results.push_back(evaluate(node.attr("elt")));
    return;
  }
  py::handle generator = generators[level];
  py::object iterable = generator.attr("iter");
  Value sequence = evaluate(iterable);
  std::optional<std::vector<Value>> values = items(sequence);
  if (!values)
    walker.diagnostics.failNeedsStatic(
        iterable, fmt::format("a comprehension takes a sequence known at compile time, of at most "
                              "{} items, found {}",
                              kMaxItems, describe(sequence)));
  auto scope = std::make_shared<Scope>(walker.scopes.shared(), py::none(), std::set<std::string>());
  for (const Value &value : *values) {
    walker.scopes.enter(scope);
    walker.statements.assign(generator.attr("target"), value);
    bool wanted = true;
    for (py::handle condition : listOf(generator, "ifs")) {
      Value value = evaluate(condition);
      auto truth = walker.scalars.truth(condition, value);
      if (!std::holds_alternative<bool>(truth))
        walker.diagnostics.fail(condition, "the condition of a comprehension must be known at "
                                           "compile time, found " +
                                               describe(value));
      wanted = wanted && std::get<bool>(truth);
    }
    if (wanted)
      comprehend(node, generators, level + 1, results);
    walker.scopes.leave();
  }
}

//===--------------------------------------------------------------------------===//
// Lambdas and strings
//===--------------------------------------------------------------------------===//

Value Expressions::lambda(py::handle node) {
  auto info = std::make_shared<FunctionInfo>();
  info->name = "<lambda>";
  info->node = py::reinterpret_borrow<py::object>(node);
  info->file = walker.diagnostics.file();
  info->scope = walker.scopes.shared();
  for (py::handle value : node.attr("args").attr("defaults"))
    info->defaults.push_back(evaluate(value));
  return Function{info};
}

// What `!r`, `!s` and `!a` in an f-string make of an object; -1 is none of them.
static py::object convert(const py::object &object, int conversion) {
  if (conversion == 'r')
    return py::repr(object);
  if (conversion == 's')
    return py::str(object);
  if (conversion == 'a')
    return py::module_::import("builtins").attr("ascii")(object);
  return object;
}

Text Expressions::formattedValue(py::handle part) {
  Value value = evaluate(part.attr("value"));
  py::object spec = part.attr("format_spec");
  Value format = spec.is_none() ? Value(Static{py::str("")}) : joinedStr(spec);
  const Static *knownFormat = format.getIf<Static>();
  if (!knownFormat)
    walker.diagnostics.fail(spec, "a format specification must be known at compile time");
  int conversion = part.attr("conversion").cast<int>();
  const Static *known = value.getIf<Static>();
  if (!known)
    return formattedText(walker, part.attr("value"), value, conversion, knownFormat->object);
  walker.kernel.reads.attr("used")(known->object);
  Value converted = walker.staticEval.run(part, [&] { return convert(known->object, conversion); });
  Value piece =
      walker.staticEval.format(part, converted.getIf<Static>()->object, knownFormat->object);
  return textOf(walker, part, piece);
}

Value Expressions::joinedStr(py::handle node) {
  Text result;
  for (py::handle part : listOf(node, "values"))
    append(result, isKind(part, "Constant")
                       ? textOf(walker, part, Static{py::object(part.attr("value"))})
                       : formattedValue(part));
  return textValue(std::move(result));
}

} // namespace ttjit::frontend
