//===- FloatEnvironment.cpp - rounding and denormals of a host thread ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/FloatEnvironment.h"

#include <utility>

namespace ttjit::hw {

// This host thread's object that keeps the caller's environment; null if the thread has none.
static thread_local DefaultFloatEnvironment *outermostOfThread = nullptr;

DefaultFloatEnvironment::DefaultFloatEnvironment() : isOutermost(!outermostOfThread) {
  std::fegetenv(&before);
  std::fesetenv(FE_DFL_ENV);
  if (isOutermost)
    outermostOfThread = this;
}

DefaultFloatEnvironment::~DefaultFloatEnvironment() {
  if (isOutermost)
    outermostOfThread = nullptr;
  std::fesetenv(&before);
}

CallersFloatEnvironment::CallersFloatEnvironment()
    : outermost(std::exchange(outermostOfThread, nullptr)) {
  if (!outermost)
    return;
  std::fegetenv(&inner);
  std::fesetenv(&outermost->before);
}

CallersFloatEnvironment::~CallersFloatEnvironment() {
  if (!outermost)
    return;
  std::fegetenv(&outermost->before);
  std::fesetenv(&inner);
  outermostOfThread = outermost;
}

} // namespace ttjit::hw
