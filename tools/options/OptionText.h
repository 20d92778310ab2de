//===- OptionText.h - the options for --help and docs/running.md ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_OPTIONS_OPTIONTEXT_H
#define TTJIT_TOOLS_OPTIONS_OPTIONTEXT_H

#include "tools/options/OptionTable.h"

namespace ttjit::options {

/// Returns the part of --help that lists the options.
std::string optionsHelp(OptionRows rows = optionRows());

/// Returns the table of options of docs/running.md.
std::string optionsPage(OptionRows rows = optionRows());

} // namespace ttjit::options

#endif // TTJIT_TOOLS_OPTIONS_OPTIONTEXT_H
