//===- Pipes.h - pipes, nets and semaphores in kernel functions -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The program's pipes, nets and semaphores (ttl/_pipes.py) become ops in the kernel's body when a
// thread uses them for the first time. All threads share these ops.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_TRANSFERS_PIPES_H
#define TTJIT_FRONTEND_WALK_TRANSFERS_PIPES_H

#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"
#include "ir/TTL/TTL.h"

namespace ttjit::frontend {

class Walker;

class Pipes {
public:
  explicit Pipes(Walker &walker);

  /// Returns whether callMethod handles the methods of `object`.
  bool isPipeObject(py::handle object) const;
  /// Evaluates an attribute: `pipe.src` or `pipe.dst` of the pipe in a callback; any other name is
  /// a method of the object.
  Value attribute(py::handle node, const Value &object, const std::string &name);
  Value callMethod(const Value &self, const std::string &name, Arguments &arguments);

  /// Builds the callback of `net.if_src(fn)`, `net.if_dst(fn)` or `ttl.if_pipe_src(pipes, fn)`.
  Value callback(py::handle net, bool src, Arguments &arguments, unsigned position);
  /// Returns the end of a ttl.Pipe on this node, for a copy outside of callbacks. Nothing for other
  /// objects.
  std::optional<PipeEnd> endOutside(py::handle node, const Value &pipe);
  /// Builds `pipe.has_current_core()` or `ttl.core_in_pipe(pipe)`.
  Value isActive(py::handle node, const Value &pipe);

  /// Returns the semaphore of other nodes that `remote`, an object of ttl._pipes.RemoteSemaphore,
  /// names. `core` replaces its coordinates.
  Value made(py::handle node, py::handle remote);
  Value made(py::handle node, py::handle remote, const Value &core);

private:
  Value destinationCount(py::handle node, py::handle net);
  Value callNet(py::handle net, const std::string &name, Arguments &arguments);
  Value callSemaphore(mlir::Value semaphore, bool isRange, const std::string &name,
                      Arguments &arguments);
  void checkRemote(py::handle node, llvm::ArrayRef<Value> coords) const;
  Value ofNode(py::handle node, mlir::Value semaphore, const Value &core);
  Value ofRange(py::handle node, mlir::Value semaphore, py::handle range);
  Value remote(mlir::Value semaphore, const std::string &name, Arguments &arguments);
  Value ofDevice(py::handle node, mlir::Value semaphore, py::handle range);
  std::optional<llvm::SmallVector<mlir::Value>> selectedNode(py::handle node, const Value &core);
  llvm::SmallVector<mlir::Value> ownNode(py::handle node, llvm::ArrayRef<Value> items);
  llvm::SmallVector<mlir::Value> cornersOfDevice(py::handle node);
  Value end(py::handle node, const PipeEnd &pipe, bool src);
  Value deviceIndex(py::handle node, const PipeEnd &pipe, bool src);
  py::tuple pipesOf(py::handle node, py::handle object) const;
  py::tuple withDevices(py::handle node, py::handle object, const py::tuple &pipes) const;
  /// Returns whether the pipes of a net name devices.
  bool hasDevices(py::handle net) const;
  int64_t deviceAt(py::handle pipe, bool src) const;
  void checkColumns(py::handle node) const;
  mlir::Value netValue(py::handle node, py::handle net);
  mlir::Value pipeValue(py::handle node, py::handle pipe);
  mlir::Value semaphoreValue(py::handle ofNode);
  /// The start, stop and step of a range of nodes in each dimension.
  using Bounds = std::vector<std::tuple<int64_t, int64_t, int64_t>>;
  /// Returns the bounds of a range of nodes. If the range leaves the grid, calls `fail`, which must
  /// not return, with a text that says how.
  Bounds boundsOf(py::handle range, llvm::function_ref<void(const std::string &)> fail) const;
  mlir::ArrayAttr rangeAttr(const Bounds &bounds);
  void moveTo(int64_t device, std::vector<int64_t> &coords) const;
  void moveTo(int64_t device, Bounds &bounds) const;
  /// Fails at the pipe's definition if nodes of the pipe's end are outside the grid.
  void checkEnd(py::handle node, py::handle pipe, std::string_view end,
                llvm::ArrayRef<int64_t> coords) const;
  void checkRange(py::handle node, py::handle pipe, const Bounds &bounds) const;
  /// Returns the value of the object in the kernel's body. At the first call it uses `make` to
  /// build it.
  mlir::Value once(mlir::Value &known, py::handle object, llvm::function_ref<mlir::Value()> make);

  Walker &walker;
  py::object module;
};

/// Returns the position of a Python object with an attribute `location`, named after its attribute
/// `name`.
mlir::Location namedLocation(Walker &walker, py::handle object);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_TRANSFERS_PIPES_H
