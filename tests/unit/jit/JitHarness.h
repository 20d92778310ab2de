//===- JitHarness.h - kernels from text to the device ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Parses thread functions of stage `ttkernel`, compiles them and runs them on one node of a device.
// Threads of kind noc run on RISCV_1 and then on RISCV_0, in the order of the text. Every thread
// gets the bases of all tensors as common arguments.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_JIT_JITHARNESS_H
#define TTJIT_TESTS_UNIT_JIT_JITHARNESS_H

#include "hw/device/Device.h"
#include "jit/ThreadCompiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace ttjit::test {

/// Returns a thread function ("noc" or "compute") with the given body. %i0..%i9 are i32
/// constants, %c0, %c1 and %c1000 are indices.
std::string threadText(const std::string &name, const std::string &kind, const std::string &body);

class JitHarness {
public:
  explicit JitHarness(jit::ThreadCompilerOptions options = {});

  /// Returns the thread functions of the text; fails the test if the text does not parse.
  std::vector<mlir::func::FuncOp> parse(const std::string &text);
  jit::ThreadCompiler &engine() { return *jitEngine; }
  hw::Device &device() { return dev; }
  LocationTable &locations() { return table; }

  /// Adds a buffer. Buffers get the indices 0, 1, ... in the order of these calls.
  void addBuffer(hw::DataFormat format, uint32_t pages);
  /// Adds a tensor of 32x32 tiles in DRAM. Returns where it is.
  hw::TensorAllocation addTensor(hw::DataFormat format, uint32_t pages);

  /// Compiles and runs the text; fails the test if there is a compile error.
  hw::RunResult run(const std::string &text, hw::RunOptions options = {});
  /// Compiles and runs one compute thread with this body.
  hw::RunResult runBody(const std::string &body, hw::RunOptions options = {});

private:
  mlir::MLIRContext context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  LocationTable table;
  std::unique_ptr<jit::ThreadCompiler> jitEngine;
  hw::Device dev;
  std::vector<hw::BufferConfig> buffers;
  std::vector<uint32_t> bases;
};

} // namespace ttjit::test

#endif // TTJIT_TESTS_UNIT_JIT_JITHARNESS_H
