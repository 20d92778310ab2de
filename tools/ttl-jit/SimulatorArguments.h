//===- SimulatorArguments.h - the names and options of simulators ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Scripts and documentation of simulators call ttl-jit by other names, with other options.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_JIT_SIMULATORARGUMENTS_H
#define TTJIT_TOOLS_TTL_JIT_SIMULATORARGUMENTS_H

#include <string>
#include <vector>

/// `program` is argv[0]. If its file name begins with "tt-lang-" or "ttlang-", returns the rest,
/// such as "sim" or "sim-stats"; otherwise "".
std::string simulatorTool(const std::string &program);

/// Returns the arguments of `ttl-jit` for a call of the tool with these words.
std::vector<std::string> commandOf(const std::string &tool, std::vector<std::string> arguments);

#endif // TTJIT_TOOLS_TTL_JIT_SIMULATORARGUMENTS_H
