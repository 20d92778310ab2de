//===- CrashPass.cpp - a pass that crashes on purpose -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Raises a signal at the first op of a name: test-crash{kind=null op=ttl.bcast}.
//===--------------------------------------------------------------------------===//

#include "CrashPass.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstdlib>

using namespace mlir;

namespace {

void readNull() {
  volatile int *nothing = nullptr;
  (void)*nothing;
}

void divide() {
  volatile int zero = 0;
  volatile int result = 7 / zero; // 1 / zero would need no division
  (void)result;
}

int recurse(volatile char *outer) {
  volatile char frame[512];
  frame[0] = outer ? *outer : 1;
  return recurse(frame) + frame[0];
}

void useUpStack() { (void)recurse(nullptr); }

void reportFatal() { llvm::report_fatal_error("a fatal error on purpose"); }

struct CrashPass : PassWrapper<CrashPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CrashPass)
  CrashPass() = default;
  CrashPass(const CrashPass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "test-crash"; }
  StringRef getDescription() const override { return "Crash at an op"; }

  void runOnOperation() override {
    using Function = void (*)();
    auto crash = llvm::StringSwitch<Function>(kind)
                     .Case("null", readNull)
                     .Case("division", divide)
                     .Case("trap", [] { __builtin_trap(); })
                     .Case("abort", [] { std::abort(); })
                     .Case("fatal", reportFatal)
                     .Case("stack", useUpStack)
                     .Default(nullptr);
    getOperation().walk([&](Operation *op) {
      if (!crash || op->getName().getStringRef() != opName)
        return;
      crash();
      asm volatile("" : : "r"(op)); // real passes use the op afterwards, too
    });
  }

  Option<std::string> kind{*this, "kind", llvm::cl::desc("kind of crash"), llvm::cl::init("null")};
  Option<std::string> opName{*this, "op", llvm::cl::desc("name of the op")};
};

} // namespace

void registerCrashPass() { PassRegistration<CrashPass>(); }
