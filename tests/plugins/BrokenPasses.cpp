//===- BrokenPasses.cpp - passes that are wrong on purpose ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A plugin for --pass-plugin: what `ttl-jit bisect` has to find. Ops are known by
// their names alone.
//===--------------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace {

/// Every addition becomes a subtraction.
struct BreakAdd : PassWrapper<BreakAdd, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BreakAdd)
  StringRef getArgument() const override { return "test-break-add"; }
  StringRef getDescription() const override { return "Subtract where the kernel adds"; }

  void runOnOperation() override {
    SmallVector<std::pair<Operation *, StringRef>> wrong;
    getOperation().walk([&](Operation *op) {
      StringRef other = llvm::StringSwitch<StringRef>(op->getName().getStringRef())
                            .Case("ttl.block_add", "ttl.block_sub")
                            .Case("ttl.tile_add", "ttl.tile_sub")
                            .Case("ttkernel.add_binary_tile", "ttkernel.sub_binary_tile")
                            .Default("");
      if (!other.empty())
        wrong.push_back({op, other});
    });
    for (auto [op, name] : wrong) {
      OpBuilder builder(op);
      OperationState state(op->getLoc(), name, op->getOperands(), op->getResultTypes(),
                           op->getAttrs());
      op->replaceAllUsesWith(builder.create(state));
      op->erase();
    }
  }
};

/// Nobody publishes the results.
struct DropPush : PassWrapper<DropPush, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropPush)
  StringRef getArgument() const override { return "test-drop-push"; }
  StringRef getDescription() const override { return "Drop every push of a block"; }

  void runOnOperation() override {
    SmallVector<Operation *> pushes;
    getOperation().walk([&](Operation *op) {
      if (op->getName().getStringRef() == "ttl.cb_push")
        pushes.push_back(op);
    });
    for (Operation *op : pushes)
      op->erase();
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TestPasses", "1", [] {
            PassRegistration<BreakAdd>();
            PassRegistration<DropPush>();
          }};
}
