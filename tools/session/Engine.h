//===- Engine.h - interface of the engines --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_ENGINE_H
#define TTJIT_TOOLS_SESSION_ENGINE_H

#include "ir/Locations/Locations.h"
#include "tools/options/Options.h"
#include "tools/plan/ProgramBuilder.h"
#include "tools/session/Report.h"

namespace ttjit::session {

/// A thread that an engine cannot compile, and why.
struct Refusal {
  size_t thread;                 ///< index of the thread in the plan
  std::string why;               ///< empty if the engine has reported it as an MLIR diagnostic
  mlir::Operation *op = nullptr; ///< where to report it; null: at the thread
  std::vector<std::pair<mlir::Location, std::string>> notes = {};
};

/// Code of threads that an engine still compiles on another host thread. Until it is ready, other
/// code runs these threads.
class PendingEntries {
public:
  virtual ~PendingEntries() = default;

  /// Returns whether use() would return without waiting.
  virtual bool isReady() const = 0;

  /// Waits for the code, and replaces the entries of its threads. Adds its times and the engine's
  /// name to the report. Returns the threads that cannot be compiled: they keep their entries. Call
  /// it only once.
  virtual std::vector<Refusal> use(plan::LaunchPlan &plan, KernelReport &report) = 0;
};

/// Texts and times of one compilation.
struct EngineOutput {
  bool wantsTexts = false; ///< set by the caller to get `texts`
  /// Set by the caller: an engine may leave threads without entries, and set `pending`.
  bool mayBePending = false;
  std::unique_ptr<PendingEntries> pending;
  std::vector<std::pair<std::string, std::string>> texts; ///< names for --dump, and texts
  std::vector<StageTime> times;
};

/// Turns thread functions into code that the emulated device calls. JitEngine.cpp,
/// EmittedEngine.cpp and InterpreterEngine.cpp implement it.
class Engine {
public:
  virtual ~Engine() = default;

  /// The engine's name in reports: "jit", "interp" or "emitted".
  virtual std::string name() const = 0;

  /// Returns whether the engine can run a kernel that is lowered this far.
  virtual bool runs(plan::Lowering lowering) const = 0;

  /// Returns whether no other engine may compile the threads that this one refuses.
  virtual bool isFinal() const { return false; }

  /// Sets `entry` of the threads of the plan that have none. Returns the threads that the engine
  /// cannot compile; the next engine gets these. Source positions in the code are indices into
  /// `locations`.
  virtual std::vector<Refusal> compile(plan::LaunchPlan &plan, LocationTable &locations,
                                       EngineOutput &output) = 0;
};

/// `leavesLargeThreads`: leaves threads that take seconds to compile to another engine.
std::unique_ptr<Engine> createJitEngine(options::JitOptions options, bool leavesLargeThreads);
/// Returns the engine for emitted C++, compiled for the host. It runs all threads or none.
std::unique_ptr<Engine> createEmittedEngine(options::JitOptions options);
/// Returns the same engine, but only for threads that call C++ functions of the user.
std::unique_ptr<Engine> createExternalCallEngine(options::JitOptions options);
std::unique_ptr<Engine> createInterpreterEngine();

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_ENGINE_H
