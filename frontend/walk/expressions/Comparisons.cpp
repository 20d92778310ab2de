//===- Comparisons.cpp - comparisons in kernel functions ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/expressions/Comparisons.h"

#include "frontend/walk/blocks/BlockMath.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/control/ControlFlow.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "hw/facts/TileOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Operators and chains
//===--------------------------------------------------------------------------===//

static std::string_view symbolOf(std::string_view op) {
  static constexpr std::pair<std::string_view, std::string_view> kSymbols[] = {
      {"Eq", "=="}, {"NotEq", "!="}, {"Lt", "<"},  {"LtE", "<="},
      {"Gt", ">"},  {"GtE", ">="},   {"Is", "is"}, {"IsNot", "is not"}};
  return llvm::find_if(kSymbols, [&](const auto &entry) { return entry.first == op; })->second;
}

Value Comparisons::evaluate(py::handle node) {
  return chain(node, walker.evaluate(node.attr("left"_py)), 0);
}

// Compares `lhs` with the comparator of number `first`, and that one with the next ones.
Value Comparisons::chain(py::handle node, const Value &lhs, size_t first) {
  py::list ops = listOf(node, "ops"_py);
  Value rhs = walker.evaluate(listOf(node, "comparators"_py)[first]);
  Value holds = compare(node, kindOf(ops[first]), lhs, rhs);
  if (ops.size() > 1 && isBlock(holds))
    walker.diagnostics.fail(node, "a chain of comparisons cannot compare blocks, because it joins "
                                  "its parts with 'and': write (a < b) * (b < c)");
  if (first + 1 == ops.size())
    return holds;
  auto truth = walker.scalars.truth(node, holds);
  auto rest = [&] { return chain(node, rhs, first + 1); };
  if (const bool *known = std::get_if<bool>(&truth))
    return *known ? rest() : holds;
  return walker.controlFlow.choose(node, std::get<mlir::Value>(truth), rest, [&] { return holds; });
}

bool Comparisons::isTensor(const Value &value) const {
  const Static *object = value.getIf<Static>();
  return object && walker.kernel.findTensor(object->object);
}

static bool isSequence(const Value &value) { return value.is<Tuple>(); }

Value Comparisons::compare(py::handle node, std::string_view op, const Value &lhs,
                           const Value &rhs) {
  bool negated = op == "IsNot" || op == "NotEq" || op == "NotIn";
  if (op == "In" || op == "NotIn")
    return membership(node, lhs, rhs, negated);
  if (op == "Is" || op == "IsNot")
    return identity(node, lhs, rhs, negated);
  bool areStatic = lhs.is<Static>() && rhs.is<Static>(), isEquality = op == "Eq" || negated;
  bool hasTensor = isTensor(lhs) || isTensor(rhs);
  if (isEquality && (isNone(lhs) || isNone(rhs)) && (!areStatic || hasTensor))
    return identity(node, lhs, rhs, negated);
  if (hasTensor)
    walker.diagnostics.fail(
        node,
        fmt::format("'{}' cannot compare tensors in a kernel function: copy slices of them to "
                    "blocks and compare these, or write 'is' to ask whether two names have "
                    "the same tensor",
                    symbolOf(op)));
  if (isBlock(lhs) || isBlock(rhs))
    return elements(node, op, lhs, rhs);
  if (isEquality && (isSequence(lhs) || isSequence(rhs)))
    return sequences(node, lhs, rhs, negated);
  if (isEquality && lhs.is<Function>() && rhs.is<Function>())
    return identity(node, lhs, rhs, negated);
  return walker.scalars.compare(node, op, lhs, rhs);
}

