//===- Output.h - what kernel threads print -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Turns the text of a thread into whole lines, each after the thread's node and name. Lines go to
// RunOptions::print in the order in which threads end them. The end of a thread ends a line that
// the thread has left open.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_OUTPUT_H
#define TTJIT_HW_DEVICE_OUTPUT_H

#include "hw/device/Scheduler.h"

#include <map>
#include <string>
#include <string_view>

namespace ttjit::hw {

class Output {
public:
  Output(Machine &machine, Scheduler &scheduler) : machine(machine), scheduler(scheduler) {}

  /// Called on the thread's stack; the sink runs on the host's.
  void add(ThreadContext &thread, std::string_view text);
  /// Ends the thread's last line.
  void finish(ThreadContext &thread);
  /// Ends the last lines of all threads. Called on the host's stack.
  void finishAll();

private:
  Machine &machine;
  Scheduler &scheduler;
  std::map<AgentId, std::string> open; ///< the line that a thread has begun
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_OUTPUT_H
