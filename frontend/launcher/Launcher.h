//===- Launcher.h - the interface through which the frontend runs kernels --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The frontend makes `ttl` modules. It includes neither the passes nor the engines; it calls this
// interface, which tools/session implements.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_LAUNCHER_LAUNCHER_H
#define TTJIT_FRONTEND_LAUNCHER_LAUNCHER_H

#include "hw/device/Device.h"
#include "tools/diagnostics/CompileDiagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>
#include <vector>

namespace ttjit {

/// A compiled kernel. The frontend's launch cache owns it.
class CompiledProgram {
public:
  virtual ~CompiledProgram() = default;

  /// Returns the module after the last pass, as text.
  virtual std::string ir() const = 0;
};

/// The names and values of options that apply to one kernel only.
using KernelOptions = std::vector<std::pair<std::string, std::string>>;

/// The result of a compilation. If it succeeded, the diagnostics are warnings. If it failed,
/// `program` is null and at least one diagnostic is an error.
struct CompileResult {
  std::shared_ptr<CompiledProgram> program;
  std::vector<CompileDiagnostic> diagnostics;
};

/// For each table of a program that launches fill, its number on every node of the grid.
using LaunchNumbers = std::vector<std::vector<int32_t>>;

class Launcher {
public:
  virtual ~Launcher() = default;

  /// Compiles a module that holds one `ttl.kernel`, and consumes the module. The module's context
  /// must outlive the program. `functions` holds the Python host functions that the kernel calls; C
  /// functions of libraries need no entry.
  virtual CompileResult compile(mlir::OwningOpRef<mlir::ModuleOp> module,
                                const KernelOptions &kernelOptions = {},
                                const hw::HostFunctions &functions = {}) = 0;

  /// Sets the function that receives the output of kernels, in whole lines. Without it, nothing is
  /// printed.
  virtual void setOutput(std::function<void(const std::string &)> output) = 0;

  /// Runs the program on the device. `tensors[i]` is the i-th argument of the kernel; it must be
  /// placed on the device. `numbers` replace those of the op `ttl.create_node_table` with
  /// the attribute `ttl.launch_number = i`.
  virtual hw::RunResult launch(CompiledProgram &program, hw::Device &device,
                               const std::vector<hw::TensorAllocation> &tensors,
                               const LaunchNumbers &numbers = {}) = 0;

  /// Returns whether `launch` uses its `numbers`. If not, they are part of the launch cache's key.
  virtual bool takesNumbers() const { return true; }

  /// Returns whether kernels may work on the arrays of host tensors. If not, each launch copies the
  /// arrays to pages on the device, and back.
  virtual bool sharesHostArrays() const { return true; }

  /// Returns the description of the session's chip (option --arch).
  virtual const hw::ArchDesc &arch() const = 0;

  /// Returns the chip's name as --arch spells it, such as "wormhole_b0@32x32". The module contains
  /// this name.
  virtual std::string archName() const { return std::string(arch().name); }

  /// Returns the columns and rows of a kernel without a grid, or with grid="auto" or "full" (option
  /// --grid).
  virtual std::pair<int, int> autoGrid() const { return {arch().gridX, arch().gridY}; }

  /// Returns a text that is part of the launch cache's key: it names the engine, the numerics and
  /// the options.
  virtual std::string optionsKey() const = 0;

  /// Returns whether --strict is set: some warnings are then errors.
  virtual bool strict() const = 0;
};

} // namespace ttjit

#endif // TTJIT_FRONTEND_LAUNCHER_LAUNCHER_H
