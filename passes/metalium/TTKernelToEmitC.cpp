//===- TTKernelToEmitC.cpp - thread functions to EmitC ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: EmitC is the last IR before C++ text. Every func.func with ttl.kernel_thread
// becomes an emitc.func of the same name.
// 1. Read the names of buffers and tensors from the program that binds them.
// 2. Rebuild the function op by op (ThreadConverter).
// 3. Erase unused expressions. Some checks exist only on the host: the pass drops these, and
//    their operands may have no other use.
// The pass rejects ops without a counterpart in C++, functions with arguments or several
// blocks, and constants that do not fit in int32_t.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/TTKernelToEmitC.h"

#include "passes/metalium/EmitRules.h"
#include "passes/metalium/InlineExpressions.h"
#include "passes/metalium/ThreadConverter.h"

#include "hw/facts/Arch.h"
#include "ir/Support/Locations.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::emit;

static void readNames(ttl::ThreadOp thread, ThreadNames &names) {
  auto program = thread->getParentOfType<ttl::ProgramOp>();
  auto config = program.getComputeConfigAttr();
  names.fp32Dest = config && config.getFp32DestAccEn();
  if (auto arch = hw::lookupArch(program.getArch().value_or(hw::kDefaultArch).str()))
    names.dramBanks = arch->dramBanks;
  for (Value resource : thread.getResources()) {
    if (auto buffer = resource.getDefiningOp<ttl::CreateCBOp>())
      if (std::optional<uint32_t> index = buffer.getBufferIndex())
        names.buffers[*index] = buffer.getName().str();
    if (isa<RankedTensorType>(resource.getType()))
      names.tensors.push_back(getSourceName(resource.getLoc())
                                  .value_or("tensor" + std::to_string(names.tensors.size())));
  }
}

static void eraseUnused(emitc::FuncOp function) {
  SmallVector<Operation *> order;
  function.walk([&](Operation *op) { order.push_back(op); });
  for (Operation *op : llvm::reverse(order))
    if (isCppExpression(op) && op->use_empty())
      op->erase();
}

static EmitRules makeRules() {
  EmitRules rules;
  addScalarRules(rules);
  addControlFlowRules(rules);
  addKernelApiRules(rules);
  addIntegerCallRules(rules);
  addPipeCallRules(rules);
  addHostCallRules(rules);
  return rules;
}

namespace {
struct TTKernelToEmitC : PassWrapper<TTKernelToEmitC, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TTKernelToEmitC)

  explicit TTKernelToEmitC(const MetaliumVersion &version) : version(version) {}
  TTKernelToEmitC(const TTKernelToEmitC &other) : PassWrapper(other), version(other.version) {}

  StringRef getArgument() const override { return "ttkernel-to-emitc"; }
  StringRef getDescription() const override {
    return "Convert thread functions of stage ttkernel to EmitC";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<emitc::EmitCDialect>();
  }

  void runOnOperation() override {
    if (sourceFirst)
      version.copyDestValuesSourceFirst = true;
    static const EmitRules rules = makeRules();
    llvm::StringMap<ThreadNames> names;
    getOperation().walk(
        [&](ttl::ThreadOp thread) { readNames(thread, names[thread.getCallee()]); });
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (!function->hasAttr(ttkernel::kThreadAttrName))
        continue;
      FailureOr<emitc::FuncOp> converted =
          ThreadConverter(function, rules, names[function.getName()], version).convert();
      if (failed(converted))
        return signalPassFailure();
      eraseUnused(*converted);
      function.erase();
    }
  }

  MetaliumVersion version;
  Option<bool> sourceFirst{
      *this, "copy-dest-values-source-first",
      llvm::cl::desc(
          "Emit copy_dest_values with the source first, as tt-metal declares it from mid 2026 on")};
};
} // namespace

std::unique_ptr<Pass> ttjit::createTTKernelToEmitCPass(const MetaliumVersion &version) {
  return std::make_unique<TTKernelToEmitC>(version);
}

void ttjit::registerTTKernelToEmitCPass() {
  PassRegistration<TTKernelToEmitC>(
      [] { return std::make_unique<TTKernelToEmitC>(MetaliumVersion()); });
}
