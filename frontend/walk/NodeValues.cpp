//===- NodeValues.cpp - captured values that differ between nodes -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/NodeValues.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/NodeTables.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Pipes.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

#include <bit>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

// Returns a number for each node of a device; those of nodes outside of the group are never read.
std::vector<int32_t> NodeValues::ofNodes(ArrayRef<int32_t> numbers) const {
  py::list nodes = walker.kernel.group.attr("nodes"_py);
  std::vector<int32_t> all(walker.kernel.nodesOfDevice());
  for (auto [i, number] : llvm::enumerate(numbers))
    all[nodes[i].cast<int64_t>()] = number;
  return all;
}

// Returns the table that each launch fills; this call's numbers are in it for the other tools.
// `numbers` has one entry for each node of the group, or one for all nodes.
mlir::Value NodeValues::tableOf(const std::string &name, ArrayRef<int32_t> numbers,
                                const Table &table) const {
  Kernel &kernel = walker.kernel;
  mlir::Value &known = kernel.launchTables[table.number];
  if (known)
    return known;
  bool isCommon = kernel.group.attr("is_common"_py).cast<bool>();
  ttl::CreateNodeTableOp op = isCommon
                                  ? createCommonNumber(kernel, name, numbers.front(), table.type)
                                  : createNodeTable(kernel, name, ofNodes(numbers));
  op->setAttr(ttl::kLaunchNumberAttr, kernel.builder.getI32IntegerAttr(table.number));
  return known = op;
}

mlir::Value NodeValues::column(py::handle node, const std::string &name, ArrayRef<int32_t> numbers,
                               const Table &table) const {
  OpBuilder &builder = walker.builder;
  mlir::Value index = ttl::NodeValueOp::create(
      builder, NameLoc::get(builder.getStringAttr(name), walker.location(node)),
      builder.getIndexType(), tableOf(name, numbers, table), walker.indexConstant(node, 0));
  return arith::IndexCastOp::create(builder, walker.location(node), builder.getI32Type(), index);
}

static int32_t integerOf(const Walker &walker, py::handle node, const std::string &name,
                         py::handle number) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow || value != static_cast<int32_t>(value))
    walker.diagnostics.fail(node,
                            fmt::format("'{}' differs between nodes, so its values must fit in a "
                                        "run-time integer of 32 bits; one of them does not",
                                        name));
  return static_cast<int32_t>(value);
}

// Builds the read of a float. The table holds the bits of the floats.
Value NodeValues::readFloats(py::handle node, const std::string &name, py::list numbers,
                             const Table &table) const {
  SmallVector<int32_t> bits;
  for (py::handle number : numbers)
    bits.push_back(std::bit_cast<int32_t>(static_cast<float>(PyFloat_AsDouble(number.ptr()))));
  return Scalar{arith::BitcastOp::create(walker.builder, walker.location(node),
                                         walker.builder.getF32Type(),
                                         column(node, name, bits, table))};
}

Value NodeValues::read(py::handle node, const std::string &name, py::list numbers,
                       unsigned number) const {
  bool areBools = llvm::all_of(numbers, [](py::handle n) { return PyBool_Check(n.ptr()); });
  if (llvm::any_of(numbers, [](py::handle n) { return PyFloat_Check(n.ptr()); }))
    return readFloats(node, name, numbers, {number, walker.builder.getF32Type()});
  SmallVector<int32_t> values;
  for (py::handle each : numbers)
    values.push_back(integerOf(walker, node, name, each));
  mlir::Value value = column(node, name, values, {number, walker.builder.getI32Type()});
  if (!areBools)
    return Scalar{value};
  return Scalar{arith::CmpIOp::create(walker.builder, walker.location(node),
                                      arith::CmpIPredicate::ne, value,
                                      walker.constant(node, int32_t(0)))};
}

Value NodeValues::valueOf(py::handle node, const std::string &name, py::tuple captured) const {
  std::string kind = text(captured[0]);
  if (kind == "same")
    return Static{captured[1]};
  if (kind == "numbers")
    return read(node, name, captured[1], captured[2].cast<unsigned>());
  if (kind == "remote")
    return walker.pipes.made(node, captured[1],
                             valueOf(node, name, py::reinterpret_borrow<py::tuple>(captured[2])));
  std::vector<Value> items;
  for (py::handle item : py::list(captured[1]))
    items.push_back(valueOf(node, name, py::reinterpret_borrow<py::tuple>(item)));
  return makeTuple(std::move(items));
}

std::optional<Value> NodeValues::parameter(py::handle node, const std::string &name) const {
  if (walker.kernel.group.is_none())
    return std::nullopt;
  py::object captured = walker.kernel.group.attr("parameter"_py)(name);
  if (captured.is_none())
    return std::nullopt;
  return valueOf(node, name, captured);
}

std::optional<Value> NodeValues::find(py::handle node, py::handle function,
                                      const std::string &name) const {
  if (walker.kernel.group.is_none())
    return std::nullopt;
  py::object captured = walker.kernel.group.attr("captured"_py)(function, name);
  if (captured.is_none() || text(captured[py::int_(0)]) == "same")
    return std::nullopt;
  return valueOf(node, name, captured);
}

} // namespace ttjit::frontend
