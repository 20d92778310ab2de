//===- Bindings.cpp - the frontend in the _ttjit module -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/Bindings.h"

#include "diagnostics/ParseModule.h"
#include "frontend/Compiler.h"
#include "frontend/CppRecords.h"
#include "frontend/LaunchMesh.h"
#include "frontend/MlirKernels.h"
#include "frontend/Placements.h"
#include "frontend/Records.h"
#include "frontend/SavedKernel.h"
#include "frontend/SessionLock.h"
#include "frontend/tensor/HostArray.h"
#include "frontend/tensor/TensorBindings.h"
#include "frontend/walk/Cleanup.h"

#include "ir/KernelDialects.h"

#include "mlir/IR/MLIRContext.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>

namespace py = pybind11;

namespace ttjit::frontend {

static std::shared_ptr<mlir::MLIRContext> makeContext() {
  auto context =
      std::make_shared<mlir::MLIRContext>(kernelDialects(), mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->printOpOnDiagnostic(false);
  return context;
}

// The context that prepare() made. If nobody takes it, it exists until the process ends.
static std::shared_ptr<mlir::MLIRContext> &preparedContext() {
  static auto *context = new std::shared_ptr<mlir::MLIRContext>;
  return *context;
}

void prepare() { preparedContext() = makeContext(); }

namespace {

// The objects that all calls of the frontend share. The functions bound to Python keep them alive.
struct Frontend {
  explicit Frontend(std::shared_ptr<Launcher> launcher)
      : launcher(std::move(launcher)), context(std::move(preparedContext())) {
    if (!context)
      context = makeContext();
  }

  // After a crash: makes a new context, and leaks the one that may be damaged.
  void replaceContext() {
    new std::shared_ptr<mlir::MLIRContext>(std::move(context));
    context = makeContext();
  }

  // Returns the device of the settings' chip.
  const std::shared_ptr<SessionDevice> &device(const KernelSettings &settings) {
    std::shared_ptr<SessionDevice> &found = devices[settings.archName()];
    if (!found)
      found = std::make_shared<SessionDevice>(settings.arch(), settings.autoGrid());
    return found;
  }

  std::shared_ptr<Launcher> launcher;
  std::map<std::string, std::shared_ptr<SessionDevice>> devices; // by the name of their chip
  std::shared_ptr<mlir::MLIRContext> context;
  SessionMutex mutex;
};

// The compiled kernel that Python's class Program wraps.
struct Program {
  std::shared_ptr<mlir::MLIRContext> context; // must outlive the program
  std::shared_ptr<CompiledProgram> program;
  std::vector<bool> written;
  hw::HostFunctions hostFunctions;
  std::vector<mlir::Type> tensorTypes; // of a kernel from a file; else the call decides them
  hw::RunResult last;                  // of the last launch
};

using Tensors = std::vector<std::shared_ptr<Tensor>>;
using SharedSettings = std::shared_ptr<KernelSettings>; // pybind11 knows no pointers to const

} // namespace

//===--------------------------------------------------------------------------===//
// Compiling and launching
//===--------------------------------------------------------------------------===//

static std::string textOf(mlir::ModuleOp module, bool locations = false) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  if (locations)
    flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  module.print(stream, flags);
  return text;
}

static const KernelSettings &settingsOf(py::object call) {
  return *call.attr("settings").cast<SharedSettings>();
}

// Builds the ttl module of a call.
static KernelModule build(Frontend &frontend, py::object call) {
  KernelModule kernel = buildKernel(*frontend.context, call, settingsOf(call).archName());
  if (kernel.crashed)
    frontend.replaceContext();
  return kernel;
}

static CompileResult compileModule(Frontend &frontend, mlir::OwningOpRef<mlir::ModuleOp> module,
                                   const KernelSettings &settings,
                                   const hw::HostFunctions &functions = {}) {
  py::gil_scoped_release release;
  CompileResult result = frontend.launcher->compile(std::move(module), &settings, functions);
  if (result.crashed)
    frontend.replaceContext();
  return result;
}

static TextResult textOfKernel(Frontend &frontend, mlir::OwningOpRef<mlir::ModuleOp> module,
                               const KernelSettings &settings, const hw::HostFunctions &functions) {
  py::gil_scoped_release release;
  TextResult result = frontend.launcher->text(std::move(module), settings, functions);
  if (result.crashed)
    frontend.replaceContext();
  return result;
}

static py::tuple compileOperation(Frontend &frontend, py::object call) {
  SessionLock lock(frontend.mutex);
  const KernelSettings &settings = settingsOf(call);
  KernelModule kernel = build(frontend, call);
  if (!kernel.module)
    return py::make_tuple(py::none(), diagnosticRecords(kernel.diagnostics));
  if (call.attr("wants_ir").cast<bool>())
    call.attr("initial_ir") = textOf(*kernel.module, call.attr("wants_locations").cast<bool>());
  CompileResult result =
      compileModule(frontend, std::move(kernel.module), settings, kernel.hostFunctions);
  // On Ctrl-C, the session gave up and raised the signal again, so that Python handles it here.
  if (PyErr_CheckSignals() != 0)
    throw py::error_already_set();
  std::vector<diagnostics::CompileDiagnostic> all = std::move(kernel.diagnostics);
  all.insert(all.end(), result.diagnostics.begin(), result.diagnostics.end());
  py::object program = py::none();
  if (result.program)
    result.program->addNotes(call.attr("notes").cast<std::vector<std::string>>());
  if (result.program)
    program = py::cast(std::make_shared<Program>(Program{frontend.context,
                                                         result.program,
                                                         std::move(kernel.written),
                                                         std::move(kernel.hostFunctions),
                                                         {},
                                                         {}}));
  return py::make_tuple(program, diagnosticRecords(all));
}

// Returns (program or None, diagnostics). The program has no code; kernelText() uses it.
static py::tuple lowerOperation(Frontend &frontend, py::object call) {
  SessionLock lock(frontend.mutex);
  const KernelSettings &settings = settingsOf(call);
  KernelModule kernel = build(frontend, call);
  if (!kernel.module)
    return py::make_tuple(py::none(), diagnosticRecords(kernel.diagnostics));
  call.attr("initial_ir") = textOf(*kernel.module, /*locations=*/true);
  TextResult lowered =
      textOfKernel(frontend, std::move(kernel.module), settings, kernel.hostFunctions);
  std::vector<diagnostics::CompileDiagnostic> all = std::move(kernel.diagnostics);
  all.insert(all.end(), lowered.diagnostics.begin(), lowered.diagnostics.end());
  auto program = std::make_shared<Program>(Program{frontend.context,
                                                   nullptr,
                                                   std::move(kernel.written),
                                                   std::move(kernel.hostFunctions),
                                                   {},
                                                   {}});
  return py::make_tuple(program, diagnosticRecords(all));
}

static py::tuple frontendIr(Frontend &frontend, py::object call, bool locations, bool printed) {
  SessionLock lock(frontend.mutex);
  KernelModule kernel = build(frontend, call);
  std::string text;
  if (kernel.module && printed)
    text = textOf(*kernel.module, locations);
  if (kernel.module)
    eraseInside(*kernel.module);
  return py::make_tuple(text, diagnosticRecords(kernel.diagnostics));
}

// Holds the tensors that a launch placed on the device. copyBack() ends the launch: host tensors
// that the kernel writes then have their new contents.
class PlacedTensors {
public:
  PlacedTensors(const Tensors &tensors, const std::vector<std::string> &names,
                const std::vector<bool> &written)
      : tensors(tensors), names(names), written(written) {}

