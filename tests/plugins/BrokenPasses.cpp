//===- BrokenPasses.cpp - passes that are wrong on purpose --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A plugin for --pass-plugin: mistakes that `ttl-jit bisect` and ttl-diff have to find.
// The passes find ops by name.
//===--------------------------------------------------------------------------===//

#include "BrokenNets.h"
#include "CrashPass.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace {

// Every addition becomes a subtraction.
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

// Erases every push, so that no thread publishes its results.
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

// Calls `function` with each op of these names.
void forEach(Operation *root, ArrayRef<StringRef> names, function_ref<void(Operation *)> function) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (llvm::is_contained(names, op->getName().getStringRef()))
      ops.push_back(op);
  });
  llvm::for_each(ops, function);
}

// A subtraction takes its operands in the wrong order.
struct SwapOperands : PassWrapper<SwapOperands, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SwapOperands)
  StringRef getArgument() const override { return "test-swap-operands"; }
  StringRef getDescription() const override { return "Compute b - a for a - b"; }

  void runOnOperation() override {
    forEach(getOperation(), {"ttkernel.sub_binary_tile", "ttkernel.sub_tiles"}, [](Operation *op) {
      Value first = op->getOperand(0);
      op->setOperand(0, op->getOperand(1));
      op->setOperand(1, first);
    });
  }
};

// Erases every barrier after reads, so that no thread waits for the data that it reads.
struct DropReadBarriers : PassWrapper<DropReadBarriers, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropReadBarriers)
  StringRef getArgument() const override { return "test-drop-read-barriers"; }
  StringRef getDescription() const override { return "Drop every barrier after reads"; }

  void runOnOperation() override {
    forEach(getOperation(),
            {"ttkernel.noc_async_read_barrier", "ttkernel.noc_async_read_barrier_with_trid"},
            [](Operation *op) { op->erase(); });
  }
};

// Tiles are unpacked from the page after the right one.
struct NextPage : PassWrapper<NextPage, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NextPage)
  StringRef getArgument() const override { return "test-next-page"; }
  StringRef getDescription() const override { return "Unpack the page after the right one"; }

  void runOnOperation() override {
    forEach(getOperation(), {"ttkernel.copy_tile"}, [](Operation *op) {
      OpBuilder builder(op);
      Value one = arith::ConstantIntOp::create(builder, op->getLoc(), 1, 32);
      op->setOperand(1, arith::AddIOp::create(builder, op->getLoc(), op->getOperand(1), one));
    });
  }
};

// Replaces floor(x) by ceil(x).
struct WrongFunction : PassWrapper<WrongFunction, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongFunction)
  StringRef getArgument() const override { return "test-wrong-function"; }
  StringRef getDescription() const override { return "Compute ceil(x) for floor(x)"; }

  void runOnOperation() override {
    forEach(getOperation(), {"ttkernel.floor_tile"}, [](Operation *op) {
      OpBuilder builder(op);
      OperationState state(op->getLoc(), "ttkernel.ceil_tile", op->getOperands(),
                           op->getResultTypes(), op->getAttrs());
      builder.create(state);
      op->erase();
    });
  }
};

// Erases the fills of registers, so that a sum starts with the register's old contents.
struct DropFills : PassWrapper<DropFills, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropFills)
  StringRef getArgument() const override { return "test-drop-fills"; }
  StringRef getDescription() const override { return "Do not fill registers"; }

  void runOnOperation() override {
    forEach(getOperation(), {"ttkernel.fill_tile"}, [](Operation *op) { op->erase(); });
  }
};

// Erases the inits of copies: an earlier init stays in effect. Only the emitted engine has inits.
struct StaleInit : PassWrapper<StaleInit, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StaleInit)
  StringRef getArgument() const override { return "test-stale-init"; }
  StringRef getDescription() const override { return "Drop the inits of copies"; }

  void runOnOperation() override {
    forEach(getOperation(), {"ttkernel.copy_tile_init"}, [](Operation *op) { op->erase(); });
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TestPasses", "1", [] {
            PassRegistration<BreakAdd>();
            PassRegistration<DropPush>();
            PassRegistration<SwapOperands>();
            PassRegistration<DropReadBarriers>();
            PassRegistration<NextPage>();
            PassRegistration<WrongFunction>();
            PassRegistration<DropFills>();
            PassRegistration<StaleInit>();
            registerBrokenNets();
            registerCrashPass();
          }};
}
