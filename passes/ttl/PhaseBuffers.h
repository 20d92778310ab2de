//===- PhaseBuffers.h - buffers of different phases share indices ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_PHASEBUFFERS_H
#define TTJIT_PASSES_TTL_PHASEBUFFERS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// If the kernel has more buffers than the chip has indices, lets buffers that are used only behind
/// a ttl.reconfigure_dfbs() take the places of buffers that are used only before it. Returns the
/// number of buffers that were replaced.
unsigned sharePhaseBuffers(mlir::tt::ttl::KernelOp kernel);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_PHASEBUFFERS_H
