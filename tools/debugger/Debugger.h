//===- Debugger.h - stops, inspects and repeats a launch ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One launch of a kernel that the interpreter runs with ThreadSource::statements. It runs until a
// breakpoint, a watch, the end of a step or a fault stops it. To go back, it runs again from the
// start with the same decisions and the same changes of values.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_DEBUGGER_DEBUGGER_H
#define TTJIT_TOOLS_DEBUGGER_DEBUGGER_H

#include "hw/device/Device.h"
#include "hw/device/PausableRun.h"
#include "tools/debugger/Rewind.h"
#include "tools/debugger/Stops.h"
#include "tools/timing/Progress.h"

#include <functional>
#include <map>
#include <memory>

namespace ttjit::debugger {

/// A thread at its last statement.
struct ThreadPosition {
  const interp::Statement *statement = nullptr;
  interp::Frame *frame = nullptr; ///< null: the thread has not reached a statement, or has ended
};

class Debugger : private hw::EventListener, private interp::StatementHook {
public:
  /// The device, the program and the tensors must outlive the debugger. The program must not run
  /// before the first resume(). progress() returns times only with `keepsTimes`.
  Debugger(hw::Device &device, const hw::Program &program,
           const std::vector<hw::TensorAllocation> &tensors, hw::RunOptions options,
           bool keepsTimes = false);
  ~Debugger() override;

  //===--- Running ------------------------------------------------------------===//

  /// Continues until something stops the run. Returns false if the run has ended.
  bool resume(const Goal &goal);
  /// Runs again from the start to this moment, or to the last one that can be shown before it. For
  /// moment 0 it only prepares a new start. Returns false if the run has ended, or cannot start.
  bool goTo(uint64_t moment);
  /// Makes the current resume() stop soon. May be called from another host thread.
  void interrupt() { wantsInterrupt = true; }

  bool hasStarted() const { return run && moments != 0; }
  bool hasEnded() const { return run && run->hasEnded(); }
  const Stop &stop() const { return current; }
  uint64_t moment() const { return moments; }
  /// Returns the last moment before now at which a statement of the thread began; 0: none.
  uint64_t statementBefore(hw::AgentId agent) const;
  /// Returns the outcome. For a run that has not ended, it is a fault.
  hw::RunResult result() const;

  std::vector<Breakpoint> breakpoints;
  /// Adds a watch of a range of memory. Returns false if the range does not exist.
  bool watch(Watch watch);
  void removeWatch(int id);

  //===--- Looking ------------------------------------------------------------===//

  const hw::Program &program() const { return code; }
  hw::Device &device() const { return target; }
  std::vector<hw::ThreadView> threads() const;
  ThreadPosition position(hw::AgentId agent) const;
  const hw::RunState &state() const { return run->state(); }
  const std::vector<hw::TensorAllocation> &tensors() const { return allocations; }
  /// Returns each thread's time on a card, indexed by AgentId; nothing without `keepsTimes`.
  std::vector<timing::Progress> progress() const;
  /// Reads memory as kernels do. Returns false if there is no such memory.
  bool read(const hw::MemoryPlace &place, std::span<std::byte> to) const;

  //===--- Changing -----------------------------------------------------------===//

  /// Sets the slot of a variable of a thread that is at a statement.
  bool setSlot(hw::AgentId agent, interp::SlotNumber slot, uint64_t bits);
  /// Writes bytes of L1 of a core.
  bool write(hw::NodeCoord node, uint32_t address, std::vector<std::byte> bytes);

private:
  /// A change that the user made at a moment.
  struct Edit {
    uint64_t moment;
    hw::AgentId agent;
    std::optional<interp::SlotNumber> slot; ///< nothing: memory
    uint64_t bits;
    hw::NodeCoord node;
    uint32_t address;
    std::vector<std::byte> bytes;
  };

  /// The bytes of a buffer of a node before the launch.
  struct KeptBuffer {
    hw::NodeCoord node;
    uint32_t address;
    std::vector<std::byte> bytes;
  };

  void onRunStart(const hw::Program &program) override;
  void onEvent(const hw::Event &event) override;
  void onStatement(const interp::Statement &statement, interp::Frame &frame) override;

  bool start();
  void leave();
  bool go();
  void restoreTensors();
  void keepBuffers();
  void restoreBuffers();
  void arrive(Moment moment);
  std::optional<Stop> stopAt(const Moment &moment);
  std::optional<Stop> breakAt(const Moment &moment) const;
  std::optional<Stop> changeAt(const Moment &moment);
  bool isReached(const Moment &moment) const;
  bool matches(const Breakpoint &breakpoint, const Moment &moment) const;
  void refreshWatches();
  void record(Edit edit);
  bool apply(const Edit &edit);
  size_t depthOf(hw::AgentId agent) const;
  hw::AgentId agentOf(const interp::Frame &frame) const;
  const std::string &threadName(hw::AgentId agent) const;

  hw::Device &target;
  const hw::Program &code;
  const std::vector<hw::TensorAllocation> &allocations;
  hw::RunOptions options;
  std::vector<hw::EventListener *> others; ///< learn of each event once
  std::optional<timing::Recorder> times;   ///< learns of each event again after goTo()
  std::unique_ptr<hw::DecisionSource> ownDecisions;
  std::unique_ptr<RewindableDecisions> decisions;
  std::vector<std::vector<std::byte>> inputs; ///< of each tensor
  std::vector<KeptBuffer> buffers;
  std::unique_ptr<hw::PausableRun> run;
  std::optional<hw::Fault> refusal; ///< why the device does not run the program
  std::map<hw::AgentId, ThreadPosition> positions;
  std::vector<Watch> watches;
  std::vector<Edit> edits;
  static constexpr hw::AgentId kNoAgent = UINT32_MAX;
  std::vector<hw::AgentId> statementOf; ///< by moment: whose statement begins; kNoAgent: an event
  uint64_t moments = 0, furthest = 0;   ///< number of the last moment, of this run and of all
  Goal goal;
  size_t goalDepth = 0;
  Stop current;
  bool isStopping = false, isLeaving = false;
  std::atomic<bool> wantsInterrupt = false;
};

} // namespace ttjit::debugger

#endif // TTJIT_TOOLS_DEBUGGER_DEBUGGER_H
