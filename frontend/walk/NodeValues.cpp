//===- NodeValues.cpp - captured values that differ between nodes ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/NodeValues.h"

#include "frontend/walk/Ast.h"
#include "frontend/walk/Walker.h"

#include <fmt/format.h>

#include <bit>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

mlir::Value nodeTable(Kernel &kernel, const std::string &name,
                      const std::vector<int32_t> &numbers) {
  mlir::Value &known = kernel.nodeTables[numbers];
  if (known)
    return known;
  OpBuilder builder(kernel.builder.getContext());
  mlir::Block &body = kernel.op.getBody().front();
  builder.setInsertionPoint(&body,
                            llvm::find_if(body, [](Operation &op) { return ttl::isThread(&op); }));
  auto type =
      RankedTensorType::get({static_cast<int64_t>(numbers.size()), 1}, builder.getI32Type());
  Location loc = NameLoc::get(builder.getStringAttr(name), kernel.op.getLoc());
  return known = ttl::CreateNodeTableOp::create(builder, loc,
                                                ttl::NodeTableType::get(builder.getContext()), name,
                                                DenseIntElementsAttr::get(type, ArrayRef(numbers)));
}

// Builds the read of a table. `numbers` has one entry for each node of the group; the entries of
// other nodes are never read.
mlir::Value NodeValues::column(py::handle node, const std::string &name,
                               ArrayRef<int32_t> numbers) const {
  py::list nodes = walker.kernel.group.attr("nodes"_py);
  int64_t count = 1;
  for (int64_t extent : walker.kernel.grid)
    count *= extent;
  std::vector<int32_t> all(count);
  for (auto [i, number] : llvm::enumerate(numbers))
    all[nodes[i].cast<int64_t>()] = number;
  OpBuilder &builder = walker.builder;
  mlir::Value index = ttl::NodeValueOp::create(
      builder, NameLoc::get(builder.getStringAttr(name), walker.location(node)),
      builder.getIndexType(), nodeTable(walker.kernel, name, all), walker.indexConstant(node, 0));
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

// Builds the read of a float. Each different float has a number; the table holds the number for
// each node, which then selects the float.
Value NodeValues::readFloats(py::handle node, const std::string &name, py::list numbers) const {
  std::vector<float> known;
  SmallVector<int32_t> places;
  for (py::handle number : numbers) {
    auto value = static_cast<float>(PyFloat_AsDouble(number.ptr()));
    auto sameBits = [&](float other) {
      return std::bit_cast<uint32_t>(other) == std::bit_cast<uint32_t>(value);
    };
    auto it = llvm::find_if(known, sameBits);
    places.push_back(it - known.begin());
    if (it == known.end())
      known.push_back(value);
  }
  mlir::Value place = column(node, name, places), result = walker.constant(node, known[0]);
  Location loc = walker.location(node);
  for (size_t i = 1; i < known.size(); ++i) {
    mlir::Value isThis = arith::CmpIOp::create(walker.builder, loc, arith::CmpIPredicate::eq, place,
                                               walker.constant(node, static_cast<int32_t>(i)));
    result = arith::SelectOp::create(walker.builder, loc, isThis, walker.constant(node, known[i]),
                                     result);
  }
  return Scalar{result};
}

Value NodeValues::read(py::handle node, const std::string &name, py::list numbers) const {
  bool areBools = llvm::all_of(numbers, [](py::handle n) { return PyBool_Check(n.ptr()); });
  if (llvm::any_of(numbers, [](py::handle n) { return PyFloat_Check(n.ptr()); }))
    return readFloats(node, name, numbers);
  SmallVector<int32_t> values;
  for (py::handle number : numbers)
    values.push_back(integerOf(walker, node, name, number));
  mlir::Value value = column(node, name, values);
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
    return read(node, name, captured[1]);
  std::vector<Value> items;
  for (py::handle item : py::list(captured[1]))
    items.push_back(valueOf(node, name, py::reinterpret_borrow<py::tuple>(item)));
  return Expressions::tuple(std::move(items));
}

std::optional<Value> NodeValues::find(py::handle node, py::handle function,
                                      const std::string &name) const {
  if (walker.kernel.group.is_none())
    return std::nullopt;
  py::object captured = walker.kernel.group.attr("captured"_py)(function, name);
  if (captured.is_none())
    return std::nullopt;
  return valueOf(node, name, captured);
}

} // namespace ttjit::frontend
