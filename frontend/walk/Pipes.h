//===- Pipes.h - pipes, nets and semaphores in kernel functions -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The program's objects (ttl/_pipes.py) become ops in the kernel's body when a
// thread first uses them; all threads share them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_PIPES_H
#define TTJIT_FRONTEND_WALK_PIPES_H

#include "frontend/walk/Arguments.h"
#include "frontend/walk/Values.h"

#include "ir/TTL/TTL.h"

namespace ttjit::frontend {

class Walker;

class Pipes {
public:
  explicit Pipes(Walker &walker);

  /// True for objects whose methods callMethod handles.
  bool isPipeObject(py::handle object) const;
  /// Returns `pipe.src` or `pipe.dst` of a callback's pipe; for any other name, a method of the
  /// object.
  Value attribute(py::handle node, const Value &object, const std::string &name);
  Value callMethod(const Value &self, const std::string &name, Arguments &arguments);

  /// `net.if_src(fn)`, `ttl.if_pipe_src(pipes, fn)`.
  Value callback(py::handle net, bool src, Arguments &arguments, unsigned position);
  /// `pipe.has_current_core()`, `ttl.core_in_pipe(pipe)`.
  Value isActive(py::handle node, const Value &pipe);

private:
  Value callNet(py::handle net, const std::string &name, Arguments &arguments);
  Value callSemaphore(mlir::Value semaphore, bool isRange, const std::string &name,
                      Arguments &arguments);
  void checkRemote(py::handle node, llvm::ArrayRef<Value> coords) const;
  Value remote(mlir::Value semaphore, const std::string &name, Arguments &arguments);
  Value end(py::handle node, const PipeEnd &pipe, bool src);
  py::tuple pipesOf(py::handle node, py::handle object) const;
  mlir::Value netValue(py::handle node, py::handle net);
  mlir::Value pipeValue(py::handle node, py::handle pipe);
  mlir::Value semaphoreValue(py::handle ofNode);
  /// Start, stop and step of a range of nodes, per dimension.
  using Bounds = std::vector<std::tuple<int64_t, int64_t, int64_t>>;
  /// `fail` gets what is wrong with a range that leaves the grid, and does not return.
  Bounds boundsOf(py::handle range, llvm::function_ref<void(const std::string &)> fail) const;
  mlir::ArrayAttr rangeAttr(const Bounds &bounds);
  /// Fails at the pipe's definition unless the nodes are in the grid.
  void checkEnd(py::handle node, py::handle pipe, std::string_view end,
                llvm::ArrayRef<int64_t> coords) const;
  void checkRange(py::handle node, py::handle pipe, const Bounds &bounds) const;
  /// What `make` makes of the object in the kernel's body, the first time.
  mlir::Value once(mlir::Value &known, py::handle object, llvm::function_ref<mlir::Value()> make);

  Walker &walker;
  py::object module;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_PIPES_H
