//===- Values.cpp - the values of expressions in kernel functions -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/values/Values.h"

#include "frontend/walk/syntax/Ast.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ttjit::frontend {

Value none() { return Static{py::none()}; }

Value noneOf(const std::string &method) {
  Static nothing{py::none()};
  nothing.resultOf =
      py::str(fmt::format("which {0}() returns: call {0}() in a statement of its own", method));
  return nothing;
}

bool isNone(const Value &value) {
  const Static *object = value.getIf<Static>();
  return object && object->object.is_none();
}

std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

mlir::Value blockOperand(const Value &value) {
  return isBlock(value) ? value->irValue() : mlir::Value();
}

bool isBlock(const Value &value) { return value.is<Block>() || value.is<BlockExpr>(); }

bool areStatic(const std::vector<Value> &values) {
  return llvm::all_of(values, [](const Value &value) { return value.is<Static>(); });
}

Value makeTuple(std::vector<Value> items, bool isList) {
  if (!areStatic(items))
    return Tuple{std::move(items), isList};
  py::list objects;
  for (const Value &item : items)
    objects.append(item.getIf<Static>()->object);
  if (isList)
    return Static{objects};
  return Static{py::tuple(objects)};
}

Value makeDict(const DictEntries &entries) {
  py::dict positions;
  std::vector<Value> values;
  for (const auto &[key, value] : entries) {
    if (!positions.contains(key)) {
      positions[key] = values.size();
      values.push_back(value);
    }
    values[positions[key].cast<size_t>()] = value;
  }
  if (!areStatic(values))
    return Dict{positions, std::move(values)};
  py::dict objects;
  for (auto [key, position] : positions)
    objects[key] = values[position.cast<size_t>()].getIf<Static>()->object;
  return Static{objects};
}

bool areSame(const Value &a, const Value &b) {
  if (&*a == &*b)
    return true;
  if (a->irValue())
    return a->irValue() == b->irValue();
  std::vector<Value> left = a->parts(), right = b->parts();
  return a->isLike(*b) && std::equal(left.begin(), left.end(), right.begin(), right.end(), areSame);
}

std::string describeNoInteger(const Value &value) {
  const Scalar *scalar = value.getIf<Scalar>();
  const Static *object = value.getIf<Static>();
  bool isFloat = (scalar && scalar->value.getType().isF32()) ||
                 (object && PyFloat_Check(object->object.ptr()));
  return describe(value) +
         (isFloat ? " (to divide integers, write '//' in place of '/')"
          : value.is<Block>()
              ? " (ttl.read_index(block, row, column) reads an integer of a block in "
                "a data movement thread)"
          : object && text(py::type::of(object->object).attr("__name__"_py)) == "DataflowBuffer"
              ? " (ttl.read_index(block, row, column) reads an integer of a block that wait() "
                "returns, in a data movement thread)"
              : "");
}

bool hasMethod(const Value &value, std::string_view name) {
  auto isOneOf = [&](std::initializer_list<std::string_view> names) {
    return llvm::is_contained(names, name);
  };
  if (value.is<Static>() || isBlock(value))
    return true;
  if (value.is<TransferHandle>() || value.is<SliceReceive>())
    return name == "wait";
  if (value.is<TransferGroup>())
    return isOneOf({"add", "wait_all"});
  if (value.is<WaitAnyResult>())
    return name == "index";
  if (value.is<PipeEnd>())
    return name == "has_current_core";
  if (const SemaphoreRef *semaphore = value.getIf<SemaphoreRef>())
    return name == "set" || (name == "inc" && !semaphore->isRange);
  return value.is<Dict>() && isOneOf({"get", "items", "keys", "values"});
}

std::string describeNoBlock(const Value &value) {
  const Static *object = value.getIf<Static>();
  std::string type =
      object ? py::str(py::type::of(object->object).attr("__name__"_py)).cast<std::string>() : "";
  if (type == "DataflowBuffer")
    return "a buffer: call wait() or reserve() on it to get a block";
  if (value.is<Method>())
    return describe(value) + ": call it, with '()'";
  if (value.is<TensorSlice>())
    return "a slice of a tensor: copy it to a block of a buffer, and wait() for that block here";
  if (type == "Tensor" || type == "ndarray")
    return "a tensor: copy a slice of it to a block of a buffer, and wait() for that block here";
  return describe(value);
}

} // namespace ttjit::frontend
