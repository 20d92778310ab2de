//===- Devices.h - the devices of a kernel --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel for several devices has one grid with the columns of device 0, those of device 1 and so
// on. The program counts the columns and nodes of one device. These functions convert between
// both, and build the queries of ttl.DeviceDomain. If the kernel has one device, nothing is built.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_TRANSFERS_DEVICES_H
#define TTJIT_FRONTEND_WALK_TRANSFERS_DEVICES_H

#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

class Walker;

class Devices {
public:
  explicit Devices(Walker &walker) : walker(walker) {}

  /// Returns whether `object` is a ttl.DeviceDomain.
  bool isDomain(py::handle object) const;
  /// Returns whether a kernel function calls this method of a domain for the device that runs it.
  static bool isQuery(const std::string &name) {
    return name == "current_index" || name == "is_current";
  }
  Value callMethod(py::handle domain, const std::string &name, Arguments &arguments);

  /// Returns the number of the device that runs this code, of type index.
  mlir::Value current(py::handle node);
  /// Converts a column, or the number of a node, of the whole grid to that on its device.
  mlir::Value within(py::handle node, mlir::Value place, bool isNumber);
  /// Returns the device of a column, or of the number of a node, of the whole grid.
  mlir::Value deviceOf(py::handle node, mlir::Value place, bool isNumber);
  /// Converts a column, or the number of a node, on a device to that of the whole grid.
  mlir::Value overall(py::handle node, mlir::Value device, mlir::Value place, bool isNumber);
  /// The columns, or the nodes, of one device.
  int64_t perDevice(bool isNumber) const;

private:
  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_TRANSFERS_DEVICES_H
