//===- TraceStore.cpp - traces of the launches of a session -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/TraceStore.h"

#include "tools/timing/EventTimes.h"

#include <deque>

using namespace ttjit;
using namespace ttjit::session;

static hw::RunResult failedRun(const std::string &message) {
  hw::RunResult result;
  result.fault.emplace();
  result.fault->message = message;
  return result;
}

namespace {
// Keeps the events of a run: their times in cycles are known only when the run has ended.
class EventStore : public hw::EventListener {
public:
  EventStore(trace::TraceListener &trace, const hw::Device &device)
      : trace(trace), arch(device.arch()), recorder(device.fabric(), /*keepsEvents=*/true) {}

  void onRunStart(const hw::Program &started) override {
    write(); // the events of the previous run, if the launch runs again
    program = &started;
    recorder.onRunStart(started);
  }

  void onEvent(const hw::Event &event) override {
    recorder.onEvent(event);
    events.push_back(event);
    events.back().data = nullptr;
    if (!event.text.empty())
      events.back().text = texts.emplace_back(event.text);
  }

  void write() {
    if (!program)
      return;
    std::vector<timing::StepTimes> times = timing::eventTimes(recorder.take(), *program, arch);
    trace.onRunStart(*program);
    for (size_t i = 0; i < events.size(); ++i)
      trace.onTimedEvent(events[i],
                         {uint64_t(times[i].start), uint64_t(times[i].resume),
                          uint64_t(times[i].end), uint64_t(times[i].idle), times[i].lane});
    events.clear();
    texts.clear();
    program = nullptr;
  }

private:
  trace::TraceListener &trace;
  const hw::ArchDesc &arch;
  const hw::Program *program = nullptr;
  timing::Recorder recorder;
  std::vector<hw::Event> events;
  std::deque<std::string> texts;
};
} // namespace

hw::RunResult TraceStore::runInCycles(const hw::Device &device, hw::RunOptions options,
                                      const Launch &launch) {
  EventStore events(*listener, device);
  options.listeners.push_back(&events);
  hw::RunResult result = launch(options);
  events.write();
  return result;
}

hw::RunResult TraceStore::run(const hw::Device &device, const std::vector<int64_t> &mesh,
                              hw::RunOptions options, const Launch &launch) {
  if (path.empty())
    return launch(options);
  if (!listener)
    listener = std::make_unique<trace::TraceListener>(path, time);
  if (!listener->mistake().empty())
    return failedRun(listener->mistake());
  listener->setArch(device.arch());
  listener->setMesh(mesh);
  hw::RunResult result;
  if (time == trace::TraceTime::Cycles) {
    result = runInCycles(device, std::move(options), launch);
  } else {
    options.listeners.push_back(listener.get());
    result = launch(options);
  }
  listener->finishRun(result.fault ? result.fault->message : "");
  if (!listener->mistake().empty() && !result.fault)
    return failedRun(listener->mistake());
  return result;
}
