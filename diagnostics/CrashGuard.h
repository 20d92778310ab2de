//===- CrashGuard.h - a compiler that crashes becomes an error ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs a part of the compiler so that a signal that it raises ends only this part. After a crash,
// do not use or destroy what the part used: its stack frames are lost, their destructors do not
// run, and its data may be half changed. The caller leaks the MLIR
// context, the engines and the modules of the part, and makes new ones.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_DIAGNOSTICS_CRASHGUARD_H
#define TTJIT_DIAGNOSTICS_CRASHGUARD_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>
#include <vector>

namespace ttjit::diagnostics {

/// A signal that code raised under runGuarded().
struct Crash {
  int signal;
  bool usedUpStack;
  std::vector<uintptr_t> words; ///< registers and the newest part of the stack
};

/// Calls `work`. Returns nothing if `work` returns; an exception passes through. A crash inside
/// malloc() ends the process, as it would without the guard.
std::optional<Crash> runGuarded(llvm::function_ref<void()> work);

/// Returns "SIGSEGV: invalid memory access", for a message.
std::string describe(const Crash &crash);

/// Returns the location of the op inside `root` that the crashed code worked on: the first op whose
/// address is in `crash.words`. Returns the location of `root` if no op's address is there.
mlir::Location locationOf(const Crash &crash, mlir::Operation *root);

/// Returns the message about a crash. `where` says where it was: "in pass ttl-canonicalize".
std::string crashMessage(const Crash &crash, const std::string &where);

} // namespace ttjit::diagnostics

#endif // TTJIT_DIAGNOSTICS_CRASHGUARD_H
