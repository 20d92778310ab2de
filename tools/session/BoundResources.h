//===- BoundResources.h - resources of a launch in its program ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_BOUNDRESOURCES_H
#define TTJIT_TOOLS_SESSION_BOUNDRESOURCES_H

#include "frontend/launcher/RuntimeResources.h"

namespace ttjit::session {

/// Returns the number of the node at a core of the program's grid.
size_t numberOf(hw::NodeCoord core, const hw::Program &program);

/// Adds semaphores to the program.
void addSemaphores(const std::vector<CppSemaphore> &semaphores, hw::Program &program);

/// While it exists, a program has the resources of one launch.
class BoundResources {
public:
  BoundResources(hw::Program &program, const RuntimeResources &resources);
  ~BoundResources();
  BoundResources(const BoundResources &) = delete;

private:
  /// A thread's arguments before the launch's were added. The destructor restores them.
  struct Former {
    hw::ThreadConfig *thread;
    std::vector<uint32_t> nodeArgs;
    uint32_t argsPerNode;
  };

  void add(const RuntimeResources::Arguments &arguments, hw::ThreadConfig &thread);

  hw::Program &program;
  size_t numSemaphores; ///< without the added ones
  std::vector<Former> formers;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_BOUNDRESOURCES_H
