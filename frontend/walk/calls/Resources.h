//===- Resources.h - buffers, pipes and semaphores of the walk ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The body of a unified operation makes its buffers, pipes, nets and semaphores while it is walked
// (ttl/_unified.py). Each gets the name of the variable that holds it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CALLS_RESOURCES_H
#define TTJIT_FRONTEND_WALK_CALLS_RESOURCES_H

#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"

#include <map>
#include <set>

namespace ttjit::frontend {

class Walker;

class Resources {
public:
  explicit Resources(Walker &walker);

  /// Returns whether `callee` makes a resource: ttl.make_dataflow_buffer_like, ttl.PipeNet and
  /// others.
  bool isMaker(py::handle callee) const;
  /// Calls a function that makes a resource. All arguments must be known at compile time.
  Value make(const py::object &callee, Arguments &arguments);
  /// Runs an import statement in Python and binds its names.
  void importNames(py::handle statement);
  /// Names the resources in `value` after the variable that now holds them. If several variables
  /// hold a resource, the variable of the outermost function wins, then the first one.
  void name(const std::string &variable, const Value &value);

private:
  py::object call(const py::object &callee, Arguments &arguments);
  void rename(py::handle resource, std::string name);

  Walker &walker;
  py::object module; ///< the Python module ttl._unified
  std::map<void *, size_t>
      depths; ///< for each named resource, how deep the scope of its variable is nested
  std::set<std::string> taken;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CALLS_RESOURCES_H
