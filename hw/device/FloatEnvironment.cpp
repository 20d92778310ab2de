//===- FloatEnvironment.cpp - rounding and denormals of a host thread ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/FloatEnvironment.h"

#include <utility>

namespace ttjit::hw {

// The object of this host thread that has its caller's environment; null if there is none.
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
