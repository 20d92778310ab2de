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

/// "BinOp", "Name", ...
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

/// Calls `visit(node)` for the nodes and all below them, parents first. `visit` returns
/// whether to go on below the node. Without recursion: a chain of `elif`s is deep.
template <typename Visitor> void forEachDescendant(py::handle nodes, Visitor &&visit) {
  std::vector<py::handle> pending; // the tree keeps them alive
  auto add = [&](py::handle node) { pending.push_back(node); };
  for (py::handle node : nodes)
    add(node);
  while (!pending.empty()) {
    py::handle node = pending.back();
    pending.pop_back();
    if (visit(node))
      forEachChild(node, add);
  }
}

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_AST_H
