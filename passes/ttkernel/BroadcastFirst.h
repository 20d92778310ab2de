//===- BroadcastFirst.h - broadcasts begin their DST sections -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Metalium's unary_bcast_init resets the half of DST in use, so it may not stand between
// tile_regs_acquire and tile_regs_commit once the section has written a tile. A broadcast that
// begins its section is set up before tile_regs_acquire (ComputeSetup).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTKERNEL_BROADCASTFIRST_H
#define TTJIT_PASSES_TTKERNEL_BROADCASTFIRST_H

#include "passes/common/Threads.h"

namespace ttjit {

/// Moves every broadcast to the start of its section where no call in between uses its register
/// or its buffer, and erases a broadcast whose result the register still holds.
void moveBroadcastsFirst(ThreadBinding &thread);

/// Returns the broadcast with which the section begins that this call of tile_regs_acquire opens;
/// null if it begins with another call.
mlir::Operation *broadcastAtStart(mlir::Operation *section);

} // namespace ttjit

#endif // TTJIT_PASSES_TTKERNEL_BROADCASTFIRST_H
