//===- CrashGuardTest.cpp - which op the compiler worked on when it crashed ---===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/CrashGuard.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

#include <csignal>

using namespace mlir;
using namespace ttjit::diagnostics;

namespace {

// A module in line 1 contains a module in line 2.
struct CrashLocation : testing::Test {
  Location line(unsigned number) { return FileLineColLoc::get(&context, "a.mlir", number, 1); }

  ModuleOp makeInner() {
    OpBuilder builder = OpBuilder::atBlockEnd(outer->getBody());
    return ModuleOp::create(builder, line(2));
  }

  Location locationWith(std::vector<uintptr_t> words) {
    return locationOf({SIGABRT, /*usedUpStack=*/false, std::move(words)}, *outer);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> outer = ModuleOp::create(line(1));
  ModuleOp inner = makeInner();
};

} // namespace

TEST_F(CrashLocation, IsTheOpOnTheStack) {
  EXPECT_EQ(locationWith({1, reinterpret_cast<uintptr_t>(inner.getOperation())}), line(2));
}

TEST_F(CrashLocation, IsTheRootWithoutAnOp) { EXPECT_EQ(locationWith({1, 2, 3}), line(1)); }

TEST_F(CrashLocation, TakesNoOtherWordForAnOp) {
  for (uintptr_t word = 0; word < 64; ++word)
    EXPECT_EQ(locationWith({word, ~word}), line(1)) << word;
}
