//===- BoundResources.cpp - resources of a launch in its program --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/BoundResources.h"

#include <fmt/format.h>

#include <algorithm>

using namespace ttjit;
using namespace ttjit::session;

size_t session::numberOf(hw::NodeCoord core, const hw::Program &program) {
  return static_cast<size_t>(core.y * program.gridX + core.x);
}

void session::addSemaphores(const std::vector<CppSemaphore> &semaphores, hw::Program &program) {
  for (const CppSemaphore &semaphore : semaphores) {
    hw::SemaphoreConfig &config = program.semaphores.emplace_back();
    config.name = fmt::format("semaphore {}", semaphore.id);
    config.id = semaphore.id;
    config.initialValue = semaphore.initialValue;
    if (!semaphore.cores.empty())
      config.onNode.resize(static_cast<size_t>(program.numNodes));
    for (hw::NodeCoord core : semaphore.cores)
      config.onNode[numberOf(core, program)] = true;
  }
}

// Sets on each node the thread's own arguments, the number of the others, and the others (see
// ttl_hw_extern_begin).
void BoundResources::add(const RuntimeResources::Arguments &arguments, hw::ThreadConfig &thread) {
  formers.push_back({&thread, thread.nodeArgs, thread.argsPerNode});
  size_t most = 0;
  for (const auto &[core, values] : arguments.values)
    most = std::max(most, values.size());
  size_t own = thread.argsPerNode, length = own + 1 + most;
  thread.argsPerNode = static_cast<uint32_t>(length);
  thread.nodeArgs.assign(length * static_cast<size_t>(program.numNodes), 0);
  for (size_t node = 0; node < static_cast<size_t>(program.numNodes); ++node)
    std::copy_n(formers.back().nodeArgs.begin() + static_cast<ptrdiff_t>(node * own), own,
                thread.nodeArgs.begin() + static_cast<ptrdiff_t>(node * length));
  for (const auto &[core, values] : arguments.values) {
    auto place =
        thread.nodeArgs.begin() + static_cast<ptrdiff_t>(numberOf(core, program) * length + own);
    *place = static_cast<uint32_t>(values.size());
    std::ranges::copy(values, place + 1);
  }
}

BoundResources::BoundResources(hw::Program &program, const RuntimeResources &resources)
    : program(program), numSemaphores(program.semaphores.size()) {
  addSemaphores(resources.semaphores, program);
  for (const RuntimeResources::Arguments &arguments : resources.arguments)
    for (hw::ThreadConfig &thread : program.threads)
      if (thread.name == arguments.thread)
        add(arguments, thread);
}

BoundResources::~BoundResources() {
  program.semaphores.resize(numSemaphores);
  for (Former &former : formers) {
    former.thread->nodeArgs = std::move(former.nodeArgs);
    former.thread->argsPerNode = former.argsPerNode;
  }
}
