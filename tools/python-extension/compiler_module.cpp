//===- compiler_module.cpp - the Python extension _ttjit_compiler -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The frontend's bindings of a session, whose options come from TTL_* environment
// variables. ttl-jit sets these from its flags. Functions and classes become attributes of the
// module _ttjit, which loads this extension.
//===--------------------------------------------------------------------------===//

#include "diagnostics/Render.h"
#include "frontend/Bindings.h"
#include "tools/layout/LayoutCommand.h"
#include "tools/options/OptionText.h"
#include "tools/python-extension/debugger_bindings.h"
#include "tools/session/Session.h"
#include "tools/trace/TraceReader.h"
#include "tools/ttl-diff/Bisect.h"
#include "tools/ttl-diff/Exploration.h"
#include "tools/ttl-diff/OrderComparison.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <cstdio>

namespace py = pybind11;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::options;
using namespace ttjit::session;
using namespace ttjit::ttl_diff;

// Writes dumps to standard error, where Python's own messages go.
static void writeToStderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

namespace {
// `session` refers to the others, so it is declared last and destroyed first.
struct SessionState {
  Bisect bisect;
  OrderComparison orders;
  Exploration exploration;
  std::unique_ptr<Session> session;
  bool lacksStatistics = false; // whether the file of statistics could not be written
};
} // namespace

static bool writeStatistics(SessionState &state) {
  const Options &options = state.session->options();
  if (options.records.stats && !options.records.statsFile.empty() && !state.lacksStatistics)
    state.lacksStatistics =
        !deliver(state.session->seeReports(), options.records.statsFile, writeToStderr);
  return !state.lacksStatistics;
}

static std::shared_ptr<SessionState> makeSession() {
  Options options;
  if (UsageError error = readEnvironment(options))
    throw py::value_error(*error);
  auto state = std::make_shared<SessionState>();
  ObserverFactory observer = options.compare.passes         ? state->bisect.observer(options)
                             : options.compare.explore.runs ? state->exploration.observer(options)
                                                            : state->orders.observer(options);
  state->session =
      std::make_unique<Session>(std::move(options), writeToStderr, std::move(observer));
  return state;
}

static bool deliverExplanations(Session &session) {
  if (!session.options().launch.explainNumerics)
    return true;
  return deliver(session.takeExplanations(), session.options().records.numericsFiles,
                 [](std::string_view text) { py::print(text, py::arg("end") = ""); });
}

static std::vector<std::string> reportTexts(Session &session) {
  std::vector<std::string> texts;
  for (const KernelReport &report : session.takeReports())
    texts.push_back(render(report));
  return texts;
}

static std::optional<std::pair<std::string, std::string>> lastEstimate(Session &session) {
  std::optional<timing::Estimate> last = session.takeLastEstimate();
  if (!last)
    return std::nullopt;
  return std::pair(timing::renderJson(*last), timing::renderText(*last));
}

// Delivers the estimates that were not taken yet; returns false if that failed. Without estimates
// it does nothing, except that the first call under --time delivers an empty list. It does not
// check standard output: ttl-jit does that for its programs, and deliverLast() for all others.
static bool deliverEstimates(Session &session, bool &isDelivered) {
  std::vector<timing::Estimate> estimates = session.takeEstimates();
  const std::string &form = session.options().passes.time;
  if (estimates.empty() && (form.empty() || isDelivered))
    return true;
  isDelivered = true;
  return deliver(
      estimates, form.empty() ? "on" : form,
      [](std::string_view text) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
      },
      writeToStderr);
}

// Delivers the last estimates when the process of a program ends that ttl-jit does not run.
static void deliverLast(Session &session, bool &isDelivered) {
  bool hadError = std::ferror(stdout);
  deliverEstimates(session, isDelivered);
  if (!hadError && std::ferror(stdout))
    writeToStderr("error: cannot write the times to standard output\n");
}

// A change as a tuple: its name, cycles, bytes of L1, and why it is not possible (empty: it is).
using ChangeRecord = std::tuple<std::string, double, int64_t, std::string>;
// An estimate: the kernel, the chip, what its runs found, and the command that finds more.
using RunsRecord = std::tuple<std::string, std::string, std::vector<ChangeRecord>, std::string>;

