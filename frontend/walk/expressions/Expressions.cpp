//===- Expressions.cpp - evaluating expressions -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/expressions/Expressions.h"

#include "frontend/walk/blocks/BlockMath.h"
#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/control/ControlFlow.h"
#include "frontend/walk/expressions/Comparisons.h"
#include "frontend/walk/expressions/Texts.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Advice.h"

#include "llvm/ADT/StringMap.h"

#include <fmt/format.h>

namespace ttjit::frontend {

Value Expressions::evaluate(py::handle node) {
  walker.staticEval.countStep(node);
  walker.checkStack(node);
  try {
    return walker.held.named(node, evaluateKind(node), /*isUsed=*/false);
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
      {"Set", &Expressions::sequence},
      {"Dict", &Expressions::dictNode},
      {"Slice", &Expressions::slice},
      {"Lambda", &Expressions::lambda},
      {"ListComp", &Expressions::comprehension},
      {"GeneratorExp", &Expressions::comprehension},
      {"SetComp", &Expressions::comprehension},
      {"DictComp", &Expressions::dictComprehension},
      {"NamedExpr", &Expressions::namedExpr},
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
  static constexpr Construct generator = {"'yield'", "write a loop, or return a list of values"};
  static const llvm::StringMap<Construct> constructs = {
      {"Yield", generator},
      {"YieldFrom", generator},
      {"Await", {"'await'", "call the function without it"}},
      {"Starred", {"'*' here", "use it only in calls, tuples and lists"}},
      {"TemplateStr", {"a template string", "write an f-string"}},
  };
  auto it = constructs.find(kindOf(node));
  Construct found = it != constructs.end() ? it->second
                                           : Construct{"this kind of expression",
                                                       "compute it in the operation's body"};
  walker.diagnostics.fail(
      node, fmt::format("{} is not supported in kernel functions: {}", found.name, found.advice));
}

Value Expressions::constant(py::handle node) { return Static{node.attr("value"_py)}; }

Value Expressions::name(py::handle node) { return walker.scopes.lookup(node); }

//===--------------------------------------------------------------------------===//
// Operators
//===--------------------------------------------------------------------------===//

static bool isList(const Value &value) {
  if (const Tuple *tuple = value.getIf<Tuple>())
    return tuple->isList;
  const Static *object = value.getIf<Static>();
  return object && PyList_Check(object->object.ptr());
}

static bool isString(const Value &value) {
  const Static *object = value.getIf<Static>();
  return value.is<Text>() || (object && PyUnicode_Check(object->object.ptr()));
}

// Repeats the items of a tuple or list `count` times.
Value Expressions::repeated(py::handle node, const Value &sequence, int64_t count) const {
  std::vector<Value> once = *sequence->items(walker), result;
  if (!once.empty() && count > kMaxItems / static_cast<int64_t>(once.size()))
    walker.diagnostics.fail(node,
                            fmt::format("the result of '*' must have at most {} items", kMaxItems));
  for (int64_t i = 0; i < count; ++i)
    result.insert(result.end(), once.begin(), once.end());
  return makeTuple(std::move(result), isList(sequence));
}

// Fails if an operand is a buffer, or the None of a call that gives no value beside a number.
static void checkOperand(Walker &walker, py::handle node, const Value &value, const Value &other) {
  const Static *known = value.getIf<Static>();
  if (known && walker.kernel.findBuffer(known->object))
    walker.diagnostics.fail(node, "the operands of an operator must be blocks or numbers, found " +
                                      describeNoBlock(value));
  if (known && known->resultOf && walker.scalars.typeOf(other))
    walker.diagnostics.fail(node, "the operands of an operator must be blocks or numbers, found " +
                                      describe(value));
}

Value Expressions::binary(py::handle node, std::string_view op, const Value &lhs,
                          const Value &rhs) {
  if (blockOperand(lhs) || blockOperand(rhs))
    return walker.blockMath.binary(node, op, lhs, rhs);
  checkOperand(walker, node, lhs, rhs);
  checkOperand(walker, node, rhs, lhs);
  bool hasTuple = lhs.is<Tuple>() || rhs.is<Tuple>();
  auto left = hasTuple ? lhs->items(walker) : std::nullopt,
       right = hasTuple ? rhs->items(walker) : std::nullopt;
  if (op == "Add" && left && right) {
    left->insert(left->end(), right->begin(), right->end());
    return makeTuple(std::move(*left), isList(lhs));
  }
  if (op == "Add" && (lhs.is<Text>() || rhs.is<Text>()) && isString(lhs) && isString(rhs)) {
    Text joined = textOf(walker, node, lhs);
    append(joined, textOf(walker, node, rhs));
    return joined;
  }
  if (op == "Mult" && left && Scalars::staticInt(rhs))
    return repeated(node, lhs, *Scalars::staticInt(rhs));
  if (op == "Mult" && right && Scalars::staticInt(lhs))
    return repeated(node, rhs, *Scalars::staticInt(lhs));
  return walker.scalars.binary(node, op, lhs, rhs);
}

Value Expressions::binOp(py::handle node) {
  Value lhs = evaluate(node.attr("left"_py));
  Value rhs = evaluate(node.attr("right"_py));
  lhs = walker.held.named(node, lhs, /*isUsed=*/true); // the right side may have released blocks
  rhs = walker.held.named(node, rhs, /*isUsed=*/true);
  return binary(node, kindOf(node.attr("op"_py)), lhs, rhs);
}

Value Expressions::unaryOp(py::handle node) {
  std::string_view op = kindOf(node.attr("op"_py));
  Value operand = walker.held.named(node, evaluate(node.attr("operand"_py)), /*isUsed=*/true);
  if (op != "Not")
    checkOperand(walker, node, operand, Static{py::int_(0)});
  if (op != "Not")
    return blockOperand(operand) ? walker.blockMath.unary(node, op, operand)
                                 : walker.scalars.unary(node, op, operand);
  auto truth = walker.scalars.truth(node, operand);
  if (const bool *known = std::get_if<bool>(&truth))
    return Static{py::bool_(!*known)};
  return walker.scalars.compare(node, "Eq", Scalar{std::get<mlir::Value>(truth)},
                                Static{py::bool_(false)});
}

Value Expressions::boolOp(py::handle node) {
  return boolOp(node, listOf(node, "values"_py), 0, isKind(node.attr("op"_py), "And"));
}

// Evaluates `a and b and c` as `a and (b and c)`. An operand is evaluated only if the operands
// before it do not decide the result.
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

Value Expressions::compare(py::handle node) { return Comparisons(walker).evaluate(node); }

Value Expressions::ifExp(py::handle node) {
  py::object test = node.attr("test"_py);
  auto truth = walker.scalars.truth(test, evaluate(test));
  auto thenValue = [&] { return evaluate(node.attr("body"_py)); };
  auto elseValue = [&] { return evaluate(node.attr("orelse"_py)); };
  if (const bool *known = std::get_if<bool>(&truth))
    return *known ? thenValue() : elseValue();
  return walker.controlFlow.choose(node, std::get<mlir::Value>(truth), thenValue, elseValue);
}

//===--------------------------------------------------------------------------===//
// Calls, attributes and subscripts
//===--------------------------------------------------------------------------===//

Value Expressions::call(py::handle node) { return walker.calls.call(node); }

Value Expressions::callee(py::handle node) {
  if (!isKind(node, "Attribute"))
    return evaluate(node);
  Value object = evaluate(node.attr("value"_py));
  return attribute(node, object, text(node.attr("attr"_py)));
}

Value Expressions::attributeNode(py::handle node) {
  Value found = callee(node);
  if (const Method *method = found.getIf<Method>();
      method && !hasMethod(method->self, method->name))
    walker.diagnostics.fail(node, fmt::format("{} has no attribute '{}'{}", describe(method->self),
                                              method->name, adviceOnAttribute(*method->self)));
  return found;
}

Value Expressions::attribute(py::handle node, const Value &object, const std::string &name) {
  return object->attribute(walker, node, object, name);
}

Value Expressions::subscript(py::handle node) {
  Value object = evaluate(node.attr("value"_py));
  const Static *known = object.getIf<Static>();
  py::object index = node.attr("slice"_py);
  if (known && walker.kernel.findTensor(known->object) && isKind(index, "Tuple"))
    return object->subscript(walker, node, indices(index));
  return object->subscript(walker, node, evaluate(index));
}

// Evaluates the indices of a tensor. Keeps the None of a function without a return statement as it
// is, because the message about it names the function.
Value Expressions::indices(py::handle node) {
  std::vector<Value> items = elements(node);
  bool hasResult = llvm::any_of(items, [](const Value &item) {
    const Static *known = item.getIf<Static>();
    return known && known->resultOf;
  });
  return hasResult ? Value(Tuple{std::move(items)}) : makeTuple(std::move(items));
}

//===--------------------------------------------------------------------------===//
// Sequences
//===--------------------------------------------------------------------------===//

Value Expressions::slice(py::handle node) {
  auto bound = [&](const char *name) {
    py::object part = node.attr(name);
    Value value = part.is_none() ? none() : evaluate(part);
    if (const Static *known = value.getIf<Static>(); known && known->resultOf)
      walker.diagnostics.fail(part,
                              "a bound of a slice must be an integer, found " + describe(value));
    return value;
  };
  std::vector<Value> bounds = {bound("lower"), bound("upper"), bound("step")};
  if (!std::all_of(bounds.begin(), bounds.end(), [](const Value &v) { return v.is<Static>(); }))
    return SliceObject{std::make_shared<std::vector<Value>>(std::move(bounds))};
  auto object = [&](int i) { return bounds[i].getIf<Static>()->object.ptr(); };
  return Static{py::reinterpret_steal<py::object>(PySlice_New(object(0), object(1), object(2)))};
}

//===--------------------------------------------------------------------------===//
// Lambdas and strings
//===--------------------------------------------------------------------------===//

Value Expressions::lambda(py::handle node) { return walker.calls.define(node, "<lambda>"); }

// Applies the conversion `!r`, `!s` or `!a` of an f-string to an object; -1 means no conversion.
static py::object convert(const py::object &object, int conversion) {
  if (conversion == 'r')
    return py::repr(object);
  if (conversion == 's')
    return py::str(object);
  if (conversion == 'a')
    return pythonModule<"builtins">().attr("ascii"_py)(object);
  return object;
}

Text Expressions::formattedValue(py::handle part) {
  Value value = evaluate(part.attr("value"_py));
  py::object spec = part.attr("format_spec"_py);
  Value format = spec.is_none() ? Value(Static{py::str("")}) : joinedStr(spec);
  const Static *knownFormat = format.getIf<Static>();
  if (!knownFormat)
    walker.diagnostics.fail(spec, "a format specification must be known at compile time");
  int conversion = part.attr("conversion"_py).cast<int>();
  const Static *known = value.getIf<Static>();
  if (!known)
    return formattedText(walker, part.attr("value"_py), value, conversion, knownFormat->object);
  walker.kernel.reads.attr("used"_py)(known->object);
  Value converted = walker.staticEval.run(part, [&] { return convert(known->object, conversion); });
  Value piece =
      walker.staticEval.format(part, converted.getIf<Static>()->object, knownFormat->object);
  return textOf(walker, part, piece);
}

Value Expressions::joinedStr(py::handle node) {
  Text result;
  for (py::handle part : listOf(node, "values"_py))
    append(result, isKind(part, "Constant")
                       ? textOf(walker, part, Static{py::object(part.attr("value"_py))})
                       : formattedValue(part));
  return textValue(std::move(result));
}

} // namespace ttjit::frontend
