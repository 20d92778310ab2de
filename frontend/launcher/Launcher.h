//===- Launcher.h - how the frontend runs kernels -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The frontend makes `ttl` modules. It includes neither the passes nor the engines; it calls this
// interface, which tools/session implements.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_LAUNCHER_LAUNCHER_H
#define TTJIT_FRONTEND_LAUNCHER_LAUNCHER_H

#include "diagnostics/CompileDiagnostic.h"
#include "frontend/launcher/CppProgram.h"
#include "frontend/launcher/KernelReport.h"
#include "frontend/launcher/RuntimeResources.h"
#include "hw/device/Device.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>
#include <vector>

namespace ttjit {

/// Names and texts of the files of a kernel in C++. If C++ has no counterpart for an op, there are
/// no files and at least one diagnostic is an error.
struct CppResult {
  std::vector<std::pair<std::string, std::string>> files;
  /// program.json and run_on_device.py, which run the files on a card.
  std::vector<std::pair<std::string, std::string>> programFiles;
  std::vector<diagnostics::CompileDiagnostic> diagnostics;
};

/// A compiled kernel. The frontend's launch cache owns it.
class CompiledProgram {
public:
  virtual ~CompiledProgram() = default;

  /// Returns the module after the last pass, as text.
  virtual std::string ir() const = 0;

  /// Returns the kernel's threads as Metalium C++.
  virtual CppResult cpp() const = 0;

  /// Returns the name of the program in the program.json of --emit; empty without it.
  virtual std::string emittedName() const { return {}; }

  /// Waits for code that is still being generated. Without a call, a launch uses the code as soon
  /// as it is there; earlier launches have the same results, but may be slower.
  virtual void finish() {}

  /// Returns the warnings about code that was generated after the program was compiled. Each of
  /// them is returned once.
  virtual std::vector<diagnostics::CompileDiagnostic> takeWarnings() { return {}; }

  virtual const hw::Program &program() const = 0;
  virtual const KernelReport &report() const = 0;

  /// Adds lines to the report that say what the frontend chose.
  virtual void addNotes(const std::vector<std::string> &notes) = 0;
};

/// Names and values of options, without dashes, as --help shows them. If a name is there twice, the
/// later value counts.
using KernelOptions = std::vector<std::pair<std::string, std::string>>;

/// The options of compilations and launches, as a value that does not change.
/// Launcher::settings() makes it.
class KernelSettings {
public:
  virtual ~KernelSettings() = default;

  virtual const hw::ArchDesc &arch() const = 0;

  /// Returns the mode of arithmetic, "host" or "device".
  virtual std::string numerics() const { return "host"; }

  /// Returns the directory of --emit; empty without it.
  virtual std::string emitFolder() const { return {}; }

  /// Returns the chip's name as --arch spells it, such as "wormhole_b0@32x32". The module contains
  /// this name.
  virtual std::string archName() const = 0;

  /// Returns the columns and rows of a kernel without a grid, or with grid="auto" or "full" (option
  /// --grid).
  virtual std::pair<int, int> autoGrid() const = 0;

  /// Returns the extents of the emulated machine's mesh (option --mesh); empty if it was not given.
  virtual std::vector<int> mesh() const { return {}; }
  /// Returns the links between two chips of the machine that --mesh names; 0 if it names none.
  virtual int links() const { return 0; }
  /// Returns the value of --fabric; empty if it was not given.
  virtual std::string fabric() const { return {}; }
  /// Returns whether collectives run on the host, not as kernels (option --ccl).
  virtual bool hostCollectives() const { return false; }

  /// Returns a text that is part of the launch cache's key. It names all options that change the
  /// compiled program, and none that changes only its launches.
  virtual std::string key() const = 0;

  /// Returns whether exceeding the limits of the chip is an error.
  virtual bool strict() const = 0;

  /// Returns whether calls compile their kernels and do not run them.
  virtual bool compileOnly() const { return false; }

  /// Returns whether launches estimate their time on a card (option --time).
  virtual bool estimatesTime() const { return false; }

  /// Returns which kinds of changed runs to add (option --what-if): "grid", "blocks".
  virtual std::vector<std::string> whatIf() const { return {}; }

