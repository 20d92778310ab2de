//===- EngineSuite.h - what every engine must do --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread functions of stage `ttkernel` as text, run on a device of their own. The
// cases beside this file (ENGINE_SUITE_SOURCES in CMakeLists.txt) know no engine:
// an engine joins by compiling them into its test and instantiating
//   INSTANTIATE_TEST_SUITE_P(Name, EngineTest, testing::Values(Engine{...}));
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_ENGINES_ENGINESUITE_H
#define TTJIT_TESTS_UNIT_ENGINES_ENGINESUITE_H

#include "hw/device/Device.h"
#include "ir/Support/Locations.h"

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

/// What a run needs beside its code.
struct RunSetup {
  int gridX = 1, gridY = 1;
  std::vector<uint32_t> commonArgs = {}; ///< of every thread
  /// Pages of each buffer, by index; pages are fp32 tiles.
  std::vector<uint32_t> buffers = {};
  hw::ComputeConfig compute = {};
  hw::RunOptions options = {};
};

class EngineTest : public testing::TestWithParam<Engine> {
protected:
  EngineTest();

  /// Runs the thread functions of the text: the first <noc> one on RISCV_1, the
  /// second on RISCV_0, the <compute> one on the compute processors. Types !cb
  /// and !tensor are defined. Lines of faults are lines of `text`.
  hw::RunResult run(llvm::StringRef text, const RunSetup &setup = {});
  /// The same for one <noc> thread, given its statements.
  hw::RunResult runStatements(llvm::StringRef text, const RunSetup &setup = {});
  /// Expects that it ends without a fault.
  void passes(llvm::StringRef statements, const RunSetup &setup = {});
  /// Expects a fault of this kind whose message contains `part`.
  void faults(llvm::StringRef statements, hw::FaultKind kind, llvm::StringRef part,
              const RunSetup &setup = {});

  /// A tensor of fp32 tiles in DRAM, page p filled with `values[p]`.
  hw::TensorAllocation tensor(llvm::ArrayRef<float> values);
  /// Expects every element of each page to have this value.
  void holds(const hw::TensorAllocation &tensor, llvm::ArrayRef<float> values);

  /// Parses, with the aliases in front; null after a failure of the test.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text);

  mlir::MLIRContext context;
  hw::Device device;
};

/// Expects no fault, and says which one there was.
void expectNoFault(const hw::RunResult &result);
void expectFault(const hw::RunResult &result, hw::FaultKind kind, llvm::StringRef part);

/// A data movement thread that writes what comes out of buffer `cb`, `tiles` fp32
/// tiles, into the tensor of common argument `argument`.
std::string writer(int cb, int argument, size_t tiles);

} // namespace ttjit::test

#endif // TTJIT_TESTS_UNIT_ENGINES_ENGINESUITE_H
