//===- ThreadCompiler.h - compiles kernel threads to host code ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiles thread functions of stage `ttkernel` to machine code and returns them as
// entries for the emulated device. Code exists as long as an entry that uses it.
// Nothing here prints. Only one host thread may use a compiler at a time.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_JIT_THREADCOMPILER_H
#define TTJIT_JIT_THREADCOMPILER_H

#include "hw/device/Program.h"
#include "ir/Locations/Locations.h"
#include "jit/BindThread.h"
#include "jit/CompileArtifacts.h"
#include "jit/CppSource.h"
#include "jit/ObjectCache.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ttjit::jit {

struct ThreadCompilerOptions {
  /// LLVM's name of the CPU to compile for, such as "x86-64-v2". If empty, this host's
  /// CPU with all its features. Results have the same bits for every CPU.
  std::string cpu;
  /// 0: hardly any optimisation; 1: the optimisations that speed up device code; 2, 3:
  /// as -O2 and -O3. Results have the same bits at each level.
  int optLevel = 1;
  /// Whether to emit line tables for the user's file.
  bool debugInfo = true;
  /// Whether to compute DST sections with loops over the elements of tiles, instead of one
  /// call per tile operation. Results have the same bits either way.
  bool tileLoops = true;
  /// Whether to move the pages of a block with one call, instead of one per page. Nothing else
  /// differs.
  bool blockTransfers = true;
  /// Whether to tell Linux' profiler perf the names of compiled functions (jit/PerfMap.h).
  bool perfMap = false;
  /// Whether gdb shows the code and the user's variables. Such code is not optimised and is not
  /// kept in `cacheFolder`.
  bool debugger = false;
  /// The folder for compiled code, which other processes may share; empty: none.
  std::string cacheFolder = {};
  ObjectCacheLimits cacheLimits = {};
  /// Called while code is generated. When it returns true, compile() fails at once. May be empty.
  std::function<bool()> isInterrupted = {};
};

/// Code that is generated on a thread of its own.
class PendingCode {
public:
  virtual ~PendingCode() = default;

  /// Returns whether load() would return without waiting.
  virtual bool isReady() const = 0;

  /// Waits for the code and loads it; entry i runs threads[i] of the call that started it. Adds the
  /// times of the steps to `artifacts`. Call it only once.
  virtual llvm::Expected<std::vector<hw::ThreadEntry>> load(CompileArtifacts &artifacts) = 0;
};

/// What ThreadCompiler::start() returns: entries, or code that is not generated yet.
struct StartedCode {
  std::vector<hw::ThreadEntry> entries; ///< empty if there is pending code
  std::unique_ptr<PendingCode> pending;
};

class ThreadCompiler {
public:
  /// Fails if LLVM has no code generator for this host or does not know the CPU.
  static llvm::Expected<std::unique_ptr<ThreadCompiler>> create(ThreadCompilerOptions options = {});
  ~ThreadCompiler();

  /// Returns why `thread` cannot be compiled; nothing if it can.
  std::optional<std::string> whyNot(mlir::func::FuncOp thread) const;

  /// Compiles threads of one program together; entry i runs threads[i]. The functions
  /// do not change and need not outlive the call. On an error none of them is compiled.
  llvm::Expected<std::vector<hw::ThreadEntry>> compile(llvm::ArrayRef<mlir::func::FuncOp> threads,
                                                       LocationTable &locations,
                                                       CompileArtifacts *artifacts = nullptr);

  /// Compiles threads, but does not wait for code that the cache does not have, unless too much
  /// code is pending.
  llvm::Expected<StartedCode> start(llvm::ArrayRef<mlir::func::FuncOp> threads,
                                    LocationTable &locations, CompileArtifacts &artifacts);

  /// Call it before the process ends: waits for pending code of all engines, or abandons it.
  static void close();

  /// Compiles kernel threads in C++; entry i runs sources[i]. `lines` numbers the positions of
  /// their lines in the table of the program.
  llvm::Expected<std::vector<hw::ThreadEntry>> compileCpp(llvm::ArrayRef<CppSource> sources,
                                                          const LineNumbers &lines,
                                                          CompileArtifacts *artifacts = nullptr);

  /// Returns the host address of a function of the kernel API, as compiled code sees
  /// it. Only listed symbols resolve; for any other symbol of the process this is an
  /// error.
  llvm::Expected<uint64_t> lookupDeviceSymbol(llvm::StringRef name);

private:
  struct Impl;
  class Pending;
  explicit ThreadCompiler(std::shared_ptr<Impl> impl);
  llvm::Error check(llvm::ArrayRef<mlir::func::FuncOp> threads) const;
  std::shared_ptr<Impl> impl; ///< pending code uses it, too
};

} // namespace ttjit::jit

#endif // TTJIT_JIT_THREADCOMPILER_H
