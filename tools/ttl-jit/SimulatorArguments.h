//===- SimulatorArguments.h - the names and options of simulators ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Scripts and documentation of simulators call ttl-jit by other names, with other options.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_JIT_SIMULATORARGUMENTS_H
#define TTJIT_TOOLS_TTL_JIT_SIMULATORARGUMENTS_H

#include <string>
#include <vector>

/// Returns the tool of a simulator whose name the program is called by: "sim", "sim-stats"; or "".
std::string simulatorTool(const std::string &program);

/// Returns the arguments of `ttl-jit` for a call of the tool with these words.
std::vector<std::string> commandOf(const std::string &tool, std::vector<std::string> arguments);

#endif // TTJIT_TOOLS_TTL_JIT_SIMULATORARGUMENTS_H
