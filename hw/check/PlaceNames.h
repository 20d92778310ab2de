//===- PlaceNames.h - the user's names for memory -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_PLACENAMES_H
#define TTJIT_HW_CHECK_PLACENAMES_H

#include "hw/device/Device.h"
#include "hw/device/Events.h"

#include <string>
#include <vector>

namespace ttjit::hw::check {

/// A tensor of a launch, with the name of the kernel's parameter.
struct NamedTensor {
  std::string name;
  TensorAllocation place;
};

/// Names places of memory in messages about one run.
class PlaceNames {
public:
  explicit PlaceNames(std::vector<NamedTensor> tensors) : tensors(std::move(tensors)) {}

  void setProgram(const Program &of) { program = &of; }
  /// Returns "tensor 'y'", "page 2 of 'a_dfb'", or the address in L1 or DRAM.
  std::string of(const MemoryPlace &place) const;
  /// Returns "reader() of node (0, 1)".
  std::string ofThread(AgentId agent, NodeCoord node) const;
  const ThreadConfig *configOf(AgentId agent) const;
  SourceLocation location(uint32_t loc) const;

private:
  const NamedTensor *tensorAt(const MemoryPlace &place) const;
  const BufferConfig *bufferAt(const MemoryPlace &place) const;

  std::vector<NamedTensor> tensors;
  const Program *program = nullptr;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_PLACENAMES_H