static void resumeEstimates(Session &session, const std::vector<RunsRecord> &records) {
  std::vector<TimeStore::Runs> found;
  for (const auto &[kernel, arch, changes, command] : records) {
    TimeStore::Runs &runs = found.emplace_back(TimeStore::Runs{kernel, arch, {}, command});
    for (const auto &[name, cycles, bytes, why] : changes) {
      timing::WhatIf &change = runs.changes.emplace_back();
      change.change = name;
      change.cycles = static_cast<hw::Ticks>(std::llround(cycles * hw::kTicksPerCycle));
      change.l1Bytes = bytes;
      change.isRun = true;
      change.why = why;
    }
  }
  session.estimates().resume(found);
}

static void registerEstimates(py::module_ &m, const std::shared_ptr<Session> &session) {
  m.def(
      "last_estimate", [session] { return lastEstimate(*session); },
      "Returns the estimate of --time of the last launch, as an object of JSON and as text; None "
      "if there is none");
  m.def(
      "hold_estimates",
      [session] {
        session->estimates().hold();
        return session->estimates().kernelsHeld();
      },
      "Puts the estimates of the launches so far aside, so that runs with changes can follow. "
      "Returns their kernels and chips");
  m.def(
      "resume_estimates",
      [session](const std::vector<RunsRecord> &found) { resumeEstimates(*session, found); },
      "Forgets the launches since hold_estimates(), restores the estimates before it and adds "
      "[(kernel, arch, [(change, cycles, bytes of L1, why it is not possible)], command)]");
  auto isDelivered = std::make_shared<bool>();
  m.def(
      "deliver_estimates",
      [session, isDelivered] { return deliverEstimates(*session, *isDelivered); },
      "Under --time: writes the estimates since the last call. Returns whether that was possible");
  py::module_::import("atexit").attr("register")(
      py::cpp_function([session, isDelivered] { deliverLast(*session, *isDelivered); }));
}

// A position: file, line, column, end line and end column, in the order of _report.Location.
using LocationRecord = std::tuple<std::string, int, int, int, int>;
using NoteRecord = std::pair<std::string, LocationRecord>;

static hw::SourceLocation fromRecord(const LocationRecord &record) {
  return std::make_from_tuple<hw::SourceLocation>(record);
}

// A node: column, row and device; the device is -1 if there is only one.
using NodeRecord = std::tuple<int, int, int>;

static std::string renderRecord(std::string severity, std::string message,
                                const LocationRecord &location,
                                const std::vector<NoteRecord> &notes, std::string thread,
                                const NodeRecord &node, std::optional<std::string> line) {
  ErrorText error{std::move(severity),
                  std::move(message),
                  fromRecord(location),
                  std::move(thread),
                  std::make_from_tuple<hw::NodeCoord>(node),
                  {},
                  std::move(line)};
  for (const auto &[text, place] : notes)
    error.notes.push_back({text, fromRecord(place)});
  return render(error);
}

static std::string readTraceText(const std::string &path, const py::function &sink) {
  return trace::readTrace(path, [&](std::string_view text) { sink(py::bytes(text)); });
}

static void registerTexts(py::module_ &module) {
  module.def("read_trace", readTraceText,
             "Passes the text of a file of --trace to a function, piece by piece. Returns what is "
             "wrong with the file; empty if nothing is");
  module.def("render", renderRecord,
             "Returns the text of (severity, message, location, notes, thread, node, source line)");
}

static void registerOptions(py::module_ &m) {
  m.def(
      "kernel_options", [] { return kernelOptions(); },
      "Returns the names of the options that one kernel may have, and how their values look");
  m.def(
      "host_options", [] { return hostOptions(); },
      "Returns the names of the options that saved kernels do not keep");
  m.def(
      "launch_options", [] { return launchOptions(); },
      "Returns the names of the options that change only how a kernel runs");
  m.def(
      "process_options", [] { return processOptions(); },
      "Returns the names of the options that hold for the whole process");
  m.def(
      "option_values", [](const std::string &name) { return completionsOf(name); },
      "Returns the words that an option's value may be");
  m.def("options_page", [] { return optionsPage(); }, "The table of options of docs/running.md");
}

static void registerExplanations(py::module_ &m, const std::shared_ptr<Session> &session) {
  m.def(
      "deliver_explanations", [session] { return deliverExplanations(*session); },
      "Under --explain-numerics: writes the explanations since the last call to standard output "
      "and "
      "to the files of --numerics-files. Returns whether that was possible");
  m.def(
      "take_explanations",
      [session](size_t first) {
        std::vector<explain::NumericsReport> reports = session->takeExplanations(first);
        std::string text;
        for (const explain::NumericsReport &report : reports)
          text += explain::renderText(report);
        return std::tuple(text, explain::renderJson(reports), explain::renderPage(reports));
      },
      "Returns the explanations of launches from this number on as text, JSON and HTML, and "
      "forgets "
      "them");
  m.def(
      "process_numerics",
      [session] {
        return session->options().numerics == hw::NumericMode::Device ? "device" : "host";
      },
      "Returns --numerics of the process");
  m.def(
      "count_explanations", [session] { return session->numExplanations(); },
      "Returns the number of explanations that no call has taken yet");
}

