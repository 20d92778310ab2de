//===- Command.h - the commands of ttl-jit --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The program ttl-jit, and the script of the same name that a wheel installs, call runCommand(). If
// Python is to run something then, the program does it in an embedded interpreter, and the script
// in the interpreter that already runs it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_JIT_COMMAND_H
#define TTJIT_TOOLS_TTL_JIT_COMMAND_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// A function that Python must run after the command.
struct PythonRun {
  std::string function; ///< a function of _ttl_run.py
  std::string file;     ///< its second argument, after the folder of the packages; empty: none
  std::vector<std::string> arguments;
};

struct CommandResult {
  int status = 0;                       ///< the exit status, unless Python must run
  std::optional<PythonRun> python = {}; ///< what the caller must run in Python
  /// The variables that the command set in the environment of this process.
  std::vector<std::pair<std::string, std::string>> environment = {};
};

/// Runs the command `words`; the first is the name of the program. Prints to standard output and
/// standard error. Python must not have imported _ttjit yet: it reads its options from the
/// environment.
CommandResult runCommand(std::vector<std::string> words);

/// Returns `status`. If standard output could not be written, prints an error and returns the
/// status of a failure.
int finalStatus(int status);

#endif // TTJIT_TOOLS_TTL_JIT_COMMAND_H
