//===- OptionTable.h - the options of ttl-jit ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One table with the name, the values and the help text of every option. ttl-jit uses
// it for its flags; the Python extension in an ordinary python3 uses it for TTL_*
// environment variables. ttl-jit writes its flags to the environment, so a flag
// replaces its variable.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_OPTIONS_OPTIONTABLE_H
#define TTJIT_TOOLS_OPTIONS_OPTIONTABLE_H

#include "tools/options/UsageError.h"
#include "tools/session/Options.h"

namespace ttjit::session {

/// Sets the option whose flag is `name`, without dashes.
UsageError setOption(Options &options, std::string_view name, std::string_view value);

/// Applies options that one kernel may have for itself, in their order, such as those of
/// options="--dst=fpu" in a script. Returns an error also if the resulting options contradict each
/// other.
UsageError setKernelOptions(Options &options,
                            const std::vector<std::pair<std::string, std::string>> &changes);

/// The names of these options, each with its value as in valueOfOption().
std::vector<std::pair<std::string, std::string>> kernelOptions();

/// The names of the other options, which hold for the whole process.
std::vector<std::string> processOptions();

/// Reads every TTL_* variable that names an option and is not empty. Returns the error
/// of the first bad variable, else an error if options contradict each other.
UsageError readEnvironment(Options &options);

/// Returns the value that --help shows for an option, such as "FILE" for "record";
/// empty for a switch; nothing if there is no such option.
std::optional<std::string_view> valueOfOption(std::string_view name);

/// Returns the option whose name is most like this one; an empty string if none is like it.
std::string similarOption(std::string_view name);

/// Returns the error for an option that does not exist, with the most similar one. `name` has no
/// dashes.
std::string unknownOption(std::string_view name);

/// Returns "TTL_ENGINE" for "engine".
std::string environmentName(std::string_view option);

/// Returns the part of --help that lists the options.
std::string optionsHelp();

} // namespace ttjit::session

#endif // TTJIT_TOOLS_OPTIONS_OPTIONTABLE_H
