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

KernelLanguage ProgramIndex::languageAt(const ThreadContext &thread) const {
  std::string_view file = location(thread).file;
  for (std::string_view ending : {".h", ".hpp", ".cpp", ".cc"})
    if (file.ends_with(ending))
      return KernelLanguage::Metalium;
  return program.language;
}

} // namespace ttjit::hw
