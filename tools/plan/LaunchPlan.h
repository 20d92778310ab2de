//===- LaunchPlan.h - the program of a kernel, without code ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_LAUNCHPLAN_H
#define TTJIT_TOOLS_PLAN_LAUNCHPLAN_H

#include "hw/device/Device.h"
#include "hw/device/Program.h"
#include "interp/ThreadSource.h"

namespace ttjit::plan {

/// The program of a launch, without code. `sources` and `tensorArguments` have one
/// entry for each of `program.threads`. Common argument k of thread t is the base
/// address of the kernel's argument `tensorArguments[t][k]`.
struct LaunchPlan {
  /// Where table `number` of a launch is among the arguments of a thread: in those of each node, or
  /// in the common ones.
  struct NumberColumn {
    unsigned number = 0, thread = 0;
    int64_t column = 0;
    bool isCommon = false;
  };

  /// Buffer `buffer` of the program is part of the kernel's argument `tensor`.
  struct BackedBuffer {
    size_t buffer = 0;
    unsigned tensor = 0;
  };

  hw::Program program;
  std::vector<int64_t> mesh; ///< extents of the mesh on which it runs; empty: one device
  std::vector<interp::ThreadSource> sources;
  std::vector<std::vector<unsigned>> tensorArguments;
  /// The common arguments of each thread after the addresses of its tensors.
  std::vector<std::vector<uint32_t>> commonNumbers;
  unsigned numTensors = 0;
  /// The kernel's arguments that no thread writes. A launch may pass one tensor as two arguments.
  std::vector<unsigned> constantArguments;
  std::vector<NumberColumn> numberColumns;
  std::vector<BackedBuffer> backedBuffers;
  std::vector<uint32_t> deviceNodes; ///< for each node of the kernel's grid
  /// The compute configuration of each node, if kernels in C++ have several; else empty.
  std::vector<hw::ComputeConfig> nodeConfigs;
};

} // namespace ttjit::plan

#endif // TTJIT_TOOLS_PLAN_LAUNCHPLAN_H
