//===- OptionValues.h - the values of options as text ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions that OptionScope asks for the value of an option. Equal values give equal text.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_OPTIONS_OPTIONVALUES_H
#define TTJIT_TOOLS_OPTIONS_OPTIONVALUES_H

#include "tools/options/Options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ttjit::options {

std::string valueOfEngine(const Options &options);
std::string valueOfGrid(const Options &options);
std::string valueOfArch(const Options &options);
std::string valueOfNumerics(const Options &options);
std::string valueOfComputeConfig(const Options &options);
std::string valueOfDebug(const Options &options);
std::string valueOfDST(const Options &options);
std::string valueOfInserted(const Options &options);
std::string valueOfMetalium(const Options &options);
std::string valueOfEmitPath(const Options &options);
/// "cycles" if kernels tell their operations for a trace, else empty.
std::string valueOfTraceTime(const Options &options);
/// The path and the content of the file.
std::string valueOfScheduleFile(const Options &options);

/// The value of a member of a group of options.
template <auto group, auto member> std::string valueOf(const Options &options) {
  return fmt::format("{}", options.*group.*member);
}

/// Returns the checks by name with what they find, with links for docs/running.md or without.
std::string listOfChecks(bool links);

} // namespace ttjit::options

#endif // TTJIT_TOOLS_OPTIONS_OPTIONVALUES_H
