//===- SimulatorArguments.h - the names and options of simulators ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Scripts and documentation of simulators call ttl-jit by other names, with other options.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_JIT_SIMULATORARGUMENTS_H
#define TTJIT_TOOLS_TTL_JIT_SIMULATORARGUMENTS_H

#include <string>
#include <vector>

/// Returns which tool of a simulator the program is called by: "sim", "sim-stats"; empty: ttl-jit.
std::string simulatorTool(const std::string &program);

/// Returns the arguments of `ttl-jit`, if it is called by the name of the tool with these.
std::vector<std::string> commandOf(const std::string &tool, std::vector<std::string> arguments);

#endif // TTJIT_TOOLS_TTL_JIT_SIMULATORARGUMENTS_H
