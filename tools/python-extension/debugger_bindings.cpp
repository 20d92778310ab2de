//===- debugger_bindings.cpp - the debugger in Python -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/python-extension/debugger_bindings.h"

#include "hw/device/FloatEnvironment.h"
#include "tools/debugger/Variables.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <atomic>
#include <csignal>
#include <set>

namespace py = pybind11;
using namespace ttjit;
using namespace ttjit::debugger;
using namespace pybind11::literals;
using interp::Variable;

//===--------------------------------------------------------------------------===//
// Threads and values
//===--------------------------------------------------------------------------===//

static const char *nameOf(hw::ThreadPhase state) {
  static constexpr const char *names[] = {"starting", "ready", "running", "blocked", "finished"};
  return names[static_cast<int>(state)];
}

static const char *nameOf(hw::WaitKind wait) {
  static constexpr const char *names[] = {
      "",          "free pages",     "pages",         "a semaphore", "a semaphore",
      "a barrier", "another thread", "one of several"};
  return names[static_cast<int>(wait)];
}

static std::string waitText(const hw::Program &program, const hw::ThreadView &view) {
  std::string text = nameOf(view.wait);
  if (view.wait != hw::WaitKind::Reserve && view.wait != hw::WaitKind::Front)
    return text;
  for (const hw::BufferConfig &buffer : program.buffers)
    if (buffer.index == int(view.waitObject))
      text += " of " + buffer.name;
  return text;
}

static py::tuple placeOf(const SourceRange &range) {
  return py::make_tuple(range.file, range.line);
}

static py::list frames(const Debugger &debugger, hw::AgentId agent) {
  py::list result;
  ThreadPosition at = debugger.position(agent);
  if (!at.statement)
    return result;
  result.append(placeOf(at.statement->position));
  for (const SourceRange &caller : at.statement->callers)
    result.append(placeOf(caller));
  return result;
}

// Returns "(1,0)"; on a mesh, "device 2 (1,0)". `node.x` counts the columns of all devices.
static std::string nodeText(const hw::Program &program, hw::NodeCoord node) {
  if (program.numDevices == 1)
    return fmt::format("({},{})", node.x, node.y);
  return fmt::format("device {} ({},{})", program.deviceOfColumn(node.x),
                     node.x % program.columnsOfDevice(), node.y);
}

static py::list threads(const Debugger &debugger) {
  py::list result;
  for (const hw::ThreadView &view : debugger.threads())
    result.append(py::dict("agent"_a = view.agent, "x"_a = view.node.x, "y"_a = view.node.y,
                           "device"_a = debugger.program().deviceOfColumn(view.node.x),
                           "where"_a = nodeText(debugger.program(), view.node),
                           "name"_a = view.config->name, "state"_a = nameOf(view.state),
                           "wait"_a = waitText(debugger.program(), view),
                           "frames"_a = frames(debugger, view.agent),
                           "location"_a = py::make_tuple(view.location.file, view.location.line)));
  return result;
}

static py::object arrayObject(const ArrayValue &array) {
  py::array_t<double> values(array.shape);
  std::copy(array.elements.begin(), array.elements.end(), values.mutable_data());
  return values.attr("astype")(array.isInteger ? "int64" : "float32");
}

static py::object valueObject(const Debugger &debugger, hw::AgentId agent,
                              const Variable &variable) {
  const interp::Frame &frame = *debugger.position(agent).frame;
  switch (variable.kind) {
  case Variable::Kind::Integer:
    return py::int_(frame.get<int64_t>(variable.slot));
  case Variable::Kind::Bool:
    return py::bool_(frame.get<int64_t>(variable.slot) != 0);
  case Variable::Kind::Float:
    return py::float_(frame.get<float>(variable.slot));
  default:
    break;
  }
  std::optional<ArrayValue> array = arrayOf(debugger, agent, variable);
  return array ? arrayObject(*array) : py::none();
}

static const char *kindOf(const Variable &variable) {
  bool isTiles = variable.kind == Variable::Kind::Tiles;
  return variable.kind == Variable::Kind::Block ? "block" : isTiles ? "tiles" : "scalar";
}

// Returns {name: (kind, value)}. A later value of a name replaces an earlier one.
static py::dict variables(const Debugger &debugger, hw::AgentId agent) {
  py::dict result;
  ThreadPosition at = debugger.position(agent);
  if (!at.frame)
    return result;
  for (const Variable &variable : at.statement->variables) {
    if (variable.name.empty())
      continue; // the outer scope has the variable
    result[py::str(variable.name)] =
        py::make_tuple(kindOf(variable), valueObject(debugger, agent, variable));
  }
  return result;
}

