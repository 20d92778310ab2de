//===- Bindings.cpp - the frontend in the _ttjit module ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/Bindings.h"

#include "frontend/Compiler.h"
#include "frontend/PublicFunctions.h"
#include "frontend/tensor/HostArray.h"
#include "frontend/tensor/TensorBindings.h"
#include "frontend/walk/Cleanup.h"

#include "ir/RegisterDialects.h"

#include "mlir/IR/MLIRContext.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace py = pybind11;

namespace ttjit::frontend {

namespace {

/// The objects that all calls of the frontend share. The functions bound to Python keep them alive.
struct Frontend {
  explicit Frontend(std::shared_ptr<Launcher> launcher)
      : launcher(std::move(launcher)),
        device(std::make_shared<hw::Device>(this->launcher->arch())) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context = std::make_shared<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    context->printOpOnDiagnostic(false);
  }

  std::shared_ptr<Launcher> launcher;
  std::shared_ptr<hw::Device> device;
  std::shared_ptr<mlir::MLIRContext> context;
  std::mutex launching; ///< held during a launch: a device runs one program at a time
  std::atomic<std::thread::id> launcherThread; ///< the thread that launched the running program
};

/// The compiled kernel that Python's class Program wraps.
struct Program {
  std::shared_ptr<mlir::MLIRContext> context; ///< must outlive the program
  std::shared_ptr<CompiledProgram> program;
  std::vector<bool> written;
};

using Tensors = std::vector<std::shared_ptr<Tensor>>;

} // namespace

//===--------------------------------------------------------------------------===//
// Records for ttl._report
//===--------------------------------------------------------------------------===//

static py::tuple locationRecord(const hw::SourceLocation &location) {
  return py::make_tuple(location.file, location.line, location.column, location.endLine,
                        location.endColumn);
}

template <typename Notes> static py::list noteRecords(const Notes &notes) {
  py::list records;
  for (const auto &note : notes)
    records.append(py::make_tuple(note.message, locationRecord(note.location)));
  return records;
}

static py::list diagnosticRecords(const std::vector<CompileDiagnostic> &diagnostics) {
  static constexpr const char *kSeverities[] = {"error", "warning", "remark"};
  py::list records;
  for (const CompileDiagnostic &diagnostic : diagnostics)
    records.append(py::make_tuple(kSeverities[static_cast<int>(diagnostic.severity)],
                                  diagnostic.message, locationRecord(diagnostic.location),
                                  noteRecords(diagnostic.notes)));
  return records;
}

static py::object faultRecord(const std::optional<hw::Fault> &fault) {
  static constexpr const char *kKinds[] = {"Runtime",  "Deadlock", "OutOfBounds",
                                           "DataRace", "Protocol", "UninitializedRead",
                                           "Resource"};
  if (!fault)
    return py::none();
  return py::make_tuple(
      kKinds[static_cast<int>(fault->kind)], fault->message, locationRecord(fault->location),
      py::make_tuple(fault->node.x, fault->node.y), fault->thread, noteRecords(fault->notes));
}

//===--------------------------------------------------------------------------===//
// Tensors
//===--------------------------------------------------------------------------===//

static std::shared_ptr<Tensor> tensorArgument(py::object object, bool tiled,
                                              const std::string &memorySpace) {
  MemoryConfig memory;
  memory.buffer = memorySpace == "L1" ? hw::BufferType::L1 : hw::BufferType::DRAM;
  return tensorOf(object, tiled ? TensorLayout::Tile : TensorLayout::RowMajor, memory);
}

static std::string tensorKey(const Tensor &tensor) {
  const TensorSpec &spec = tensor.spec();
  return fmt::format("{} {} {} {}", describe(spec.shape), nameOf(spec.dtype), nameOf(spec.layout),
                     describe(spec.memory));
}

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

static py::tuple compileOperation(Frontend &frontend, py::object call) {
  KernelModule kernel = buildKernel(*frontend.context, call, frontend.launcher->archName());
  if (!kernel.module)
    return py::make_tuple(py::none(), diagnosticRecords(kernel.diagnostics));
  if (call.attr("wants_ir").cast<bool>())
    call.attr("initial_ir") = textOf(*kernel.module);
  auto options = call.attr("kernel_options").cast<KernelOptions>();
  CompileResult result =
      frontend.launcher->compile(std::move(kernel.module), options, kernel.hostFunctions);
  // On Ctrl-C, the session gave up and raised the signal again, so that Python handles it here.
  if (PyErr_CheckSignals() != 0)
    throw py::error_already_set();
  std::vector<CompileDiagnostic> all = std::move(kernel.diagnostics);
  all.insert(all.end(), result.diagnostics.begin(), result.diagnostics.end());
  py::object program = py::none();
  if (result.program)
    program = py::cast(std::make_shared<Program>(
        Program{frontend.context, result.program, std::move(kernel.written)}));
  return py::make_tuple(program, diagnosticRecords(all));
}

