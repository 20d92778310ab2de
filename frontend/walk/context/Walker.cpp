//===- Walker.cpp - what the parts of the walk know of the whole --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/Walker.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/syntax/StackSpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace ttjit::frontend {

Walker::Walker(const WalkParts &parts, Kernel &kernel, ThreadKind kind, std::string threadName,
               mlir::Block *body)
    : WalkParts(parts), kernel(kernel), kind(kind), threadName(std::move(threadName)), body(body),
      builder(kernel.builder) {}

void Walker::checkStack(py::handle node) const {
  constexpr size_t kBytesPerLevel =
      96 * 1024; // stack bytes that one statement or expression may use
  if (stack.left() < kBytesPerLevel)
    diagnostics.fail(node, "this code is nested too deep for the stack of this Python thread: "
                           "split the function, or raise threading.stack_size()");
}

//===--------------------------------------------------------------------------===//
// Locations and constants
//===--------------------------------------------------------------------------===//

mlir::Location Walker::location(py::handle node) const { return diagnostics.location(node); }

mlir::Value Walker::constant(py::handle node, int32_t value) {
  return arith::ConstantIntOp::create(builder, location(node), builder.getI32Type(), value);
}

mlir::Value Walker::constant(py::handle node, float value) {
  return arith::ConstantFloatOp::create(builder, location(node), builder.getF32Type(),
                                        APFloat(value));
}

mlir::Value Walker::constant(py::handle node, bool value) {
  return arith::ConstantIntOp::create(builder, location(node), builder.getI1Type(), value);
}

mlir::Value Walker::indexConstant(py::handle node, int64_t value) {
  return arith::ConstantIndexOp::create(builder, location(node), value);
}

} // namespace ttjit::frontend