// Returns a description of the user's variables as JSON; empty if the kernel has none. `depth` 1 is
// the caller of the thread's function.
static std::string scopeText(const Debugger &debugger, hw::AgentId agent, size_t depth) {
  ThreadPosition at = debugger.position(agent);
  llvm::SmallVector<llvm::StringRef> lines;
  if (at.frame)
    llvm::StringRef(at.statement->scope).split(lines, '\n');
  return depth < lines.size() ? lines[depth].str() : "";
}

// Returns {number: value} for those values of the scope that the kernel has now.
static py::dict numberedValues(const Debugger &debugger, hw::AgentId agent) {
  py::dict result;
  ThreadPosition at = debugger.position(agent);
  if (!at.frame)
    return result;
  for (const Variable &variable : at.statement->variables)
    if (variable.number)
      result[py::int_(variable.number)] =
          py::make_tuple(kindOf(variable), valueObject(debugger, agent, variable));
  return result;
}

static const Variable *findVariable(const Debugger &debugger, hw::AgentId agent,
                                    const std::string &name) {
  ThreadPosition at = debugger.position(agent);
  const Variable *found = nullptr;
  if (at.frame)
    for (const Variable &variable : at.statement->variables)
      if (variable.name == name)
        found = &variable;
  return found;
}

static std::string setValue(Debugger &debugger, hw::AgentId agent, const std::string &name,
                            std::optional<uint64_t> element, double value) {
  const Variable *variable = findVariable(debugger, agent, name);
  if (!variable)
    return "there is no variable " + name + " here";
  return element ? setElement(debugger, agent, *variable, *element, value)
                 : setScalar(debugger, agent, *variable, value);
}

//===--------------------------------------------------------------------------===//
// Buffers, semaphores, registers
//===--------------------------------------------------------------------------===//

static py::list buffers(const Debugger &debugger, int x, int y) {
  py::list result;
  if (debugger.threads().empty())
    return result;
  for (const hw::BufferConfig &config : debugger.program().buffers) {
    const hw::CircularBuffer *buffer = debugger.state().buffer({x, y}, config.index);
    if (buffer)
      result.append(py::dict("name"_a = config.name, "index"_a = config.index,
                             "address"_a = buffer->address, "page_bytes"_a = buffer->pageBytes,
                             "pages"_a = buffer->numPages,
                             "filled"_a = buffer->received - buffer->acked,
                             "reserved"_a = buffer->reserved, "waited"_a = buffer->waited,
                             "write_page"_a = buffer->writePage, "read_page"_a = buffer->readPage,
                             "pushed"_a = buffer->received, "popped"_a = buffer->acked));
  }
  return result;
}

static py::list semaphores(const Debugger &debugger, int x, int y) {
  py::list result;
  for (const hw::SemaphoreConfig &config : debugger.program().semaphores) {
    if (!config.isOn(size_t(y) * size_t(debugger.program().gridX) + size_t(x)))
      continue;
    uint32_t value = 0, address = debugger.device().arch().semaphoreAddress(config.id);
    hw::MemoryPlace place{hw::MemoryPlace::L1, x, y, address, sizeof value};
    if (debugger.read(place, std::as_writable_bytes(std::span(&value, 1))))
      result.append(py::dict("name"_a = config.name, "id"_a = config.id, "address"_a = address,
                             "value"_a = value));
  }
  return result;
}

static py::list registers(const Debugger &debugger, hw::AgentId agent) {
  py::list result;
  for (const RegisterValue &value : registersOf(debugger, agent))
    result.append(py::make_tuple(value.number, value.isPacking, arrayObject(value.tile)));
  return result;
}

// Returns [{"cycle": ..., "waited": ..., "units": ...}] by agent; only compute threads have units.
// None if the debugger keeps no times.
static py::object progressRecords(const Debugger &debugger) {
  std::vector<timing::Progress> all = debugger.progress();
  if (all.empty())
    return py::none();
  py::list result;
  for (const timing::Progress &each : all) {
    bool computes = hw::Processor(result.size() % hw::kThreadsPerNode) == hw::Processor::Compute;
    result.append(py::dict("cycle"_a = each.cycle, "waited"_a = each.waited,
                           "units"_a = computes ? py::object(py::cast(each.units)) : py::tuple()));
  }
  return result;
}