static py::tuple frontendIr(Frontend &frontend, py::object call, bool locations, bool printed) {
  KernelModule kernel = buildKernel(*frontend.context, call, frontend.launcher->archName());
  std::string text;
  if (kernel.module && printed)
    text = textOf(*kernel.module, locations);
  if (kernel.module)
    eraseInside(*kernel.module);
  return py::make_tuple(text, diagnosticRecords(kernel.diagnostics));
}

/// Holds the tensors that a launch placed on the device. copyBack() ends the launch: host tensors
/// that the kernel writes then have their new contents.
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
  /// Returns whether no write of the kernel to another tensor changes the array of this one, and
  /// the other way round: each argument is a tensor of its own until the launch ends.
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

/// Prints the output of a running kernel with Python's print(). An exception raised by sys.stdout
/// ends the run.
class PythonOutput {
public:
  PythonOutput(Launcher &launcher, hw::Device &device) : launcher(launcher) {
    launcher.setOutput([this, &device](const std::string &text) {
      py::gil_scoped_acquire gil;
      if (error)
        return;
      try {
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

/// Records which thread launches a program, so that Python code called by the kernel cannot launch
/// another one.
class LaunchingThread {
public:
  explicit LaunchingThread(Frontend &frontend) : owner(frontend.launcherThread) {
    owner = std::this_thread::get_id();
  }
  ~LaunchingThread() { owner = std::thread::id(); }
  LaunchingThread(const LaunchingThread &) = delete;

private:
  std::atomic<std::thread::id> &owner;
};

static py::object launch(Frontend &frontend, Program &program, const Tensors &tensors,
                         const std::vector<std::string> &names, const LaunchNumbers &numbers) {
  if (frontend.launcherThread.load() == std::this_thread::get_id()) {
    PyErr_SetString(PyExc_RuntimeError,
                    "an operation cannot be called from a host function that a running kernel "
                    "calls: call it after the kernel has finished");
    throw py::error_already_set();
  }
  std::unique_lock lock(frontend.launching, std::defer_lock);
  {
    py::gil_scoped_release release; // the thread that holds the lock may need the GIL
    lock.lock();
  }
  PlacedTensors placed(tensors, names, program.written);
  std::vector<hw::TensorAllocation> allocations =
      placed.place(frontend.device, frontend.launcher->sharesHostArrays());
  hw::RunResult result;
  PythonOutput output(*frontend.launcher, *frontend.device);
  {
    LaunchingThread launching(frontend);
    py::gil_scoped_release release;
    result = frontend.launcher->launch(*program.program, *frontend.device, allocations, numbers);
  }
  placed.copyBack();
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
  for (const hw::Fault &warning : result.warnings)
    py::module_::import("ttl._report")
        .attr("settle")(py::make_tuple(py::make_tuple("warning", warning.message,
                                                      locationRecord(warning.location),
                                                      noteRecords(warning.notes))));
  return faultRecord(result.fault);
}

//===--------------------------------------------------------------------------===//
// The functions of the module
//===--------------------------------------------------------------------------===//

void registerBindings(py::module_ &module, std::shared_ptr<Launcher> launcher) {
  auto frontend = std::make_shared<Frontend>(std::move(launcher));
  auto [gridX, gridY] = frontend->launcher->autoGrid();
  registerTensorBindings(module, {frontend->device, gridX, gridY});
  registerPublicFunctions(module);
  py::class_<Program, std::shared_ptr<Program>>(module, "Program")
      .def(
          "ir", [](const Program &program) { return program.program->ir(); },
          "Returns the IR after the last pass, as text.");

  module.def("is_tensor", [](py::object object) { return isTensorLike(object); });
  module.def("tensor_argument", tensorArgument,
             "Returns the tensor of an argument: a tensor itself, or a new tensor over an array's "
             "memory.");
  module.def("tensor_key", tensorKey,
             "Returns the properties of a tensor on which a compiled kernel depends.");
  module.def("auto_grid", [frontend] { return frontend->launcher->autoGrid(); });
  module.def("options_key", [frontend] {
    return frontend->launcher->archName() + " " + frontend->launcher->optionsKey();
  });
  module.def(
      "compile_operation",
      [frontend](py::object call) { return compileOperation(*frontend, call); },
      "Compiles a ttl._capture.OperationCall; returns (program or None, diagnostics).");
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
                 const LaunchNumbers &numbers) {
        return launch(*frontend, program, tensors, names, numbers);
      },
      "Runs a program; returns None, or the record of a fault.");
  module.def("takes_numbers", [frontend] { return frontend->launcher->takesNumbers(); });
}

} // namespace ttjit::frontend
