//===- Decisions.h - the scheduling decisions of a run --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The device leaves two decisions open: which thread runs next, and when a transfer
// lands. The scheduler and the NoC ask a DecisionSource. The same program, inputs and
// answers give the same events on every engine.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_DECISIONS_H
#define TTJIT_HW_DEVICE_DECISIONS_H

#include "hw/device/Events.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ttjit::hw {

/// The reason why a thread is runnable.
enum class ReadyReason : uint32_t {
  Starting, ///< the thread has not run yet
  Woken,    ///< the wait of the thread ended, or it was switched out at an event
  Polled,   ///< the thread polled without success and let others run
};

struct ReadyThread {
  AgentId agent;
  ReadyReason reason;
};

class DecisionSource {
public:
  virtual ~DecisionSource() = default;

  /// Late and Eager land transfers at fixed moments; with Random the NoC asks
  /// pickLanding().
  virtual DeliveryPolicy delivery() const = 0;
  /// Returns whether a thread may also be switched out after any of its events.
  virtual bool switchesAtEvents() const { return false; }

  /// Returns the index of the thread that runs next. `ready` is not empty and is sorted
  /// by the moment at which each thread became runnable (at the beginning: start
  /// order).
  virtual size_t pickThread(std::span<const ReadyThread> ready) = 0;

  /// Returns the index, in issue order, of the transfer that lands now, or nothing. The
  /// NoC calls it until it returns nothing. If an older transfer of the same stream is
  /// in flight, the older one lands instead.
  virtual std::optional<size_t> pickLanding(size_t inFlight) { return std::nullopt; }
};

/// Round robin: picks the thread that has been runnable longest. `seed` is for random
/// delivery.
std::unique_ptr<DecisionSource> makeFairDecisions(DeliveryPolicy delivery, uint64_t seed = 0);
/// Picks the thread that was woken last; if none was, one that has not started; if all have, one
/// that polls.
std::unique_ptr<DecisionSource> makeGreedyDecisions(DeliveryPolicy delivery, uint64_t seed = 0);
/// Picks any thread, and switches threads at any event.
std::unique_ptr<DecisionSource> makeRandomDecisions(DeliveryPolicy delivery, uint64_t seed);

/// Makes the source that `options` name; null for Replay, which needs a log.
std::unique_ptr<DecisionSource> makeDecisions(const RunOptions &options);

/// One answer: item `choice` of `count`. For a landing, `choice` == `count` means that no
/// transfer landed.
struct Decision {
  enum class Kind : uint8_t { Thread, Landing } kind;
  uint32_t count;
  uint32_t choice;
};

/// The policies of one run and every decision made in it; replaying the decisions repeats the
/// run.
struct DecisionLog {
  DeliveryPolicy delivery = DeliveryPolicy::Late;
  bool switchesAtEvents = false;
  bool isFair = false; ///< no decisions are known: the run is as under fair
  std::vector<Decision> decisions;
};

/// Returns the answers of another source and appends them to `log`. Owns neither.
class RecordingDecisions : public DecisionSource {
public:
  RecordingDecisions(DecisionSource &inner, DecisionLog &log);
  DeliveryPolicy delivery() const override { return inner.delivery(); }
  bool switchesAtEvents() const override { return inner.switchesAtEvents(); }
  size_t pickThread(std::span<const ReadyThread> ready) override;
  std::optional<size_t> pickLanding(size_t inFlight) override;

private:
  DecisionSource &inner;
  DecisionLog &log;
};

/// Returns the answers of a log. If the run asks a question that the log does not answer, the
/// source continues as makeFairDecisions does. diverged() returns whether that happened, or whether
/// answers of the log were left over.
class ReplayDecisions : public DecisionSource {
public:
  explicit ReplayDecisions(DecisionLog log) : log(std::move(log)) {}
  DeliveryPolicy delivery() const override { return log.delivery; }
  bool switchesAtEvents() const override { return log.switchesAtEvents; }
  size_t pickThread(std::span<const ReadyThread> ready) override;
  std::optional<size_t> pickLanding(size_t inFlight) override;
  bool diverged() const { return hasDiverged || position < log.decisions.size(); }

private:
  std::optional<uint32_t> next(Decision::Kind kind, size_t count);

  DecisionLog log;
  size_t position = 0;
  bool hasDiverged = false;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_DECISIONS_H
