//===- FloatEnvironment.h - rounding and denormals of a host thread -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A program that embeds ttl-jit may have changed how its host thread computes: it may flush
// denormals to zero, or round in another direction. The compiler and the device must give the
// same bits in every process, so each function that a program calls from outside creates a
// DefaultFloatEnvironment first. Functions of the program that the compiler or the device call
// run under a CallersFloatEnvironment.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_FLOATENVIRONMENT_H
#define TTJIT_HW_DEVICE_FLOATENVIRONMENT_H

#include <cfenv>
#include <cstdint>

namespace ttjit::hw {

/// What std::fenv_t holds of a host thread. The functions of <cfenv> load the x87 unit anew, which
/// takes a twentieth of the time of a small launch; these do so only if it has another state.
class FloatEnvironment {
public:
  static FloatEnvironment ofThread();
  /// Rounds to nearest, keeps denormals, traps no exception, and has raised none.
  static FloatEnvironment standard();
  /// Makes this the environment of the thread.
  void set() const;

private:
#if defined(__x86_64__)
  uint32_t sse = 0;        ///< the register MXCSR
  uint16_t x87Control = 0; ///< the control word of the x87 unit
  uint16_t x87Raised = 0;  ///< the bits of its status word for exceptions that were raised
#else
  std::fenv_t all{};
#endif
};

/// While this object exists, the host thread rounds to nearest, keeps denormals, and no
/// floating-point exception traps. Kernel threads are fibers, which start with the control words
/// of the host thread that creates them.
class DefaultFloatEnvironment {
public:
  DefaultFloatEnvironment();
  ~DefaultFloatEnvironment();
  DefaultFloatEnvironment(const DefaultFloatEnvironment &) = delete;
  DefaultFloatEnvironment &operator=(const DefaultFloatEnvironment &) = delete;

private:
  friend class CallersFloatEnvironment;

  FloatEnvironment before;
  bool isOutermost;
};

/// While this object exists, the host thread has the environment that it had before the outermost
/// DefaultFloatEnvironment. The caller keeps what the program changes in the environment.
class CallersFloatEnvironment {
public:
  CallersFloatEnvironment();
  ~CallersFloatEnvironment();
  CallersFloatEnvironment(const CallersFloatEnvironment &) = delete;
  CallersFloatEnvironment &operator=(const CallersFloatEnvironment &) = delete;

private:
  DefaultFloatEnvironment *outermost; ///< null: the thread already has its caller's environment
  FloatEnvironment inner;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_FLOATENVIRONMENT_H