static py::object readL1(const Debugger &debugger, int x, int y, uint32_t address, uint32_t bytes) {
  if (bytes > debugger.device().arch().l1Bytes)
    return py::none();
  std::string data(bytes, '\0');
  hw::MemoryPlace place{hw::MemoryPlace::L1, x, y, address, bytes};
  return debugger.read(place, std::as_writable_bytes(std::span(data))) ? py::object(py::bytes(data))
                                                                       : py::none();
}

//===--------------------------------------------------------------------------===//
// Running
//===--------------------------------------------------------------------------===//

static Goal::Kind goalOf(const std::string &name) {
  static const std::map<std::string, Goal::Kind> kinds = {
      {"continue", Goal::Kind::Continue}, {"step", Goal::Kind::Step},
      {"next", Goal::Kind::Next},         {"finish", Goal::Kind::Finish},
      {"any", Goal::Kind::Any},           {"moment", Goal::Kind::Moment}};
  auto found = kinds.find(name);
  if (found == kinds.end())
    throw py::value_error("unknown goal '" + name + "'");
  return found->second;
}

// The debugger that runs a kernel now. Ctrl-C stops it.
static std::atomic<Debugger *> runningDebugger = nullptr;

extern "C" {
static void stopDebugger(int) {
  if (Debugger *debugger = runningDebugger)
    debugger->interrupt();
}
}

namespace {
// While this object exists, Ctrl-C only stops a kernel that runs.
class StopOnInterrupt {
public:
  StopOnInterrupt() {
    struct sigaction action = {};
    action.sa_handler = stopDebugger;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &before);
  }
  ~StopOnInterrupt() { sigaction(SIGINT, &before, nullptr); }
  StopOnInterrupt(const StopOnInterrupt &) = delete;

private:
  struct sigaction before = {};
};
} // namespace

static bool resume(Debugger &debugger, const std::string &goal, hw::AgentId agent,
                   uint64_t moment) {
  Goal next{goalOf(goal), agent, moment};
  py::gil_scoped_release release;
  hw::DefaultFloatEnvironment environment;
  runningDebugger = &debugger;
  bool goesOn = debugger.resume(next);
  runningDebugger = nullptr;
  return goesOn;
}

static py::dict stopRecord(const Debugger &debugger) {
  static constexpr const char *reasons[] = {"start",         "breakpoint", "watch",    "step",
                                            "end of thread", "fault",      "interrupt"};
  const Stop &stop = debugger.stop();
  return py::dict("reason"_a = reasons[static_cast<int>(stop.reason)], "id"_a = stop.id,
                  "moment"_a = stop.moment, "agent"_a = stop.agent, "text"_a = stop.text);
}

static py::object faultRecord(const Debugger &debugger) {
  std::optional<hw::Fault> fault = debugger.result().fault;
  if (!fault)
    return py::none();
  return py::make_tuple(fault->message, fault->location.file, fault->location.line);
}

// Returns the positions at which a launch may stop.
static std::set<std::pair<std::string, int>> lines(const Debugger &debugger) {
  std::set<std::pair<std::string, int>> result;
  for (const hw::SourceLocation &location : debugger.program().locations)
    if (location.line)
      result.emplace(location.file, location.line);
  return result;
}

static void setBreakpoints(Debugger &debugger, const py::list &records) {
  static const std::map<std::string, Breakpoint::Kind> kinds = {{"line", Breakpoint::Kind::Line},
                                                                {"op", Breakpoint::Kind::Op},
                                                                {"event", Breakpoint::Kind::Event}};
  debugger.breakpoints.clear();
  for (py::handle record : records) {
    auto field = [&](const char *name) { return record.attr(name); };
    debugger.breakpoints.push_back(
        {field("id").cast<int>(), kinds.at(field("kind").cast<std::string>()),
         field("file").cast<std::string>(), field("line").cast<int>(),
         field("name").cast<std::string>(), field("buffer").cast<std::optional<uint32_t>>(),
         field("node").cast<std::optional<std::pair<int, int>>>(),
         field("thread").cast<std::string>()});
  }
}

static std::vector<std::string> eventNames() {
  std::vector<std::string> names;
  for (int kind = 0; kind <= static_cast<int>(hw::EventKind::Fault); ++kind)
    names.emplace_back(hw::eventName(static_cast<hw::EventKind>(kind)));
  return names;
}

