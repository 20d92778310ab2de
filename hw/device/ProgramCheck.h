//===- ProgramCheck.h - refuses programs that the device cannot run -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PROGRAMCHECK_H
#define TTJIT_HW_DEVICE_PROGRAMCHECK_H

#include "hw/device/BackedBuffers.h"
#include "hw/device/MachineStorage.h"

namespace ttjit::hw {

/// Checks a program before its run. Each function returns false after recording a fault.
class ProgramCheck {
public:
  ProgramCheck(Machine &machine, const MachineStorage &storage)
      : machine(machine), program(machine.program), arch(machine.arch), storage(storage) {}

  bool run() {
    return checkGrid() && checkBuffers() && checkBackedBuffers(machine) && checkSemaphores() &&
           checkRanges() && checkHostMemory() && growL1();
  }

private:
  bool refuse(std::string message, const SourceLocation &location = {}) {
    return machine.faults.refuse(std::move(message), location);
  }
  bool checkGrid();
  bool checkBuffers();
  bool checkBuffer(const BufferConfig &buffer);
  bool checkSemaphores();
  bool checkRanges();
  bool checkHostMemory();
  bool growL1();

  Machine &machine;
  const Program &program;
  const ArchDesc &arch;
  const MachineStorage &storage;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PROGRAMCHECK_H
