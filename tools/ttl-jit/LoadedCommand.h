//===- LoadedCommand.h - runCommand() of a library ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_JIT_LOADEDCOMMAND_H
#define TTJIT_TOOLS_TTL_JIT_LOADEDCOMMAND_H

#include "tools/ttl-jit/Command.h"

/// The name and the type of the function that the extension _ttl_command exports: it sets `result`
/// to what runCommand(words) returns.
inline constexpr char kRunCommandSymbol[] = "ttjit_run_command";
using RunCommand = void(const std::vector<std::string> &words, CommandResult &result);

/// Loads the extension _ttl_command from the folder `packages`, and runs the command.
CommandResult runLoadedCommand(const std::vector<std::string> &words, const std::string &packages);

#endif // TTJIT_TOOLS_TTL_JIT_LOADEDCOMMAND_H