static bool watchL1(Debugger &debugger, int id, std::string text, int x, int y, uint32_t address,
                    uint32_t bytes) {
  return bytes <= debugger.device().arch().l1Bytes &&
         debugger.watch({id, std::move(text), {hw::MemoryPlace::L1, x, y, address, bytes}, {}});
}

// Watches one page that a device has of the launch's argument `tensor`.
static bool watchPage(Debugger &debugger, int id, std::string text, size_t tensor, uint32_t page,
                      int device) {
  if (tensor >= debugger.tensors().size() || page >= debugger.tensors()[tensor].numPages)
    return false;
  hw::MemoryPlace place = debugger.device().place(debugger.tensors()[tensor], page, device);
  if (place.memory == hw::MemoryPlace::L1)
    place.x += device * debugger.program().columnsOfDevice();
  place.bytes = debugger.tensors()[tensor].pageBytes;
  return debugger.watch({id, std::move(text), place, {}});
}

static std::vector<std::string> tensorNames(const Debugger &debugger) {
  std::vector<std::string> names;
  for (const hw::TensorAllocation &tensor : debugger.tensors())
    names.push_back(debugger.device().name(tensor));
  return names;
}

// Returns a function that calls the driver with the GIL. The driver raises no exceptions.
static session::DebugRunner runnerOf(py::function driver) {
  // Destroy the Python function only with the GIL.
  auto kept = std::make_shared<py::function>(std::move(driver));
  return [kept](const session::DebuggedLaunch &launch) {
    Debugger debugger(launch.device, launch.plan.program, launch.tensors, launch.options,
                      launch.estimatesTime);
    {
      py::gil_scoped_acquire gil;
      StopOnInterrupt guard;
      hw::CallersFloatEnvironment environment;
      try {
        (*kept)(py::cast(&debugger, py::return_value_policy::reference));
      } catch (py::error_already_set &error) {
        error.discard_as_unraisable("a debugger's driver");
      }
    }
    return debugger.result();
  };
}

// For functions that compute, because debuggers call them in the program's own environment.
static constexpr py::call_guard<hw::DefaultFloatEnvironment> kInDefaultEnvironment;

void registerDebugger(py::module_ &module, session::Session &session) {
  py::class_<Debugger>(module, "Debugger", "One launch, while the driver runs")
      .def("resume", resume, "goal"_a, "agent"_a = 0, "moment"_a = 0)
      .def("go_to", &Debugger::goTo,
           py::call_guard<py::gil_scoped_release, hw::DefaultFloatEnvironment>())
      .def("statement_before", &Debugger::statementBefore, kInDefaultEnvironment)
      .def("interrupt", &Debugger::interrupt)
      .def_property_readonly("started", &Debugger::hasStarted)
      .def_property_readonly("ended", &Debugger::hasEnded)
      .def_property_readonly("moment", &Debugger::moment)
      .def_property_readonly("name", [](const Debugger &d) { return d.program().name; })
      .def_property_readonly("columns_of_device",
                             [](const Debugger &d) { return d.program().columnsOfDevice(); })
      .def_property_readonly("num_devices",
                             [](const Debugger &d) { return d.program().numDevices; })
      .def_property_readonly("stop", stopRecord)
      .def_property_readonly("fault", faultRecord)
      .def("lines", lines)
      .def("set_breakpoints", setBreakpoints)
      .def("watch_l1", watchL1)
      .def("watch_page", watchPage)
      .def("remove_watch", &Debugger::removeWatch)
      .def("tensors", tensorNames)
      .def("threads", threads)
      .def("frames", frames)
      .def("variables", variables, kInDefaultEnvironment)
      .def("scope", scopeText, "agent"_a, "depth"_a = 0)
      .def("values", numberedValues, kInDefaultEnvironment)
      .def("buffers", buffers)
      .def("semaphores", semaphores)
      .def("registers", registers, kInDefaultEnvironment)
      .def("progress", progressRecords, kInDefaultEnvironment)
      .def("read_l1", readL1)
      .def("set", setValue, "agent"_a, "name"_a, "element"_a, "value"_a, kInDefaultEnvironment,
           "Returns what is wrong; empty if nothing is");
  module.def("event_names", eventNames);
  module.def(
      "set_debugger",
      [&session](std::optional<py::function> driver) {
        session.setDebugRunner(driver ? runnerOf(*driver) : session::DebugRunner());
      },
      "Sets the function that drives the launches with the option debug: it gets a Debugger");
}
