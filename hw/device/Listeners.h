//===- Listeners.h - tells listeners what happens -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_LISTENERS_H
#define TTJIT_HW_DEVICE_LISTENERS_H

#include "hw/device/Grid.h"
#include "hw/device/Memories.h"
#include "hw/device/Run.h"

namespace ttjit::hw {

/// The listeners of a run. A run without listeners uses only the inline functions.
class Listeners {
public:
  Listeners(const RunOptions &options, const Memories &memories, Grid &grid);

  /// Returns whether there are listeners.
  bool areThere() const { return watched; }
  void tellStart(const Program &program);

  /// Records an event: tells the listeners, and notes that the thread is not in an
  /// endless loop.
  void note(ThreadContext &thread, EventKind kind, uint64_t object, uint32_t count = 0,
            const CircularBuffer *buffer = nullptr, const Transfer *transfer = nullptr) {
    thread.eventMark = thread.stepsLeft;
    if (watched)
      tell(thread, kind, object, count, buffer, transfer);
  }
  /// Tells of a landed transfer from another device. Its thread may run now on another host thread.
  void noteLanded(const Transfer &transfer) {
    if (watched)
      tell(*transfer.owner, EventKind::TransferLanded, transfer.number, transfer.bytes, nullptr,
           &transfer);
  }
  /// Tells of an event with a text. It does not show that the thread makes progress.
  void noteText(const ThreadContext &thread, EventKind kind, std::string_view text,
                uint64_t object = 0);
  /// Says what a thread starts to wait for.
  void noteBlocked(const ThreadContext &thread, const WaitState &wait) {
    if (watched)
      tell(thread, EventKind::Blocked, wait.object, wait.needed, nullptr, nullptr);
  }
  /// Tells that the thread's wait for a word has ended.
  void noteWordWait(ThreadContext &thread, const WaitState &wait) {
    thread.eventMark = thread.stepsLeft;
    if (watched)
      tellWordWait(thread, wait);
  }
  /// Tells that the thread reads or writes [address, address + bytes) of its L1: no progress.
  void noteRead(const ThreadContext &thread, uint32_t address, uint32_t bytes) {
    if (watched)
      tellAccess(thread, address, bytes, /*writes=*/false);
  }
  void noteWrite(const ThreadContext &thread, uint32_t address, uint32_t bytes) {
    if (watched)
      tellAccess(thread, address, bytes, /*writes=*/true);
  }
  /// Tells of the cores to which a multicast was sent.
  void noteLegs(const Transfer &multicast) {
    if (watched)
      tellLegs(multicast);
  }
  /// Tells of the words in the L1 of cores that a transfer has changed.
  void noteWords(const Transfer &landed) {
    if (watched)
      tellWords(landed);
  }

  /// Returns whether a listener wants tellTile to be called.
  bool wantTiles() const { return tilesWatched; }
  void tellTile(const TileUse &use);

private:
  void tell(const Event &event);
  void tell(const ThreadContext &thread, EventKind kind, uint64_t object, uint32_t count,
            const CircularBuffer *buffer, const Transfer *transfer);
  void tellAccess(const ThreadContext &thread, uint32_t address, uint32_t bytes, bool writes);
  void tellWordWait(const ThreadContext &thread, const WaitState &wait);
  void tellLegs(const Transfer &multicast);
  void tellWords(const Transfer &landed);

  const std::vector<EventListener *> &listeners;
  const Memories &memories;
  Grid &grid;
  const bool watched;
  const bool tilesWatched;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_LISTENERS_H
