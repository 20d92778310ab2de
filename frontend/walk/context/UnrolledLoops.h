//===- UnrolledLoops.h - loops that are compiled once for each item -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_UNROLLEDLOOPS_H
#define TTJIT_FRONTEND_WALK_CONTEXT_UNROLLEDLOOPS_H

#include <set>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

namespace py = pybind11;

/// Which loops over short ranges are unrolled: those that were found to need it.
class UnrolledLoops {
public:
  /// Returns whether a loop around the walked code will be unrolled if its body needs that.
  bool canUnroll() const { return depth > 0; }
  /// Called around the walk of the body of a loop that will be unrolled if its body needs the loop
  /// variable at compile time.
  void enter() { ++depth; }
  void leave() { --depth; }
  /// The number of such loops around the walked code.
  unsigned numEntered() const { return depth; }
  /// Returns to a smaller number of loops, after an error.
  void unwindTo(unsigned number) { depth = number; }

  /// Makes the loop `node` be unrolled, if its range is short and known at compile time. Returns
  /// false if it was marked so before.
  bool unroll(py::handle node) { return marked.insert(node.ptr()).second; }
  bool isUnrolled(py::handle node) const { return marked.count(node.ptr()); }

private:
  unsigned depth = 0;
  std::set<PyObject *> marked;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_UNROLLEDLOOPS_H
