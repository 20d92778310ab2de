//===- WaitForGraph.cpp - which thread waits for which ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/WaitForGraph.h"

#include "hw/device/BufferResets.h"

#include <algorithm>

namespace ttjit::hw {

bool isBlocked(const ThreadContext *thread) {
  return thread && thread->state == ThreadPhase::Blocked;
}

bool waitsForBuffer(const ThreadContext &thread) {
  return thread.wait.kind == WaitKind::Front || thread.wait.kind == WaitKind::Reserve;
}

bool waitsForWord(const WaitState &wait) {
  return wait.kind == WaitKind::SemaphoreEqual || wait.kind == WaitKind::SemaphoreMin;
}

const WordRole *WaitForGraph::roleOf(const ThreadContext &thread, const WaitState &wait) const {
  if (wait.kind == WaitKind::Engine)
    return wait.role;
  return waitsForWord(wait) ? index.roleAt(thread.node->number, wait.object) : nullptr;
}

const ThreadContext *WaitForGraph::peerOf(const ThreadContext &thread,
                                          const WaitState &wait) const {
  const WordRole *role = roleOf(thread, wait);
  if (!role || role->peer < 0)
    return nullptr;
  return grid.nodes()[size_t(role->peer)].threads[size_t(role->processor)];
}

const ThreadContext *WaitForGraph::supplierOf(const ThreadContext &thread) const {
  if (thread.wait.kind == WaitKind::Reset)
    return missingAtReset(thread).front();
  if (thread.wait.kind == WaitKind::Any)
    return peerOf(thread, thread.wait.alternatives().front());
  if (const ThreadContext *peer = peerOf(thread, thread.wait))
    return peer;
  if (!waitsForBuffer(thread))
    return nullptr;
  const CircularBuffer &buffer = thread.buffers[thread.wait.object];
  uint8_t other = thread.wait.kind == WaitKind::Front ? buffer.producer : buffer.consumer;
  return other == kNoProcessor ? nullptr : thread.node->threads[other];
}

bool WaitForGraph::canRelease(const Release &release, const ThreadContext &waiting) const {
  bool pushes = release.kind == Release::Kind::Push, pops = release.kind == Release::Kind::Pop;
  const BufferConfig *buffer = pushes || pops ? index.bufferConfig(release.object) : nullptr;
  if (!buffer)
    return true;
  const std::vector<uint8_t> &threads = pushes ? buffer->producers : buffer->consumers;
  size_t node = waiting.node->number;
  return node >= threads.size() || (threads[node] >> int(release.processor) & 1) != 0;
}

const ThreadContext *WaitForGraph::expectedSupplierOf(const ThreadContext &thread) const {
  const ThreadContext *supplier = supplierOf(thread);
  if (supplier || !waitsForBuffer(thread) || !program.releases)
    return supplier;
  Release::Kind kind =
      thread.wait.kind == WaitKind::Front ? Release::Kind::Push : Release::Kind::Pop;
  for (const Release &release : *program.releases)
    if (release.kind == kind && release.object == thread.wait.object && canRelease(release, thread))
      return thread.node->threads[size_t(release.processor)];
  return nullptr;
}

std::vector<const ThreadContext *> WaitForGraph::chainFrom(const ThreadContext &first,
                                                           Step next) const {
  std::vector<const ThreadContext *> chain;
  for (const ThreadContext *hop = &first;
       isBlocked(hop) && std::find(chain.begin(), chain.end(), hop) == chain.end();
       hop = (this->*next)(*hop))
    chain.push_back(hop);
  return chain;
}

} // namespace ttjit::hw