static void registerLayouts(py::module_ &m, const std::shared_ptr<Session> &session) {
  m.def(
      "layout_options", [] { return layout::layoutOptions(); }, "The options of `ttl-jit layout`");
  m.def(
      "show_layout",
      [session](const std::vector<std::string> &arguments, const std::string &arch) {
        hw::ArchDesc device = hw::lookupArch(arch).value_or(session->options().arch);
        layout::LayoutOutcome shown = layout::runLayoutCommand(arguments, device);
        return std::pair(shown.output, shown.errors);
      },
      "What `ttl-jit layout` prints for these arguments, as output and errors");
}

// The thread that loads this extension calls this function (compiler_loader.cpp).
extern "C" PYBIND11_EXPORT void ttjit_prepare() { frontend::prepare(); }

// Functions that return what the observers of launches found: bisect, --compare, --explore.
static void registerComparisons(py::module_ &m, const std::shared_ptr<SessionState> &state) {
  m.def(
      "bisect_report",
      [state](const std::string &file) -> std::optional<std::pair<bool, std::string>> {
        const Options &options = state->session->options();
        if (!options.compare.passes)
          return std::nullopt;
        return std::pair(!state->bisect.comparison().difference,
                         state->bisect.report(file, options));
      },
      "Returns, under `ttl-jit bisect`, whether every pass kept the bits, and the report");
  m.def(
      "take_differences", [state] { return state->orders.take(); },
      "Returns what --compare has found to differ between engines or schedules since the last "
      "call, a text for each launch");
  m.def(
      "take_explorations", [state] { return state->exploration.take(); },
      "Returns what --explore has found in the launches since the last call, a line for each");
  m.def(
      "compared_runs",
      [state] { return std::pair(state->orders.numLaunches(), state->orders.numRuns()); },
      "Returns the number of launches that --compare has repeated, and the number of repetitions");
}

PYBIND11_MODULE(_ttjit_compiler, self) {
  py::module_ m = py::module_::import("_ttjit");
  std::shared_ptr<SessionState> state = makeSession();
  std::shared_ptr<Session> session(state, state->session.get());
  m.def(
      "take_reports", [session] { return reportTexts(*session); },
      "Returns the times and counts of the kernels that were compiled or launched since the last "
      "call");
  registerExplanations(m, session);
  registerEstimates(m, session);
  registerComparisons(m, state);
  m.def(
      "emit_report", [session] { return session->emitReport(); },
      "Returns, under --emit-report, what the C++ of the kernels costs; else an empty text");
  m.def(
      "take_order_reasons", [session] { return session->takeOrderReasons(); },
      "Returns why the results of the launches since the last call may depend on the order of "
      "threads and transfers. If the list is empty, only a race can make results differ");
  m.def(
      "no_launch_note", [session] { return session->noLaunchNote(); },
      "Returns a line if --time or --explain-numerics is set and no kernel was launched; else an "
      "empty text");
  m.def(
      "check_summary", [session] { return session->checkSummary(); },
      "Returns a line if --check is set and the checks of all launches found nothing; else an "
      "empty text");
  registerLayouts(m, session);
  registerOptions(m);
  m.def(
      "pipeline_steps",
      [] {
        std::vector<std::pair<std::string, std::string>> steps;
        for (const PipelineStep &step : pipelineSteps())
          steps.emplace_back(step.stage, step.pass);
        return steps;
      },
      "Returns [(stage, pass)] of the pipeline, in order");
  registerTexts(m);
  frontend::registerBindings(m, session);
  registerDebugger(m, *session);
  m.def(
      "write_statistics", [state] { return writeStatistics(*state); },
      "Writes the file of --stats, which is written again at the end of the process. Returns "
      "whether it could be written");
  if (session->options().records.stats)
    py::module_::import("atexit").attr("register")(py::cpp_function([state] {
      if (!state->lacksStatistics)
        deliver(state->session->takeReports(), state->session->options().records.statsFile,
                writeToStderr);
    }));
}
