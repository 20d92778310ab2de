//===- EngineState.h - data of an engine for one run ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The data that the device keeps for an engine. Only the calls in hw/calls/EngineCalls.h use it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_ENGINESTATE_H
#define TTJIT_HW_DEVICE_ENGINESTATE_H

namespace ttjit::hw {

/// Base class of the data that an engine keeps for one run. The first thread that needs
/// the data creates it; it is destroyed with the run.
struct EngineState {
  virtual ~EngineState() = default;
};

/// A value that threads wait for. A flag must not move while a thread waits for it.
struct EngineFlag {
  bool value = false;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_ENGINESTATE_H
