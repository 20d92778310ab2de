//===- Advice.cpp - what messages tell the user to do -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/values/Advice.h"

#include "frontend/walk/syntax/Ast.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace ttjit::frontend {

template <typename... Kinds> static bool isOneOf(const ValueKind &value) {
  return (... || (dynamic_cast<const Kinds *>(&value) != nullptr));
}

// Returns the name of the Python type of an object known at compile time.
static std::string typeName(const ValueKind &value) {
  auto *known = dynamic_cast<const Static *>(&value);
  return known ? text(py::type::of(known->object).attr("__name__"_py)) : "";
}

static bool hasItems(const py::object &object) {
  return py::hasattr(py::type::of(object), "__getitem__");
}

std::string adviceOnCondition(const ValueKind &value) {
  if (isOneOf<BlockExpr>(value))
    return ": a comparison of blocks gives 1 or 0 for each element, for ttl.math.where(cond, a, "
           "b); 'a is b' asks whether two names have the same block";
  if (isOneOf<Block>(value))
    return ": ttl.math.where(cond, a, b) chooses between two blocks for each element";
  if (isOneOf<TensorSlice>(value))
    return ": copy the slice to a block; ttl.raw_element_read(block, row, column) reads one "
           "element of it in a data movement thread";
  if (isOneOf<TransferHandle>(value))
    return ": wait() completes the transfer and gives no value";
  if (isOneOf<Method, Function>(value))
    return ": call it, with '()'";
  return "";
}

std::string adviceOnCarrying(const Value &value) {
  std::string type = typeName(*value);
  if (value.is<Tuple>() || value.is<Dict>() || type == "tuple" || type == "list" || type == "dict")
    return "in a loop that runs in the kernel it must keep its length and the kinds of its items; "
           "ttl.static_range(n) unrolls a loop";
  return "assign it in the loop before it is read";
}

std::string adviceOnIndexing(const ValueKind &value) {
  if (isOneOf<Block, BlockExpr>(value))
    return ": operators and functions work on whole blocks; in a data movement thread, "
           "ttl.block.subview(block, offsets, shape) is a part of a block, and "
           "ttl.raw_element_read(block, row, column) reads one element";
  if (isOneOf<TensorSlice>(value))
    return ": write all indices in one pair of brackets, as in a[i, j]";
  if (isOneOf<Method, Function>(value))
    return ": call it first, with '()'";
  if (auto *known = dynamic_cast<const Static *>(&value); known && hasItems(known->object))
    return " by a number that is only known at run time";
  return "";
}

std::string adviceOnAttribute(const ValueKind &value) {
  if (isOneOf<TensorSlice>(value))
    return ": the tensor has a shape, and so has the block that the slice is copied to";
  return "";
}

// Returns whether the method changes a Python list. A list with run-time items cannot be changed.
static bool changesLists(std::string_view method) {
  static constexpr std::string_view names[] = {"append", "extend", "insert", "remove",
                                               "pop",    "clear",  "sort",   "reverse"};
  return llvm::is_contained(names, method);
}

std::string adviceOnMethod(const ValueKind &value, std::string_view method) {
  if (!isOneOf<Tuple>(value) && typeName(value) != "list")
    return "";
  return changesLists(method) ? ", because its items are known at run time only: make a new list, "
                                "as in xs = xs + [item]"
                              : ": call it on each item";
}

std::string adviceOnOperand(const Value &value) {
  std::string type = typeName(*value);
  if (isOneOf<Tuple>(*value) || type == "tuple")
    return ": unpack the tuple, as in x, y = ttl.node(), or take one item";
  if (type == "Tensor" || type == "ndarray")
    return ": copy a slice of the tensor to a block, and compute with that block";
  return "";
}

std::string adviceOnIteration(const Value &value) {
  std::string type = typeName(*value);
  if (value.is<Scalar>() || type == "int")
    return ": write range(n)";
  if (type == "Tensor" || type == "ndarray")
    return ": run over range() and copy a slice such as a[i, j] in each iteration; indices count "
           "tiles";
  if (type == "DataflowBuffer")
    return ": run over range() and call wait() or reserve() in each iteration";
  if (isOneOf<Block, BlockExpr>(*value))
    return ": operators and functions work on all tiles of a block at once";
  const Static *known = value.getIf<Static>();
  if (known && py::hasattr(known->object, "__iter__"))
    return ": write list(...) around it";
  return "";
}

std::string adviceOnEnds(const Value &source, const Value &destination) {
  if (source.is<TensorSlice>() && destination.is<TensorSlice>())
    return ": copy the first slice into a block that reserve() returns, and that block to the "
           "second slice";
  auto isBlock = [](const Value &end) { return isOneOf<Block, BlockPart>(*end); };
  if (isBlock(source) && isBlock(destination))
    return ": write destination.store(source) in the compute thread";
  return "";
}

std::string suggestion(const std::string &name, const std::vector<std::string> &names) {
  py::object similar = pythonModule<"ttl._source">().attr("similar"_py)(name, py::cast(names));
  return similar.is_none() ? "" : fmt::format("; did you mean '{}'?", text(similar));
}

} // namespace ttjit::frontend
