//===- CppProgram.h - a program of Metalium kernels in C++ ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What ttnn.generic_op gets: kernels as C++, circular buffers and semaphores, each on a set of
// cores. Sizes are in bytes.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_LAUNCHER_CPPPROGRAM_H
#define TTJIT_FRONTEND_LAUNCHER_CPPPROGRAM_H

#include "hw/device/Program.h"
#include "hw/device/Run.h"

#include <string>
#include <utility>
#include <vector>

namespace ttjit {

struct CppKernel {
  std::string file; ///< as messages name it
  std::string text;
  hw::Processor processor = hw::Processor::Compute;
  std::vector<hw::NodeCoord> cores;
  std::vector<std::string> defines;      ///< NAME=VALUE
  std::vector<std::string> includePaths; ///< folders in which #include looks
  std::vector<uint32_t> compileTimeArgs, commonArgs;
  std::vector<std::pair<hw::NodeCoord, std::vector<uint32_t>>> args; ///< of single cores
  hw::ComputeConfig compute;                                         ///< of a compute kernel
};

struct CppBuffer {
  int index = 0;
  hw::DataFormat format = hw::DataFormat::Float32;
  uint32_t pageBytes = 0, totalBytes = 0;
  /// Buffers with the same number share memory.
  int memory = 0;
  std::vector<hw::NodeCoord> cores;
  /// The memory of the tensor that backs the buffer; no name: the buffer has memory of its own.
  hw::BufferBacking backing;
};

struct CppSemaphore {
  int id = 0;
  uint32_t initialValue = 0;
  std::vector<hw::NodeCoord> cores; ///< empty: all cores
};

struct CppProgram {
  std::string name;
  std::vector<CppKernel> kernels; ///< on a core, at most one for each processor
  std::vector<CppBuffer> buffers; ///< on a core, at most one with each index
  std::vector<CppSemaphore> semaphores;
  unsigned numTensors = 0;
  /// The columns of all devices are side by side.
  int numDevices = 1, columnsOfDevice = 0;
  int packetBytes = 0; ///< of the payload of the fabric, if there are several devices
};

} // namespace ttjit

#endif // TTJIT_FRONTEND_LAUNCHER_CPPPROGRAM_H
