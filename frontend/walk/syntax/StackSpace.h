//===- StackSpace.h - how much stack the calling thread has left ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Python's threads may have small stacks. Walking and compiling recurse once per level of nesting
// in the source, so they check the space that is left.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_SYNTAX_STACKSPACE_H
#define TTJIT_FRONTEND_WALK_SYNTAX_STACKSPACE_H

#include <cstddef>
#include <cstdint>

namespace ttjit::frontend {

/// Measures the stack of the thread that constructs it. Use it only on that thread.
class StackSpace {
public:
  StackSpace();
  /// Returns the number of bytes between the caller's frame and the end of the stack.
  size_t left() const;

private:
  uintptr_t end = 0; ///< the lowest address of the stack; 0 if it is unknown
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_SYNTAX_STACKSPACE_H
