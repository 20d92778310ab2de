//===- CommandLine.h - the arguments of ttl-jit run -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_OPTIONS_COMMANDLINE_H
#define TTJIT_TOOLS_OPTIONS_COMMANDLINE_H

#include "tools/options/OptionTable.h"

namespace ttjit::options {

/// The arguments of `ttl-jit run`.
struct CommandLine {
  std::string file;
  std::vector<std::pair<std::string, std::string>> flags; ///< names and values, in order
  std::vector<std::string> script;                        ///< arguments of the user's script
  std::vector<std::string> warnings;                      ///< arguments that may be mistakes
  bool help = false;
};

/// Before FILE every option must be one of ttl-jit. After FILE, the script's arguments begin at
/// `--` or at the first argument that is no option of ttl-jit. Without `--`, arguments of the
/// script that are or look like options of ttl-jit get a warning.
UsageError parseCommandLine(const std::vector<std::string> &arguments, CommandLine &result);

} // namespace ttjit::options

#endif // TTJIT_TOOLS_OPTIONS_COMMANDLINE_H
