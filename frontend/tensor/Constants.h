//===- Constants.h - enumerations as Python constants ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Binds enumerations as classes whose constants are Python objects. `DataType.FLOAT32` is always
// the same Python object, so that `is` works as well as `==`.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_CONSTANTS_H
#define TTJIT_FRONTEND_TENSOR_CONSTANTS_H

#include <functional>
#include <span>
#include <string>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

template <class Enum> struct NamedConstant {
  const char *name;
  Enum value;
};

template <class Enum>
std::string constantName(std::span<const NamedConstant<Enum>> constants, Enum value) {
  for (const NamedConstant<Enum> &constant : constants)
    if (constant.value == value)
      return constant.name;
  return "?";
}

/// Returns the Python object of a constant; there is only one for each constant.
template <class Enum>
pybind11::object constantObject(std::span<const NamedConstant<Enum>> constants, Enum value) {
  return pybind11::type::of<Enum>().attr(constantName(constants, value).c_str());
}

template <class Enum, size_t N>
pybind11::object objectOf(const NamedConstant<Enum> (&constants)[N], Enum value) {
  return constantObject(std::span<const NamedConstant<Enum>>(constants), value);
}

/// Binds an enumeration as the Python class `className` with a docstring. `equalsOther` compares a
/// constant with objects of other classes; without it they are never equal. `constants` must live
/// as long as the module.
template <class Enum>
void bindConstants(pybind11::module_ &module, const char *className, const char *doc,
                   std::span<const NamedConstant<Enum>> constants,
                   std::function<bool(Enum, pybind11::handle)> equalsOther = {}) {
  namespace py = pybind11;
  auto nameOf = [constants](Enum value) { return constantName(constants, value); };
  py::class_<Enum> type(module, className, doc);
  type.def_property_readonly("name", nameOf);
  type.def("__repr__", [nameOf, prefix = std::string(className)](Enum value) {
    return prefix + "." + nameOf(value);
  });
  type.def("__hash__", [nameOf](Enum value) { return py::hash(py::str(nameOf(value))); });
  type.def("__eq__", [equalsOther](Enum value, py::object other) {
    if (py::isinstance<Enum>(other))
      return value == other.cast<Enum>();
    return equalsOther && equalsOther(value, other);
  });
  // Copying or unpickling a constant gives the constant itself.
  type.def("__reduce__", [nameOf](Enum value) {
    py::object getattr = py::module_::import("builtins").attr("getattr");
    return py::make_tuple(getattr, py::make_tuple(py::type::of<Enum>(), nameOf(value)));
  });
  for (const NamedConstant<Enum> &constant : constants)
    type.attr(constant.name) = py::cast(constant.value);
}

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_CONSTANTS_H
