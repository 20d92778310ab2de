//===- Values.cpp - the values of expressions in kernel functions --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/values/Values.h"

#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/values/Advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Defaults of all kinds of values
//===--------------------------------------------------------------------------===//

Value ValueKind::attribute(Walker &, py::handle, const Value &self, const std::string &name) const {
  return Method{self, name};
}

Value ValueKind::callMethod(Walker &walker, const Value &, const std::string &name,
                            Arguments &arguments) const {
  walker.diagnostics.fail(arguments.node, fmt::format("{} has no method {}(){}", describe(), name,
                                                      adviceOnMethod(*this)));
}

Value ValueKind::call(Walker &walker, Arguments &arguments) const {
  walker.diagnostics.fail(arguments.node,
                          describe() + " cannot be called: leave the parentheses out");
}

Value ValueKind::subscript(Walker &walker, py::handle node, const Value &) const {
  walker.diagnostics.fail(node, describe() + " cannot be indexed" + adviceOnIndexing(*this));
}

std::optional<std::vector<Value>> ValueKind::items(Walker &) const { return std::nullopt; }

std::variant<bool, mlir::Value> ValueKind::truth(Walker &walker, py::handle node) const {
  walker.diagnostics.fail(node, "a condition must be a number or a bool, found " + describe() +
                                    adviceOnCondition(*this));
}

mlir::Type ValueKind::carriedType(const Walker &) const { return {}; }

std::vector<Value> ValueKind::parts() const { return {}; }

Value ValueKind::withParts(std::vector<Value>) const {
  llvm_unreachable("only a value with parts gets others");
}

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

std::string Scalar::describe() const {
  mlir::Type type = value.getType();
  return type.isF32()        ? "a run-time float"
         : type.isInteger(1) ? "a run-time bool"
                             : "a run-time int";
}

mlir::Type Scalar::carriedType(const Walker &) const { return value.getType(); }

std::variant<bool, mlir::Value> Scalar::truth(Walker &walker, py::handle node) const {
  if (value.getType().isInteger(1))
    return value;
  return walker.scalars.compare(node, "NotEq", *this, Static{py::int_(0)})->irValue();
}

//===--------------------------------------------------------------------------===//
// Data movement
//===--------------------------------------------------------------------------===//

Value TensorPart::withParts(std::vector<Value> parts) const {
  return TensorPart{{}, tensor, std::move(parts), sizes, ranges};
}

bool TensorPart::isLike(const ValueKind &other) const {
  auto *part = dynamic_cast<const TensorPart *>(&other);
  return part && part->tensor == tensor && part->sizes == sizes && part->ranges == ranges;
}

mlir::Type Transfer::carriedType(const Walker &) const { return handle.getType(); }

Value Transfer::callMethod(Walker &walker, const Value &, const std::string &name,
                           Arguments &arguments) const {
  if (name != "wait")
    walker.diagnostics.fail(arguments.node,
                            fmt::format("a transfer handle has no method {}(); its only method is "
                                        "wait()",
                                        name));
  arguments.checkNoMore();
  walker.transfers.wait(arguments.node, *this);
  return noneOf(name);
}

Value TransferGroup::callMethod(Walker &walker, const Value &, const std::string &name,
                                Arguments &arguments) const {
  return walker.transferGroups.callMethod(*this, name, arguments);
}

bool TransferGroup::isLike(const ValueKind &other) const {
  auto *group = dynamic_cast<const TransferGroup *>(&other);
  return group && group->id == id;
}

Value Arrival::callMethod(Walker &walker, const Value &, const std::string &name,
                          Arguments &arguments) const {
  if (name != "index")
    walker.diagnostics.fail(arguments.node,
                            fmt::format("the result of wait_any() has no method {}(); its only "
                                        "method is index()",
                                        name));
  arguments.checkNoMore();
  return place;
}

Value PipeEnd::attribute(Walker &walker, py::handle node, const Value &self,
                         const std::string &name) const {
  return walker.pipes.attribute(node, self, name);
}

Value PipeEnd::callMethod(Walker &walker, const Value &self, const std::string &name,
                          Arguments &arguments) const {
  return walker.pipes.callMethod(self, name, arguments);
}

Value SemaphoreRef::callMethod(Walker &walker, const Value &self, const std::string &name,
                               Arguments &arguments) const {
  return walker.pipes.callMethod(self, name, arguments);
}

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

Value Function::call(Walker &walker, Arguments &arguments) const {
  return walker.calls.inlineCall(*this, arguments);
}

// The parts of a function are its default values.
std::vector<Value> Function::parts() const {
  std::vector<Value> values = info->defaults;
  for (const auto &[name, value] : info->keywordDefaults)
    values.push_back(value);
  return values;
}

Value Function::withParts(std::vector<Value> parts) const {
  auto changed = std::make_shared<FunctionInfo>(*info);
  auto first = parts.begin() + changed->defaults.size();
  std::copy(parts.begin(), first, changed->defaults.begin());
  for (auto &[name, value] : changed->keywordDefaults)
    value = *first++;
  return Function{changed};
}

bool Function::isLike(const ValueKind &other) const {
  auto *function = dynamic_cast<const Function *>(&other);
  return function && function->info->node.is(info->node) && function->info->scope == info->scope &&
         function->info->function.is(info->function);
}

Value Method::call(Walker &walker, Arguments &arguments) const {
  return self->callMethod(walker, self, name, arguments);
}

Value Method::withParts(std::vector<Value> parts) const { return Method{parts.front(), name}; }

bool Method::isLike(const ValueKind &other) const {
  auto *method = dynamic_cast<const Method *>(&other);
  return method && method->name == name;
}

//===--------------------------------------------------------------------------===//
// Helpers
//===--------------------------------------------------------------------------===//

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

std::string describeNoBlock(const Value &value) {
  const Static *object = value.getIf<Static>();
  std::string type =
      object ? py::str(py::type::of(object->object).attr("__name__"_py)).cast<std::string>() : "";
  if (type == "DataflowBuffer")
    return "a buffer: call wait() or reserve() on it to get a block";
  if (type == "Tensor" || type == "ndarray")
    return "a tensor: copy a slice of it to a block of a buffer, and wait() for that block here";
  return describe(value);
}

} // namespace ttjit::frontend