  std::vector<hw::TensorAllocation> place(const std::shared_ptr<hw::Device> &device,
                                          bool sharesHostArrays) {
    std::vector<hw::TensorAllocation> allocations;
    for (; placed < tensors.size(); ++placed) {
      Tensor &tensor = *tensors[placed];
      bool shares = sharesHostArrays && tensor.canShare(written[placed]) && isIndependent(placed);
      allocations.push_back(shares ? tensor.shareForLaunch(device, names[placed])
                                   : tensor.placeForLaunch(device, names[placed]));
    }
    return allocations;
  }

  void copyBack() {
    while (placed > 0) {
      --placed;
      if (written[placed])
        tensors[placed]->copyBack();
      else
        tensors[placed]->release();
    }
  }

  ~PlacedTensors() {
    while (placed > 0)
      tensors[--placed]->release();
  }

private:
  // Returns whether no write of the kernel to another tensor changes the array of this one, and
  // the other way round: each argument is a tensor of its own until the launch ends.
  bool isIndependent(size_t index) const {
    for (size_t other = 0; other < tensors.size(); ++other)
      if (other != index && (written[index] || written[other]) &&
          tensors[index]->overlaps(*tensors[other]))
        return false;
    return true;
  }

  const Tensors &tensors;
  const std::vector<std::string> &names;
  const std::vector<bool> &written;
  size_t placed = 0;
};

// Prints the output of a running kernel with Python's print(). An exception raised by sys.stdout
// ends the run.
class PythonOutput {
public:
  PythonOutput(Launcher &launcher, hw::Device &device) : launcher(launcher) {
    launcher.setOutput([this, &device](const std::string &text) {
      py::gil_scoped_acquire gil;
      if (error)
        return;
      try {
        hw::CallersFloatEnvironment environment;
        py::module_::import("builtins").attr("print")(text, py::arg("end") = "");
      } catch (py::error_already_set &raised) {
        error.emplace(std::move(raised));
        device.interrupt();
      }
    });
  }
  ~PythonOutput() { launcher.setOutput({}); }
  PythonOutput(const PythonOutput &) = delete;

