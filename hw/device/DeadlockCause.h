//===- DeadlockCause.h - the likely cause of a deadlock -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_DEADLOCKCAUSE_H
#define TTJIT_HW_DEVICE_DEADLOCKCAUSE_H

#include "hw/device/WaitForGraph.h"

#include <string>
#include <vector>

namespace ttjit::hw {

/// Returns what the user probably did wrong; empty if no known cause fits. Each thread of
/// `chain` is blocked and waits for the next one. `supplier` is the thread that would end the wait
/// of the last one; null if unknown.
std::string likelyCause(const ProgramIndex &index, const std::vector<const ThreadContext *> &chain,
                        const ThreadContext *supplier);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_DEADLOCKCAUSE_H
