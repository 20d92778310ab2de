//===- TensorBindings.h - tensors in the _ttjit module -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_TENSORBINDINGS_H
#define TTJIT_FRONTEND_TENSOR_TENSORBINDINGS_H

#include "hw/device/Device.h"

#include <memory>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// The session's device, which open_device returns and on which a launch places host tensors. An
/// automatic grid has `gridX` columns and `gridY` rows (Launcher::autoGrid).
struct SessionDevice {
  std::shared_ptr<hw::Device> device;
  int gridX = 1, gridY = 1;
};

/// Adds DataType, Layout, BufferType, TensorMemoryLayout, MemoryConfig,
/// CoreCoord, Device, Tensor (the base of ttnn.Tensor) and session_device() to
/// the extension module.
void registerTensorBindings(pybind11::module_ &module, SessionDevice session);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_TENSORBINDINGS_H
