//===- Stops.h - where and why a debugged run stops -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_DEBUGGER_STOPS_H
#define TTJIT_TOOLS_DEBUGGER_STOPS_H

#include "hw/device/Events.h"
#include "interp/Statements.h"

#include <optional>
#include <string>
#include <vector>

namespace ttjit::debugger {

/// One moment of a run: a statement begins, or an event has happened. Moments are numbered from 1.
struct Moment {
  uint64_t number = 0;
  hw::AgentId agent = 0;
  hw::NodeCoord node;
  const interp::Statement *statement = nullptr; ///< null: an event
  const hw::Event *event = nullptr;             ///< null: a statement
};

/// A place at which a run stops. All conditions that are set must hold.
struct Breakpoint {
  enum class Kind : uint8_t { Line, Op, Event };

  int id = 0;
  Kind kind = Kind::Line;
  std::string file;               ///< Line: the end of the path; empty: any file
  int line = 0;                   ///< Line
  std::string name;               ///< Op: as "cb_push" or "ttl.cb_push"; Event: as eventName()
  std::optional<uint32_t> buffer; ///< Event: index of its buffer
  std::optional<std::pair<int, int>> node; ///< of the thread that stops
  std::string thread;                      ///< name of the thread that stops; empty: any
};

/// Bytes whose changes stop a run.
struct Watch {
  int id = 0;
  std::string text; ///< what the user watches
  hw::MemoryPlace place;
  std::vector<std::byte> last;
};

/// The end of a resume(). Breakpoints, watches and faults may end it earlier.
struct Goal {
  enum class Kind : uint8_t {
    Continue,
    Step,   ///< the next statement of a thread
    Next,   ///< that outside of functions it calls
    Finish, ///< that in the caller of its function, or its end
    Any,    ///< the next statement of any thread
    Moment, ///< the moment with this number
  };
  Kind kind = Kind::Continue;
  hw::AgentId agent = 0;
  uint64_t moment = 0;
};

struct Stop {
  enum class Reason : uint8_t { Start, Breakpoint, Watch, Goal, ThreadEnd, Fault, Interrupted };

  Reason reason = Reason::Start;
  int id = 0; ///< of the breakpoint or watch
  uint64_t moment = 0;
  hw::AgentId agent = 0;
  std::string text; ///< for events and watches: what happened
};

} // namespace ttjit::debugger

#endif // TTJIT_TOOLS_DEBUGGER_STOPS_H
