//===- CppRecords.cpp - programs in C++ from Python ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/CppRecords.h"

#include "frontend/tensor/TensorSpec.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace ttjit;
using namespace ttjit::frontend;

using Cores = std::vector<std::pair<int, int>>;

static std::vector<hw::NodeCoord> readCores(py::handle cores) {
  std::vector<hw::NodeCoord> result;
  for (auto [x, y] : cores.cast<Cores>())
    result.push_back({x, y});
  return result;
}

// Reads [(core, values)].
static std::vector<std::pair<hw::NodeCoord, std::vector<uint32_t>>>
readCoreArguments(py::handle record) {
  using Arguments = std::vector<std::pair<std::pair<int, int>, std::vector<uint32_t>>>;
  std::vector<std::pair<hw::NodeCoord, std::vector<uint32_t>>> result;
  for (auto &[core, values] : record.cast<Arguments>())
    result.push_back({{core.first, core.second}, values});
  return result;
}

static hw::ComputeConfig readConfig(py::handle record) {
  hw::ComputeConfig config;
  config.fp32DestAccEn = record["fp32_dest_acc_en"].cast<bool>();
  config.dstFullSyncEn = record["dst_full_sync_en"].cast<bool>();
  config.mathApproxMode = record["math_approx_mode"].cast<bool>();
  config.bfp8PackPrecise = record["bfp8_pack_precise"].cast<bool>();
  config.mathFidelity = static_cast<hw::MathFidelity>(record["math_fidelity"].cast<int>());
  return config;
}

static CppKernel readKernel(py::handle record) {
  CppKernel kernel;
  kernel.file = record["file"].cast<std::string>();
  kernel.text = record["text"].cast<std::string>();
  kernel.processor = static_cast<hw::Processor>(record["processor"].cast<int>());
  kernel.cores = readCores(record["cores"]);
  kernel.defines = record["defines"].cast<std::vector<std::string>>();
  kernel.includePaths = record["include_paths"].cast<std::vector<std::string>>();
  kernel.compileTimeArgs = record["compile_time_args"].cast<std::vector<uint32_t>>();
  kernel.commonArgs = record["common_args"].cast<std::vector<uint32_t>>();
  kernel.args = readCoreArguments(record["args"]);
  if (kernel.processor == hw::Processor::Compute)
    kernel.compute = readConfig(record["compute"]);
  return kernel;
}

static CppBuffer readBuffer(py::handle record) {
  CppBuffer buffer;
  buffer.index = record["index"].cast<int>();
  buffer.format = formatOf(record["dtype"].cast<DType>());
  buffer.pageBytes = record["page_bytes"].cast<uint32_t>();
  buffer.totalBytes = record["total_bytes"].cast<uint32_t>();
  buffer.memory = record["memory"].cast<int>();
  buffer.cores = readCores(record["cores"]);
  if (py::object base = record["base"]; !base.is_none())
    buffer.backing = {record["tensor"].cast<std::string>(), base.cast<uint32_t>(),
                      record["offset"].cast<uint32_t>()};
  return buffer;
}

// Reads (id, initial value, cores or None).
static CppSemaphore readSemaphore(py::handle record) {
  py::tuple fields = py::reinterpret_borrow<py::tuple>(record);
  CppSemaphore semaphore{fields[0].cast<int>(), fields[1].cast<uint32_t>(), {}};
  if (!fields[2].is_none())
    semaphore.cores = readCores(fields[2]);
  return semaphore;
}

CppProgram ttjit::frontend::readCppProgram(const py::dict &record) {
  CppProgram program;
  program.name = record["name"].cast<std::string>();
  program.numTensors = record["num_tensors"].cast<unsigned>();
  program.numDevices = record["devices"].cast<int>();
  if (program.numDevices > 1) {
    program.columnsOfDevice = record["columns"].cast<int>();
    program.packetBytes = record["packet"].cast<int>();
  }
  for (py::handle kernel : record["kernels"])
    program.kernels.push_back(readKernel(kernel));
  for (py::handle buffer : record["buffers"])
    program.buffers.push_back(readBuffer(buffer));
  for (py::handle semaphore : record["semaphores"])
    program.semaphores.push_back(readSemaphore(semaphore));
  return program;
}

RuntimeResources ttjit::frontend::readResources(const py::object &record) {
  RuntimeResources resources;
  if (record.is_none())
    return resources;
  py::tuple fields = record;
  for (py::handle semaphore : fields[0])
    resources.semaphores.push_back(readSemaphore(semaphore));
  for (py::handle entry : fields[1]) {
    py::tuple arguments = py::reinterpret_borrow<py::tuple>(entry);
    resources.arguments.push_back(
        {arguments[0].cast<std::string>(), readCoreArguments(arguments[1])});
  }
  return resources;
}
