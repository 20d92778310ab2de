//===- BufferResets.h - calls that reset buffers --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_FUNCTIONS_BUFFERRESETS_H
#define TTJIT_FRONTEND_WALK_FUNCTIONS_BUFFERRESETS_H

#include "frontend/walk/calls/Handlers.h"

namespace ttjit::frontend {

class Kernel;

/// Adds the handlers of ttl.reset_dataflow_buffers(), reset_dfbs(), reset_all_dfbs() and
/// reconfigure_dfbs().
void addResetHandlers(HandlerTable &table);

/// Names the buffers of resets of all buffers, and drops buffers that no thread acquires from the
/// others. Call it after all threads are walked, and before unused buffers are erased.
void completeResets(Kernel &kernel);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_FUNCTIONS_BUFFERRESETS_H
