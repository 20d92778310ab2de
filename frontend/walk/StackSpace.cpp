//===- StackSpace.cpp - how much stack the calling thread has left --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/StackSpace.h"

#include <pthread.h>

namespace ttjit::frontend {

StackSpace::StackSpace() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return;
  void *address = nullptr;
  size_t size = 0;
  if (pthread_attr_getstack(&attributes, &address, &size) == 0)
    end = reinterpret_cast<uintptr_t>(address);
  pthread_attr_destroy(&attributes);
}

size_t StackSpace::left() const {
  auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return frame > end ? frame - end : 0;
}

} // namespace ttjit::frontend
