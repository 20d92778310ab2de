//===- Ast.h - reading CPython's syntax trees -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_AST_H
#define TTJIT_FRONTEND_WALK_AST_H

#include <string>
#include <string_view>
#include <vector>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

namespace py = pybind11;

/// Returns the name of the node's class in Python's module `ast`: "BinOp", "Name".
inline std::string_view kindOf(py::handle node) { return Py_TYPE(node.ptr())->tp_name; }
inline bool isKind(py::handle node, std::string_view kind) { return kindOf(node) == kind; }

inline std::string text(py::handle object) { return py::str(object).cast<std::string>(); }
inline std::string nameOf(py::handle node) { return text(node.attr("id")); }
inline py::list listOf(py::handle node, const char *field) { return node.attr(field); }

/// Calls `visit(child)` for every direct child of a node, in source order.
template <typename Visitor> void forEachChild(py::handle node, Visitor &&visit) {
  for (py::handle field : node.attr("_fields")) {
    py::object value = node.attr(field);
    if (py::isinstance<py::list>(value)) {
      for (py::handle item : value)
        if (py::hasattr(item, "_fields"))
          visit(item);
    } else if (py::hasattr(value, "_fields")) {
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

#endif // TTJIT_FRONTEND_WALK_AST_H