  /// Returns whether a debugger runs the kernel.
  virtual bool debugged() const { return false; }
};

/// The result of Launcher::settings(). If an option is wrong, `settings` is null, and `mistake`
/// says what is wrong.
struct SettingsResult {
  std::shared_ptr<const KernelSettings> settings;
  std::string mistake;
};

/// The result of a compilation. If it succeeded, the diagnostics are warnings. If it failed,
/// `program` is null and at least one diagnostic is an error.
struct CompileResult {
  std::shared_ptr<CompiledProgram> program;
  std::vector<diagnostics::CompileDiagnostic> diagnostics;
  bool crashed = false; ///< the compiler crashed: leak the module's context, and make a new one
};

/// The numbers of each table that launches fill: one for each node of the grid.
using LaunchNumbers = std::vector<std::vector<int32_t>>;

/// What --dump prints during a compilation. If that failed, at least one diagnostic is an error.
struct TextResult {
  std::string text;
  std::vector<diagnostics::CompileDiagnostic> diagnostics;
  bool crashed = false; ///< as in CompileResult
};

class Launcher {
public:
  virtual ~Launcher() = default;

  /// Returns the options of the session, with `options` in place of those that they name.
  virtual SettingsResult settings(const KernelOptions &options = {}) = 0;

  /// Compiles a module that holds one `ttl.kernel`, and consumes the module. The module's context
  /// must outlive the program. `settings` is one of this launcher; null: the session's options.
  /// `functions` holds the Python host functions that the kernel calls; C functions of libraries
  /// need no entry.
  virtual CompileResult compile(mlir::OwningOpRef<mlir::ModuleOp> module,
                                const KernelSettings *settings = nullptr,
                                const hw::HostFunctions &functions = {}) = 0;

  /// Makes a module from a file of unknown origin safe to compile. Adds to `functions` the other
  /// host functions that the module calls; a call of one is a fault, whose message ends with
  /// `advice`. An error among the diagnostics says that the module must not be compiled.
  virtual std::vector<diagnostics::CompileDiagnostic>
  restrictForeign(mlir::ModuleOp module, const std::string &advice,
                  hw::HostFunctions &functions) = 0;

  /// Returns a C function of a library; null and `mistake` if there
  /// is none.
  virtual std::shared_ptr<hw::HostFunction>
  openFunction(const std::string &library, const std::string &symbol, std::string &mistake) = 0;

  /// Compiles kernels in C++. The program has the addresses that it was given, also those of
  /// tensors.
  virtual CompileResult compileCpp(const CppProgram &program, const KernelSettings &settings) {
    return {};
  }

  /// Compiles a module like compile(), and returns the texts that the option --dump of the settings
  /// asks for, instead of printing them.
  virtual TextResult text(mlir::OwningOpRef<mlir::ModuleOp> module, const KernelSettings &settings,
                          const hw::HostFunctions &functions = {}) = 0;

  /// Sets the function that receives the output of kernels, in whole lines. Without it, nothing is
  /// printed.
  virtual void setOutput(std::function<void(const std::string &)> output) = 0;

  /// Runs the program on the device. `tensors[i]` is the i-th argument of the kernel; it must be
  /// placed on the device. `numbers` replace those of the op `ttl.create_node_table` with
  /// the attribute `ttl.launch_number = i`. `settings` say how to run; null: as the session's
  /// options say. `resources` are for the C++ functions that the kernel calls.
  virtual hw::RunResult launch(CompiledProgram &program, hw::Device &device,
                               const std::vector<hw::TensorAllocation> &tensors,
                               const LaunchNumbers &numbers = {},
                               const KernelSettings *settings = nullptr,
                               const RuntimeResources &resources = {}) = 0;

  /// Ends the work that other host threads do for the launcher. Call it before the process ends.
  virtual void close() {}

  /// Returns whether `launch` uses its `numbers`. If not, they are part of the launch cache's key.
  virtual bool takesNumbers() const { return true; }

  /// Returns whether calls with other numbers may run one program. The numbers of the call that
  /// compiled it are in what is emitted.
  virtual bool sharesNumbers() const { return true; }

  /// Returns whether kernels may work on the arrays of host tensors. If not, each launch copies the
  /// arrays to pages on the device, and back.
  virtual bool sharesHostArrays(const KernelSettings &settings) const { return true; }
};

} // namespace ttjit

#endif // TTJIT_FRONTEND_LAUNCHER_LAUNCHER_H
