//===- TTLToEmitC.cpp - ttl-to-emitc ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: after stage loops, buffers, addresses, transfer ids and DST sections are decided.
// The emitted C++ needs no ops of ttkernel: what is left of ttl can become calls of C++.
//
// 1. Mark the thread functions. In a marked function, lowerings make emitc.call_opaque where they
//    make ops of ttkernel in others (ir/TTKernel/DeviceCalls.h). Turn the sections' ops of
//    ttkernel, which stage loops has inserted, into such calls.
// 2. Run the lowerings of stage ttkernel. Their rules exist once for both paths.
// 3. Merge equal expressions, as stage ttkernel does.
// 4. Convert loops, branches and arithmetic to EmitC, and spell the calls (TTKernelToEmitC.cpp).
//
// The pass rejects what stage ttkernel and ttkernel-to-emitc reject, at the same ops.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/TTLToEmitC.h"

#include "passes/metalium/MergeCalls.h"
#include "passes/metalium/TTKernelToEmitC.h"

#include "ir/TTKernel/DeviceCalls.h"
#include "ir/TTL/TTL.h"
#include "passes/ttkernel/Passes.h"
#include "passes/ttkernel/VerifyLowered.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

static bool isThread(func::FuncOp function) { return function->hasAttr(ttkernel::kThreadAttrName); }

static bool isLeftToLower(Operation *op) {
  return isa_and_present<ttl::TTLDialect>(op->getDialect()) && !isLowered(op);
}

bool ttjit::isBeforeTTKernel(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    auto found = function.walk([](Operation *op) {
      return isLeftToLower(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    return isThread(function) && (function.getNumArguments() || found.wasInterrupted());
  });
}

namespace {

// A step of the direct path on the thread functions of a module.
template <void (*step)(func::FuncOp)>
struct ThreadStep : PassWrapper<ThreadStep<step>, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ThreadStep)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<emitc::EmitCDialect>();
  }
  void runOnOperation() override {
    if (isThread(this->getOperation()))
      step(this->getOperation());
  }
};

} // namespace

static void startDirectPath(func::FuncOp function) {
  function->setAttr(ttkernel::kDirectAttr, UnitAttr::get(function.getContext()));
  SmallVector<Operation *> calls;
  function.walk([&](Operation *op) {
    if (isa_and_present<ttkernel::TTKernelDialect>(op->getDialect()))
      calls.push_back(op);
  });
  for (Operation *op : calls)
    ttkernel::makeDirect(op);
}

void ttjit::addDirectLowering(OpPassManager &manager) {
  OpPassManager &threads = manager.nest<func::FuncOp>();
  threads.addPass(std::make_unique<ThreadStep<startDirectPath>>());
  addDeviceLowerings(threads);
  threads.addPass(std::make_unique<ThreadStep<mergeCalls>>());
}

namespace {
struct TTLToEmitC : PassWrapper<TTLToEmitC, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TTLToEmitC)

  TTLToEmitC() = default;
  TTLToEmitC(const TTLToEmitC &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "ttl-to-emitc"; }
  StringRef getDescription() const override {
    return "Convert thread functions of stage loops to EmitC, without ops of ttkernel";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<emitc::EmitCDialect, arith::ArithDialect, func::FuncDialect, scf::SCFDialect,
                    ttl::TTLDialect, ttkernel::TTKernelDialect>();
  }

  void runOnOperation() override {
    hw::MetaliumVersion version;
    if (!generation.empty())
      version.generation = *hw::parseMetaliumGeneration(generation.getValue());
    OpPassManager lowering(ModuleOp::getOperationName());
    addDirectLowering(lowering);
    if (failed(runPipeline(lowering, getOperation())) ||
        failed(convertThreads(getOperation(), version, /*isForHost=*/false)))
      signalPassFailure();
  }

  Option<std::string> generation{
      *this, "metalium", llvm::cl::desc("The generation of tt-metal's API: old, mid or new")};
};
} // namespace

void ttjit::registerTTLToEmitCPass() { PassRegistration<TTLToEmitC>(); }
