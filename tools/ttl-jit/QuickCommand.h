//===- QuickCommand.h - commands that need no compiler --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Most command lines only name a script. The program then starts Python at once: it does not load
// the libraries that read and check options, among them those of MLIR and LLVM, which take longer
// to load than Python takes to start. The script loads them while it runs.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_JIT_QUICKCOMMAND_H
#define TTJIT_TOOLS_TTL_JIT_QUICKCOMMAND_H

#include "tools/ttl-jit/Command.h"

/// Returns what runCommand() would return, if `words` run a script without options and the
/// environment has no options; otherwise nothing.
std::optional<CommandResult> quickCommand(const std::vector<std::string> &words);

#endif // TTJIT_TOOLS_TTL_JIT_QUICKCOMMAND_H
