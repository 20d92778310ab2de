//===- TraceListener.h - the events of runs as a trace --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Writes the trace-event format of Chrome, which Perfetto reads too. A node is a process; a
// thread of the kernel is a thread, and its transfers are another one. Times are in
// microseconds; a tick of logical time, or a cycle, is written as a nanosecond.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TRACE_TRACELISTENER_H
#define TTJIT_TOOLS_TRACE_TRACELISTENER_H

#include "hw/facts/Arch.h"
#include "tools/trace/TraceClock.h"
#include "tools/trace/TraceFile.h"

#include <deque>
#include <map>
#include <optional>
#include <string>

namespace ttjit::trace {

/// Writes the runs of a process to one file, one run after the other.
class TraceListener : public hw::EventListener {
public:
  TraceListener(std::string path, TraceTime time) : file(std::move(path)), time(time) {}

  /// Sets the extents of the mesh on which the next run takes place; empty: one device.
  void setMesh(const std::vector<int64_t> &extents) { mesh = extents; }
  /// Call it before each run with the chip on which it happens.
  void setArch(const hw::ArchDesc &chip) { arch = &chip; }

  void onRunStart(const hw::Program &program) override;
  /// Writes the event at the time of the trace's clock. Traces in cycles need onTimedEvent().
  void onEvent(const hw::Event &event) override;
  /// Writes the event at these times, in cycles since the threads began.
  void onTimedEvent(const hw::Event &event, const EventTimes &cycles);

  /// Call it after each run. `fault` is the message of the run's fault, or empty. The file
  /// is complete then.
  void finishRun(const std::string &fault);

  /// Returns the error of the file; empty: none.
  const std::string &mistake() const { return file.mistake(); }

private:
  /// A change of the number of pages in a buffer.
  struct PageChange {
    uint64_t time;
    uint32_t count;
  };
  /// Pushes and pops of one buffer of one node, in the order of their times. A change is
  /// written once the other end of the buffer is known up to its time.
  struct Occupancy {
    std::deque<PageChange> pushes, pops;
    int64_t pages = 0;
  };
  struct WaitFor {
    hw::EventKind kind;
    uint64_t object = 0;
    uint32_t loc = 0;
  };

  /// An end of an arrow: a thread, or the row of its copies, at a time.
  struct ArrowEnd {
    hw::AgentId agent = 0;
    bool isTransfer = false;
    uint64_t when = 0;
  };
  /// A transfer that has reached a word.
  struct Arrival {
    uint64_t id = 0;
    ArrowEnd transfer;
  };

  void collectRoles();
  void write(const hw::Event &event, const EventTimes &times);
  void writeNames(const hw::Program &program);
  void writeRowName(size_t pid, int tid, const std::string &name);
  void writeHang(hw::AgentId agent, uint32_t loc);
  void writeLaunch(const hw::Program &program);
  void span(const hw::Event &event, bool isTransfer, const char *category, const std::string &name,
            uint64_t start, uint64_t end, uint32_t loc, const std::string &arguments = {});
  void arrow(const char *name, uint64_t id, const ArrowEnd &from, const ArrowEnd &to);
  void writeWait(const hw::Event &event, const EventTimes &times);
  void writeCall(const hw::Event &event, const EventTimes &times);
  uint64_t writeLaneWait(const hw::Event &event, const char *what, const char *need, uint64_t start,
                         uint64_t end);
  void writeSection(const hw::Event &event, const EventTimes &times);
  void writeTransfer(const hw::Event &event, const EventTimes &times);
  void writeText(const hw::Event &event, const EventTimes &times);
  void change(const hw::Event &event, uint64_t when);
  void empty(const hw::Event &event, uint64_t when);
  void writeChanges(size_t key, bool isEnd);
  std::string objectName(const hw::Event &event) const;
  std::string wordName(uint32_t address) const;
  const hw::WordRole *roleOf(const hw::Event &event) const;
  std::string describeNeed(const hw::Event &event) const;
  std::string position(uint32_t loc) const;
  size_t process(hw::AgentId agent) const { return base + agent / hw::kThreadsPerNode; }

  TraceFile file;
  TraceTime time;
  const hw::ArchDesc *arch = nullptr;
  const hw::Program *program = nullptr; ///< null between runs
  std::vector<int64_t> mesh;            ///< its extents; empty: one device
  std::optional<TraceClock> clock;
  std::map<std::string, size_t> bases; ///< first process of each kernel
  size_t base = 0, nextBase = 1;
  size_t runs = 0;
  uint64_t begin = 0;
  uint64_t arrowBase = 0, lastTransfer = 0;
  std::vector<std::string> bufferNames;
  std::vector<Occupancy> occupancy;
  /// The half of a DST section that a thread is in. `covered` is the time of the spans in the row
  /// that the section contains.
  struct Section {
    uint64_t start = 0, covered = 0;
  };
  /// Returns the row of the event that is being written: that of a thread or one of its lanes.
  size_t rowOf(const hw::Event &event) const { return event.agent * kRows + lane; }
  uint8_t lane = 0;              ///< of the event that is written
  std::vector<Section> sections; ///< of each row
  std::vector<uint64_t> covered; ///< time of each row's spans so far, without sections
  std::vector<std::optional<WaitFor>> blocked;
  std::map<std::pair<uint32_t, uint32_t>, const hw::WordRole *> roles; ///< by node and address
  /// By word: the transfer that last reached it. An arrow leads from it to a wait for the word.
  std::map<std::tuple<int, int, uint32_t>, Arrival> arrivals;
  std::map<uint64_t, uint64_t> issued; ///< when, by the numbers of the transfers in flight
};

} // namespace ttjit::trace

#endif // TTJIT_TOOLS_TRACE_TRACELISTENER_H
