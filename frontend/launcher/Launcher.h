//===- Launcher.h - what the frontend asks of the rest --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The frontend makes `ttl` modules and includes neither passes nor engines. It
// calls this interface, which tools/session implements.
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

/// A compiled kernel; owned by the frontend's launch cache.
class CompiledProgram {
public:
  virtual ~CompiledProgram() = default;

  /// The module after the last pass, as text.
  virtual std::string ir() const = 0;
};

/// Names and values of options that hold for one kernel only.
using KernelOptions = std::vector<std::pair<std::string, std::string>>;

/// Warnings come with success, at least one error with failure (`program` null).
struct CompileResult {
  std::shared_ptr<CompiledProgram> program;
  std::vector<CompileDiagnostic> diagnostics;
};

/// For each table of a program that launches fill, its number on every node of the grid.
using LaunchNumbers = std::vector<std::vector<int32_t>>;

class Launcher {
public:
  virtual ~Launcher() = default;

  /// Compiles a module that holds one `ttl.kernel`; consumes it. The module's
  /// context must outlive the program. `functions` are the host functions that its calls
  /// name; C functions of libraries need no entry.
  virtual CompileResult compile(mlir::OwningOpRef<mlir::ModuleOp> module,
                                const KernelOptions &kernelOptions = {},
                                const hw::HostFunctions &functions = {}) = 0;

  /// Gets what kernels print, in whole lines. Without it nothing is printed.
  virtual void setOutput(std::function<void(const std::string &)> output) = 0;

  /// Runs the program on the device. `tensors[i]` is the i-th argument of the
  /// kernel, already placed. `numbers` replace those of the op `ttl.create_node_table` with
  /// the attribute `ttl.launch_number = i`.
  virtual hw::RunResult launch(CompiledProgram &program, hw::Device &device,
                               const std::vector<hw::TensorAllocation> &tensors,
                               const LaunchNumbers &numbers = {}) = 0;

  /// Whether `launch` uses its `numbers`. If not, they are part of the launch cache's key.
  virtual bool takesNumbers() const { return true; }

  /// Chip of the session (--arch).
  virtual const hw::ArchDesc &arch() const = 0;

  /// The chip as --arch spells it, "wormhole_b0@32x32": goes into the module.
  virtual std::string archName() const { return std::string(arch().name); }

  /// Columns and rows of a kernel without a grid, or with grid="auto" or "full" (--grid).
  virtual std::pair<int, int> autoGrid() const { return {arch().gridX, arch().gridY}; }

  /// Text that is part of the launch cache's key: engine, numerics, options.
  virtual std::string optionsKey() const = 0;

  /// --strict: what is only a warning when running on the host is an error.
  virtual bool strict() const = 0;
};

} // namespace ttjit

#endif // TTJIT_FRONTEND_LAUNCHER_LAUNCHER_H
