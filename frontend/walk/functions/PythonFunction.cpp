//===- PythonFunction.cpp - Python callables that kernels call ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/functions/PythonFunction.h"

#include "frontend/walk/syntax/PythonText.h"
#include "hw/device/FloatEnvironment.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <bit>

namespace py = pybind11;

namespace ttjit::frontend {

PythonFunction::~PythonFunction() {
  if (!Py_IsInitialized()) {
    (void)function.release(); // the interpreter that owns the object is gone
    return;
  }
  py::gil_scoped_acquire gil;
  function = py::object();
}

// Returns a copy of the elements, because Python code may keep the array.
static py::array_t<float> arrayOf(const hw::HostArgument &argument) {
  py::array_t<float> array(
      std::vector<py::ssize_t>(argument.extents.begin(), argument.extents.end()));
  std::copy(argument.elements.begin(), argument.elements.end(), array.mutable_data());
  if (argument.kind == 'r')
    array.attr("setflags")(py::arg("write") = false);
  return array;
}

static py::object valueOf(const hw::HostArgument &argument) {
  switch (argument.kind) {
  case 'f':
    return py::float_(std::bit_cast<float>(argument.bits));
  case 'b':
    return py::bool_(argument.bits != 0);
  case 'i':
    return py::int_(static_cast<int32_t>(argument.bits));
  default:
    return arrayOf(argument);
  }
}

// Converts the value that a host function returned to the bits of the result. Returns an error
// text, empty if there is no error.
static std::string readResult(const py::object &value, char kind, uint32_t &result) {
  if (kind == 'f') {
    result = std::bit_cast<uint32_t>(static_cast<float>(py::float_(value).cast<double>()));
    return {};
  }
  if (kind == 'b') {
    result = py::bool_(value).cast<bool>();
    return {};
  }
  py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index)
    throw py::error_already_set();
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow || number < INT32_MIN || number > INT32_MAX)
    return fmt::format("the result {} does not fit in an int32", utf8Text(value));
  result = static_cast<uint32_t>(number);
  return {};
}

// Calls Python code of the program with the floating-point environment that the program has set.
static py::object callAsCaller(const py::object &callable, const py::tuple &values) {
  hw::CallersFloatEnvironment environment;
  return callable(*values);
}

static std::string callPython(const py::object &function, std::span<hw::HostArgument> arguments,
                              char kind, uint32_t &result) {
  py::tuple values(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    values[i] = valueOf(arguments[i]);
  py::object returned = callAsCaller(function.attr("callable"), values);
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].kind == 'w') {
      const float *data = values[i].cast<py::array_t<float>>().data();
      std::copy_n(data, arguments[i].elements.size(), arguments[i].elements.begin());
    }
  if (!kind)
    return {};
  if (returned.is_none())
    return fmt::format("host function {}() returned None, but the kernel uses its result: return a "
                       "number, or declare the result as None",
                       function.attr("name").cast<std::string>());
  return readResult(returned, kind, result);
}

std::string PythonFunction::call(std::span<hw::HostArgument> arguments, char resultKind,
                                 uint32_t &result) {
  py::gil_scoped_acquire gil;
  try {
    return callPython(function, arguments, resultKind, result);
  } catch (py::error_already_set &error) {
    return fmt::format("host function {}(): {}: {}", function.attr("name").cast<std::string>(),
                       error.type().attr("__name__").cast<std::string>(), utf8Text(error.value()));
  }
}

} // namespace ttjit::frontend
