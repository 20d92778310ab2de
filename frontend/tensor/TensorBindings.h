//===- TensorBindings.h - tensors in the _ttjit module -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_TENSORBINDINGS_H
#define TTJIT_FRONTEND_TENSOR_TENSORBINDINGS_H

#include "hw/device/Device.h"

#include <memory>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// The session's device: the one that open_device gives and that host tensors
/// are placed on for a launch. `gridX` x `gridY` is what an automatic grid
/// stands for (Launcher::autoGrid).
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
