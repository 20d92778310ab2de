//===- LayoutCommand.h - ttl-jit layout -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_LAYOUT_LAYOUTCOMMAND_H
#define TTJIT_TOOLS_LAYOUT_LAYOUTCOMMAND_H

#include "hw/facts/Arch.h"

#include <string>
#include <vector>

namespace ttjit::layout {

/// What the command prints, and its exit status.
struct LayoutOutcome {
  int status = 0;
  std::string output, errors;
};

/// Runs `ttl-jit layout` with these arguments. Without --arch, the device is `arch`.
LayoutOutcome runLayoutCommand(const std::vector<std::string> &arguments, const hw::ArchDesc &arch);

/// Returns the options of the command: "--at=", "--help".
std::vector<std::string> layoutOptions();

} // namespace ttjit::layout

#endif // TTJIT_TOOLS_LAYOUT_LAYOUTCOMMAND_H
