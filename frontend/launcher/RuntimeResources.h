//===- RuntimeResources.h - what a launch gives to C++ functions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_LAUNCHER_RUNTIMERESOURCES_H
#define TTJIT_FRONTEND_LAUNCHER_RUNTIMERESOURCES_H

#include "frontend/launcher/CppProgram.h"

#include <string>
#include <utility>
#include <vector>

namespace ttjit {

/// Resources of one launch for the C++ functions that the threads of a kernel call.
struct RuntimeResources {
  /// Arguments of the functions that one thread calls.
  struct Arguments {
    std::string thread; ///< the thread's name
    std::vector<std::pair<hw::NodeCoord, std::vector<uint32_t>>> values;
  };

  std::vector<CppSemaphore> semaphores; ///< their ids are not those of the kernel's own semaphores
  std::vector<Arguments> arguments;
};

} // namespace ttjit

#endif // TTJIT_FRONTEND_LAUNCHER_RUNTIMERESOURCES_H
