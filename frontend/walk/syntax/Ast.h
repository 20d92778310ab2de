//===- Ast.h - reading CPython's syntax trees -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_SYNTAX_AST_H
#define TTJIT_FRONTEND_WALK_SYNTAX_AST_H

#include "frontend/walk/syntax/PythonText.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

namespace py = pybind11;

/// A string literal as a parameter of a template.
template <size_t Size> struct Literal {
  consteval Literal(const char (&text)[Size]) { std::copy_n(text, Size, characters); }
  char characters[Size];
};

/// A literal as a Python string that is made once: `node.attr("lineno"_py)`. Python finds
/// attributes by such strings several times faster than by new ones.
template <Literal text> py::handle operator""_py() {
  static PyObject *string = nullptr;
  if (!string)
    string = PyUnicode_InternFromString(text.characters);
  return string;
}

/// A module of Python that is imported once. No guard protects the variable: another thread
/// that waited for it would keep the lock of the interpreter, which the import needs.
template <Literal name> py::module_ pythonModule() {
  static PyObject *module = nullptr;
  if (!module)
    module = py::module_::import(name.characters).release().ptr();
  return py::reinterpret_borrow<py::module_>(module);
}

/// Returns the name of the node's class in Python's module `ast`: "BinOp", "Name".
inline std::string_view kindOf(py::handle node) { return Py_TYPE(node.ptr())->tp_name; }
inline bool isKind(py::handle node, std::string_view kind) { return kindOf(node) == kind; }

inline std::string text(py::handle object) { return utf8Text(object); }
/// The source of a node. Slow: for messages.
inline std::string unparse(py::handle node) {
  return text(pythonModule<"ast">().attr("unparse"_py)(node));
}
inline std::string nameOf(py::handle node) { return text(node.attr("id"_py)); }
inline py::list listOf(py::handle node, py::handle field) { return node.attr(field); }

/// Calls `visit(child)` for every direct child of a node, in source order.
template <typename Visitor> void forEachChild(py::handle node, Visitor &&visit) {
  for (py::handle field : node.attr("_fields"_py)) {
    py::object value = node.attr(field);
    if (py::isinstance<py::list>(value)) {
      for (py::handle item : value)
        if (py::hasattr(item, "_fields"_py))
          visit(item);
    } else if (py::hasattr(value, "_fields"_py)) {
      visit(value);
    }
  }
}

/// Calls `visit(node)` for `root` and, where it returns true, for the nodes below. Does not
/// recurse, since expressions may be nested deeply.
template <typename Visitor> void walkTree(py::handle root, Visitor &&visit) {
  std::vector<py::object> pending{py::reinterpret_borrow<py::object>(root)};
  while (!pending.empty()) {
    py::object node = std::move(pending.back());
    pending.pop_back();
    if (visit(node))
      forEachChild(node, [&](py::handle child) {
        pending.push_back(py::reinterpret_borrow<py::object>(child));
      });
  }
}

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_SYNTAX_AST_H
