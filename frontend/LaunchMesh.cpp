//===- LaunchMesh.cpp - the mesh on which a launch runs -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/LaunchMesh.h"

#include "frontend/tensor/TensorBindings.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace py = pybind11;

namespace ttjit::frontend {

// Fails if the mesh consists of other chips than those that the kernel was compiled for.
static void checkChips(const hw::Device &mesh, const KernelSettings &settings) {
  const hw::ArchDesc &own = mesh.arch(), &wanted = settings.arch();
  if (own.name != wanted.name || own.gridX != wanted.gridX || own.gridY != wanted.gridY)
    throw TensorError(fmt::format("the mesh consists of {} {}x{}, but the kernel is for {} {}x{}: "
                                  "open the mesh with the same --arch",
                                  own.name, own.gridX, own.gridY, wanted.name, wanted.gridX,
                                  wanted.gridY));
}

// Returns the mesh of the tensors; null if no tensor is on a mesh. Fails if only some are.
static std::shared_ptr<hw::Device>
meshOfTensors(const std::vector<std::shared_ptr<Tensor>> &tensors,
              const std::vector<std::string> &names) {
  auto isOnMesh = [](const std::shared_ptr<Tensor> &tensor) { return tensor->numDevices() > 1; };
  auto found = llvm::find_if(tensors, isOnMesh);
  if (found == tensors.end())
    return nullptr;
  for (auto [tensor, name] : llvm::zip(tensors, names))
    if (!isOnMesh(tensor))
      throw TensorError(fmt::format("argument '{}' must be on the mesh, as argument '{}' is: make "
                                    "it with device=mesh",
                                    name, names[found - tensors.begin()]));
  return (*found)->device();
}

// Returns the open mesh, on which a program of several devices runs if it has no tensors.
static std::shared_ptr<hw::Device> openMesh(const hw::Program &program) {
  py::object mesh = py::module_::import("ttl._ttnn").attr("fabric").attr("open_mesh")();
  if (mesh.is_none())
    throw TensorError(fmt::format("operation {}() runs on {} devices and has no tensors, and no "
                                  "mesh is open: open one with ttnn.open_mesh_device",
                                  program.name, program.numDevices));
  return mesh.cast<std::shared_ptr<SessionDevice>>();
}

std::shared_ptr<hw::Device> meshOfLaunch(const hw::Program &program,
                                         const std::vector<std::shared_ptr<Tensor>> &tensors,
                                         const std::vector<std::string> &names,
                                         const KernelSettings &settings) {
  std::shared_ptr<hw::Device> mesh = meshOfTensors(tensors, names);
  if (tensors.empty() && program.numDevices > 1)
    mesh = openMesh(program);
  if (mesh)
    checkChips(*mesh, settings);
  return mesh;
}

} // namespace ttjit::frontend
