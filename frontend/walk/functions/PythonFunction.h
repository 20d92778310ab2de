//===- PythonFunction.h - Python callables that kernels call --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_FUNCTIONS_PYTHONFUNCTION_H
#define TTJIT_FRONTEND_WALK_FUNCTIONS_PYTHONFUNCTION_H

#include "hw/device/HostFunction.h"

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// The Python callable of a ttl.host_function(). Each call takes the GIL.
class PythonFunction : public hw::HostFunction {
public:
  /// `function` is a ttl._host.HostFunction. The caller must hold the GIL.
  explicit PythonFunction(pybind11::object function) : function(std::move(function)) {}
  ~PythonFunction() override;

  bool isOf(pybind11::handle other) const { return function.is(other); }
  std::string call(std::span<hw::HostArgument> arguments, char resultKind,
                   uint32_t &result) override;

private:
  pybind11::object function;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_FUNCTIONS_PYTHONFUNCTION_H
