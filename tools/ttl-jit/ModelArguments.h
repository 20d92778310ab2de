//===- ModelArguments.h - options of modules of ttir ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_JIT_MODELARGUMENTS_H
#define TTJIT_TOOLS_TTL_JIT_MODELARGUMENTS_H

#include <string>
#include <string_view>
#include <vector>

/// Returns whether a .mlir file has functions of ttir, ttnn or tosa, or of distributed tensors,
/// which Python runs (ttl/_model_command.py): whether it names an op or type of these outside of
/// comments, and no op of d2m.
bool isModel(std::string_view text);

/// Removes --arg, --out and --function with their values from the words after a .mlir file, and
/// returns them as "--arg=0=a.npy".
std::vector<std::string> takeModelArguments(std::vector<std::string> &words);

#endif // TTJIT_TOOLS_TTL_JIT_MODELARGUMENTS_H
