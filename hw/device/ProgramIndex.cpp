//===- ProgramIndex.cpp - finds parts of a program by number ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/ProgramIndex.h"

#include "hw/device/ThreadContext.h"

#include <algorithm>

namespace ttjit::hw {

ProgramIndex::ProgramIndex(const Program &program, const ArchDesc &arch)
    : program(program), arch(arch) {
  for (const BufferConfig &buffer : program.buffers) {
    if (buffer.index < 0 || buffer.index >= kMaxBuffers)
      continue;
    auto index = static_cast<size_t>(buffer.index);
    buffers.resize(std::max(buffers.size(), index + 1));
    if (!buffers[index])
      buffers[index] = &buffer;
  }
  differ = std::ranges::any_of(program.semaphores,
                               [](const SemaphoreConfig &each) { return !each.onNode.empty(); });
}

const SemaphoreConfig *ProgramIndex::semaphoreAt(uint32_t address) const {
  for (const SemaphoreConfig &semaphore : program.semaphores)
    if (address == arch.semaphoreAddress(semaphore.id))
      return &semaphore;
  return nullptr;
}

const WordRole *ProgramIndex::roleAt(uint32_t node, uint32_t address) const {
  for (const WordRole &role : program.roles)
    if (role.node == node &&
        address == (role.semaphore >= 0 ? arch.semaphoreAddress(role.semaphore) : role.address))
      return &role;
  return nullptr;
}

const SourceLocation &ProgramIndex::location(uint32_t loc) const {
  static const SourceLocation unknown;
  return loc < program.locations.size() ? program.locations[loc] : unknown;
}

const SourceLocation &ProgramIndex::location(const ThreadContext &thread) const {
  const SourceLocation &call = location(thread.loc);
  return call.line ? call : thread.config->location;
}

static bool isInCpp(const SourceLocation &place) {
  std::string_view file = place.file;
  return file.ends_with(".h") || file.ends_with(".hpp") || file.ends_with(".cpp") ||
         file.ends_with(".cc");
}

KernelLanguage ProgramIndex::languageAt(const ThreadContext &thread) const {
  return isInCpp(location(thread)) ? KernelLanguage::Metalium : program.language;
}

bool ProgramIndex::runsCpp() const {
  return program.language == KernelLanguage::Metalium ||
         std::any_of(program.locations.begin(), program.locations.end(), isInCpp);
}

} // namespace ttjit::hw
