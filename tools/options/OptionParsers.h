//===- OptionParsers.h - the values of options ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For each option a function that reads its value: it sets the option and returns nothing, or
// returns what was expected and what was found.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_OPTIONS_OPTIONPARSERS_H
#define TTJIT_TOOLS_OPTIONS_OPTIONPARSERS_H

#include "tools/options/Options.h"
#include "tools/options/UsageError.h"

#include <string_view>

namespace ttjit::options {

UsageError parseEngine(Options &options, std::string_view value);
UsageError parseGrid(Options &options, std::string_view value);
UsageError parseArch(Options &options, std::string_view value);
UsageError parseMesh(Options &options, std::string_view value);
UsageError parseFabric(Options &options, std::string_view value);
UsageError parseCollectives(Options &options, std::string_view value);
/// Only checks the value. The process of the script has already used it
/// (_ttl_dropin/_ranks.py).
UsageError parseRankOutput(Options &options, std::string_view value);
UsageError parseNumerics(Options &options, std::string_view value);
UsageError parseComputeConfig(Options &options, std::string_view value);
UsageError parseSchedule(Options &options, std::string_view value);
UsageError parseRecord(Options &options, std::string_view value);
UsageError parseDebug(Options &options, std::string_view value);
UsageError parseAliases(Options &options, std::string_view value);
UsageError parseKeptBlocks(Options &options, std::string_view value);
UsageError parseDma(Options &options, std::string_view value);
UsageError parseSeed(Options &options, std::string_view value);
UsageError parseLimit(Options &options, std::string_view value);
UsageError parseStrict(Options &options, std::string_view value);
UsageError parseCompileOnly(Options &options, std::string_view value);
UsageError parseTrust(Options &options, std::string_view value);
UsageError parseStats(Options &options, std::string_view value);
UsageError parseNumericsFiles(Options &options, std::string_view value);
UsageError parseDST(Options &options, std::string_view value);
UsageError parseDump(Options &options, std::string_view value);
UsageError parseEmit(Options &options, std::string_view value);
UsageError parseMetalium(Options &options, std::string_view value);
UsageError parseEmitPath(Options &options, std::string_view value);
UsageError parseEmitReport(Options &options, std::string_view value);
UsageError parseStage(Options &options, std::string_view value);
UsageError parseStartFrom(Options &options, std::string_view value);
UsageError parseScheduleFile(Options &options, std::string_view value);
UsageError parseBisect(Options &options, std::string_view value);
UsageError parseCompare(Options &options, std::string_view value);
UsageError parseCheck(Options &options, std::string_view value);
UsageError parseExplore(Options &options, std::string_view value);
UsageError parseTime(Options &options, std::string_view value);
UsageError parseWhatIf(Options &options, std::string_view value);
UsageError parseTrace(Options &options, std::string_view value);
UsageError parseTraceTime(Options &options, std::string_view value);
UsageError parseCache(Options &options, std::string_view value);
UsageError parseHostCPU(Options &options, std::string_view value);
UsageError parseOptLevel(Options &options, std::string_view value);
UsageError parseGdb(Options &options, std::string_view value);
UsageError parsePerfMap(Options &options, std::string_view value);
UsageError parsePassPlugin(Options &options, std::string_view value);
UsageError parseInsertPass(Options &options, std::string_view value);

/// A switch: on or off, 1 or 0, true or false.
UsageError readSwitch(bool &choice, std::string_view value);
template <auto group, auto choice>
UsageError parseChoice(Options &options, std::string_view value) {
  return readSwitch(options.*group.*choice, value);
}

/// A number from 1 on.
UsageError readMaximum(int64_t &maximum, std::string_view value);
template <int64_t PassOptions::*limit>
UsageError parseMax(Options &options, std::string_view value) {
  return readMaximum(options.passes.*limit, value);
}

} // namespace ttjit::options

#endif // TTJIT_TOOLS_OPTIONS_OPTIONPARSERS_H
