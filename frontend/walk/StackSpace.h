//===- StackSpace.h - how much stack the calling thread has left ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Python's threads may have small stacks; walking and compiling recurse with the
// nesting of the source.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_STACKSPACE_H
#define TTJIT_FRONTEND_WALK_STACKSPACE_H

#include <cstddef>
#include <cstdint>

namespace ttjit::frontend {

/// Made and used on the same thread.
class StackSpace {
public:
  StackSpace();
  /// Bytes between the caller's frame and the end of the stack.
  size_t left() const;

private:
  uintptr_t end = 0; ///< the lowest address; 0 if it is unknown
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_STACKSPACE_H
