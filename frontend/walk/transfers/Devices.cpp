//===- Devices.cpp - the devices of a kernel ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/transfers/Devices.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

int64_t Devices::perDevice(bool isNumber) const {
  return isNumber ? walker.kernel.nodesOfDevice() : walker.kernel.grid.front();
}

mlir::Value Devices::within(py::handle node, mlir::Value place, bool isNumber) {
  if (walker.kernel.devices == 1)
    return place;
  return arith::RemUIOp::create(walker.builder, walker.location(node), place,
                                walker.indexConstant(node, perDevice(isNumber)));
}

mlir::Value Devices::deviceOf(py::handle node, mlir::Value place, bool isNumber) {
  if (walker.kernel.devices == 1)
    return walker.indexConstant(node, 0);
  return arith::DivUIOp::create(walker.builder, walker.location(node), place,
                                walker.indexConstant(node, perDevice(isNumber)));
}

mlir::Value Devices::overall(py::handle node, mlir::Value device, mlir::Value place,
                             bool isNumber) {
  if (walker.kernel.devices == 1)
    return place;
  OpBuilder &builder = walker.builder;
  Location loc = walker.location(node);
  mlir::Value first =
      arith::MulIOp::create(builder, loc, device, walker.indexConstant(node, perDevice(isNumber)));
  return arith::AddIOp::create(builder, loc, first, place);
}

mlir::Value Devices::current(py::handle node) {
  if (walker.kernel.devices == 1)
    return walker.indexConstant(node, 0);
  SmallVector<Type> types(2, walker.builder.getIndexType());
  auto core = ttl::CoreOp::create(walker.builder, walker.location(node), types, 2);
  return deviceOf(node, core.getCoords().front(), /*isNumber=*/false);
}

//===--------------------------------------------------------------------------===//
// Queries of a domain
//===--------------------------------------------------------------------------===//

bool Devices::isDomain(py::handle object) const {
  return py::isinstance(object, pythonModule<"ttl._domains">().attr("DeviceDomain"_py));
}

Value Devices::callMethod(py::handle domain, const std::string &name, Arguments &arguments) {
  py::handle node = arguments.node;
  py::object problem =
      pythonModule<"ttl._domains">().attr("why_not_of"_py)(walker.kernel.call, domain);
  if (!problem.is_none())
    walker.diagnostics.fail(node, problem.cast<std::string>());
  if (name == "current_index") {
    arguments.checkNoMore();
    return walker.scalars.fromIndex(node, current(node));
  }
  const Arguments::Item &item = arguments.require(0, "device");
  arguments.checkNoMore();
  const Static *device = item.value.getIf<Static>();
  if (!device)
    walker.diagnostics.failNeedsStatic(item.node,
                                       "the device that is_current() asks for must be known at "
                                       "compile time; compare current_index() with a number");
  Value index = walker.staticEval.run(
      item.node, [&] { return py::object(domain.attr("index_order"_py)(device->object)); });
  int64_t wanted = *Scalars::staticInt(index);
  if (walker.kernel.devices == 1)
    return Static{py::bool_(wanted == 0)};
  return Scalar{arith::CmpIOp::create(walker.builder, walker.location(node),
                                      arith::CmpIPredicate::eq, current(node),
                                      walker.indexConstant(node, wanted))};
}

} // namespace ttjit::frontend
