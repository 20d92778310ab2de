//===- KernelSelectors.h - threads that a unified body names --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_FUNCTIONS_KERNELSELECTORS_H
#define TTJIT_FRONTEND_WALK_FUNCTIONS_KERNELSELECTORS_H

#include "frontend/walk/values/Arguments.h"

namespace ttjit::frontend {

class Walker;

/// Returns the threads that an argument `kernel=` names: "compute", "reader", "writer" or
/// "pipe_source". `most` is how many it may name; 0: any number.
std::vector<std::string> selectedThreads(Walker &walker, const Arguments::Item &selector,
                                         unsigned most);

/// Gives the release that was built last the thread that `kernel=` names. Outside of unified bodies
/// this only checks the selector.
void selectThread(Walker &walker, const Arguments::Item &selector);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_FUNCTIONS_KERNELSELECTORS_H
