//===- DecisionFile.h - decisions of runs as text -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The text form of the decisions of several runs. It has one log per run, in the order
// of the runs:
//
//   ttl-jit decisions 1
//   run late stays      delivery (late, eager, random), and whether threads may switch
//                       at events (switches) or not (stays); or fair: a run as under
//                       --schedule=fair, without decisions
//   t 3 0               of 3 threads the first one runs next
//   l 5 2               of 5 transfers in flight the third one lands; "l 5 -": none
//
// If the last run is fair, all later runs are, too.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_DECISIONFILE_H
#define TTJIT_HW_DEVICE_DECISIONFILE_H

#include "hw/device/Decisions.h"

#include <string>
#include <string_view>

namespace ttjit::hw {

/// The first line of a file. The text of each run follows it.
std::string decisionFileHeader();
std::string printDecisions(const DecisionLog &run);

/// Returns nothing and sets `mistake` if `text` is not a decision file.
std::optional<std::vector<DecisionLog>> parseDecisions(std::string_view text, std::string &mistake);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_DECISIONFILE_H
