//===- LaunchMesh.h - the mesh on which a launch runs ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_LAUNCHMESH_H
#define TTJIT_FRONTEND_LAUNCHMESH_H

#include "frontend/launcher/Launcher.h"
#include "frontend/tensor/Tensor.h"

#include <memory>
#include <string>
#include <vector>

namespace ttjit::frontend {

/// Returns the mesh of the tensors, whose parameters have these names; for a program of several
/// devices without tensors the open mesh of ttnn; null if the launch runs on one device. Throws a
/// TensorError if only some tensors are on a mesh, if no mesh is open, or if the mesh has other
/// chips than the settings. The caller must hold the GIL.
std::shared_ptr<hw::Device> meshOfLaunch(const hw::Program &program,
                                         const std::vector<std::shared_ptr<Tensor>> &tensors,
                                         const std::vector<std::string> &names,
                                         const KernelSettings &settings);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_LAUNCHMESH_H
