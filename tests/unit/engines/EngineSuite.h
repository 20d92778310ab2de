//===- EngineSuite.h - what every engine must do --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs thread functions of stage `ttkernel`, given as text, on a device. The test cases
// beside this file (ENGINE_SUITE_SOURCES in CMakeLists.txt) work with any engine. To
// test an engine, compile the cases into its test and instantiate
//   INSTANTIATE_TEST_SUITE_P(Name, EngineTest, testing::Values(Engine{...}));
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_ENGINES_ENGINESUITE_H
#define TTJIT_TESTS_UNIT_ENGINES_ENGINESUITE_H

#include "hw/device/Device.h"
#include "ir/Locations/Locations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/Error.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace ttjit::test {

struct Engine {
  std::string name;
  std::function<llvm::Expected<std::vector<hw::ThreadEntry>>(llvm::ArrayRef<mlir::func::FuncOp>,
                                                             LocationTable &)>
      compile;
};

inline void PrintTo(const Engine &engine, std::ostream *stream) { *stream << engine.name; }

/// Everything that a run gets besides its code.
struct RunSetup {
  int gridX = 1, gridY = 1;
  std::vector<uint32_t> commonArgs = {}; ///< of every thread
  /// Number of pages of each buffer, by index. Pages are fp32 tiles.
  std::vector<uint32_t> buffers = {};
  hw::ComputeConfig compute = {};
  hw::RunOptions options = {};
};

class EngineTest : public testing::TestWithParam<Engine> {
protected:
  EngineTest();

  /// Runs the thread functions of the text: the first <noc> function on RISCV_1, the second on
  /// RISCV_0, the <compute> function on the compute processors. The types !cb and !tensor are
  /// defined. Line numbers in faults are line numbers of `text`.
  hw::RunResult run(llvm::StringRef text, const RunSetup &setup = {});
  /// Runs one <noc> thread that consists of the given statements.
  hw::RunResult runStatements(llvm::StringRef text, const RunSetup &setup = {});
  /// Runs the statements and expects that the run ends without a fault.
  void passes(llvm::StringRef statements, const RunSetup &setup = {});
  /// Runs the statements and expects a fault of this kind whose message contains `part`.
  void faults(llvm::StringRef statements, hw::FaultKind kind, llvm::StringRef part,
              const RunSetup &setup = {});

  /// Creates a tensor of fp32 tiles in DRAM. All elements of page p are `values[p]`.
  hw::TensorAllocation tensor(llvm::ArrayRef<float> values);
  /// Expects that all elements of page p are `values[p]`, for each page.
  void holds(const hw::TensorAllocation &tensor, llvm::ArrayRef<float> values);

  /// Parses the text after the type aliases. On an error it fails the test and returns
  /// null.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text);

  mlir::MLIRContext context;
  hw::Device device;
};

/// Expects that there is no fault; if there is one, prints it.
void expectNoFault(const hw::RunResult &result);
void expectFault(const hw::RunResult &result, hw::FaultKind kind, llvm::StringRef part);

/// Returns a data movement thread that writes `tiles` fp32 tiles from buffer `cb` into
/// the tensor of common argument `argument`.
std::string writer(int cb, int argument, size_t tiles);

} // namespace ttjit::test

#endif // TTJIT_TESTS_UNIT_ENGINES_ENGINESUITE_H
