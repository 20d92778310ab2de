//===- NodeValues.h - captured values that differ between nodes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The Python body of an operation that asks for its node runs once for every node (ttl/_nodes.py).
// Kernel functions may capture numbers that differ between the nodes of a group. The kernel reads
// such numbers from tables when it runs. Each launch fills these tables, so calls that differ only
// in such numbers run the same program.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_NODEVALUES_H
#define TTJIT_FRONTEND_WALK_NODEVALUES_H

#include "frontend/walk/values/Values.h"

#include <optional>

namespace ttjit::frontend {

class Walker;

class NodeValues {
public:
  explicit NodeValues(Walker &walker) : walker(walker) {}

  /// Returns the value of the variable `name` that a Python function captured and that is read at
  /// `node`. Returns nothing if the variable is the same on all nodes.
  std::optional<Value> find(py::handle node, py::handle function, const std::string &name) const;

  /// Returns the value of a parameter of the unified body whose definition is `node`. Returns
  /// nothing if its value is known when the kernel is compiled.
  std::optional<Value> parameter(py::handle node, const std::string &name) const;

private:
  std::vector<int32_t> ofNodes(llvm::ArrayRef<int32_t> numbers) const;
  /// A table that each launch fills: its number, and the type of the number that is in it.
  struct Table {
    unsigned number;
    mlir::Type type;
  };

  Value valueOf(py::handle node, const std::string &name, py::tuple captured) const;
  Value read(py::handle node, const std::string &name, py::list numbers, unsigned number) const;
  Value readFloats(py::handle node, const std::string &name, py::list numbers,
                   const Table &table) const;
  mlir::Value column(py::handle node, const std::string &name, llvm::ArrayRef<int32_t> numbers,
                     const Table &table) const;
  mlir::Value tableOf(const std::string &name, llvm::ArrayRef<int32_t> numbers,
                      const Table &table) const;

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_NODEVALUES_H
