//===- Emission.h - what a session needs to emit C++ ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Most runs emit no C++, so tools/emission is in a library that a process loads when it needs it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_EMISSION_H
#define TTJIT_TOOLS_SESSION_EMISSION_H

#include "hw/facts/MetaliumVersion.h"
#include "tools/session/Engine.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>

namespace ttjit {
struct CppResult;
}

namespace ttjit::session {

/// Emits kernels into a folder. Unless its name is empty, it creates the folder and writes one file
/// per thread, program.json, which describes the programs, and run_on_device.py. It overwrites
/// files that another process wrote. If it has already written another text under a name, it adds a
/// number to the name: "add__reader-2.cpp".
class Emitter {
public:
  virtual ~Emitter() = default;

  /// Emits a module of stage `ttkernel`, or of stage `loops` for the direct path. Reports errors as
  /// MLIR diagnostics. `hasWarned`: whether stage ttkernel, or an engine on the direct path,
  /// already warns of what is slow on a card. Sets `name` to the name of the module's last program
  /// in program.json.
  virtual mlir::LogicalResult emit(mlir::ModuleOp module, bool hasWarned, std::string &name) = 0;

  /// Returns a table of the emitted kernels' costs, with a row for each and one of totals.
  virtual std::string report() const = 0;
  /// Returns the same as JSON.
  virtual std::string jsonReport() const = 0;
};

class Emission {
public:
  virtual ~Emission() = default;

  virtual std::unique_ptr<Emitter> createEmitter(std::string folder,
                                                 hw::MetaliumVersion version) const = 0;

  /// Creates the engine that runs emitted C++, compiled for the host. If `onlyExternal`, it runs
  /// only the threads that call C++ functions of the user.
  virtual std::unique_ptr<Engine> createEngine(options::JitOptions options,
                                               bool onlyExternal) const = 0;

  /// Adds the files of a module to the result. Reports errors as MLIR diagnostics.
  virtual void addFiles(mlir::ModuleOp module, hw::MetaliumVersion version, bool hasWarned,
                        CppResult &result) const = 0;

  /// Registers the pass ttkernel-to-emitc by name.
  virtual void registerPass() const = 0;
};

/// The type of the library's function with the name below. Its result is never freed.
using FindEmission = const Emission *();
inline constexpr char kFindEmissionSymbol[] = "ttjit_find_emission";

/// Loads libttjit-emission at the first call (jit/OnDemandLibrary.h). The error says why that
/// failed and what to do.
llvm::Expected<const Emission *> loadEmission();

/// Returns the same, or null after reporting the error at the module.
const Emission *loadEmission(mlir::ModuleOp module);

/// Returns an emitter that loads the library when it is used.
std::unique_ptr<Emitter> createEmitter(std::string folder, hw::MetaliumVersion version);

/// Returns whether a thread calls a C++ function of the user.
bool callsExternal(mlir::Operation *thread);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_EMISSION_H
