//===- PlaceNames.h - the user's names for memory -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_PLACENAMES_H
#define TTJIT_HW_CHECK_PLACENAMES_H

#include "hw/device/Events.h"

#include <functional>
#include <string>

namespace ttjit::hw::check {

/// Names places of memory in messages about one run.
class PlaceNames {
public:
  /// Returns a name such as "page 0 of tensor 'y'", or an empty string if no tensor is there.
  using TensorName = std::function<std::string(const MemoryPlace &)>;

  explicit PlaceNames(TensorName tensorName) : tensorName(std::move(tensorName)) {}

  void setProgram(const Program &of) { program = &of; }
  /// Returns "page 0 of tensor 'y'", "page 2 of 'a_dfb'", or the address in L1 or DRAM.
  std::string of(const MemoryPlace &place) const;
  /// Returns "reader() of node (0, 1)".
  std::string ofThread(AgentId agent, NodeCoord node) const;
  /// Returns the node's coordinates as a Fault has them: those on its own device.
  NodeCoord ofDevice(NodeCoord node) const;
  const ThreadConfig *configOf(AgentId agent) const;
  /// Returns whether a pipe uses the semaphore.
  bool belongsToPipe(const SemaphoreConfig &semaphore) const;
  SourceLocation location(uint32_t loc) const;

private:
  const BufferConfig *bufferAt(const MemoryPlace &place) const;

  TensorName tensorName;
  const Program *program = nullptr;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_PLACENAMES_H