  std::optional<py::error_already_set> error;

private:
  Launcher &launcher;
};

// Gives warnings to Python, which may raise them as exceptions.
static void settle(const std::vector<diagnostics::CompileDiagnostic> &warnings) {
  if (!warnings.empty())
    py::module_::import("ttl._report").attr("settle")(diagnosticRecords(warnings));
}

static py::object launch(Frontend &frontend, Program &program, const Tensors &tensors,
                         const std::vector<std::string> &names, const LaunchNumbers &numbers,
                         const KernelSettings &settings, const RuntimeResources &resources) {
  SessionLock lock(frontend.mutex);
  checkTensorTypes(program.tensorTypes, tensors, names);
  PlacedTensors placed(tensors, names, program.written);
  std::shared_ptr<hw::Device> device =
      meshOfLaunch(program.program->program(), tensors, names, settings);
  if (!device)
    device = frontend.device(settings);
  std::vector<hw::TensorAllocation> allocations =
      placed.place(device, frontend.launcher->sharesHostArrays(settings));
  hw::RunResult result;
  PythonOutput output(*frontend.launcher, *device);
  {
    py::gil_scoped_release release;
    result = frontend.launcher->launch(*program.program, *device, allocations, numbers, &settings,
                                       resources);
  }
  program.last = result;
  placed.copyBack();
  std::vector<diagnostics::CompileDiagnostic> late = program.program->takeWarnings();
  lock.unlock(); // a signal handler may launch a program, too
  if (output.error)
    throw *output.error;
  // On Ctrl-C, the session ended the run and raised the signal again, so that Python handles it
  // here.
  if (PyErr_CheckSignals() != 0) {
    py::error_already_set error;
    error.value().attr("fault") = faultRecord(result.fault);
    throw error;
  }
  settle(late);
  for (const hw::Fault &warning : result.warnings)
    py::module_::import("ttl._report")
        .attr("settle")(py::make_tuple(py::make_tuple(
            "warning", warning.message, locationRecord(warning.location),
            noteRecords(warning.notes), pythonClassOf(WarningKind::Transfer).str())));
  return faultRecord(result.fault);
}

//===--------------------------------------------------------------------------===//
// Compiled kernels
//===--------------------------------------------------------------------------===//

static py::tuple kernelText(Frontend &frontend, const Program &program, const std::string &ir,
                            const SharedSettings &settings) {
  SessionLock lock(frontend.mutex);
  TextResult result =
      textOfKernel(frontend, parseKernel(*frontend.context, ir), *settings, program.hostFunctions);
  return py::make_tuple(result.text, diagnosticRecords(result.diagnostics));
}

static py::tuple compileText(Frontend &frontend, const std::string &ir,
                             const std::vector<bool> &written, const SharedSettings &settings,
                             const py::dict &functions, bool trust, bool isSaved) {
  SessionLock lock(frontend.mutex);
  SavedKernel kernel(parseKernel(*frontend.context, ir), written, isSaved);
  kernel.addFunctions(*frontend.launcher, functions);
  CompileResult result;
  if (!trust)
    result.diagnostics = kernel.restrict(*frontend.launcher);
  if (result.diagnostics.empty())
    result = compileModule(frontend, std::move(kernel.module), *settings, kernel.functions);
  if (PyErr_CheckSignals() != 0)
    throw py::error_already_set();
  py::object program = py::none();
  if (result.program)
    program = py::cast(std::make_shared<Program>(Program{frontend.context,
                                                         result.program,
                                                         std::move(kernel.written),
                                                         std::move(kernel.functions),
                                                         std::move(kernel.tensorTypes),
                                                         {}}));
  return py::make_tuple(program, diagnosticRecords(result.diagnostics), kernel.name, kernel.grid);
}

// Returns ([MlirKernel], diagnostics).
static py::tuple mlirKernels(Frontend &frontend, const std::string &text, const std::string &file) {
  SessionLock lock(frontend.mutex);
  diagnostics::ParsedModule parsed = diagnostics::parseModule(text, file, *frontend.context);
  std::vector<std::shared_ptr<MlirKernel>> kernels;
  if (parsed.module)
    kernels = kernelsOf(frontend.context, *parsed.module, parsed.diagnostics);
  if (parsed.crashed)
    frontend.replaceContext();
  return py::make_tuple(kernels, diagnosticRecords(parsed.diagnostics));
}

static py::tuple compileCpp(Frontend &frontend, const py::dict &record,
                            const SharedSettings &settings) {
  SessionLock lock(frontend.mutex);
  CppProgram cpp = readCppProgram(record);
  CompileResult result;
  {
    py::gil_scoped_release release;
    result = frontend.launcher->compileCpp(cpp, *settings);
  }
  if (PyErr_CheckSignals() != 0)
    throw py::error_already_set();
  py::object program = py::none();
  if (result.program)
    program = py::cast(std::make_shared<Program>(Program{
        frontend.context, result.program, std::vector<bool>(cpp.numTensors, true), {}, {}, {}}));
  return py::make_tuple(program, diagnosticRecords(result.diagnostics));
}

// Returns the first number after those of the program's semaphores.
static int firstFreeSemaphore(const hw::Program &program) {
  int first = 0;
  for (const hw::SemaphoreConfig &semaphore : program.semaphores)
    first = std::max(first, semaphore.id + 1);
  return first;
}

static void bindProgram(py::module_ &module, const std::shared_ptr<Frontend> &frontend) {
  py::class_<Program, std::shared_ptr<Program>>(module, "Program")
      .def_property_readonly(
          "emitted_name", [](const Program &self) { return self.program->emittedName(); },
          "The name of the program in program.json; empty without --emit.")
      .def(
          "ir",
          [frontend](const Program &self) {
            SessionLock lock(frontend->mutex);
            return self.program->ir();
          },
          "Returns the IR after the last pass, as text.")
      .def(
          "cpp",
          [frontend](const Program &self) {
            SessionLock lock(frontend->mutex);
            CppResult result = self.program->cpp();
            return py::make_tuple(result.files, diagnosticRecords(result.diagnostics));
          },
          "Returns ([(file name, C++)], diagnostics).")
      .def(
          "card_files",
          [frontend](const Program &self) {
            SessionLock lock(frontend->mutex);
            CppResult result = self.program->cpp();
            llvm::append_range(result.files, result.programFiles);
            return py::make_tuple(result.files, diagnosticRecords(result.diagnostics));
          },
          "Returns ([(file name, text)], diagnostics): the C++, and what runs it on a card.")
      .def(
          "finish",
          [frontend](const Program &self) {
            SessionLock lock(frontend->mutex);
            {
              py::gil_scoped_release release;
              self.program->finish();
            }
            std::vector<diagnostics::CompileDiagnostic> late = self.program->takeWarnings();
            lock.unlock();
            settle(late);
          },
          "Waits for code that is still being generated.")
      .def_property_readonly("name", [](const Program &p) { return p.program->program().name; })
      .def("report", [](const Program &self) { return reportRecord(self.program->report()); })
      .def("buffers", [](const Program &self) { return bufferRecords(self.program->program()); })
      .def_property_readonly(
          "first_free_semaphore",
          [](const Program &self) { return firstFreeSemaphore(self.program->program()); })
      .def("last_run",
           [](const Program &self) {
             return py::make_tuple(statsRecord(self.last.stats), faultRecord(self.last.fault));
           })
      .def_property_readonly("written", [](const Program &self) { return self.written; });
}

// Functions that compile the text of IR.
static void bindTexts(py::module_ &module, const std::shared_ptr<Frontend> &frontend) {
  module.def(
      "kernel_text",
      [frontend](const Program &program, const std::string &ir, const SharedSettings &settings) {
        return kernelText(*frontend, program, ir, settings);
      },
      "Compiles the first IR of a program again; returns (what --dump prints, diagnostics).");
  module.def(
      "compile_text",
      [frontend](const std::string &ir, const std::vector<bool> &written,
                 const SharedSettings &settings, const py::dict &functions, bool trust,
                 bool isSaved) {
        return compileText(*frontend, ir, written, settings, functions, trust, isSaved);
      },
      "Compiles the IR of a file with {name: ttl._host.HostFunction}; returns (program or None, "
      "diagnostics, name, grid). Raises a ValueError for text that is no kernel.");
  bindMlirKernel(module);
  bindPlacements(module);
  module.def(
      "mlir_kernels",
      [frontend](const std::string &text, const std::string &file) {
        return mlirKernels(*frontend, text, file);
      },
      "Parses a module of MLIR; returns ([MlirKernel], diagnostics).");
}

//===--------------------------------------------------------------------------===//
// The functions of the module
//===--------------------------------------------------------------------------===//

static SharedSettings makeSettings(Frontend &frontend, const KernelOptions &options) {
  SettingsResult result = frontend.launcher->settings(options);
  if (!result.settings)
    throw py::value_error(result.mistake);
  return std::const_pointer_cast<KernelSettings>(result.settings);
}

static void bindSettings(py::module_ &module, const std::shared_ptr<Frontend> &frontend) {
  py::class_<KernelSettings, SharedSettings>(module, "Settings", py::dynamic_attr())
      .def_property_readonly("key", &KernelSettings::key)
      .def_property_readonly("arch", &KernelSettings::archName)
      .def_property_readonly("debugged", &KernelSettings::debugged)
      .def_property_readonly("compile_only", &KernelSettings::compileOnly)
      .def_property_readonly("auto_grid", &KernelSettings::autoGrid)
      .def_property_readonly("chip_grid",
                             [](const KernelSettings &self) {
                               return std::pair(self.arch().gridX, self.arch().gridY);
                             })
      .def_property_readonly("strict", &KernelSettings::strict)
      .def_property_readonly("estimates_time", &KernelSettings::estimatesTime)
      .def_property_readonly("what_if", &KernelSettings::whatIf)
      .def_property_readonly("numerics", &KernelSettings::numerics)
      .def_property_readonly("emit_folder", &KernelSettings::emitFolder)
      .def_property_readonly("mesh", &KernelSettings::mesh)
      .def_property_readonly("links", &KernelSettings::links)
      .def_property_readonly("fabric", &KernelSettings::fabric)
      .def_property_readonly("host_collectives", &KernelSettings::hostCollectives);
  module.def(
      "settings",
      [frontend](const KernelOptions &options) { return makeSettings(*frontend, options); },
      "Returns the options of the process with [(name, value)] in place of those that it names. "
      "Raises a ValueError that says which value is wrong.");
  module.def(
      "device_of",
      [frontend](const SharedSettings &settings) { return frontend->device(*settings); },
      "Returns the device of a Settings' chip.");
  module.def(
      "mesh_of",
      [](const SharedSettings &settings, std::vector<int> extents) {
        return std::make_shared<SessionDevice>(settings->arch(), settings->autoGrid(),
                                               std::move(extents));
      },
      "Returns a new mesh of a Settings' chips.");
}

void registerBindings(py::module_ &module, std::shared_ptr<Launcher> launcher) {
  auto frontend = std::make_shared<Frontend>(std::move(launcher));
  lockAtFork({frontend, &frontend->mutex});
  py::module_::import("atexit").attr("register")(py::cpp_function(
      [frontend] { frontend->launcher->close(); }, py::call_guard<py::gil_scoped_release>()));
  bindSettings(module, frontend);
  bindProgram(module, frontend);
  bindTexts(module, frontend);

  module.def(
      "compile_operation",
      [frontend](py::object call) { return compileOperation(*frontend, call); },
      "Compiles a ttl._capture.OperationCall; returns (program or None, diagnostics).");
  module.def(
      "compile_cpp",
      [frontend](const py::dict &record, const SharedSettings &settings) {
        return compileCpp(*frontend, record, settings);
      },
      "Compiles the record of a program in C++ (ttnn/generic.py); returns (program or None, "
      "diagnostics).");
  module.def(
      "lower_operation", [frontend](py::object call) { return lowerOperation(*frontend, call); },
      "Like compile_operation, but makes no code.");
  module.def(
      "frontend_ir",
      [frontend](py::object call, bool locations, bool printed) {
        return frontendIr(*frontend, call, locations, printed);
      },
      py::arg("call"), py::arg("locations") = false, py::arg("printed") = true,
      "Returns (text of the ttl module, diagnostics); the text is empty if `printed` is false.");
  module.def(
      "launch",
      [frontend](Program &program, const Tensors &tensors, const std::vector<std::string> &names,
                 const LaunchNumbers &numbers, const SharedSettings &settings,
                 const py::object &resources) {
        return launch(*frontend, program, tensors, names, numbers, *settings,
                      readResources(resources));
      },
      py::arg("program"), py::arg("tensors"), py::arg("names"), py::arg("numbers"),
      py::arg("settings"), py::arg("resources") = py::none(),
      "Runs a program; returns None, or the record of a fault.");
  module.def(
      "op_names", [frontend] { return kernelOpNames(*frontend->context); },
      "Returns the names of the ops that kernels may have.");
  module.def("shares_numbers", [frontend] { return frontend->launcher->sharesNumbers(); });
  module.def("takes_numbers", [frontend] { return frontend->launcher->takesNumbers(); });
}

} // namespace ttjit::frontend
