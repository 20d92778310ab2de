//===- OptionValues.h - the values of options as text ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions by which OptionScope gets the value of an option. Equal values give equal text.
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
/// Returns "cycles" if kernels record their operations for a trace with times; otherwise empty.
std::string valueOfTraceTime(const Options &options);
/// Returns the path and the content of the schedule file.
std::string valueOfScheduleFile(const Options &options);

/// Returns the value of a member of a group of options.
template <auto group, auto member> std::string valueOf(const Options &options) {
  return fmt::format("{}", options.*group.*member);
}

/// Returns a list of the checks and of what each finds. `links`: as links for docs/running.md.
std::string listOfChecks(bool links);

} // namespace ttjit::options

#endif // TTJIT_TOOLS_OPTIONS_OPTIONVALUES_H
