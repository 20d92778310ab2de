//===- FloatEnvironment.cpp - rounding and denormals of a host thread ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/FloatEnvironment.h"

#include <utility>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace ttjit::hw {

//===--------------------------------------------------------------------------===//
// FloatEnvironment
//===--------------------------------------------------------------------------===//

#if defined(__x86_64__)

// The values after a reset: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1,
// 8.1.5 (control word, as FNINIT sets it) and 10.2.3 (MXCSR).
static constexpr uint16_t kX87Default = 0x037f;
static constexpr uint32_t kSseDefault = 0x1f80;
static constexpr uint16_t kX87Exceptions = 0x3f;

// What FNSTENV writes and FLDENV reads, in 64-bit mode.
struct X87Environment {
  uint16_t control, unused0, status, unused1, tags, unused2;
  uint32_t instruction, selector, operand, operandSelector;
};

static uint16_t x87Control() {
  uint16_t word;
  asm volatile("fnstcw %0" : "=m"(word));
  return word;
}

static uint16_t x87Raised() {
  uint16_t word;
  asm volatile("fnstsw %0" : "=m"(word));
  return word & kX87Exceptions;
}

FloatEnvironment FloatEnvironment::ofThread() {
  FloatEnvironment now;
  now.sse = _mm_getcsr();
  now.x87Control = ttjit::hw::x87Control();
  now.x87Raised = ttjit::hw::x87Raised();
  return now;
}

FloatEnvironment FloatEnvironment::standard() {
  FloatEnvironment result;
  result.sse = kSseDefault;
  result.x87Control = kX87Default;
  return result;
}

void FloatEnvironment::set() const {
  if (_mm_getcsr() != sse)
    _mm_setcsr(sse);
  if (ttjit::hw::x87Control() == x87Control && ttjit::hw::x87Raised() == x87Raised)
    return;
  X87Environment all;
  asm volatile("fnstenv %0" : "=m"(all));
  all.control = x87Control;
  all.status = static_cast<uint16_t>((all.status & ~kX87Exceptions) | x87Raised);
  asm volatile("fldenv %0" : : "m"(all));
}

#else

FloatEnvironment FloatEnvironment::ofThread() {
  FloatEnvironment now;
  std::fegetenv(&now.all);
  return now;
}

FloatEnvironment FloatEnvironment::standard() {
  FloatEnvironment before = ofThread();
  std::fesetenv(FE_DFL_ENV);
  FloatEnvironment result = ofThread();
  before.set();
  return result;
}

void FloatEnvironment::set() const { std::fesetenv(&all); }

#endif

//===--------------------------------------------------------------------------===//
// Guards
//===--------------------------------------------------------------------------===//

// This host thread's object that keeps the caller's environment; null if the thread has none.
static thread_local DefaultFloatEnvironment *outermostOfThread = nullptr;

DefaultFloatEnvironment::DefaultFloatEnvironment()
    : before(FloatEnvironment::ofThread()), isOutermost(!outermostOfThread) {
  FloatEnvironment::standard().set();
  if (isOutermost)
    outermostOfThread = this;
}

DefaultFloatEnvironment::~DefaultFloatEnvironment() {
  if (isOutermost)
    outermostOfThread = nullptr;
  before.set();
}

CallersFloatEnvironment::CallersFloatEnvironment()
    : outermost(std::exchange(outermostOfThread, nullptr)) {
  if (!outermost)
    return;
  inner = FloatEnvironment::ofThread();
  outermost->before.set();
}

CallersFloatEnvironment::~CallersFloatEnvironment() {
  if (!outermost)
    return;
  outermost->before = FloatEnvironment::ofThread();
  inner.set();
  outermostOfThread = outermost;
}

} // namespace ttjit::hw
