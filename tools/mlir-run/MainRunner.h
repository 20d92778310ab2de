//===- MainRunner.h - the ops of func.func @main --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_MLIR_RUN_MAINRUNNER_H
#define TTJIT_TOOLS_MLIR_RUN_MAINRUNNER_H

#include "diagnostics/TextSink.h"
#include "ir/TTL/TTL.h"
#include "ir/TTLTest/TTLTest.h"
#include "ir/modules/D2M/D2M.h"
#include "tools/mlir-run/ExitStatus.h"
#include "tools/mlir-run/LongRuns.h"
#include "tools/session/HostTensor.h"
#include "tools/session/Session.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineMap.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace ttjit::mlir_run {

class ElementFinder;

/// Executes the ops of @main in order. The op's name selects its handler.
class MainRunner {
public:
  MainRunner(mlir::ModuleOp module, session::Session &session, const diagnostics::TextSink &out,
             const diagnostics::TextSink &messages);

  ExitStatus run(mlir::func::FuncOp main);

  /// Runs a function of a module without @main, with random arguments, and prints the hashes of its
  /// results and of its memrefs.
  ExitStatus runWithSeed(mlir::func::FuncOp function);

  /// Returns whether the compiler crashed: the module's context must not be used again.
  bool hasCrashed() const { return crashed; }

private:
  using Handler = std::function<ExitStatus(mlir::Operation *)>;

  template <typename OpT> void add();

  ExitStatus run(mlir::tt::ttltest::FullOp op);
  ExitStatus run(mlir::tt::ttltest::ConstantOp op);
  ExitStatus run(mlir::tt::ttltest::IotaOp op);
  ExitStatus run(mlir::tt::ttltest::RandomOp op);
  ExitStatus run(mlir::tt::ttltest::ExpectEqOp op);
  ExitStatus run(mlir::tt::ttltest::ExpectCloseOp op);
  ExitStatus run(mlir::tt::ttltest::ExpectHashOp op);
  ExitStatus run(mlir::tt::ttltest::PrintOp op);
  ExitStatus run(mlir::tt::ttl::LaunchOp op);
  ExitStatus run(mlir::func::ReturnOp op);
  ExitStatus run(mlir::func::CallOp op);
  ExitStatus run(mlir::UnrealizedConversionCastOp op);
  ExitStatus runOps(mlir::Block &block);

  // D2MRunner.cpp: ops of tt-mlir's modules that d2m-to-ttl leaves.
  void addD2M();
  static mlir::RankedTensorType hostTypeOf(mlir::Type type);
  static std::string describe(mlir::Type type);
  mlir::Value ownerOf(mlir::Value value) const;
  /// Creates a tensor of zeros for the value.
  ExitStatus create(mlir::Operation *op, mlir::Value value);
  ExitStatus relayout(mlir::Operation *op);
  using Change = std::function<std::optional<llvm::APFloat>(llvm::ArrayRef<int64_t>)>;
  ExitStatus readDevice(mlir::Operation *op, mlir::Value value, mlir::Value into,
                        const Change &change);
  ExitStatus run(mlir::tt::d2m::MaskOp op);
  ExitStatus run(mlir::tt::d2m::CompositeViewOp op);
  ExitStatus allocate(mlir::Operation *op);
  ExitStatus recast(mlir::Operation *op);
  ExitStatus keep(mlir::Operation *op, mlir::Value value, mlir::Value result);
  ExitStatus copyElements(mlir::Operation *op, mlir::Value input, mlir::Value output);
  ExitStatus copyElements(mlir::Operation *op, mlir::Value input, mlir::Type inputType,
                          mlir::Value output, mlir::Type outputType);
  std::optional<ElementFinder> finderFor(mlir::Value value, mlir::Type type, mlir::Operation *op,
                                         mlir::Value &base, std::string &why);
  void report(const std::string &what, mlir::Value value);
  /// Notes which op runs now, for the messages of a long run.
  void note(mlir::Operation *op);

  /// Creates a tensor whose element i is value(i).
  ExitStatus fill(mlir::Operation *op, llvm::function_ref<llvm::APFloat(int64_t)> value);
  static void fillRandom(session::HostTensor &tensor, uint64_t seed, double low, double high);
  ExitStatus expectUlp(mlir::Operation *op, mlir::Value actual, mlir::Value expected, uint64_t ulp);
  ExitStatus expectationFailed(mlir::Operation *op, const std::string &message);
  ExitStatus refuse(mlir::Operation *op, const std::string &message);

  std::shared_ptr<CompiledProgram> compile(mlir::tt::ttl::LaunchOp op, mlir::Operation *kernel);
  hw::Device &deviceFor(mlir::Operation *kernel);
  using Placements = llvm::MapVector<mlir::Value, hw::TensorAllocation>;
  ExitStatus place(mlir::tt::ttl::LaunchOp op, hw::Device &device, Placements &placed);
  ExitStatus launch(mlir::tt::ttl::LaunchOp op, CompiledProgram &program, hw::Device &device);

  mlir::ModuleOp module;
  session::Session &session;
  const diagnostics::TextSink &out, &messages;
  LongRuns notes;
  bool crashed = false;
  llvm::StringMap<Handler> handlers;
  llvm::DenseMap<mlir::Value, session::HostTensor> tensors;
  llvm::DenseMap<mlir::Value, mlir::Value> owners;            ///< other names of a tensor
  llvm::SmallVector<mlir::Value> returned;                    ///< by the last func.return
  llvm::SmallVector<mlir::func::FuncOp> calls;                ///< functions that run
  llvm::StringMap<std::shared_ptr<CompiledProgram>> programs; ///< compiled programs, by kernel
  llvm::StringMap<std::unique_ptr<hw::Device>> devices;       ///< devices, by chip
};

} // namespace ttjit::mlir_run

#endif // TTJIT_TOOLS_MLIR_RUN_MAINRUNNER_H
