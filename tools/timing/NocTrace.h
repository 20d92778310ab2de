//===- NocTrace.h - NoC traces in the vendor's JSON -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_NOCTRACE_H
#define TTJIT_TOOLS_TIMING_NOCTRACE_H

#include "tools/timing/Profile.h"

#include "hw/facts/Arch.h"

namespace ttjit::timing {

/// Predicts when the barriers of a recorded trace end. The rest of the trace is used unchanged:
/// which core issues which transfer, and the time between two events of a core. `name` is the name
/// of the file, for messages. `isJson`: returns JSON instead of text.
TextOrMistake predictTrace(const hw::ArchDesc &arch, const std::string &name, std::string_view json,
                           bool isJson);

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_NOCTRACE_H
