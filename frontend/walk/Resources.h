//===- Resources.h - what the body of a unified operation makes ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The body of a unified operation makes its buffers, pipes, nets and semaphores while it is
// walked (ttl/_unified.py). Their names are those of the variables that hold them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_RESOURCES_H
#define TTJIT_FRONTEND_WALK_RESOURCES_H

#include "frontend/walk/Arguments.h"
#include "frontend/walk/Values.h"

#include <map>
#include <set>

namespace ttjit::frontend {

class Walker;

class Resources {
public:
  explicit Resources(Walker &walker);

  /// True for ttl.make_dataflow_buffer_like, ttl.PipeNet and the like.
  bool isMaker(py::handle callee) const;
  /// Calls a maker; all arguments must be known.
  Value make(const py::object &callee, Arguments &arguments);
  /// Names resources in `value` after the variable that now holds them. The variable of the
  /// outermost function wins, then the first one.
  void name(const std::string &variable, const Value &value);

private:
  py::object call(const py::object &callee, Arguments &arguments);
  void rename(py::handle resource, std::string name);

  Walker &walker;
  py::object module; ///< ttl._unified
  std::map<void *, size_t> depths; ///< by named resource: the depth of the variable's scope
  std::set<std::string> taken;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_RESOURCES_H
