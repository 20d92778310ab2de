//===- TensorBindings.h - tensors in the _ttjit module --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_TENSORBINDINGS_H
#define TTJIT_FRONTEND_TENSOR_TENSORBINDINGS_H

#include "hw/device/Device.h"

#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// A device that open_device returns and on which a launch places host tensors. All devices of
/// Python's tensors are of this class. An automatic grid has `gridX` columns and `gridY` rows
/// (KernelSettings::autoGrid).
struct SessionDevice : hw::Device {
  SessionDevice(const hw::ArchDesc &arch, std::pair<int, int> grid,
                std::vector<int> extents = {1, 1})
      : Device(arch, std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<>())),
        gridX(grid.first), gridY(grid.second), mesh(std::move(extents)) {}

  int gridX, gridY;
  std::vector<int> mesh; ///< extents of the mesh; their product is numDevices()
};

/// Adds DataType, Layout, BufferType, TensorMemoryLayout, MemoryConfig,
/// CoreCoord, Device and Tensor (the base of ttnn.Tensor) to the extension module.
void registerTensorBindings(pybind11::module_ &module);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_TENSORBINDINGS_H
