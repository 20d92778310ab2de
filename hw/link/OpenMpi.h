//===- OpenMpi.h - joins the processes of mpirun --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_LINK_OPENMPI_H
#define TTJIT_HW_LINK_OPENMPI_H

#include <string>

namespace ttjit::hw {

/// Returns the number of processes that mpirun has started; 1 if it has not started this one.
int numMpiProcesses();

/// Makes the processes of mpirun ranks (hw/link/Ranks.h). Returns why that failed; empty if it
/// succeeded, or if mpirun has not started this process or has started only this one.
std::string joinMpi();
/// Waits until all ranks are about to end.
void leaveMpi();

} // namespace ttjit::hw

#endif // TTJIT_HW_LINK_OPENMPI_H
