//===- StackSpace.cpp - how much stack the calling thread has left ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/syntax/StackSpace.h"

#include <pthread.h>

namespace ttjit::frontend {

// Returns the end of the calling thread's stack; 0 if it is not known. Reads /proc/self/maps,
// which takes half a millisecond.
static uintptr_t findEnd() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 0;
  void *address = nullptr;
  size_t size = 0;
  if (pthread_attr_getstack(&attributes, &address, &size) != 0)
    address = nullptr;
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(address);
}

StackSpace::StackSpace() {
  static thread_local const uintptr_t found = findEnd();
  end = found;
}

size_t StackSpace::left() const {
  auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return frame > end ? frame - end : 0;
}

} // namespace ttjit::frontend
