//===- StaticValues.cpp - Python objects known at compile time, and numbers ---===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Devices.h"
#include "frontend/walk/transfers/Pipes.h"
#include "frontend/walk/transfers/Transfers.h"
#include "frontend/walk/values/Values.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>

namespace ttjit::frontend {

static std::string withArticle(std::string_view noun) {
  bool vowel = std::string_view("aeiouAEIOU").find(noun.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

std::string Static::describe() const {
  if (resultOf)
    return "None, " + text(resultOf);
  if (object.is_none())
    return "None";
  return withArticle(py::str(py::type::of(object).attr("__name__"_py)).cast<std::string>());
}

//===--------------------------------------------------------------------------===//
// What Python does with objects known at compile time
//===--------------------------------------------------------------------------===//

// Returns whether `name` is a method of a buffer, pipe, semaphore or device domain that builds ops.
static bool isKernelMethod(Walker &walker, py::handle object, const std::string &name) {
  bool isOfBuffers =
      name == "wait" || name == "reserve" || name == "push" || name == "pop" || name == "publish";
  if (isOfBuffers && walker.kernel.findBuffer(object))
    return true;
  if (Devices::isQuery(name) && walker.devices.isDomain(object))
    return true;
  return walker.pipes.isPipeObject(object) &&
         PyCallable_Check(py::getattr(py::type::of(object), name.c_str(), py::none()).ptr());
}

// Fails if `name` is a method of buffers or blocks, which a tensor does not have.
static void refuseBufferMethods(Walker &walker, py::handle node, const KernelTensor &tensor,
                                const std::string &name) {
  if (name == "store")
    walker.diagnostics.fail(
        node, fmt::format("tensor '{0}' has no method store(): store into a block of a buffer, and "
                          "copy the block in a data movement thread: ttl.copy(block, {0}[...])",
                          tensor.name));
  if (name == "wait" || name == "reserve" || name == "push" || name == "pop")
    walker.diagnostics.fail(
        node,
        fmt::format("tensor '{0}' has no method {1}(), which buffers have: make a buffer with "
                    "ttl.make_dataflow_buffer_like({0}, shape=...) in the operation's body, "
                    "and copy between its blocks and {0}[...]",
                    tensor.name, name));
}

Value Static::attribute(Walker &walker, py::handle node, const Value &self,
                        const std::string &name) const {
  if (const KernelTensor *tensor = walker.kernel.findTensor(object))
    refuseBufferMethods(walker, node, *tensor, name);
  if (isKernelMethod(walker, object, name))
    return Method{self, name};
  if (resultOf)
    walker.diagnostics.fail(
        node, fmt::format("this needs a value with an attribute '{}', found {}", name, describe()));
  return walker.staticEval.run(
      node, [&] { return walker.kernel.reads.attr("attribute"_py)(object, name); });
}

Value Static::callMethod(Walker &walker, const Value &self, const std::string &name,
                         Arguments &arguments) const {
  if (walker.pipes.isPipeObject(object))
    return walker.pipes.callMethod(self, name, arguments);
  if (walker.devices.isDomain(object))
    return walker.devices.callMethod(object, name, arguments);
  return walker.calls.callBufferMethod(*walker.kernel.findBuffer(object), name, arguments);
}

Value Static::call(Walker &walker, Arguments &arguments) const {
  return walker.calls.callStatic(object, arguments);
}

Value Static::subscript(Walker &walker, py::handle node, const Value &index) const {
  if (std::optional<unsigned> buffer = walker.kernel.findBuffer(object))
    walker.diagnostics.fail(node, fmt::format("buffer '{}' cannot be indexed: reserve() and wait() "
                                              "return its blocks, one after the other",
                                              walker.kernel.buffers[*buffer].name));
  if (const KernelTensor *tensor = walker.kernel.findTensor(object))
    return walker.transfers.part(node, tensor - walker.kernel.tensors.data(), index,
                                 node.attr("slice"_py));
  const Static *at = index.getIf<Static>();
  if (PyList_Check(object.ptr()) && at && PyTuple_Check(at->object.ptr()))
    walker.diagnostics.fail(node, "list indices must be integers or slices, found a tuple: write "
                                  "x[i][j]; to copy from the list, pass numpy.array(x) to the "
                                  "operation in place of x");
  if (!at && PyDict_Check(object.ptr()))
    walker.diagnostics.failNeedsStatic(
        node, "the key into a dict must be known at compile time, found " + index->describe());
  if (!at) {
    std::optional<std::vector<Value>> elements = items(walker);
    return elements ? Tuple{std::move(*elements)}.subscript(walker, node, index)
                    : ValueKind::subscript(walker, node, index);
  }
  return walker.staticEval.run(node, [&] {
    walker.kernel.reads.attr("item"_py)(object, at->object);
    return py::object(object[at->object]);
  });
}

// Returns whether the object is a sequence: it has a length and can be iterated over many times.
static bool isSequence(PyObject *object) {
  return PyTuple_Check(object) || PyList_Check(object) || PyRange_Check(object) ||
         PyDict_Check(object) || PyDictViewSet_Check(object) || PyDictValues_Check(object) ||
         PyUnicode_Check(object) || PyBytes_Check(object) || PyAnySet_Check(object);
}

// Returns whether the object is an array; iteration gives its elements, or its rows.
static bool isArray(Walker &walker, const py::object &object) {
  return py::isinstance<py::array>(object) && !walker.kernel.findTensor(object) &&
         py::array(object).ndim() > 0;
}

std::optional<std::vector<Value>> Static::items(Walker &walker) const {
  if (!isSequence(object.ptr()) && !isArray(walker, object))
    return std::nullopt;
  Py_ssize_t length = PyObject_Size(object.ptr());
  if (length < 0)
    PyErr_Clear();
  if (length < 0 || length > kMaxItems)
    return std::nullopt;
  walker.kernel.reads.attr("iterated"_py)(object);
  std::vector<Value> result;
  for (py::handle item : object) {
    // An object of a subclass may have more items than its length says.
    if (result.size() == kMaxItems)
      return std::nullopt;
    result.push_back(Static{py::reinterpret_borrow<py::object>(item)});
  }
  return result;
}

std::variant<bool, mlir::Value> Static::truth(Walker &walker, py::handle node) const {
  int known = PyObject_IsTrue(object.ptr());
  if (known >= 0)
    return known == 1;
  py::error_already_set error;
  walker.staticEval.report(node, error);
}

//===--------------------------------------------------------------------------===//
// Carrying Python objects across loops and branches
//===--------------------------------------------------------------------------===//

mlir::Type Static::carriedType(const Walker &walker) const { return walker.scalars.typeOf(*this); }

// The most items of a sequence that loops and branches carry item by item.
static constexpr Py_ssize_t kMaxParts = 64;

static bool isContainer(PyObject *object) {
  return PyTuple_CheckExact(object) || PyList_CheckExact(object) || PyDict_CheckExact(object);
}

// Counts the items of a container and of the containers inside it. A container may contain itself,
// so the count stops when `left` is used up.
static bool hasFewItems(py::handle object, Py_ssize_t &left) {
  left -= PyObject_Size(object.ptr());
  if (left < 0)
    return false;
  auto fits = [&](py::handle item) {
    return !isContainer(item.ptr()) || (--left >= 0 && hasFewItems(item, left));
  };
  if (PyDict_CheckExact(object.ptr())) {
    for (auto [key, value] : py::reinterpret_borrow<py::dict>(object))
      if (!fits(value))
        return false;
    return true;
  }
  for (py::handle item : object)
    if (!fits(item))
      return false;
  return true;
}

static bool isShort(const py::object &object) {
  Py_ssize_t left = kMaxParts;
  return isContainer(object.ptr()) && hasFewItems(object, left);
}

static std::vector<Value> attributesOf(const py::object &object) {
  std::vector<Value> values;
  for (const char *name : {"start", "stop", "step"})
    values.push_back(Static{object.attr(name)});
  return values;
}

static Value asDict(const py::dict &object) {
  py::dict positions;
  std::vector<Value> values;
  for (auto [key, value] : object) {
    positions[key] = values.size();
    values.push_back(Static{py::reinterpret_borrow<py::object>(value)});
  }
  return Dict{positions, std::move(values)};
}

std::optional<Value> Static::asRunTime() const {
  if (PySlice_Check(object.ptr()))
    return SliceObject{std::make_shared<std::vector<Value>>(attributesOf(object))};
  if (PyRange_Check(object.ptr()))
    return Range{std::make_shared<std::vector<Value>>(attributesOf(object))};
  if (!isShort(object))
    return std::nullopt;
  if (PyDict_CheckExact(object.ptr()))
    return asDict(object);
  std::vector<Value> values;
  for (py::handle item : object)
    values.push_back(Static{py::reinterpret_borrow<py::object>(item)});
  return Tuple{std::move(values), PyList_CheckExact(object.ptr()) != 0};
}

std::vector<Value> Static::parts() const {
  std::optional<Value> kind = asRunTime();
  return kind ? (*kind)->parts() : std::vector<Value>();
}

Value Static::withParts(std::vector<Value> parts) const {
  return (*asRunTime())->withParts(std::move(parts));
}

static bool isSameObject(const py::object &a, const py::object &b) {
  if (a.is(b))
    return true;
  if (!py::type::of(a).is(py::type::of(b)))
    return false;
  if (PyFloat_CheckExact(a.ptr()))
    return llvm::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(a.ptr())) ==
           llvm::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(b.ptr()));
  return (PyLong_Check(a.ptr()) || PyUnicode_Check(a.ptr())) && a.equal(b);
}

bool Static::isLike(const ValueKind &other) const {
  auto *known = dynamic_cast<const Static *>(&other);
  if (known && isSameObject(object, known->object))
    return true;
  std::optional<Value> kind = asRunTime();
  return kind && (*kind)->isLike(other);
}

//===--------------------------------------------------------------------------===//
// Run-time numbers
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

} // namespace ttjit::frontend
