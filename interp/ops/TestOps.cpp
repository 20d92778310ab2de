//===- TestOps.cpp - faults on purpose ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// ttltest.fault makes the host fault. Tests use it to check that a fault in the
// interpreter ends the run and not the process.
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"

#include "ir/TTLTest/TTLTest.h"

#include "llvm/ADT/StringSwitch.h"

#include <csignal>

using namespace ttjit;
using namespace ttjit::interp;
using namespace mlir::tt;

[[gnu::noinline]] static hw::Status writeNowhere(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  volatile uintptr_t address = 64;
  *reinterpret_cast<volatile int *>(address) = 1;
  return hw::Status::Fault;
}

[[gnu::noinline, gnu::no_sanitize("undefined")]] static hw::Status
divideByZero(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
#if defined(__x86_64__) || defined(__i386__)
  volatile int dividend = 7, zero = 0; // a dividend of 1 would be compiled without a division
  volatile int result = dividend / zero;
  (void)result;
#else
  raise(SIGFPE); // integer division does not trap on this target
#endif
  return hw::Status::Fault;
}

// Recurses until the stack overflows. It is no tail call: each level reads its part of the stack.
[[gnu::noinline]] static int descend(volatile char *above, int level) {
  volatile char here[256];
  here[0] = above[0];
  here[255] = static_cast<char>(level);
  return level == -1 ? here[255] : descend(here, level + 1) + here[0];
}

[[gnu::noinline]] static hw::Status exhaustStack(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  volatile char top = 0;
  (void)descend(&top, 0);
  return hw::Status::Fault;
}

static llvm::Error faultRule(ttltest::FaultOp op, FunctionCompiler &compiler) {
  Handler handler = llvm::StringSwitch<Handler>(op.getKind())
                        .Case("segv", writeNowhere)
                        .Case("fpe", divideByZero)
                        .Case("stack_overflow", exhaustStack)
                        .Default(nullptr);
  if (!handler)
    return errorAt(op,
                   "unknown fault '" + op.getKind() + "': expected segv, fpe or stack_overflow");
  compiler.emit(op, handler);
  return llvm::Error::success();
}

void interp::addTestOps(OpTable &table) {
  table.add<ttltest::InterpOnlyOp>(doNothing);
  table.add<ttltest::FaultOp, faultRule>();
}
