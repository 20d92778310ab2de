//===- PausableRun.cpp - a run that stops at events and goes on ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/PausableRun.h"

#include "hw/device/Execution.h"

namespace ttjit::hw {

// Passes own decisions: then all devices of a mesh share one scheduler, which can pause.
static RunOptions optionsOf(RunOptions options, EventListener &listener, DecisionSource *own) {
  options.listeners.push_back(&listener);
  if (own)
    options.decisions = own;
  return options;
}

PausableRun::PausableRun(const Program &program, const RunOptions &base, Memories &memories,
                         MachineStorage &storage, std::unique_ptr<DecisionSource> own,
                         std::atomic<bool> &interrupted, std::function<void()> atEnd)
    : options(optionsOf(base, counter, own.get())), decisions(std::move(own)),
      interrupted(interrupted), atEnd(std::move(atEnd)),
      execution(std::make_unique<Execution>(program, options, memories, storage,
                                            decisions ? *decisions : *options.decisions,
                                            interrupted)),
      view(execution->machine) {
  counter.run = this;
  execution->begin();
}

PausableRun::~PausableRun() {
  if (ended)
    return;
  interrupted = true;
  resume();
}

void PausableRun::Counter::onEvent(const Event &) {
  if (++events >= until)
    run->pause();
}

void PausableRun::pause() { execution->pause(); }

bool PausableRun::resume(uint64_t event) {
  if (ended || counter.events >= event)
    return !ended;
  counter.until = event;
  execution->run();
  if (execution->isPaused())
    return true;
  outcome = execution->finish();
  ended = true;
  execution.reset(); // frees the memory that the next run uses
  atEnd();
  return false;
}

} // namespace ttjit::hw
