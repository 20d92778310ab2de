//===- ProgramText.h - program.json and run_on_device.py ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_PROGRAMTEXT_H
#define TTJIT_PASSES_METALIUM_PROGRAMTEXT_H

#include "hw/facts/MetaliumVersion.h"
#include "passes/metalium/DeviceProgram.h"

#include "llvm/Support/JSON.h"

namespace ttjit {

/// Returns the entry of a program in program.json.
llvm::json::Object describeProgram(const DeviceProgram &program);

/// Returns program.json.
std::string programFile(llvm::ArrayRef<DeviceProgram> programs, const hw::MetaliumVersion &version);

/// Returns the name of the smallest ttnn.FabricConfig that has all routes of the program. A program
/// that sends to no other device needs none: DISABLED.
std::string fabricOf(const DeviceProgram &program);

/// Returns README.md, for programs of several devices; empty if there are none.
std::string readmeFile(llvm::ArrayRef<DeviceProgram> programs);

/// Returns run_on_device.py, which reads program.json.
std::string runScript();

/// Returns the fields that ttnn.ComputeConfigDescriptor needs and that are not its defaults,
/// for a comment.
std::string describeConfig(const DeviceProgram &program);

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_PROGRAMTEXT_H
