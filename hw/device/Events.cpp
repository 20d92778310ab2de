//===- Events.cpp - names of events -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Events.h"

namespace ttjit::hw {

const char *eventName(EventKind kind) {
  static constexpr const char *names[] = {"thread_start",
                                          "thread_end",
                                          "blocked",
                                          "reserve",
                                          "push",
                                          "wait",
                                          "pop",
                                          "read_issued",
                                          "write_issued",
                                          "multicast_issued",
                                          "multicast_leg",
                                          "semaphore_issued",
                                          "transfer_landed",
                                          "read_barrier",
                                          "write_barrier",
                                          "writes_flushed",
                                          "atomic_barrier",
                                          "semaphore_set",
                                          "semaphore_wait",
                                          "word_changed",
                                          "dst_acquire",
                                          "dst_commit",
                                          "dst_wait",
                                          "dst_release",
                                          "print",
                                          "signpost",
                                          "access",
                                          "reset_reached",
                                          "buffer_reset",
                                          "reset_passed",
                                          "fault"};
  static_assert(sizeof(names) / sizeof(*names) == static_cast<size_t>(EventKind::Fault) + 1);
  return names[static_cast<size_t>(kind)];
}

} // namespace ttjit::hw
