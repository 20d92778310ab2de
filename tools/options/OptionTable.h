//===- OptionTable.h - the options of ttl-jit -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One table with a row for each option. The flags of ttl-jit, the TTL_* environment variables, the
// options of kernels in Python, the key of compiled kernels, --help, the completion of the REPL and
// the table of docs/running.md come from the rows. ttl-jit writes its flags to the environment, so
// a flag replaces the variable.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_OPTIONS_OPTIONTABLE_H
#define TTJIT_TOOLS_OPTIONS_OPTIONTABLE_H

#include "tools/options/Options.h"
#include "tools/options/UsageError.h"

#include <span>

namespace ttjit::options {

/// What an option changes. Options of IR and Code are part of the key of a compiled kernel, so they
/// have a function that returns their value: equal values give equal text.
class OptionScope {
public:
  enum class Kind : uint8_t {
    IR,     ///< the IR of a compiled kernel
    Code,   ///< only the code that is made of its IR, or what a compilation prints
    Launch, ///< only how a compiled kernel runs
    Process ///< no kernel: what the process keeps, writes or compares
  };
  using Show = std::string (*)(const Options &);

  static constexpr OptionScope changesIR(Show show) { return {Kind::IR, show}; }
  static constexpr OptionScope changesCode(Show show) { return {Kind::Code, show}; }
  static constexpr OptionScope changesLaunch() { return {Kind::Launch, nullptr}; }
  static constexpr OptionScope ofProcess() { return {Kind::Process, nullptr}; }

  constexpr Kind kind() const { return of; }
  constexpr bool isInKey() const { return show; }
  std::string valueIn(const Options &options) const { return show(options); }

private:
  constexpr OptionScope(Kind of, Show show) : of(of), show(show) {}

  Kind of;
  Show show; ///< null for Launch and Process
};

/// Who may give an option.
enum class OptionGiver : uint8_t {
  Kernel, ///< options="..." of a kernel as well; a saved kernel keeps it
  Host,   ///< the same, but it is of this host, so a saved kernel does not keep it
  Process ///< only the command line and the environment
};

struct OptionSpec {
  std::string_view name;
  /// The value as --help shows it, with | between choices; words in capitals are placeholders.
  /// Empty: the option is a switch.
  std::string_view value;
  UsageError (*set)(Options &, std::string_view);
  OptionScope scope;
  OptionGiver giver;
  /// What the option does, in Markdown. A last sentence that begins "See [" is only for running.md.
  std::string_view text;
  std::string_view alias = {};               ///< another name of the option
  std::string (*list)(bool links) = nullptr; ///< returns more text, perhaps with links
};

using OptionRows = std::span<const OptionSpec>;
OptionRows optionRows();

/// Returns the values of all options that change a compiled kernel: the part of its key that
/// options have.
std::string compileKey(const Options &options, OptionRows rows = optionRows());

/// Sets the option whose flag is `name`, without dashes.
UsageError setOption(Options &options, std::string_view name, std::string_view value,
                     OptionRows rows = optionRows());

/// Applies options that one kernel has for itself, in their order, such as those of
/// options="--dst=fpu" in a script. Returns an error also if the resulting options contradict each
/// other.
UsageError setKernelOptions(Options &options,
                            const std::vector<std::pair<std::string, std::string>> &changes);

/// Returns the names of these options, each with its value in the form of valueOfOption().
std::vector<std::pair<std::string, std::string>> kernelOptions(OptionRows rows = optionRows());

/// Returns the names of those kernels' options that saved kernels do not keep.
std::vector<std::string> hostOptions(OptionRows rows = optionRows());

/// Returns the names of those kernels' options that change only launches: a compiled kernel may run
/// with other values of them.
std::vector<std::string> launchOptions(OptionRows rows = optionRows());

/// Returns the names of the options that a kernel cannot have, which hold for the whole process.
std::vector<std::string> processOptions(OptionRows rows = optionRows());

/// Reads every TTL_* variable that names an option and is not empty. Returns the error
/// of the first bad variable, else an error if options contradict each other.
UsageError readEnvironment(Options &options);

/// Returns the value that --help shows for an option, such as "FILE" for "record";
/// empty for a switch; nothing if there is no such option.
std::optional<std::string_view> valueOfOption(std::string_view name);

/// Splits a value as --help shows it: "fair|greedy" has the choices "fair" and "greedy".
std::vector<std::string_view> choicesOf(std::string_view value);

/// Returns the words that complete the value of an option, such as "fair" for "schedule".
std::vector<std::string> completionsOf(std::string_view name, OptionRows rows = optionRows());

/// Returns the option whose name is most like this one; an empty string if none is like it.
std::string similarOption(std::string_view name);

/// Returns the error for an option that does not exist, with the most similar one. `name` has no
/// dashes.
std::string unknownOption(std::string_view name);

/// Returns "TTL_ENGINE" for "engine".
std::string environmentName(std::string_view option);

} // namespace ttjit::options

#endif // TTJIT_TOOLS_OPTIONS_OPTIONTABLE_H