Value Comparisons::inverted(py::handle node, const Value &value) {
  auto truth = walker.scalars.truth(node, value);
  if (const bool *known = std::get_if<bool>(&truth))
    return Static{py::bool_(!*known)};
  return walker.scalars.compare(node, "Eq", Scalar{std::get<mlir::Value>(truth)},
                                Static{py::bool_(false)});
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

static hw::TileOp comparisonOf(std::string_view op) {
  return op == "Eq"      ? hw::TileOp::Eq
         : op == "NotEq" ? hw::TileOp::Ne
         : op == "Lt"    ? hw::TileOp::Lt
         : op == "LtE"   ? hw::TileOp::Le
         : op == "Gt"    ? hw::TileOp::Gt
                         : hw::TileOp::Ge;
}

// Builds a block with 1 where the comparison of two elements holds, and 0 elsewhere.
Value Comparisons::elements(py::handle node, std::string_view op, const Value &lhs,
                            const Value &rhs) {
  if (walker.kind == ThreadKind::DataMovement)
    walker.diagnostics.fail(
        node, fmt::format("'{}' of blocks is not possible in the data movement thread '{}', which "
                          "cannot compute on elements: compare in the @ttl.compute() thread, or "
                          "write 'is' to ask whether two names have the same block",
                          symbolOf(op), walker.threadName));
  for (const Value &value : {lhs, rhs})
    if (!isBlock(value) && !walker.scalars.typeOf(value))
      walker.diagnostics.fail(
          node, fmt::format("'{}' compares the elements of a block with those of a block or with a "
                            "number, found {}; 'is' asks whether two names have the same block",
                            symbolOf(op), describeNoBlock(value)));
  return walker.blockMath.elementwise(node, comparisonOf(op), {lhs, rhs});
}

//===--------------------------------------------------------------------------===//
// Identity
//===--------------------------------------------------------------------------===//

namespace {
// Whether two values are one object in Python.
enum class Same { Yes, No, Unknown };
} // namespace

// Returns whether equal values of the object's type may be one object in Python, or several.
static bool isPlainValue(const py::object &object) {
  PyObject *o = object.ptr();
  return PyLong_CheckExact(o) || PyFloat_CheckExact(o) || PyComplex_CheckExact(o) ||
         PyUnicode_CheckExact(o) || PyBytes_CheckExact(o) || PyTuple_CheckExact(o);
}

static bool isNumber(const py::object &object) {
  return PyLong_Check(object.ptr()) || PyFloat_Check(object.ptr());
}

static Same sameObject(const Static &lhs, const Static &rhs) {
  if (lhs.object.is(rhs.object))
    return Same::Yes;
  bool mayBeOne = isPlainValue(lhs.object) && py::type::of(lhs.object).is(py::type::of(rhs.object));
  return mayBeOne && lhs.object.equal(rhs.object) ? Same::Unknown : Same::No;
}

// Returns whether a loop or branch has passed the value on, which gives an object a new IR value.
static bool isCarried(mlir::Value value) {
  return isa<BlockArgument>(value) ||
         isa<scf::IfOp, scf::ForOp, scf::WhileOp>(value.getDefiningOp());
}

static Same sameObject(mlir::Value lhs, mlir::Value rhs) {
  if (lhs == rhs)
    return Same::Yes;
  return isCarried(lhs) || isCarried(rhs) ? Same::Unknown : Same::No;
}

static Same sameObject(const Block &lhs, const Block &rhs) {
  if (lhs.info->id == rhs.info->id)
    return Same::Yes;
  if (lhs.info->buffer != rhs.info->buffer || lhs.info->reserved != rhs.info->reserved)
    return Same::No;
  if (lhs.info->ticket || rhs.info->ticket || !lhs.info->block || !rhs.info->block)
    return Same::Unknown;
  return sameObject(lhs.info->block, rhs.info->block);
}

// Compares a Python object with a value of the kernel.
static Same sameObject(const Static &known, const Value &value) {
  if (value.is<Scalar>())
    return isNumber(known.object) ? Same::Unknown : Same::No;
  if (value.is<Text>())
    return PyUnicode_Check(known.object.ptr()) ? Same::Unknown : Same::No;
  const Function *function = value.getIf<Function>();
  if (function && !function->info->function.is_none())
    return known.object.is(function->info->function) ? Same::Yes : Same::No;
  return known.isLike(*value) ? Same::Unknown : Same::No;
}

// Compares two values of the kernel that are not blocks.
static Same areSameKinds(const Value &lhs, const Value &rhs) {
  const ValueKind &left = *lhs, &right = *rhs;
  if (typeid(left) != typeid(right))
    return Same::No;
  if (lhs.is<Scalar>() || lhs.is<Text>())
    return Same::Unknown;
  if (&*lhs == &*rhs)
    return Same::Yes;
  if (const TransferGroup *group = lhs.getIf<TransferGroup>())
    return group->id == rhs.getIf<TransferGroup>()->id ? Same::Yes : Same::No;
  if (lhs->irValue() && rhs->irValue())
    return sameObject(lhs->irValue(), rhs->irValue());
  return lhs->isLike(*rhs) ? Same::Unknown : Same::No;
}

static Same sameObject(const Value &lhs, const Value &rhs) {
  const Static *left = lhs.getIf<Static>(), *right = rhs.getIf<Static>();
  if (left && right)
    return sameObject(*left, *right);
  if (left || right)
    return left ? sameObject(*left, rhs) : sameObject(*right, lhs);
  const Block *first = lhs.getIf<Block>(), *second = rhs.getIf<Block>();
  return first && second ? sameObject(*first, *second) : areSameKinds(lhs, rhs);
}

// Returns whether the value is a bool. Python has one object for True and one for False.
static bool isBool(const Value &value) {
  if (const Scalar *scalar = value.getIf<Scalar>())
    return scalar->value.getType().isInteger(1);
  const Static *object = value.getIf<Static>();
  return object && PyBool_Check(object->object.ptr());
}

// Returns the numbers of two blocks of one buffer, where only the running kernel knows the blocks.
static std::optional<std::pair<Value, Value>> ticketsOf(const Value &lhs, const Value &rhs) {
  const Block *left = lhs.getIf<Block>(), *right = rhs.getIf<Block>();
  bool haveTickets = left && right && left->info->ticket && right->info->ticket;
  if (!haveTickets || !left->isLike(*right))
    return std::nullopt;
  return std::pair(*left->info->ticket, *right->info->ticket);
}

Value Comparisons::identity(py::handle node, const Value &lhs, const Value &rhs, bool negated) {
  bool areStatic = lhs.is<Static>() && rhs.is<Static>();
  if (!areStatic && isBool(lhs) && isBool(rhs))
    return walker.scalars.compare(node, negated ? "NotEq" : "Eq", lhs, rhs);
  if (auto tickets = ticketsOf(lhs, rhs))
    return walker.scalars.compare(node, negated ? "NotEq" : "Eq", tickets->first, tickets->second);
  Same same = sameObject(lhs, rhs);
  if (same != Same::Unknown)
    return Static{py::bool_((same == Same::Yes) != negated)};
  bool haveValues = !isBlock(lhs) && !lhs.is<TransferHandle>();
  walker.diagnostics.fail(
      node, fmt::format("it is not known whether {} and {} are one object, which '{}' asks: {}",
                        describe(lhs), describe(rhs), negated ? "is not" : "is",
                        haveValues
                            ? fmt::format("compare their values with '{}'", negated ? "!=" : "==")
                            : "a loop or an 'if' before this line may give one block or handle two "
                              "names; keep a number in a variable that tells which one it is"));
}

//===--------------------------------------------------------------------------===//
// Sequences
//===--------------------------------------------------------------------------===//

// Returns whether the value is a tuple (or, if `list`, a list) and of no class derived from it.
static bool isExact(const Value &value, bool list) {
  if (const Tuple *tuple = value.getIf<Tuple>())
    return tuple->isList == list;
  const Static *object = value.getIf<Static>();
  return object && (list ? PyList_CheckExact(object->object.ptr())
                         : PyTuple_CheckExact(object->object.ptr()));
}

// Returns whether the value, whose type is one of Python's own, never equals a tuple or list.
static bool isNeverEqual(const Value &value) {
  const Static *object = value.getIf<Static>();
  if (!object)
    return value.is<Tuple>() || value.is<Scalar>() || value.is<Dict>() || value.is<Range>();
  PyObject *o = object->object.ptr();
  return isPlainValue(object->object) || object->object.is_none() || PyBool_Check(o) ||
         PyList_CheckExact(o) || PyDict_CheckExact(o) || PyRange_Check(o) || PyAnySet_CheckExact(o);
}

// Compares two items of sequences. As in Python, an object equals itself, even if it is NaN.
Value Comparisons::matches(py::handle node, const Value &lhs, const Value &rhs) {
  bool isOne = &*lhs == &*rhs || (lhs->irValue() && lhs->irValue() == rhs->irValue());
  if (isOne || (!lhs.is<Scalar>() && !rhs.is<Scalar>() && sameObject(lhs, rhs) == Same::Yes))
    return Static{py::bool_(true)};
  return compare(node, "Eq", lhs, rhs);
}

// Joins two comparisons with `and` or `or`.
Value Comparisons::joined(py::handle node, bool isAnd, const Value &lhs, const Value &rhs) {
  for (auto [value, other] : {std::pair(&lhs, &rhs), std::pair(&rhs, &lhs)}) {
    auto truth = walker.scalars.truth(node, *value);
    if (const bool *known = std::get_if<bool>(&truth))
      return *known == isAnd ? *other : *value;
  }
  return walker.scalars.binary(node, isAnd ? "BitAnd" : "BitOr", lhs, rhs);
}

// Compares a tuple or list that has a run-time item with another value.
Value Comparisons::sequences(py::handle node, const Value &lhs, const Value &rhs, bool negated) {
  bool list = isExact(lhs.is<Tuple>() ? lhs : rhs, true);
  if (!isExact(lhs, list) || !isExact(rhs, list)) {
    if (!isNeverEqual(lhs) || !isNeverEqual(rhs))
      walker.diagnostics.fail(
          node,
          fmt::format(
              "'{}' cannot compare {} with {}: a tuple or list with items that are known at run "
              "time only can be compared with tuples, lists and plain values; compare item by item",
              negated ? "!=" : "==", describe(lhs), describe(rhs)));
    return Static{py::bool_(negated)};
  }
  auto left = lhs->items(walker), right = rhs->items(walker);
  if (!left || !right || left->size() != right->size())
    return Static{py::bool_(negated)};
  Value equal = Static{py::bool_(true)};
  for (size_t i = 0; i < left->size(); ++i)
    equal = joined(node, /*isAnd=*/true, equal, matches(node, (*left)[i], (*right)[i]));
  return negated ? inverted(node, equal) : equal;
}

static bool hasNoHash(const Value &value) {
  const Static *object = value.getIf<Static>();
  if (!object || PyObject_Hash(object->object.ptr()) != -1)
    return false;
  PyErr_Clear();
  return true;
}

// Fails for an item that Python refuses to look for in such a container.
void Comparisons::refuseItem(py::handle node, const Value &item, const Value &container) const {
  const Static *whole = container.getIf<Static>();
  bool isText =
      whole && (PyUnicode_Check(whole->object.ptr()) || PyBytes_Check(whole->object.ptr()));
  bool isHashed =
      container.is<Dict>() ||
      (whole && (PyAnySet_Check(whole->object.ptr()) || PyDict_Check(whole->object.ptr())));
  bool isUnhashable = item.is<Dict>() || item.is<SliceObject>() ||
                      (item.is<Tuple>() && item.getIf<Tuple>()->isList) || hasNoHash(item);
  if (isText || (isHashed && isUnhashable))
    walker.diagnostics.fail(
        node, fmt::format("'in' cannot look for {} in {}", describe(item), describe(container)));
}

Value Comparisons::membership(py::handle node, const Value &item, const Value &container,
                              bool negated) {
  const Static *whole = container.getIf<Static>(), *part = item.getIf<Static>();
  if (isTensor(container))
    walker.diagnostics.fail(node, "'in' cannot look into a tensor in a kernel function: expected a "
                                  "tuple, list or range known at compile time");
  if (whole && part && !isTensor(item)) {
    Value found = walker.staticEval.apply(node, "contains", whole->object, part->object);
    return negated ? walker.staticEval.apply(node, "not_", found.getIf<Static>()->object) : found;
  }
  refuseItem(node, item, container);
  std::optional<std::vector<Value>> candidates = container->items(walker);
  if (!candidates)
    walker.diagnostics.fail(
        node, "the value after 'in' must be a tuple, list or range known at compile time, found " +
                  describe(container));
  Value result = Static{py::bool_(false)};
  for (const Value &candidate : *candidates)
    result = joined(node, /*isAnd=*/false, result, matches(node, item, candidate));
  return negated ? inverted(node, result) : result;
}

} // namespace ttjit::frontend
